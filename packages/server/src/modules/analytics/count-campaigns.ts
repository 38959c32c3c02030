/** What devices did with campaigns, by the variant and the language they are shown (G-73). */
import { pickContentLocale } from '@contentflow/core/messages/content.ts'
import type { Db } from '../../db/open.ts'
import type { EventBatch } from './queries-counts.ts'
import {
  addCampaignDevices,
  hasControlGroups as findControlGroups,
  listAskedLocales,
  listTouchedCampaigns,
  noteConversions,
  type TextPick,
  type Slice,
  type TouchedCampaign,
} from './queries-campaigns.ts'

/** Says which campaigns these events name, in which language whoever asked for one is shown them, and whether any leaves people out. */
export async function countCampaigns(
  tx: Db,
  workspaceId: string,
  batches: readonly EventBatch[],
): Promise<{ campaigns: TouchedCampaign[]; picks: TextPick[]; hasControlGroups: boolean }> {
  const hasControlGroups = await findControlGroups(tx, workspaceId)
  // Whoever is left out of a campaign names none: these conversions are anybody's.
  if (hasControlGroups) await noteConversions(tx, workspaceId, batches)
  const campaigns = await listTouchedCampaigns(tx, workspaceId, batches)
  if (campaigns.length === 0) return { campaigns, picks: [], hasControlGroups }
  const { asked, source } = await listAskedLocales(tx, workspaceId, batches)
  const picks = campaigns.flatMap((campaign) => picksOf(campaign, asked, source))
  await addCampaignDevices(tx, workspaceId, batches, { picks, slices: campaigns.flatMap(slicesOf) })
  return { campaigns, picks, hasControlGroups }
}

/** The last one is for whoever asked for no language, or for one that is not among these. */
function picksOf({ id, content }: TouchedCampaign, asked: readonly string[], source: string | null): TextPick[] {
  const locales = Object.keys(content)
  const locale = (tag: string | null) => pickContentLocale(locales, tag, source) ?? ''
  return [...asked.map((tag) => ({ campaign_id: id, tag, locale: locale(tag) })), { campaign_id: id, tag: '', locale: locale(null) }]
}

function slicesOf({ id, content }: TouchedCampaign): Slice[] {
  return Object.entries(content).flatMap(([locale, { variants = [] }]) => {
    const total = variants.reduce((sum, { weight }) => sum + weight, 0)
    let high = 0
    return variants.map((variant) => {
      const low = high
      high += variant.weight
      return { campaign_id: id, locale, variant_id: variant.id, low, high, total }
    })
  })
}
