/** A turn of a dispatch: its audience is written down, and whoever is due is written to, for as long as a turn takes. */
import { linkAddress } from '../addresses/link-address.ts'
import { findWebAddress } from '../../links/index.ts'
import { CHANNEL_TYPES, NO_PROVIDER, type ChannelType } from '@contentflow/core/channels/channel.ts'
import { httpProvider } from '@contentflow/core/channels/providers.ts'
import { allFeatures } from '@contentflow/core/features.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { isShortened } from '@contentflow/core/messages/short-link.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { BATCH_SIZES, TURN_MS } from '../../../infra/due/batch-size.ts'
import { oneByOne, type DueWork } from '../../../infra/due/due.ts'
import { inTransaction, isSerializationFailure, retryOnConflict } from '../../../infra/unavailable.ts'
import { heldUntil } from '../../calendar/index.ts'
import { listSending } from '../../channels/index.ts'
import { judgedTopic } from '../../topics/index.ts'
import { openMailTracker, openShortener } from '../../responses/index.ts'
import type { Dispatcher } from './dispatcher.ts'
import { DISPATCH } from './dispatches.ts'
import {
  dispatchTable,
  findSettings,
  isUnchanged,
  patchDispatch,
  type DispatchRow,
  type DispatchState,
  type DispatchLease,
} from '../queries.ts'
import { expandStep, findAudience } from './queries-expand.ts'
import { isHeld } from '../first-messages/queries-first-messages.ts'
import { settleInterrupted } from './queries-batches.ts'
import { hasWeeklyLimits } from './queries-frequency.ts'
import * as ledger from './queries-ledger.ts'
import { sendBatches } from './send-batch.ts'
import { REST_MS, type SendContext } from './send-one.ts'
import { callbackUrls } from '../callbacks/callbacks.ts'
import { pagesNamed, preferencesUrlsInMails } from '../unsubscribe/preference-links.ts'
import { unsubscribeUrls } from '../unsubscribe/unsubscribe.ts'

/** Workspaces that send side by side over one kind of channel: nearly all of a turn is spent waiting for answers. */
const WORKSPACES_AT_ONCE = 64

/** Each kind of channel is a lane of its own: a provider of push messages that hangs keeps no mail waiting, of nobody. */
export function dispatchWorks(dispatcher: Dispatcher): DueWork<DispatchRow>[] {
  const { ctx } = dispatcher
  return CHANNEL_TYPES.map((channel) => {
    const table = dispatchTable(ctx.db, channel)
    const work = oneByOne<DispatchRow>(ctx, { kind: DISPATCH, table, backOff: { first: 10_000, most: 600_000 } }, (row, batch) =>
      takeTurn(dispatcher, row, { workspaceId: batch.workspaceId, id: row.id, token: batch.token }, batch.signal),
    )
    return { kind: DISPATCH, lane: channel, rows: table, most: 4, atOnce: WORKSPACES_AT_ONCE, rests: true, work }
  })
}

/** When it is due next; null: nothing is left to do. */
export async function takeTurn(
  dispatcher: Dispatcher,
  dispatch: DispatchRow,
  held: DispatchLease,
  signal: AbortSignal,
): Promise<Date | null> {
  const { ctx, statements } = dispatcher
  const hold = readWindow(dispatch, ctx.clock.now())
  if (hold instanceof Date) return hold
  // A dispatch that waited for its hour is not late.
  const waited = hold === 'missed' && !isOpen(dispatch) && (await statements.take(() => isHeld(ctx.db, held)))
  if (hold && !waited) return endDispatch(ctx, dispatch, held, hold)
  await statements.take(() => settleInterruptedSends(ctx, dispatch, held))
  const ends = performance.now() + TURN_MS[ctx.engine]
  const turn = { dispatcher, dispatch, held, signal, isOver: () => signal.aborted || performance.now() > ends }
  for (;;) {
    if (isOpen(dispatch) && !(await statements.take(() => expand(ctx, dispatch, held)))) return null
    const sent = await sendSome(turn)
    if (sent.isChanged) return null
    if (sent.nextAt !== undefined) return sent.nextAt
    if (sent.taken === 0 && !isOpen(dispatch)) break
    if (turn.isOver()) return ctx.clock.now()
  }
  return (await ledger.nextDue(ctx.db, held.workspaceId, held.id)) ?? endDispatch(ctx, dispatch, held, 'done')
}

/** One dispatch, for as long as a turn takes. */
type Turn = { dispatcher: Dispatcher; dispatch: DispatchRow; held: DispatchLease; signal: AbortSignal; isOver(): boolean }

/** Whether not all of its audience is written down. */
function isOpen({ state }: DispatchRow): boolean {
  return state === 'waiting' || state === 'expanding'
}

async function settleInterruptedSends(ctx: Context, dispatch: DispatchRow, held: DispatchLease): Promise<void> {
  const [first] = await listSending(ctx.db, held.workspaceId, typeOf(dispatch))
  const repeatable = first && httpProvider(first.provider)?.isRepeatable ? first.id : undefined
  await retryOnConflict(() => settleInterrupted(ctx.db, held, repeatable, ctx.clock.now()), isSerializationFailure)
}

/** Why mail of campaigns and journeys does not leave. */
const NO_PUBLIC_URL = 'CF_PUBLIC_URL is not set, so the mail could not be left'

type BatchResult = { isChanged: boolean; taken: number; nextAt?: Date }

async function sendSome(turn: Turn): Promise<BatchResult> {
  const { dispatcher, dispatch } = turn
  const means = await dispatcher.statements.take(() => readSendContext(dispatcher, dispatch))
  return dispatcher.senders.use(means.channels, async (senders) => sendBy({ ...means, senders }, turn))
}

async function sendBy(means: SendContext, { dispatcher, dispatch, held, signal, isOver }: Turn): Promise<BatchResult> {
  const { ctx, statements, lanes } = dispatcher
  const used = means.channel === 'push' ? means.channels : means.channels.slice(0, 1)
  // Those of an audience are written down as failed; these are others.
  if (used.length === 0) return statements.take(() => failAll(ctx, dispatch, held, NO_PROVIDER))
  if (isUnleavable(dispatch, means, ctx)) return statements.take(() => failAll(ctx, dispatch, held, NO_PUBLIC_URL))
  const rests = used.every(({ paused_at }) => paused_at !== null)
  const lane = lanes.open({ workspaceId: held.workspaceId, type: means.channel, channels: used })
  const sending = { ctx, statements, lane, means, dispatch, held, signal }
  // Through channels that rest only one message is tried.
  const batch = await sendBatches(sending, rests ? { most: 1, isOver: () => true } : { most: Infinity, isOver })
  if (batch.restsUntil > 0) return { ...batch, nextAt: new Date(batch.restsUntil) }
  return { ...batch, ...(rests && batch.taken > 0 && batch.sent === 0 && { nextAt: new Date(ctx.clock.ms() + REST_MS) }) }
}

async function failAll(ctx: Context, dispatch: DispatchRow, held: DispatchLease, reason: string): Promise<BatchResult> {
  return inTransaction(ctx.db, async (tx) => {
    const isChanged = !(await isUnchanged(tx, held, dispatch))
    if (!isChanged) await ledger.failDue(tx, held, reason, ctx.clock.now())
    return { isChanged, taken: 0 }
  })
}

/** Mail that could not be left, where whoever runs this server wants none. */
function isUnleavable({ source }: DispatchRow, { channel, unsubscribeUrl }: SendContext, { config }: Context): boolean {
  return config.isPublicUrlNeeded && channel === 'email' && source !== 'notification' && unsubscribeUrl === undefined
}

/** When it may begin, or the state it ends in without having begun; undefined: now. */
function readWindow({ source, message: { window }, starts_at, updated_at }: DispatchRow, now: Date): Date | DispatchState | undefined {
  if (window.endTime && Date.parse(window.endTime) <= now.getTime()) return 'stopped'
  const since = Math.max(starts_at.getTime(), updated_at.getTime())
  if (source === 'campaign' && now.getTime() - since > LIMITS.missedAfterHours * HOUR_MS) return 'missed'
  return starts_at > now ? starts_at : heldUntil(window, now)
}

async function endDispatch(ctx: Context, dispatch: DispatchRow, held: DispatchLease, state: DispatchState): Promise<null> {
  await inTransaction(ctx.db, async (tx) => {
    if (await isUnchanged(tx, held, dispatch)) await patchDispatch(tx, held, { state })
  })
  return null
}

/** False: the dispatch is another now. */
async function expand(ctx: Context, dispatch: DispatchRow, held: DispatchLease): Promise<boolean> {
  const { workspaceId } = held
  const expanded = await inTransaction(ctx.db, async (tx) => {
    if (!(await isUnchanged(tx, held, dispatch))) return undefined
    const audience = await findAudience(tx, workspaceId, dispatch.message.segments)
    const topic = await judgedTopic(tx, workspaceId, dispatch.message.topic)
    const hasProvider = (await listSending(tx, workspaceId, typeOf(dispatch))).length > 0
    const { cursor, taken } = await expandStep(tx, workspaceId, {
      dispatchId: dispatch.id,
      channel: typeOf(dispatch),
      topic,
      audience,
      cursor: dispatch.cursor,
      taken: dispatch.taken,
      most: LIMITS.recipientsPerDispatch,
      limit: BATCH_SIZES.recipients[ctx.engine],
      hasProvider,
      now: ctx.clock.now(),
    })
    const state: DispatchState = cursor === null ? 'sending' : 'expanding'
    await patchDispatch(tx, held, { state, cursor, taken })
    return { state, cursor, taken }
  })
  if (expanded) Object.assign(dispatch, expanded)
  return expanded !== undefined
}

async function readSendContext({ ctx }: Dispatcher, dispatch: DispatchRow): Promise<Omit<SendContext, 'senders'>> {
  const { workspace_id: workspaceId, source } = dispatch
  const channel = typeOf(dispatch)
  const { features, holdout, tracking, ...settings } = await findSettings(ctx.db, workspaceId)
  // One-off messages are letters to one person: nothing of them is counted, and there is no list to leave.
  const isCounted = source !== 'notification'
  const address = channel === 'email' && isCounted ? await linkAddress(ctx, workspaceId) : undefined
  const isShort = (channel === 'sms' || channel === 'whatsapp') && isShortened(dispatch.message.content)
  const shortAddress = isShort ? await linkAddress(ctx, workspaceId) : undefined
  return {
    channel,
    channels: await listSending(ctx.db, workspaceId, channel),
    settings: { ...settings, preferencesUrl: await pagesNamed(ctx, workspaceId, dispatch.message) },
    // Whoever writes to one person, or to a segment by hand, means them.
    holdout: source === 'notification' ? null : holdout,
    topic: await judgedTopic(ctx.db, workspaceId, dispatch.message.topic),
    // What people chose holds whatever the workspace caps.
    caps: { isDaily: allFeatures(features).frequency_caps, isWeekly: await hasWeeklyLimits(ctx.db, workspaceId) },
    callbackUrl: callbackUrls(ctx, workspaceId),
    webAddress: await findWebAddress(ctx.db, workspaceId),
    unsubscribeUrl: address === undefined ? undefined : await unsubscribeUrls(ctx, { workspaceId, address }),
    preferencesUrl: address === undefined ? undefined : await preferencesUrlsInMails(ctx, { workspaceId, address }),
    tracker: address === undefined ? undefined : await openMailTracker(ctx, address, tracking),
    shortener:
      shortAddress === undefined
        ? undefined
        : await openShortener(ctx.db, { workspaceId, address: shortAddress, tracking: isCounted ? tracking : undefined }),
  }
}

function typeOf({ channel }: DispatchRow): ChannelType {
  return CHANNEL_TYPES.find((type) => type === channel) ?? 'push'
}
