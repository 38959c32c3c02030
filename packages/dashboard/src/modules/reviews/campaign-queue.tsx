import { IconSpeakerphone } from '@tabler/icons-react'
import type { CampaignReview } from '@contentflow/server/wire.ts'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { campaignPath } from '../campaigns/api.ts'
import { Queue } from './queue.tsx'
import { useTexts } from './texts.ts'

/** Campaigns, and changes of campaigns. `total` is the server's. */
export function CampaignQueue({ total }: { total: number }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const pages = usePages<CampaignReview>('/campaigns/reviews', 'reviews', { limit: 5 }, { every: 30_000 })
  const count = pages.total ?? total
  return (
    <Queue
      label={t('campaignQueue')}
      title={t('campaignsToReview', { count, formatted: format.number(count) })}
      pages={pages}
      rowOf={({ kind, campaignId, name, ...asked }) => ({
        picture: IconSpeakerphone,
        name,
        path: campaignPath(workspace.id, campaignId) + (kind === 'campaign_edit' ? '?tab=edits' : ''),
        asked,
        before: kind === 'campaign_edit' && `${t('campaignEdit')} · `,
      })}
    />
  )
}
