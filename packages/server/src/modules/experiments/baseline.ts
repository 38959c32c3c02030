import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { listCampaignCounts, sumRecentCampaigns } from '../analytics/index.ts'
import { getCampaign } from '../campaigns/index.ts'

/** Without a campaign: those that went live in the last 30 days. */
type Subject = { campaignId?: string; metric?: 'clicks' | 'conversions' }
const RECENT_DAYS = 30

/** The share of the devices of a campaign that did it so far, and how many came on a day since it was made; of several, of one of them. */
export async function findBaseline(
  { db, clock }: Context,
  workspaceId: string,
  { campaignId, metric = 'clicks' }: Subject,
): Promise<{ baseline: number; dailyUnits: number }> {
  if (campaignId === undefined) {
    const since = new Date(clock.ms() - RECENT_DAYS * DAY_MS)
    const { seen, clicked, converted, daily } = await sumRecentCampaigns(db, workspaceId, since, clock.now())
    return { baseline: shareOf(metric === 'clicks' ? clicked : converted, seen), dailyUnits: daily }
  }
  const { createdAt } = await getCampaign(db, workspaceId, campaignId)
  const counts = await listCampaignCounts(db, workspaceId, campaignId, 'live')
  const seen = counts.reduce((sum, row) => sum + row.seen, 0)
  const done = counts.reduce((sum, row) => sum + (metric === 'clicks' ? row.clicked : row.converted), 0)
  return { baseline: shareOf(done, seen), dailyUnits: seen / Math.max(1, (clock.ms() - createdAt.getTime()) / DAY_MS) }
}

function shareOf(done: number, seen: number): number {
  if (done === 0 || done === seen)
    failWith(400, 'subject: nothing can be planned from it, because none or all of its devices did it; send baseline')
  return done / seen
}
