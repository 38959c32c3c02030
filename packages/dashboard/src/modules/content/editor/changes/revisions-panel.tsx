import { Badge, Button, Group, Paper, Select, Skeleton, Stack, Text, Timeline, UnstyledButton } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { usePages } from '../../../../data.ts'
import { useFormat } from '../../../../format.ts'
import { Confirm } from '../../../../ui/confirm.tsx'
import { Failure } from '../../../../ui/failure.tsx'
import { Moment } from '../../../../ui/moment.tsx'
import { EnvironmentBadge } from '../../../../ui/state-badge.tsx'
import { useUrlState } from '../../../../ui/url-state.ts'
import { contentOf, instancePath, type Revision } from '../api.ts'
import { ChangeList } from './change-list.tsx'
import { changesBetween } from './changes.ts'
import { useEditor } from '../editor-context.tsx'
import { useMakers } from './makers.ts'
import { useTexts } from '../texts.ts'

type Props = { onRollBack: (number: number) => void; isRollingBack: boolean; hasUnsaved: boolean }

/** Every save, newest first. One is chosen, and compared with any other. */
export function RevisionsPanel({ onRollBack, isRollingBack, hasUnsaved }: Props) {
  const t = useTexts()
  const { instance } = useEditor()
  const pages = usePages<Revision>(
    `${instancePath(instance.blockKey, instance.id)}/revisions`,
    'revisions',
    { limit: 20 },
    { every: 30_000 },
  )
  const [chosen, setChosen] = useUrlState('revision')
  const revision = pages.items.find(({ number }) => String(number) === chosen)
  const makers = useMakers()
  if (pages.error && pages.items.length === 0) return <Failure error={pages.error} onRetry={pages.retry} />
  if (pages.isLoading) return <Skeleton height={240} aria-label={t('loading')} />
  return (
    <Stack gap="md">
      {revision && (
        <Comparison
          key={revision.number}
          revision={revision}
          revisions={pages.items}
          onClose={() => setChosen('')}
          onRollBack={onRollBack}
          isRollingBack={isRollingBack}
          hasUnsaved={hasUnsaved}
        />
      )}
      <Timeline active={-1} bulletSize={12} lineWidth={2} aria-label={t('revisions')}>
        {pages.items.map((each) => (
          <Timeline.Item key={each.number}>
            <UnstyledButton
              onClick={() => setChosen(chosen === String(each.number) ? '' : String(each.number))}
              aria-expanded={chosen === String(each.number)}
              w="100%"
            >
              <Group gap="xs">
                <Text fw={500} size="sm">
                  {t('version', { number: each.number })}
                </Text>
                {each.number === instance.version && (
                  <Badge variant="light" tt="none" radius="sm" color="gray">
                    {t('newest')}
                  </Badge>
                )}
                {each.number === instance.live && <EnvironmentBadge environment="live" />}
                {each.number === instance.test && <EnvironmentBadge environment="test" />}
              </Group>
              <Text size="sm" c="dimmed" component="div">
                {t(`made_${each.source}`, { name: makers(each.madeBy), number: each.restoredFrom ?? 0 })} · <Moment at={each.createdAt} />
              </Text>
            </UnstyledButton>
          </Timeline.Item>
        ))}
      </Timeline>
      {pages.hasMore && (
        <Button variant="default" onClick={pages.loadMore} loading={pages.isMoreLoading}>
          {t('olderRevisions')}
        </Button>
      )}
    </Stack>
  )
}

function Comparison({
  revision,
  revisions,
  onClose,
  onRollBack,
  isRollingBack,
  hasUnsaved,
}: Props & { revision: Revision; revisions: Revision[]; onClose: () => void }) {
  const t = useTexts()
  const format = useFormat()
  const { instance, isReadOnly } = useEditor()
  const isNewest = revision.number === instance.version
  const [against, setAgainst] = useUrlState('against')
  const [isAsking, setAsking] = useState(false)
  // The newest one is most wanted to be compared with what it replaced, an older one with what is there now.
  const byDefault = isNewest ? revisions[1] : revisions[0]
  const other = revisions.find(({ number }) => String(number) === against && number !== revision.number) ?? byDefault
  const [older, newer] = other && other.number < revision.number ? [other, revision] : [revision, other]
  const changes = useMemo(() => (newer ? changesBetween(older.content, newer.content) : []), [older, newer])
  const back = useMemo(() => changesBetween(contentOf(instance), revision.content), [instance, revision])
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Group justify="space-between" align="flex-end">
          <Text fw={600}>{t('version', { number: revision.number })}</Text>
          <Text size="sm" c="dimmed">
            {format.moment(revision.createdAt)}
          </Text>
        </Group>
        {newer ? (
          <>
            <Select
              label={t('compareWith')}
              data={revisions
                .filter(({ number }) => number !== revision.number)
                .map(({ number, createdAt }) => ({
                  value: String(number),
                  label: `${t('version', { number })} · ${format.moment(createdAt)}`,
                }))}
              value={String(other?.number)}
              onChange={(number) => setAgainst(number ?? '')}
              allowDeselect={false}
            />
            <Text size="sm" c="dimmed">
              {t('fromToVersion', { from: older.number, to: newer.number })}
            </Text>
            <ChangeList changes={changes} label={t('differences')} />
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {t('onlyVersion')}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
          {!isReadOnly && !isNewest && (
            <Button leftSection={<IconHistory size={16} aria-hidden />} onClick={() => setAsking(true)}>
              {t('putBack')}
            </Button>
          )}
        </Group>
      </Stack>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          onRollBack(revision.number)
          setAsking(false)
        }}
        title={t('putBackTitle', { number: revision.number })}
        action={t('putBack')}
        isBusy={isRollingBack}
      >
        <Stack gap="md">
          <Text size="sm">
            {instance.targets.length > 0 ? t('putBackLive') : t('putBackDraft')} {hasUnsaved && t('putBackUnsaved')}
          </Text>
          <ChangeList changes={back} label={t('differences')} />
        </Stack>
      </Confirm>
    </Paper>
  )
}
