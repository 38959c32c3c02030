import { Badge, Button, Group, Skeleton, Stack, Text, Timeline, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import type { HistoryEntry } from '@contentflow/server/wire.ts'
import { usePages, useRead } from '../../../../data.ts'
import { useFormat } from '../../../../format.ts'
import { Failure } from '../../../../ui/failure.tsx'
import { Moment } from '../../../../ui/moments/moment.tsx'
import { MomentField } from '../../../../ui/moments/moment-field.tsx'
import { EnvironmentBadge } from '../../../../ui/state-badge.tsx'
import { useUrlState } from '../../../../ui/url-state.ts'
import { useMemberNames } from '../../use-member-names.ts'
import { instancePath, type Revision, type ServedContent } from '../api.ts'
import { useEditor } from '../editor-context.tsx'
import { usePublicationTexts } from '../publication-texts.ts'
import { useTexts } from '../texts.ts'
import { Comparison } from './comparison.tsx'
import { useRevisions } from './use-revisions.ts'

type Props = {
  onRollBack: (number: number) => void
  isRollingBack: boolean
  onPublish: (revision: Revision) => void
  hasUnsaved: boolean
}

/** Saves, publications, requests and decisions, newest first. A version is chosen, and compared with any other. */
export function HistoryPanel(props: Props) {
  const t = useTexts()
  const { instance } = useEditor()
  const words = usePublicationTexts()
  const path = `${instancePath(instance.blockKey, instance.id)}/history`
  const history = usePages<HistoryEntry>(path, 'history', { limit: 30 }, { every: 30_000 })
  const [chosen, setChosen] = useUrlState('revision')
  const revisions = useRevisions(instance, chosen === '' ? undefined : Number(chosen))
  const revision = revisions.items.find(({ number }) => String(number) === chosen)
  const failed = [history, revisions].find(({ error, items }) => error && items.length === 0)
  if (failed?.error) return <Failure error={failed.error} onRetry={failed.retry} />
  if (history.isLoading || revisions.isLoading) return <Skeleton height={240} role="status" aria-label={t('loading')} />
  return (
    <Stack gap="md">
      {revision && (
        <Comparison key={revision.number} revision={revision} revisions={revisions.items} onClose={() => setChosen('')} {...props} />
      )}
      <Timeline active={-1} bulletSize={12} lineWidth={2} aria-label={t('revisions')}>
        {history.items.map((entry) => (
          <Timeline.Item key={`${entry.action}-${entry.number}`}>
            {entry.action === 'save' ? (
              <SaveEntry
                entry={entry}
                isChosen={chosen === String(entry.number)}
                onChoose={() => setChosen(chosen === String(entry.number) ? '' : String(entry.number))}
              />
            ) : (
              <EventEntry entry={entry} action={entry.action} />
            )}
          </Timeline.Item>
        ))}
      </Timeline>
      {history.hasMore && (
        <Button variant="default" onClick={history.loadMore} loading={history.isMoreLoading}>
          {words('olderHistory')}
        </Button>
      )}
      <ServedAt onChoose={(number) => setChosen(String(number))} />
    </Stack>
  )
}

function SaveEntry({ entry, isChosen, onChoose }: { entry: HistoryEntry; isChosen: boolean; onChoose: () => void }) {
  const t = useTexts()
  const { instance } = useEditor()
  const nameOf = useMemberNames()
  const { number, source, restoredFrom, madeBy, at } = entry
  return (
    <UnstyledButton onClick={onChoose} aria-expanded={isChosen} w="100%">
      <Group gap="xs">
        <Text fw={500} size="sm">
          {t('version', { number })}
        </Text>
        {number === instance.version && (
          <Badge variant="light" tt="none" radius="sm" color="gray">
            {t('newest')}
          </Badge>
        )}
        {number === instance.live && <EnvironmentBadge environment="live" />}
        {number === instance.test && <EnvironmentBadge environment="test" />}
      </Group>
      <Text size="sm" c="dimmed" component="div">
        {t(`made_${source ?? 'edit'}`, { name: nameOf(madeBy), number: restoredFrom ?? 0 })} · <Moment at={at} />
      </Text>
    </UnstyledButton>
  )
}

function EventEntry({ entry, action }: { entry: HistoryEntry; action: Exclude<HistoryEntry['action'], 'save'> }) {
  const t = usePublicationTexts()
  const format = useFormat()
  const nameOf = useMemberNames()
  const { environment, revision, dueAt, madeBy, at, note } = entry
  return (
    <>
      <Text size="sm">
        {t(`event_${action}`, {
          number: revision ?? 0,
          where: environment ? t(environment) : '',
          at: dueAt ? format.moment(dueAt) : '',
        })}
      </Text>
      {note && (
        <Text size="sm" dir="auto" className="cf-foreign">
          “{note}”
        </Text>
      )}
      <Text size="sm" c="dimmed" component="div">
        {t('by', { name: nameOf(madeBy) })} · <Moment at={at} />
      </Text>
    </>
  )
}

/** Which version live apps got at any time that was. */
function ServedAt({ onChoose }: { onChoose: (number: number) => void }) {
  const t = usePublicationTexts()
  const { instance } = useEditor()
  const [at, setAt] = useState<string>()
  const path = `${instancePath(instance.blockKey, instance.id)}/at`
  const served = useRead<ServedContent>(path, { environment: 'live', time: at }, { when: at !== undefined })
  const revision = served.data?.revision
  return (
    <Stack gap="xs">
      <MomentField label={t('servedAt')} value={at} onChange={setAt} />
      {at !== undefined && served.error && <Failure error={served.error} onRetry={() => void served.refetch()} />}
      {at !== undefined && served.data && !served.isPlaceholderData && (
        <Group gap="xs" aria-live="polite">
          <Text size="sm">{revision ? t('servedVersion', { number: revision }) : t('servedNothing')}</Text>
          {revision && (
            <Button size="compact-sm" variant="subtle" onClick={() => onChoose(revision)}>
              {t('seeVersion', { number: revision })}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  )
}
