/** HOT PATH. POST /campaigns: which campaigns a device is shown, from memory (C-CAMP, G-22). */
import { assignVariant } from '@contentflow/core/blocks/assign-variant.ts'
import { targetingBar } from '@contentflow/core/blocks/select-blocks.ts'
import { filledContent, isForPlacement } from '@contentflow/core/campaigns/render-item.ts'
import type { TokenValues } from '@contentflow/core/messages/tokens.ts'
import { hash32 } from '../../infra/crypto.ts'
import type { Environment } from '../../infra/signals.ts'
import type { DeviceView } from './device-view.ts'
import { itemText, localeOf, shownAs, type SnapCampaign } from './snap-campaign.ts'
import type { Snapshot } from './snapshot.ts'

export type CampaignQuestion = { environment: Environment; tag: string; placementId: string | undefined; now: number }
/** `userId`: who is linked; null for nobody. */
export type CampaignAnswer = { userId: string | null; items: string[] }

export function campaignsFor(snapshot: Snapshot, device: DeviceView, question: CampaignQuestion): CampaignAnswer {
  const { environment, now } = question
  const mayTarget = targetingBar(device.deviceId === undefined ? null : device.row, environment, now) === undefined
  const userId = mayTarget ? (device.row?.userId ?? null) : null
  if (!snapshot.features.campaigns) return { userId, items: [] }
  const values = mayTarget ? device.person?.values : undefined
  const items: string[] = []
  for (const campaign of snapshot.campaigns.ordered) {
    if (now >= campaign.endsAt || !(campaign.isForEveryone || (mayTarget && isMember(campaign, device)))) continue
    const item = itemOf(snapshot, campaign, device.deviceId, values, question)
    if (item !== undefined) items.push(item)
  }
  return { userId, items }
}

/** the device's own segments, and the stored membership of its person. */
function isMember({ segments }: SnapCampaign, { row, person }: DeviceView): boolean {
  return segments.some((name) => row?.segments.includes(name) || person?.memberOf.includes(name))
}

function itemOf(
  { sourceLocale }: Snapshot,
  campaign: SnapCampaign,
  deviceId: string | undefined,
  values: TokenValues | undefined,
  { tag, placementId }: CampaignQuestion,
): string | undefined {
  const locale = localeOf(campaign, tag, sourceLocale)
  const content = locale === undefined ? undefined : campaign.row.content[locale]
  if (locale === undefined || !content || !isForPlacement(content, placementId)) return undefined
  const shown = shownAs(campaign, locale, variantFor(campaign, locale, deviceId))
  const [only, ...others] = content.placementIds ?? []
  const placement = JSON.stringify(placementId ?? (others.length === 0 ? (only ?? null) : null))
  if (!shown.isPersonal) return shown.before + placement + shown.behind
  const filled = filledContent(shown.content, values)
  if (!filled) return undefined
  const { before, behind } = itemText(campaign, locale, variantFor(campaign, locale, deviceId), filled)
  return before + placement + behind
}

/** G-73: the same for a device each time; without a device, or variants, the content as it is. */
export function variantFor({ row }: SnapCampaign, locale: string, deviceId: string | undefined): number {
  const variants = row.content[locale]?.variants
  if (variants === undefined || variants.length === 0) return -1
  const weights = variants.map(({ weight }) => weight)
  return assignVariant(weights, deviceId, row.id, hash32)
}
