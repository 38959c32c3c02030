/**
 * Writes to the people of a dispatch: some are judged and marked in one transaction, then sent, then what came of it is
 * written down. While some are sent the next are marked, and those before are written down.
 */
import { isInControlGroup } from '@contentflow/core/campaigns/control-group.ts'
import { skipReasonFor, composeFor } from '@contentflow/core/messages/judge.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { lockFrequency } from '../../../db/locks.ts'
import { hash32 } from '../../../infra/secrets/crypto.ts'
import type { Semaphore } from '../../../infra/concurrency/fair-limiter.ts'
import { inTransaction } from '../../../infra/unavailable.ts'
import { noteOutcomes } from '../../channels/index.ts'
import { noteReached } from '../../people/index.ts'
import { isUnchanged, type DispatchRow, type DispatchLease } from '../queries.ts'
import { noteCampaignPeople } from '../queries-control.ts'
import * as ledger from './queries-ledger.ts'
import { withdraw } from '../unsubscribe/unsubscribe.ts'
import { applyReceipts, type ContactGone } from '../close-contacts.ts'
import type { Lane } from './dispatcher.ts'
import { holdSends, nextHour, returnFirstMessages, takeFirstMessages } from '../first-messages/queries-first-messages.ts'
import { notBegun, sendOne, type SendContext, type ReadySend, type BatchTally } from './send-one.ts'

/** `statements`: each that asks the database takes a place there. */
export type Sending = {
  ctx: Context
  statements: Semaphore
  lane: Lane
  means: SendContext
  dispatch: DispatchRow
  held: DispatchLease
  signal: AbortSignal
}
/** `taken`: lines of the ledger that were looked at. `restsUntil`: the provider wants no more before; milliseconds, or 0. */
export type Batched = { isChanged: boolean; taken: number; sent: number; restsUntil: number }

/** Of a batch that takes longer than this, milliseconds, those whose call has not begun are given back: they stay due. */
const LATE_MS = 3_000

/** Until nobody is due, or `isOver`; of a batch at most so many. `isChanged`: the dispatch is another now, and nobody more is taken. */
export async function sendBatches(sending: Sending, { most, isOver }: { most: number; isOver(): boolean }): Promise<Batched> {
  const { ctx, statements, lane } = sending
  const done = { isChanged: false, taken: 0, sent: 0, restsUntil: 0 }
  const resting = new Set<string>()
  const take = () => {
    const limit = Math.min(most, lane.batch())
    return statements.take(async () => ({ limit, batch: await takeBatch(sending, limit) }))
  }
  let written = Promise.resolve()
  let next = take()
  try {
    for (;;) {
      const { limit, batch } = await next
      if (!batch || batch.taken === 0) {
        await written
        return { ...done, isChanged: batch === undefined }
      }
      await ctx.faults.reach('dispatch: marked')
      const isLast = batch.taken < limit || isOver()
      // The next batch is claimed ahead only where the provider answers quickly; elsewhere it would only wait.
      const isAhead = !isLast && lane.isQuick()
      if (isAhead) next = markHandled(take())
      const tally: BatchTally = { byChannel: new Map(), busyUntil: done.restsUntil, resting, leaving: [] }
      const outcomes = await sendAll(sending, batch.ready, tally)
      await ctx.faults.reach('dispatch: sent')
      await written
      written = markHandled(statements.take(() => writeDown(sending, batch.ready, outcomes, tally)))
      const skipped = batch.taken - batch.ready.length - batch.later
      if (skipped > 0) ctx.metrics.sends.inc({ channel: sending.means.channel, outcome: 'skipped' }, skipped)
      done.taken += batch.taken
      done.sent += outcomes.filter(({ state }) => state === 'sent').length
      done.restsUntil = tally.busyUntil
      if (isAhead) continue
      await written
      if (isLast || isOver()) return done
      next = take()
    }
  } finally {
    // Both are over when this function returns; the first error is thrown to the caller.
    await Promise.allSettled([written, next])
  }
}

/** A promise that is awaited later: what goes wrong until then is not nobody's, which would end the process. */
function markHandled<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

/** As many at a time as the channel takes. Where it answers late those who have not been begun with are given back. */
async function sendAll({ ctx, lane, means, dispatch, signal }: Sending, ready: readonly ReadySend[], tally: BatchTally) {
  const parts = { means, dispatch, tally, now: () => ctx.clock.ms() }
  if (ready.length === 0) {
    lane.skip()
    return []
  }
  return lane.call(ready.length, async (atOnce) => {
    const ends = performance.now() + LATE_MS
    let calls = 0
    const result = await someAtOnce(ready, atOnce, async (send) => {
      if (signal.aborted || performance.now() > ends) return notBegun(send, ctx.clock.now())
      calls++
      return sendOne(parts, send)
    })
    return { calls, result }
  })
}

async function writeDown(
  { ctx, means, held }: Sending,
  ready: readonly ReadySend[],
  outcomes: ledger.SendOutcome[],
  tally: BatchTally,
): Promise<void> {
  const { workspaceId } = held
  const now = ctx.clock.now()
  if (outcomes.length > 0) await ledger.writeOutcomes(ctx.db, held, outcomes, now)
  countSends(ctx, means.channel, outcomes)
  const first = new Set(firstOf(means, ready))
  const firstThat = (became: string) => outcomes.flatMap(({ id, state }) => (state === became && first.has(id) ? [id] : []))
  await noteReached(ctx.db, workspaceId, firstThat('sent'))
  // They are taken, and counted, again.
  await returnFirstMessages(ctx.db, workspaceId, firstThat('due').length, now)
  for (const [id, noted] of tally.byChannel) {
    const { channel, heard } = noted
    const gone = heard.filter(({ kind }) => kind === 'gone').length
    if (noted.sent + noted.failed > 0) await noteOutcomes(ctx.db, workspaceId, id, { ...noted, gone }, now)
    if (gone === 0) continue
    const { believed, isWrong } = await applyReceipts(ctx, channel, 'answer', heard)
    if (isWrong) tally.resting.add(id)
    const isProven = noted.sent > 0 || (channel.sent_at !== null && channel.sent_at >= channel.updated_at)
    await ledger.dropTokens(ctx.db, workspaceId, tokensToDrop(believed, isProven))
  }
  for (const profileId of tally.leaving) await withdraw(ctx, { workspaceId, profileId }, means.channel)
}

function countSends({ metrics }: Context, channel: string, outcomes: readonly ledger.SendOutcome[]): void {
  for (const { state } of outcomes) metrics.sends.inc({ channel, outcome: state === 'due' ? 'again' : state })
}

/** Those to whom it is the first of all messages, at an address that only an app named. */
function firstOf({ channel }: SendContext, ready: readonly ReadySend[]): string[] {
  return channel === 'email' ? ready.flatMap(({ recipient }) => (recipient.isFirstMail ? [recipient.id] : [])) : []
}

/** Undefined: it is no push message. */
function pushProvidersOf({ channel, channels }: SendContext): string[] | undefined {
  return channel === 'push' ? channels.map(({ provider }) => provider) : undefined
}

/** `later`: how many of those taken are held until the next hour. */
type Taken = { ready: ReadySend[]; taken: number; later: number }

async function takeBatch({ ctx, means, dispatch, held }: Sending, limit: number): Promise<Taken | undefined> {
  const { workspaceId } = held
  const isCounted = dispatch.source !== 'notification' && means.isFrequencyCapped
  const { content, controlPercent } = dispatch.message
  const said = { channel: means.channel, content, sourceId: dispatch.source_id, ...means.settings }
  return inTransaction(ctx.db, async (tx) => {
    if (!(await isUnchanged(tx, held, dispatch))) return undefined
    if (isCounted) await lockFrequency(tx, workspaceId)
    const now = ctx.clock.now()
    const due = await ledger.lockDue(tx, held, pushProvidersOf(means), now, limit)
    if (due.length === 0) return { ready: [], taken: 0, later: 0 }
    const ids = due.map(({ recipient }) => recipient.id)
    const capped = isCounted ? await ledger.listFrequencyCapped(tx, workspaceId, ids, new Date(now.getTime() - DAY_MS)) : undefined
    const fit: ReadySend[] = []
    const heldBack: string[] = []
    const judge = (send: ledger.DueSend): string | null => {
      const bar = skipReasonFor(means.channel, send.recipient)
      if (bar) return bar
      const composed = composeFor(send.recipient, said, hash32)
      if (!composed.ok) return composed.reason
      if (capped?.has(send.recipient.id)) return 'frequencyCapped'
      // Last of all: whoever is left out would have got it, and can be compared with those who did.
      if (isInControlGroup(controlPercent, send.recipient.id, dispatch.source_id, hash32)) {
        heldBack.push(send.recipient.id)
        return 'control_group'
      }
      fit.push({ ...send, composed })
      return null
    }
    const verdicts = due.map((send) => ({ id: send.recipient.id, reason: judge(send) }))
    const first = firstOf(means, fit)
    const granted = first.length === 0 ? 0 : await takeFirstMessages(tx, workspaceId, first.length, now)
    const later = new Set(first.slice(granted))
    const ready = fit.filter(({ recipient }) => !later.has(recipient.id))
    if (later.size > 0) await holdSends(tx, held, [...later], nextHour(now), now)
    const marked = verdicts.filter(({ id }) => !later.has(id))
    if (marked.length > 0) await ledger.markSends(tx, held, means.channels[0]?.id ?? null, marked, now)
    if (controlPercent !== undefined) {
      const reached = ready.map(({ recipient }) => recipient.id)
      await noteCampaignPeople(tx, workspaceId, dispatch.source_id, { reached, heldBack }, now)
    }
    return { ready, taken: due.length, later: later.size }
  })
}

/** M-DISP-10. A token that may only be of another app goes once the channel has reached some other. */
function tokensToDrop(believed: readonly ContactGone[], isProven: boolean): ledger.Install[] {
  return believed.flatMap(({ install, isDoubtful }) => (install && (isProven || !isDoubtful) ? [install] : []))
}

async function someAtOnce<Item, Result>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  const left = items.values()
  const worker = async () => {
    for (const item of left) results.push(await work(item))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return results
}
