import { Badge, Skeleton, Stack, Title } from '@mantine/core'
import { usePages, type Pages } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Page } from '../../../ui/page.tsx'
import { useLanguages, type Import, type Member } from '../api.ts'
import { ImportChoose } from './import-choose.tsx'
import { ImportPending } from './import-pending.tsx'
import { useImportTexts } from './import-texts.ts'
import { RunBar } from '../run-bar.tsx'
import { useTexts } from '../texts.ts'

/** Strings from a CSV file: choose, look at what it would do, apply. One import waits at a time, and is found again here. */
export function ImportPage() {
  const t = useImportTexts()
  const strings = useTexts()
  const { workspace, mayEdit } = useSession()
  const { languages, error, retry } = useLanguages()
  const imports = usePages<Import>('/strings/imports', 'imports', { limit: 20 }, { every: 15_000 })
  // Only one import can be pending, so it is the newest.
  const pending = imports.items.find(({ status }) => status === 'pending')
  const failure = error ?? (imports.items.length === 0 ? imports.error : null)
  return (
    <Page title={t('title')} subtitle={t('lead')} path={[{ label: strings('title'), to: `/w/${workspace.id}/strings` }]}>
      <RunBar />
      {failure && <Failure error={failure} onRetry={error ? retry : imports.retry} />}
      {!failure && (imports.isLoading || !languages) && <Skeleton h={280} />}
      {languages && !imports.isLoading && pending && <ImportPending key={pending.importId} pending={pending} languages={languages} />}
      {languages && !imports.isLoading && !pending && mayEdit && <ImportChoose languages={languages} />}
      {!imports.isLoading && <PastImports imports={{ ...imports, items: imports.items.filter(({ status }) => status !== 'pending') }} />}
    </Page>
  )
}

const COLOURS = { applied: 'green', cancelled: 'gray', lapsed: 'gray', pending: 'orange' } as const

function PastImports({ imports }: { imports: Pages<Import> }) {
  const t = useImportTexts()
  const columns = usePastColumns()
  if (imports.items.length === 0) return null
  return (
    <Stack gap="sm">
      <Title order={2}>{t('past')}</Title>
      <Listing
        label={t('past')}
        pages={{ ...imports, total: undefined }}
        idOf={({ importId }) => importId}
        empty={null}
        columns={columns}
      />
    </Stack>
  )
}

function usePastColumns(): Column<Import>[] {
  const t = useImportTexts()
  const format = useFormat()
  const members = usePages<Member>('/members', 'members').items
  return [
    { id: 'file', title: t('file'), cell: ({ fileName }) => <span style={{ overflowWrap: 'anywhere' }}>{fileName ?? t('noName')}</span> },
    {
      id: 'status',
      title: t('outcome'),
      cell: ({ status }) => (
        <Badge color={COLOURS[status]} variant="light" tt="none" radius="sm" styles={{ label: { overflow: 'visible' } }}>
          {t(`status_${status}`)}
        </Badge>
      ),
    },
    {
      id: 'created',
      title: t('created'),
      align: 'end',
      isExtra: true,
      cell: ({ status, summary }) => (status === 'applied' ? format.number(summary.created) : '–'),
    },
    {
      id: 'updated',
      title: t('updated'),
      align: 'end',
      isExtra: true,
      cell: ({ status, summary }) => (status === 'applied' ? format.number(summary.updated) : '–'),
    },
    {
      id: 'rejected',
      title: t('rejected'),
      align: 'end',
      isExtra: true,
      cell: ({ summary }) => format.number(summary.rejectedCount),
    },
    {
      id: 'who',
      title: t('who'),
      isExtra: true,
      cell: ({ createdBy }) => members.find(({ userId }) => userId === createdBy)?.name ?? '–',
    },
    { id: 'when', title: t('when'), cell: ({ finishedAt, createdAt }) => <Moment at={finishedAt ?? createdAt} /> },
  ]
}
