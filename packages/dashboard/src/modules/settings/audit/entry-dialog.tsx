import { Button, Code, Group, Stack, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { BoundAuditEntry } from '@contentflow/server/wire.ts'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { pathOfObject } from './action-words.ts'
import { OutcomeBadge } from './outcome-badge.tsx'
import { useAuditTexts } from './texts.ts'
import { useSentence } from './use-sentence.ts'

/** One entry with all that it says, and the way to what it was done to. */
export function EntryDialog({ seq, onClose }: { seq: string; onClose: () => void }) {
  const t = useAuditTexts()
  const format = useFormat()
  const sentence = useSentence()
  const read = useRead<BoundAuditEntry>(`/audit/${encodeURIComponent(seq)}`)
  return (
    <Dialog opened onClose={onClose} title={t('entry', { seq: format.number(Number(seq)) })} size="lg">
      <Loaded read={read} height={320}>
        {(entry) => (
          <Stack>
            <Text fw={600}>{sentence(entry)}</Text>
            <Group gap="sm">
              <OutcomeBadge outcome={entry.outcome} />
              <Text size="sm" c="dimmed" component="span">
                <Moment at={entry.at} exact />
              </Text>
            </Group>
            <Facts entry={entry} />
            <ToObject entry={entry} />
          </Stack>
        )}
      </Loaded>
    </Dialog>
  )
}

function Facts({ entry }: { entry: BoundAuditEntry }) {
  const t = useAuditTexts()
  const facts: [name: string, value: string | undefined][] = [
    [t('what'), entry.action],
    [t('member_names'), entry.members?.join(', ')],
    [t('revision'), entry.object?.revision === undefined ? undefined : String(entry.object.revision)],
    [t('reason'), entry.reason],
    [t('address'), entry.address],
    [t('program'), entry.userAgent],
    [t('request'), entry.requestId],
    [t('session'), entry.session],
    [t('before'), entry.before],
    [t('after'), entry.after],
    [t('hash'), entry.hash],
  ]
  return (
    <Table aria-label={t('details')} layout="fixed">
      <Table.Tbody>
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <Table.Tr key={name}>
                <Table.Th scope="row" w={{ base: 110, sm: 170 }} ta="start">
                  {name}
                </Table.Th>
                <Table.Td>
                  <Code dir="ltr" style={{ overflowWrap: 'anywhere' }}>
                    {value}
                  </Code>
                </Table.Td>
              </Table.Tr>
            ),
        )}
      </Table.Tbody>
    </Table>
  )
}

function ToObject({ entry: { object } }: { entry: BoundAuditEntry }) {
  const t = useAuditTexts()
  const { workspace } = useSession()
  const path = object && pathOfObject(object)
  if (path === undefined) return null
  return (
    <Group justify="flex-end">
      <Button component={Link} to={`/w/${workspace.id}/${path}`} variant="default">
        {t('openObject')}
      </Button>
    </Group>
  )
}
