import { Anchor, Text } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { Link } from 'react-router'
import { usePages } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Page } from '../../../ui/page.tsx'
import { useMemberNames, type Receipt } from '../api.ts'
import { ExportReceipts } from '../requests/export-receipts.tsx'
import { ErasureRequests } from './erasure-requests.tsx'
import { ReceiptBadge } from './receipt-page.tsx'
import { useTexts } from '../texts.ts'

export function ErasuresPage() {
  const t = useTexts()
  const { workspace } = useSession()
  const pages = usePages<Receipt>('/erasures', 'erasures')
  const columns = useColumns()
  return (
    <Page title={t('erasuresTitle')} subtitle={t('erasuresSubtitle')} path={[{ label: t('title'), to: `/w/${workspace.id}/people` }]}>
      <ErasureRequests />
      <Listing
        label={t('erasuresTitle')}
        pages={pages}
        columns={columns}
        idOf={({ id }) => id}
        pathOf={({ id }) => `/w/${workspace.id}/people/erasures/${id}`}
        empty={<EmptyState icon={IconReceipt} title={t('noErasuresTitle')} text={t('noErasuresText')} />}
      />
      <ExportReceipts />
    </Page>
  )
}

function useColumns(): Column<Receipt>[] {
  const t = useTexts()
  const format = useFormat()
  const members = useMemberNames()
  return [
    {
      id: 'receipt',
      title: t('receipt'),
      cell: ({ id }) => (
        <Anchor component={Link} to={id} size="sm" className="cf-code" style={{ overflowWrap: 'anywhere' }}>
          {id}
        </Anchor>
      ),
    },
    { id: 'status', title: t('status'), cell: ({ status }) => <ReceiptBadge status={status} /> },
    { id: 'requested', title: t('requested'), cell: ({ requestedAt }) => <Moment at={requestedAt} /> },
    {
      id: 'requestedBy',
      title: t('requestedBy'),
      isExtra: true,
      cell: ({ requestedBy }) => members.get(requestedBy) ?? <Text size="sm">{t('byKey')}</Text>,
    },
    {
      id: 'count',
      title: t('count'),
      isExtra: true,
      align: 'end',
      cell: ({ parts }) => format.number(parts.reduce((sum, { count }) => sum + count, 0)),
    },
    { id: 'environment', title: t('environment'), isExtra: true, cell: ({ environment }) => t(environment) },
  ]
}
