import { Alert, Badge, Button, Checkbox, Group, List, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { saveFile } from '../../../files/save-file.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import type { Import } from '../api.ts'
import { useReasonWords } from '../reason-words.ts'
import { useTexts } from '../texts.ts'
import { Affected } from './affected.tsx'
import type { OpenFile } from './file/open-file.ts'
import { collectRejected } from './file/rejected-file.ts'
import { canTakeBack } from './reopened.ts'
import { SampleTable } from './sample-table.tsx'
import { useImportTexts } from './texts.ts'
import type { ImportActions } from './use-import.ts'

type DryRunProps = { held: Import; actions: ImportActions; file: OpenFile | undefined; onColumns: () => void }

/** What an import would do, before it is done. */
export function DryRun({ held, actions, file, onColumns }: DryRunProps) {
  const t = useImportTexts()
  const { mayEdit } = useSession()
  return (
    <>
      <Paper withBorder p="md">
        <Stack gap="md">
          <Title order={2}>{t('dryRun')}</Title>
          <Numbers held={held} />
          {mayEdit && <Commit held={held} actions={actions} onColumns={file && canTakeBack(held.importId) ? onColumns : undefined} />}
        </Stack>
      </Paper>
      <Affected held={held} />
      <Rejected held={held} file={file} />
      <Paper withBorder p="md">
        <Stack gap="sm">
          <Title order={2}>{t('sample')}</Title>
          <SampleTable held={held} />
        </Stack>
      </Paper>
      <Attributes held={held} />
    </>
  )
}

function Numbers({ held: { counts } }: { held: Import }) {
  const t = useImportTexts()
  const format = useFormat()
  if (!('matched' in counts)) return null
  const { rows, matched, unmatched, rejected, matchRate } = counts
  const tiles = { rows, matched, unmatched, rejected }
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="xs" component="dl" m={0}>
        {Object.entries(tiles).map(([id, value]) => (
          <Paper key={id} bg="var(--mantine-color-default-hover)" p="xs" px="sm">
            <Text size="xs" c="dimmed" component="dt">
              {t(`count_${id as keyof typeof tiles}`)}
            </Text>
            <Text fw={650} component="dd" m={0}>
              {format.number(value)}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      <Text size="sm">
        {t('matchedText', { count: matched, number: format.number(matched), rate: format.percent(matchRate / 100) })}{' '}
        {unmatched > 0 && t('unmatchedText', { count: unmatched, number: format.number(unmatched) })}
      </Text>
    </Stack>
  )
}

type CommitProps = Pick<DryRunProps, 'held' | 'actions'> & { onColumns: (() => void) | undefined }

function Commit({ held, actions: { commit, match, isTakingBack }, onColumns }: CommitProps) {
  const t = useImportTexts()
  const format = useFormat()
  const [createMissing, setCreateMissing] = useState(false)
  const { counts, mapping } = held
  if (!('matched' in counts)) return null
  const canCreate = mapping.identity.type === 'userId' && counts.unmatched > 0
  const writes = counts.matched + (canCreate && createMissing ? counts.unmatched : 0)
  return (
    <Stack gap="sm" align="start">
      {canCreate && (
        <Checkbox
          checked={createMissing}
          onChange={({ currentTarget }) => setCreateMissing(currentTarget.checked)}
          label={t('createMissing', { count: counts.unmatched, number: format.number(counts.unmatched) })}
          description={t('createMissingText')}
        />
      )}
      {writes === 0 && <Alert color="gray">{t(canCreate ? 'nobodyButMissing' : 'nobody')}</Alert>}
      <Group gap="xs">
        <Button
          disabled={writes === 0}
          loading={commit.isPending}
          onClick={() => commit.mutate({ createMissing: canCreate && createMissing })}
        >
          {writes === 0 ? t('commit') : t('commitPeople', { count: writes, number: format.number(writes) })}
        </Button>
        <Button variant="default" loading={match.isPending} onClick={() => match.mutate()}>
          {t('matchAgain')}
        </Button>
        {onColumns && (
          <Button variant="default" loading={isTakingBack} onClick={onColumns}>
            {t('changeColumns')}
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {t('commitText')}
      </Text>
    </Stack>
  )
}

/** How many rows for each reason; the most frequent first. */
function Rejected({ held, file }: Pick<DryRunProps, 'held' | 'file'>) {
  const t = useImportTexts()
  const format = useFormat()
  const say = useReasonWords(held.mapping.columns)
  const { isSaving, error, save } = useRejectedFile(held, file)
  const reasons = Object.entries(held.rejectReasons ?? {}).toSorted(([, a], [, b]) => b - a)
  if (reasons.length === 0) return null
  return (
    <Paper withBorder p="md">
      <Stack gap="sm" align="start">
        <Title order={2}>{t('rejectedTitle', { count: held.counts.rejected, number: format.number(held.counts.rejected) })}</Title>
        <List size="sm" spacing={4}>
          {reasons.map(([reason, count]) => (
            <List.Item key={reason}>
              {say(reason)}{' '}
              <Badge variant="light" color="red" radius="sm" tt="none">
                {format.number(count)}
              </Badge>
            </List.Item>
          ))}
        </List>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} loading={isSaving} onClick={() => void save()}>
          {t('saveRejected')}
        </Button>
        <Text size="xs" c="dimmed">
          {t(file ? 'saveRejectedText' : 'saveMaskedText')}
        </Text>
        {error && <Failure error={error} />}
      </Stack>
    </Paper>
  )
}

function useRejectedFile({ importId, fileName, mapping }: Import, file: OpenFile | undefined) {
  const data = useTexts()
  const say = useReasonWords(mapping.columns)
  const { workspace } = useSession()
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const save = async () => {
    setSaving(true)
    setError(null)
    const titles = { row: data('row'), reason: data('reason'), identifier: data('identifier') }
    try {
      const content = await collectRejected({ workspaceId: workspace.id, importId, file, titles, say })
      saveFile(`${fileName.replace(/\.\w+$/, '') || 'rows'}-rejected.csv`, content)
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    }
    setSaving(false)
  }
  return { isSaving, error, save }
}

/** For each attribute, how many cells have a value and how many of those do not fit its type. */
function Attributes({ held: { mapping, columnStats } }: { held: Import }): ReactNode {
  const t = useImportTexts()
  const data = useTexts()
  const format = useFormat()
  const stats = new Map(Object.entries(columnStats ?? {}))
  const counted = mapping.columns.flatMap(({ name }) => {
    const counts = stats.get(name)
    return counts ? [{ name, ...counts }] : []
  })
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2}>{t('attributes')}</Title>
        <Table aria-label={t('attributes')} fz="sm" maw={640}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{data('attribute')}</Table.Th>
              <Table.Th ta="end">{t('filled')}</Table.Th>
              <Table.Th ta="end">{t('invalid')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {counted.map(({ name, values, invalid }) => (
              <Table.Tr key={name}>
                <Table.Td dir="auto" className="cf-foreign">
                  {name}
                </Table.Td>
                <Table.Td ta="end">{format.number(values)}</Table.Td>
                <Table.Td ta="end">{format.number(invalid)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </Paper>
  )
}
