/** HOT PATH. The campaigns of a snapshot, with everything that can be prepared before a request. */
import { chosenContent, hasTokens } from '@contentflow/core/campaigns/render-item.ts'
import { IN_APP, type CampaignContent } from '@contentflow/core/campaigns/campaign.ts'
import { EVERYONE } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { pickContentLocale } from '@contentflow/core/messages/content.ts'
import type { CampaignRow } from './queries-campaigns.ts'
import type { Rendered } from './rendered.ts'

/** One content of a campaign, as devices get it. */
export type ShownContent = {
  content: CampaignContent
  /** Whether the content names something of the person it is shown to. */
  isPersonal: boolean
  /** The text of an item before and after `placementId`; undefined for a personal one, which is rendered each time. */
  before: string
  behind: string
}

export type SnapCampaign = {
  row: CampaignRow
  isForEveryone: boolean
  isInApp: boolean
  /** Names by which devices may know the segments that the campaign targets. */
  segments: readonly string[]
  startsAt: number
  endsAt: number
  /** The campaign's locale for a requested tag; shared by all campaigns of the same locales. Bounded, because tags come from outside. */
  picks: Map<string, string | undefined>
  /** Rendered content by locale and variant. */
  shown: Map<string, ShownContent>
}

export type SnapCampaigns = {
  ordered: SnapCampaign[]
  byId: Map<string, SnapCampaign>
  /** The revision of the last snapshot with a new or changed campaign; 0 without campaigns. */
  revision: number
  /** The same for campaigns with in-app messages. */
  inAppRevision: number
}

type Rows = { revision: number; campaigns: ReadonlyMap<string, CampaignRow>; formerNames: { [former: string]: string } }

/** `before`: the previous campaigns; what was made of unchanged rows is reused. */
export function snapCampaigns({ revision, campaigns, formerNames }: Rows, before?: SnapCampaigns): SnapCampaigns {
  const names = Object.entries(formerNames)
  const picksOf = new Map<string, SnapCampaign['picks']>()
  const ordered = [...campaigns.values()].map((row) => toCampaign(row, names, before?.byId.get(row.id), picksOf)).sort(byRank)
  const byId = new Map(ordered.map((campaign) => [campaign.row.id, campaign]))
  const isNew = ({ row }: SnapCampaign) => before?.byId.get(row.id)?.row !== row
  const since = (some: readonly SnapCampaign[], known: number | undefined) =>
    some.length === 0 ? 0 : known === undefined || some.some(isNew) ? revision : known
  const inApp = ordered.filter(({ isInApp }) => isInApp)
  return {
    ordered,
    byId,
    revision: since(ordered, before?.revision),
    inAppRevision: since(inApp, before?.inAppRevision),
  }
}

/** C-CAMP-02, G-22: ties by the newer start, then id. */
function byRank(a: SnapCampaign, b: SnapCampaign): number {
  return b.row.priority - a.row.priority || b.startsAt - a.startsAt || (a.row.id < b.row.id ? -1 : 1)
}

function toCampaign(
  row: CampaignRow,
  names: readonly [former: string, name: string][],
  before: SnapCampaign | undefined,
  picksOf: Map<string, SnapCampaign['picks']>,
): SnapCampaign {
  const isSame = before?.row === row
  const locales = Object.keys(row.content).join()
  const picks = picksOf.get(locales) ?? new Map()
  picksOf.set(locales, picks)
  return {
    row,
    isForEveryone: row.segments.includes(EVERYONE),
    isInApp: row.dispatchChannels.includes(IN_APP),
    segments: knownAs(row.segments, names),
    startsAt: Date.parse(row.startTime),
    endsAt: row.endTime === null ? Infinity : Date.parse(row.endTime),
    picks,
    shown: isSame ? before.shown : new Map(),
  }
}

/** A campaign keeps the name it was approved with, and a device may know the segment by either. */
function knownAs(segments: readonly string[], names: readonly [former: string, name: string][]): string[] {
  const known = new Set(segments)
  for (const [former, name] of names) {
    if (known.has(former)) known.add(name)
    else if (known.has(name)) known.add(former)
  }
  return [...known]
}

/** Requested tags remembered for campaigns of the same locales before the memory starts anew. */
const TAGS_HELD = 500

/** The locale of a campaign that a request in `tag` gets; undefined: it says nothing in that language. */
export function localeOf({ picks, row }: SnapCampaign, tag: string, sourceLocale: string | null): string | undefined {
  if (picks.has(tag)) return picks.get(tag)
  const locale = pickContentLocale(Object.keys(row.content), tag, sourceLocale)
  if (picks.size >= TAGS_HELD) picks.clear()
  picks.set(tag, locale)
  return locale
}

/** Made at its first use; `rendered` counts it. */
export function shownAs(rendered: Rendered, campaign: SnapCampaign, locale: string, variant: number): ShownContent {
  const name = `${variant}|${locale}`
  let shown = campaign.shown.get(name)
  if (!shown) {
    const content = chosenContent(campaign.row.content[locale] ?? {}, variant)
    shown = { content, isPersonal: hasTokens(content), ...itemText(campaign, locale, variant, content) }
    rendered.add(shown.before.length + shown.behind.length)
    campaign.shown.set(name, shown)
  }
  return shown
}

/** The text of an item (G-22), but for the placement it is asked for. */
export function itemText(
  { row }: SnapCampaign,
  locale: string,
  variant: number,
  content: CampaignContent,
): Pick<ShownContent, 'before' | 'behind'> {
  const { id, name, type, priority, startTime, endTime } = row
  const variantId = row.content[locale]?.variants?.[variant]?.id
  const rest = { content, ...(variantId !== undefined && { variantId }), startTime, endTime, source: 'campaign' }
  return {
    before: `${JSON.stringify({ id, name, type, priority }).slice(0, -1)},"placementId":`,
    behind: `,${JSON.stringify(rest).slice(1)}`,
  }
}
