import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Listing, type Column } from '../../ui/listing.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { EnvironmentBadge } from '../../ui/state-badge.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { useMemberNames, type ImportSummary, type Upload } from './api.ts'
import { UploadActions } from './upload-actions.tsx'
import { UploadDetails } from './upload-details.tsx'
import { UploadState } from './upload-state.tsx'
import { useTexts } from './texts.ts'

/** The finished imports, and above them the one that is not finished. */
export function ImportsTab({ begin }: { begin: ReactNode }) {
  const t = useTexts()
  const [open, setOpen] = useUrlState('upload')
  const uploads = usePages<Upload>('/enrichment/uploads', 'uploads', { limit: 25 })
  const columns = useUploadColumns()
  return (
    <Stack gap="lg">
      <Unfinished />
      <Stack gap="sm">
        <Stack gap={2}>
          <Title order={2}>{t('history')}</Title>
          <Text size="sm" c="dimmed" maw={720}>
            {t('historyText')}
          </Text>
        </Stack>
        <Listing
          label={t('history')}
          pages={uploads}
          columns={columns}
          idOf={({ jobRef }) => jobRef}
          empty={
            <EmptyState icon={IconFileImport} title={t('emptyTitle')} text={t('emptyText')}>
              {begin}
            </EmptyState>
          }
        />
      </Stack>
      {open !== '' && <UploadDetails key={open} jobRef={open} onClose={() => setOpen('')} />}
    </Stack>
  )
}

const UNFINISHED = { staging: 'blue', matching: 'blue', ready: 'orange', committing: 'blue' } as const

/** Imports that wait for a member, or are being worked on. */
function Unfinished() {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const members = useMemberNames()
  const { items } = usePages<ImportSummary>('/enrichment/imports', 'imports', { limit: 50 }, { every: 15_000 })
  const unfinished = items.flatMap((held) => {
    const colour = UNFINISHED[held.status as keyof typeof UNFINISHED] as string | undefined
    return colour ? [{ held, colour }] : []
  })
  if (unfinished.length === 0) return null
  return (
    <Stack gap="sm">
      <Title order={2}>{t('unfinished')}</Title>
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {unfinished.map(({ held, colour }) => (
          <Group key={held.importId} component="li" gap="sm">
            <Anchor
              component={Link}
              to={`/w/${workspace.id}/data/import?import=${encodeURIComponent(held.importId)}`}
              fw={600}
              style={{ overflowWrap: 'anywhere' }}
            >
              {held.fileName || t('noName')}
            </Anchor>
            <Badge color={colour} variant="light" tt="none" radius="sm" styles={{ label: { overflow: 'visible' } }}>
              {t(`status_${held.status as keyof typeof UNFINISHED}`)}
            </Badge>
            {held.env === 'test' && <EnvironmentBadge environment="test" />}
            <Text size="sm" c="dimmed" component="span">
              {t('rows', { count: held.counts.rows, number: format.number(held.counts.rows) })} ·{' '}
              {t('by', { name: members.get(held.createdBy) ?? t('formerMember') })} · <Moment at={held.createdAt} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Stack>
  )
}

function useUploadColumns(): Column<Upload>[] {
  const t = useTexts()
  const format = useFormat()
  const members = useMemberNames()
  return [
    { id: 'label', title: t('what'), cell: (upload) => <UploadTitle upload={upload} /> },
    { id: 'status', title: t('state'), cell: (upload) => <UploadState upload={upload} /> },
    { id: 'written', title: t('written'), align: 'end', cell: ({ written }) => format.number(written) },
    { id: 'values', title: t('values'), align: 'end', isExtra: true, cell: ({ valueCount }) => format.number(valueCount) },
    { id: 'errors', title: t('rejected'), align: 'end', isExtra: true, cell: ({ errorCount }) => format.number(errorCount) },
    { id: 'who', title: t('who'), isExtra: true, cell: ({ createdBy }) => members.get(createdBy) ?? t('formerMember') },
    { id: 'when', title: t('when'), isExtra: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      id: 'actions',
      title: <span className="cf-visually-hidden">{t('actions')}</span>,
      align: 'end',
      cell: (upload) => <UploadActions upload={upload} />,
    },
  ]
}

function UploadTitle({ upload: { jobRef, label, source, kind, env } }: { upload: Upload }) {
  const t = useTexts()
  const [params] = useSearchParams()
  const to = new URLSearchParams(params)
  to.set('upload', jobRef)
  return (
    <Stack gap={2} align="start">
      <Group gap={6}>
        <Anchor component={Link} to={`?${to}`} fw={600} style={{ overflowWrap: 'anywhere' }}>
          {label || t('noName')}
        </Anchor>
        {env === 'test' && <EnvironmentBadge environment="test" />}
      </Group>
      <Text size="xs" c="dimmed">
        {t(`kind_${kind}`)} · {t(`source_${source as 'csv_upload'}`)}
      </Text>
    </Stack>
  )
}
