import { Alert, Badge, Button, Group, Paper, Progress, Skeleton, Stack, Table, Text } from '@mantine/core'
import { IconCheck, IconClock, IconDownload, IconPrinter } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useParams } from 'react-router'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { CopyField } from '../../../ui/fields/copy-field.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Page } from '../../../ui/page.tsx'
import { Wide } from '../../../ui/wide.tsx'
import { useMemberNames, type ErasurePart, type Receipt } from '../api.ts'
import { Facts } from '../facts.tsx'
import { useTexts } from '../texts.ts'
import './receipt.css'

/** Looked at this often while parts are left. */
const PENDING_MS = 1_000

/** The proof of an erasure: its parts, how much of each, and when. It holds nothing of the person. */
export function ReceiptPage() {
  const t = useTexts()
  const { id = '' } = useParams()
  const { workspace } = useSession()
  const receiptPath = `/erasures/${encodeURIComponent(id)}`
  const first = useRead<Receipt>(receiptPath)
  const isPending = first.data?.id === id && first.data.status === 'pending'
  // The same read, repeated while something is left to erase.
  useRead<Receipt>(receiptPath, {}, { every: PENDING_MS, when: isPending })
  const receipt = first.data?.id === id ? first.data : undefined
  const path = [
    { label: t('title'), to: `/w/${workspace.id}/people` },
    { label: t('erasuresTitle'), to: `/w/${workspace.id}/people/erasures` },
  ]
  return (
    <Page
      title={t('receipt')}
      path={path}
      beside={receipt && <ReceiptBadge status={receipt.status} />}
      actions={receipt && <Keep receipt={receipt} />}
    >
      {first.error && <Failure error={first.error} onRetry={() => void first.refetch()} />}
      {!receipt && !first.error && <Skeleton height={420} />}
      {receipt && <ReceiptView receipt={receipt} />}
    </Page>
  )
}

export function ReceiptBadge({ status }: { status: Receipt['status'] }) {
  const t = useTexts()
  return (
    <Badge color={status === 'complete' ? 'green' : 'yellow'} variant="light" tt="none" radius="sm">
      {t(`status_${status}`)}
    </Badge>
  )
}

function Keep({ receipt }: { receipt: Receipt }) {
  const t = useTexts()
  return (
    <Group gap="xs" className="cf-not-printed">
      <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
        {t('print')}
      </Button>
      <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => download(receipt)}>
        {t('download')}
      </Button>
    </Group>
  )
}

function download(receipt: Receipt): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `erasure-${receipt.id}.json`
  link.click()
  URL.revokeObjectURL(url)
}

function ReceiptView({ receipt }: { receipt: Receipt }) {
  const t = useTexts()
  const format = useFormat()
  const members = useMemberNames()
  const { id, environment, status, parts, requestedBy, requestedAt, completedAt } = receipt
  const done = parts.filter((part) => part.status === 'erased').length
  return (
    <Stack maw={860}>
      <JustErased status={status} />
      <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
        <Stack>
          <Progress value={(done / parts.length) * 100} aria-label={t('status')} />
          <Text size="sm" role="status">
            {t(status === 'complete' ? 'completeText' : 'pendingText', { done: format.number(done), all: format.number(parts.length) })}
          </Text>
          <Facts
            facts={[
              [t('receiptId'), <CopyField key="id" value={id} label={t('receiptId')} />],
              [t('environment'), t(environment)],
              [t('requested'), <Moment key="requested" at={requestedAt} exact />],
              [t('completed'), completedAt === null ? t('notCompleted') : <Moment key="completed" at={completedAt} exact />],
              [t('requestedBy'), members.get(requestedBy) ?? <CopyField key="by" value={requestedBy} label={t('key')} />],
            ]}
          />
        </Stack>
      </Paper>
      <PartsTable parts={parts} />
    </Stack>
  )
}

/** Shown only right after the request: the receipt itself does not say who it was. */
function JustErased({ status }: { status: Receipt['status'] }) {
  const t = useTexts()
  const client = useQueryClient()
  const { state } = useLocation() as { state: { erased?: unknown } | null }
  const isJust = typeof state?.erased === 'string'
  useEffect(() => {
    // This window also drops what it had read of the person.
    if (isJust) client.removeQueries({ predicate: ({ queryKey: [, path] }) => /^\/(users|devices|segments)/.test(String(path)) })
  }, [isJust, client])
  if (!isJust) return null
  return (
    <Alert color="teal" icon={<IconCheck aria-hidden />} className="cf-not-printed">
      {t(`erasedJust_${status}`, { id: String(state.erased) })}
    </Alert>
  )
}

function PartsTable({ parts }: { parts: ErasurePart[] }) {
  const t = useTexts()
  const format = useFormat()
  return (
    <Wide label={t('receipt')} withBorder>
      <Table aria-label={t('receipt')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('part')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('status')}</Table.Th>
            <Table.Th ta="end">{t('count')}</Table.Th>
            <Table.Th>{t('erasedAt')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {parts.map(({ part, status, count, at }) => (
            <Table.Tr key={part}>
              <Table.Td>
                <PartName part={part} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Group gap={6} wrap="nowrap">
                  {status === 'erased' ? <IconCheck size={16} aria-hidden /> : <IconClock size={16} aria-hidden />}
                  {t(status === 'erased' ? 'erased' : 'waiting')}
                </Group>
              </Table.Td>
              <Table.Td ta="end">{format.number(count)}</Table.Td>
              <Table.Td>{at === null ? t('waiting') : format.moment(at)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}

const PARTS = [
  'device',
  'location_history',
  'geofence_events',
  'kyc',
  'enrichment',
  'analytics_events',
  'popup_frequency',
  'once_ever',
  'profile',
] as const

/** A part that a newer server knows keeps its own name. */
function PartName({ part }: { part: string }) {
  const t = useTexts()
  const known = PARTS.find((each) => each === part)
  return known ? t(`part_${known}`) : part
}
