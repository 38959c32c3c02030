import { Button, Group, Paper, Select, Stack, Text } from '@mantine/core'
import { IconBroadcast, IconHistory } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useFormat } from '../../../../format.ts'
import { Confirm } from '../../../../ui/confirm.tsx'
import { useUrlState } from '../../../../ui/url-state.ts'
import { contentOf, type Revision } from '../api.ts'
import { useEditor } from '../editor-context.tsx'
import { usePublicationTexts } from '../publication-texts.ts'
import { useTexts } from '../texts.ts'
import { ChangeList } from './change-list.tsx'
import { changesBetween } from './changes.ts'

type Props = {
  revision: Revision
  revisions: Revision[]
  onClose: () => void
  onRollBack: (number: number) => void
  isRollingBack: boolean
  onPublish: (revision: Revision) => void
  hasUnsaved: boolean
}

/** A version beside another one, and what can be done with it. */
export function Comparison({ revision, revisions, onClose, onRollBack, isRollingBack, onPublish, hasUnsaved }: Props) {
  const t = useTexts()
  const words = usePublicationTexts()
  const format = useFormat()
  const { instance, isReadOnly } = useEditor()
  const isNewest = revision.number === instance.version
  const [against, setAgainst] = useUrlState('against')
  const [isAsking, setAsking] = useState(false)
  // The newest revision is compared with the one that it replaced by default, an older one with the current one.
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
            <Button variant="default" leftSection={<IconHistory size={16} aria-hidden />} onClick={() => setAsking(true)}>
              {t('putBack')}
            </Button>
          )}
          {!isReadOnly && revision.number !== instance.live && (
            <Button leftSection={<IconBroadcast size={16} aria-hidden />} onClick={() => onPublish(revision)}>
              {words('publishThis')}
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
