/** What sending would do, by the functions that send; nothing is written and nothing leaves. */
import { isInControlGroup } from '@contentflow/core/campaigns/control-group.ts'
import type { ChannelType, Message } from '@contentflow/core/channels/channel.ts'
import { isHeldOut } from '@contentflow/core/experiments/holdout.ts'
import { allFeatures } from '@contentflow/core/features.ts'
import type { JudgedTopic } from '@contentflow/core/identity/consent/topics.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { toMessage } from '@contentflow/core/messages/compose.ts'
import {
  skipReasonFor,
  composeFor,
  contactOf,
  type MessageSettings,
  type Recipient,
  type SkipReason,
} from '@contentflow/core/messages/judge.ts'
import type { SendingFault } from '@contentflow/core/messages/unsendable.ts'
import type { Context } from '../../context.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import { hash32 } from '../../infra/secrets/crypto.ts'
import { heldUntil } from '../calendar/index.ts'
import { listSending } from '../channels/index.ts'
import { findWebAddress } from '../links/index.ts'
import { judgedTopic } from '../topics/index.ts'
import { findSettings, type DispatchMessage } from './queries.ts'
import { sendingFaults } from './addresses/check-sending.ts'
import { pageShown, shownPreferencesUrl } from './unsubscribe/preference-links.ts'
import { shownUnsubscribeUrl } from './unsubscribe/unsubscribe.ts'
import { countBars, findAudience, listReachable } from './dispatch/queries-expand.ts'
import { hasWeeklyLimits, listFrequencyCapped } from './dispatch/queries-frequency.ts'
import { withSegments } from './queries-mail-segments.ts'
import { toRecipient } from './queries-recipients.ts'

export type Sample = Pick<Message, 'title' | 'body' | 'html' | 'imageUrl' | 'button' | 'template'> & {
  locale: string
  userId: string | null
}
type ChannelPreview = {
  hasProvider: boolean
  reachable: number
  skipped: Map<string, number>
  /** One for each language that somebody gets. */
  samples: Sample[]
}
export type Preview = {
  audience: number
  heldUntil: Date | null
  channels: Map<ChannelType, ChannelPreview>
  warnings: readonly SendingFault[]
}

/** People of one statement. */
const PAGE = 2_500
const MOST_SAMPLES = 10

/** `variantId`: as if everybody got this variant; undefined: each gets their own. */
type Previewed = { channels: readonly ChannelType[]; sourceId: string; variantId: string | undefined }

/** As if everybody were written to now, by this member. `sourceId` decides who gets which variant. */
export async function previewSends(
  ctx: Context,
  member: MemberCaller,
  { channels, sourceId, variantId, ...message }: DispatchMessage & Previewed,
): Promise<Preview> {
  const { workspaceId } = member
  const audience = await findAudience(ctx.db, workspaceId, message.segments)
  const now = ctx.clock.now()
  const start = message.window.startTime === undefined ? now : new Date(Math.max(now.getTime(), Date.parse(message.window.startTime)))
  const warnings = await sendingFaults(ctx, workspaceId, { channels, content: message.content, mail: message.mail })
  const preview: Preview = {
    audience: 0,
    heldUntil: heldUntil(message.window, start) ?? (start > now ? start : null),
    channels: new Map(),
    warnings,
  }
  const topic = await judgedTopic(ctx.db, workspaceId, message.topic)
  const webAddress = await findWebAddress(ctx.db, workspaceId)
  const unsubscribeUrl = await shownUnsubscribeUrl(ctx, member)
  const preferencesUrl = await shownPreferencesUrl(ctx, member)
  const pageUrl = await pageShown(ctx, member, message)
  const peopleOf = (bars: ReadonlyMap<string | null, number>) => [...bars.values()].reduce((sum, count) => sum + count, 0)
  // What is only shown in the app has an audience all the same; whichever channel, everybody stands under some reason.
  if (channels.length === 0)
    preview.audience = peopleOf(await countBars(ctx.db, workspaceId, { channel: 'email', audience, topic: undefined }))
  for (const channel of channels) {
    const bars = await countBars(ctx.db, workspaceId, { channel, audience, topic })
    preview.audience = peopleOf(bars)
    preview.channels.set(
      channel,
      await previewChannel(ctx, workspaceId, {
        channel,
        audience,
        topic,
        bars,
        sourceId,
        variantId,
        message,
        webAddress,
        unsubscribeUrl,
        preferencesUrl,
        pageUrl,
        now: now.getTime(),
      }),
    )
  }
  return preview
}

type PreviewInput = {
  channel: ChannelType
  variantId: string | undefined
  audience: string[] | null
  topic: JudgedTopic | undefined
  bars: ReadonlyMap<string | null, number>
  sourceId: string
  message: DispatchMessage
  webAddress: string | null
  unsubscribeUrl: string | undefined
  preferencesUrl: string | undefined
  /** Where a token leads to that page. */
  pageUrl: (() => string) | undefined
  /** Milliseconds. */
  now: number
}

async function previewChannel(ctx: Context, workspaceId: string, asked: PreviewInput): Promise<ChannelPreview> {
  const { channel, bars, message, sourceId } = asked
  const { features, holdout, ...settings } = await findSettings(ctx.db, workspaceId)
  const skipped = new Map([...bars].flatMap(([reason, count]) => (reason === null ? [] : [[reason, count] as const])))
  const open = bars.get(null) ?? 0
  if (open > LIMITS.recipientsPerDispatch) skipped.set('capped', open - LIMITS.recipientsPerDispatch)
  const shown: ChannelPreview = {
    hasProvider: (await listSending(ctx.db, workspaceId, channel)).length > 0,
    reachable: 0,
    skipped,
    samples: [],
  }
  const caps = { isDaily: allFeatures(features).frequency_caps, isWeekly: await hasWeeklyLimits(ctx.db, workspaceId) }
  let after = ''
  for (let left = LIMITS.recipientsPerDispatch; left > 0;) {
    const rows = await listReachable(ctx.db, workspaceId, asked, { after, limit: Math.min(PAGE, left) })
    const ids = rows.map(({ id }) => id)
    const capped = await listFrequencyCapped(ctx.db, workspaceId, ids, caps, ctx.clock.now())
    const barOf = ({ id }: Recipient) => {
      if (capped.has(id)) return 'frequencyCapped'
      if (isHeldOut(holdout, id, ctx.clock.ms(), hash32)) return 'holdout'
      return isInControlGroup(message.controlPercent, id, sourceId, hash32) ? 'control_group' : undefined
    }
    const people = await withSegments(
      ctx.db,
      workspaceId,
      channel === 'email' ? message.mail : undefined,
      rows.map((row) => toRecipient(row, true)),
    )
    for (const recipient of people) judge(shown, recipient, asked, settings, barOf(recipient))
    if (rows.length < PAGE) break
    left -= rows.length
    after = rows.at(-1)?.id ?? ''
  }
  return shown
}

function judge(
  shown: ChannelPreview,
  recipient: Recipient,
  asked: PreviewInput,
  settings: MessageSettings,
  late: SkipReason | undefined,
): void {
  const { channel, topic, sourceId, variantId, message, webAddress, unsubscribeUrl, preferencesUrl, pageUrl } = asked
  const { content, mail } = message
  const said = { channel, content, mail, sourceId, variantId, now: asked.now, ...settings, preferencesUrl: pageUrl }
  const composed = composeFor(recipient, said, hash32)
  const bar = skipReasonFor(channel, recipient, topic) ?? late
  const reason = composed.ok ? bar : composed.reason
  if (reason !== undefined) return void shown.skipped.set(reason, (shown.skipped.get(reason) ?? 0) + 1)
  shown.reachable++
  if (!composed.ok || shown.samples.length >= MOST_SAMPLES || shown.samples.some(({ locale }) => locale === composed.locale)) return
  const { title, body, html, imageUrl, button, template } = toMessage(channel, composed.content, {
    id: '',
    to: contactOf(channel, recipient) ?? '',
    toName: recipient.name,
    language: composed.locale,
    unsubscribeUrl,
    preferencesUrl,
    pageUrl: composed.pageUrl,
    callbackUrl: undefined,
    webAddress,
    mail: composed.mail,
  })
  shown.samples.push({
    locale: composed.locale,
    userId: recipient.userId,
    title,
    body,
    ...(html !== undefined && { html }),
    ...(imageUrl !== undefined && { imageUrl }),
    ...(button && { button }),
    ...(template && { template }),
  })
}
