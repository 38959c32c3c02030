import { Stack, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { usePages } from '../../data.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Listing, type Column } from '../../ui/listing.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { campaignApi, type CampaignEvent } from './api.ts'
import { CampaignState } from './campaign-state.tsx'
import { useTexts } from './texts.ts'
import { useMemberName } from './words.ts'

/** Who did what, when, and to which content: kept for as long as the campaign. */
export function CampaignHistory({ campaignId }: { campaignId: string }) {
  const t = useTexts()
  const pages = usePages<CampaignEvent>(`${campaignApi(campaignId)}/history`, 'history', { limit: 25 })
  const columns = useColumns()
  return (
    <Listing
      label={t('history')}
      pages={pages}
      columns={columns}
      idOf={({ number }) => String(number)}
      empty={<EmptyState icon={IconHistory} title={t('historyEmpty')} text="" />}
    />
  )
}

function useColumns(): Column<CampaignEvent>[] {
  const t = useTexts()
  const memberName = useMemberName()
  return [
    {
      id: 'what',
      title: t('what'),
      cell: ({ action, to, note }) => (
        <Stack gap={4} align="flex-start">
          <Text size="sm">{t(`did_${action}`)}</Text>
          {to !== null && <CampaignState status={to} />}
          {note !== null && (
            <Text size="sm" c="dimmed" dir="auto" className="cf-foreign" style={{ whiteSpace: 'pre-wrap' }}>
              {note}
            </Text>
          )}
        </Stack>
      ),
    },
    { id: 'who', title: t('who'), cell: ({ madeBy }) => <bdi>{memberName(madeBy)}</bdi> },
    { id: 'when', title: t('when'), cell: ({ at }) => <Moment at={at} /> },
    {
      id: 'content',
      title: t('content'),
      isExtra: true,
      cell: ({ contentHash }) => (
        <span className="cf-code" title={contentHash}>
          {contentHash.slice(0, 12)}
        </span>
      ),
    },
  ]
}
