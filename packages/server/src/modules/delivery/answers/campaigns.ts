/** HOT PATH. POST /campaigns: which campaigns a device is shown, from memory (C-CAMP, G-22). */
import { assignVariant } from '@contentflow/core/blocks/serving/assign-variant.ts'
import { targetingReason } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { isInControlGroup } from '@contentflow/core/campaigns/control-group.ts'
import { filledContent, isForPlacement } from '@contentflow/core/campaigns/render-item.ts'
import { isHeldOut } from '@contentflow/core/experiments/holdout.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { TokenValues } from '@contentflow/core/messages/tokens.ts'
import { bytesOf } from '../../../http/answers/finished-answer.ts'
import { hash32 } from '../../../infra/secrets/crypto.ts'
import { GenerationalCache } from '../../../infra/cache/generational-cache.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import type { DeviceView } from './device-view.ts'
import { itemText, localeOf, shownAs, type SnapCampaign } from '../snapshot/snap-campaign.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'

export type CampaignQuestion = { environment: Environment; tag: string; placementId: string | undefined; now: number }
/** `userId`: the linked user, or null. `data`: the bytes of the answer up to the end of the list, which has `count` items, one character for each byte. */
export type CampaignList = { userId: string | null; count: number; data: string }

/** Bytes of finished lists held. */
const LIST_BYTES = 32 * 1024 * 1024

/**
 * A list depends on few things, which make its name: snapshot, tag, placement, and which campaigns in which variants. The
 * name is kept on the device's view, so that a device that asks again pays some comparisons; the bytes are shared by all
 * devices of one name. A list that says something of a person is made each time.
 */
export class CampaignLists {
  readonly #held = new GenerationalCache<string, string>(LIST_BYTES, (data) => data.length + 1_000)

  /** Bytes held, names guessed. */
  get bytes(): number {
    return this.#held.size
  }

  /** Undefined: it would be too long (`LIMITS.answerLength`). */
  list(snapshot: Snapshot, device: DeviceView, question: CampaignQuestion): CampaignList | undefined {
    const { environment, tag, placementId, now } = question
    const mayTarget = targetingReason(device.deviceId === undefined ? null : device.row, environment, now) === undefined
    const userId = mayTarget ? (device.row?.userId ?? null) : null
    if (!snapshot.features.campaigns || isRefused(device, environment) || isHeldOutOf(snapshot, device, now))
      return { userId, count: 0, data: dataOf([]) }
    const { listed } = device
    if (
      listed &&
      listed.serial === snapshot.serial &&
      listed.mayTarget === mayTarget &&
      listed.tag === tag &&
      listed.placementId === placementId &&
      now < listed.until
    ) {
      const data = this.#held.get(listed.name)
      if (data) return { userId, count: listed.count, data }
    }
    const made = listFor(snapshot, device, mayTarget, question)
    if (!made) return undefined
    const { items, variants, until, isPersonal } = made
    const data = dataOf(items)
    if (!isPersonal && (placementId?.length ?? 0) + tag.length <= NAMED_LENGTH) {
      const name = JSON.stringify([snapshot.serial, tag, placementId, variants.join()])
      device.listed = { serial: snapshot.serial, mayTarget, tag, placementId, until, name, count: items.length }
      this.#held.set(name, data)
    }
    return { userId, count: items.length, data }
  }
}

function dataOf(items: readonly string[]): string {
  return bytesOf(`{"success":true,"data":[${items.join(',')}]`)
}

/** Tags and placements come from outside: longer ones are not remembered. */
const NAMED_LENGTH = 200

type Listed = { items: string[]; variants: string[]; until: number; isPersonal: boolean }

/** `variants`: which campaigns, in which variant. `until`: one of them may end then, or the holdout begin. */
function listFor(snapshot: Snapshot, device: DeviceView, mayTarget: boolean, question: CampaignQuestion): Listed | undefined {
  const values = mayTarget ? device.person?.values : undefined
  const next = snapshot.boundaries.find((boundary) => boundary > question.now) ?? Infinity
  const listed: Listed = { items: [], variants: [], until: next, isPersonal: false }
  let room = LIMITS.answerLength
  for (const [index, campaign] of snapshot.campaigns.ordered.entries()) {
    if (question.now >= campaign.endsAt || !(campaign.isForEveryone || (mayTarget && isMember(campaign, device)))) continue
    if (isHeldBack(campaign, device)) continue
    listed.until = Math.min(listed.until, campaign.endsAt)
    const item = itemOf(snapshot, campaign, device.deviceId, values, question)
    if (item === undefined) continue
    listed.isPersonal ||= item.isPersonal
    if (item.text === undefined) continue
    room -= item.text.length
    if (room < 0) return undefined
    listed.items.push(item.text)
    listed.variants.push(`${index}.${item.variant}`)
  }
  return listed
}

/** a person who was never asked has not refused. */
function isRefused({ row }: DeviceView, environment: Environment): boolean {
  return row !== undefined && row.isInAppRefused && row.environment === environment
}

/** the device's own segments, and the stored membership of its person. */
function isMember({ segments }: SnapCampaign, { row, person }: DeviceView): boolean {
  return segments.some((name) => row?.segments.includes(name) || person?.memberOf.includes(name))
}

/** Decided for the person, on all their devices. A device whose person is not known, or who has none, counts as a person of its own. */
export function isHeldBack({ row }: SnapCampaign, device: DeviceView): boolean {
  return isInControlGroup(row.controlPercent, device.row?.profileId ?? device.deviceId, row.id, hash32)
}

/** Whether the workspace holds out the person of a live device. */
export function isHeldOutOf({ holdout }: Snapshot, { row }: DeviceView, now: number): boolean {
  return row?.environment === 'live' && isHeldOut(holdout, row.profileId, now, hash32)
}

type Item = { text: string | undefined; variant: number; isPersonal: boolean }

/** Undefined: it has nothing for this language or placement. Without a `text` it has nothing for this person. */
function itemOf(
  { sourceLocale, linkSchemes, rendered }: Snapshot,
  campaign: SnapCampaign,
  deviceId: string | undefined,
  values: TokenValues | undefined,
  { tag, placementId }: CampaignQuestion,
): Item | undefined {
  const locale = localeOf(campaign, tag, sourceLocale)
  const content = locale === undefined ? undefined : campaign.row.content[locale]
  if (locale === undefined || !content || !isForPlacement(content, placementId)) return undefined
  const variant = variantFor(campaign, locale, deviceId)
  const shown = shownAs(rendered, campaign, locale, variant)
  const [only, ...others] = content.placementIds ?? []
  const placement = JSON.stringify(placementId ?? (others.length === 0 ? (only ?? null) : null))
  if (!shown.isPersonal) return { text: shown.before + placement + shown.behind, variant, isPersonal: false }
  const filled = filledContent(shown.content, values && { ...values, language: locale }, linkSchemes)
  const { before, behind } = filled ? itemText(campaign, locale, variant, filled) : shown
  return { text: filled && before + placement + behind, variant, isPersonal: true }
}

/** G-73: the same for a device each time; without a device, or variants, the content as it is. */
export function variantFor({ row }: SnapCampaign, locale: string, deviceId: string | undefined): number {
  const variants = row.content[locale]?.variants
  if (variants === undefined || variants.length === 0) return -1
  const weights = variants.map(({ weight }) => weight)
  return assignVariant(weights, deviceId, row.id, hash32)
}
