import type { PersonExport } from '@contentflow/server/wire.ts'
import { usePages } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Section } from '../../../ui/section.tsx'
import { useMemberNames } from '../api.ts'
import { EXPORTS } from './requests.ts'
import { useRequestTexts } from './texts.ts'

/** Receipts of files of people; nothing where none was made. */
export function ExportReceipts() {
  const t = useRequestTexts()
  const columns = useColumns()
  const pages = usePages<PersonExport>(EXPORTS, 'exports')
  if (pages.items.length === 0 && !pages.error) return null
  return (
    <Section title={t('filesTitle')} text={t('filesText')}>
      <Listing label={t('filesTitle')} pages={pages} columns={columns} idOf={({ id }) => id} empty={null} />
    </Section>
  )
}

function useColumns(): Column<PersonExport>[] {
  const t = useRequestTexts()
  const format = useFormat()
  const members = useMemberNames()
  return [
    {
      id: 'file',
      title: t('file'),
      cell: ({ id }) => (
        <bdi className="cf-code" style={{ overflowWrap: 'anywhere' }}>
          {id}
        </bdi>
      ),
    },
    {
      id: 'made',
      title: t('madeAt'),
      cell: ({ madeAt, finishedAt }) => (finishedAt === null ? t('unfinished') : <Moment at={madeAt} />),
    },
    { id: 'by', title: t('madeBy'), isExtra: true, cell: ({ madeBy }) => members.get(madeBy) ?? madeBy },
    {
      id: 'rows',
      title: t('rows'),
      isExtra: true,
      align: 'end',
      cell: ({ parts }) => format.number(parts.reduce((sum, { rows }) => sum + rows, 0)),
    },
  ]
}
