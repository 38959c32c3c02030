/** HOT PATH (first request of each signature). The in-app messages of a device's person, as blocks of GET /sync (G-33). */
import { assignVariant } from '@contentflow/core/blocks/serving/assign-variant.ts'
import { RESERVED_BLOCK_KEY } from '@contentflow/core/blocks/definition.ts'
import { targetingReason } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { chosenContent, filledContent, messageBlock } from '@contentflow/core/campaigns/render-item.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { pickContentLocale, type MessageContent } from '@contentflow/core/messages/content.ts'
import type { WaitingMessage } from '@contentflow/core/messages/waiting.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import { hash32 } from '../../../infra/secrets/crypto.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { isHeldBack, isHeldOutOf, variantFor } from './campaigns.ts'
import type { DeviceView } from './device-view.ts'
import { localeOf, shownAs } from '../snapshot/snap-campaign.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'

/** `until`: when the messages change by time alone, milliseconds. */
export type Messages = { blocks: readonly string[]; until: number }

const NONE: Messages = { blocks: [], until: Infinity }

export function messagesFor(snapshot: Snapshot, device: DeviceView, environment: Environment, tag: string, now: number): Messages {
  const { row, person, deviceId } = device
  if (!row || !person || person.messages.length === 0 || !snapshot.features.contentSync) return NONE
  if (targetingReason(deviceId === undefined ? null : row, environment, now) !== undefined) return NONE
  if (isHeldOutOf(snapshot, device, now)) return NONE
  const blocks: string[] = []
  let until = row.expiresAt.getTime()
  for (const message of inOrder(snapshot, person.messages)) {
    const endsAt = endOf(snapshot, message, device)
    if (endsAt === undefined || now >= endsAt) continue
    until = Math.min(until, endsAt)
    const content = contentOf(snapshot, message, deviceId, tag)
    const filled =
      content && filledContent(content, person.values && { ...person.values, ...message.values, language: tag }, snapshot.linkSchemes)
    const block = filled && messageBlock(filled)
    if (block) blocks.push(blockText(message, block))
  }
  return { blocks, until }
}

/** C-SYNC-11: sorted by the priority of their campaigns, those of journeys last; then the oldest first. */
function inOrder({ campaigns }: Snapshot, messages: readonly WaitingMessage[]): readonly WaitingMessage[] {
  const priorityOf = ({ campaignId }: WaitingMessage) => (campaignId === null ? 0 : (campaigns.byId.get(campaignId)?.row.priority ?? 0))
  return messages.toSorted((a, b) => priorityOf(b) - priorityOf(a))
}

/** C-BLK-25, C-BLK-26: when a message ends: with its campaign, or after some days. Undefined: its campaign is not shown, or not to this person. */
function endOf(
  { campaigns, features }: Snapshot,
  { campaignId, createdAt, expiresAt }: WaitingMessage,
  device: DeviceView,
): number | undefined {
  const days = createdAt + LIMITS.inAppDays * DAY_MS
  if (campaignId === null) return expiresAt ?? days
  const campaign = campaigns.byId.get(campaignId)
  if (!campaign?.isInApp || !features.campaigns || isHeldBack(campaign, device)) return undefined
  return campaign.endsAt === Infinity ? days : campaign.endsAt
}

function contentOf(
  { campaigns, sourceLocale, rendered }: Snapshot,
  { campaignId, journeyId, content }: WaitingMessage,
  deviceId: string | undefined,
  tag: string,
): MessageContent | undefined {
  const campaign = campaignId === null ? undefined : campaigns.byId.get(campaignId)
  if (campaign) {
    const locale = localeOf(campaign, tag, sourceLocale)
    return locale === undefined ? undefined : shownAs(rendered, campaign, locale, variantFor(campaign, locale, deviceId)).content
  }
  const locale = pickContentLocale(Object.keys(content ?? {}), tag, sourceLocale)
  const said = locale === undefined ? undefined : content?.[locale]
  if (!said) return undefined
  const weights = said.variants?.map(({ weight }) => weight) ?? []
  return chosenContent(said, assignVariant(weights, deviceId, journeyId ?? '', hash32))
}

function blockText(
  { id, campaignId, journeyId }: WaitingMessage,
  { values, fields }: NonNullable<ReturnType<typeof messageBlock>>,
): string {
  const origin = campaignId === null ? { source: 'journey', journeyId } : { source: 'campaign', campaignId }
  const head = { key: RESERVED_BLOCK_KEY, name: 'Message', screen: '', instanceId: `msg_${id}`, version: 1 }
  return JSON.stringify({ ...head, values, fields, visible: true, ...origin })
}
