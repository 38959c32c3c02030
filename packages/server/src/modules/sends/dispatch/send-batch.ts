/** Writes to the people of a dispatch: a batch is judged and marked in one transaction, then joins the queue of those that are sent. */
import { isInControlGroup } from '@contentflow/core/campaigns/control-group.ts'
import { skipReasonFor, composeFor } from '@contentflow/core/messages/judge.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { lockFrequency } from '../../../db/locks.ts'
import { hash32 } from '../../../infra/secrets/crypto.ts'
import type { Semaphore } from '../../../infra/concurrency/fair-limiter.ts'
import { inTransaction } from '../../../infra/unavailable.ts'
import { isUnchanged, type DispatchRow, type DispatchLease } from '../queries.ts'
import { noteCampaignPeople } from '../queries-control.ts'
import * as ledger from './queries-ledger.ts'
import { holdSends, nextHour, takeFirstMessages } from '../first-messages/queries-first-messages.ts'
import type { Lane } from './dispatcher.ts'
import { firstMailTo, recordOutcomes } from './record-outcomes.ts'
import { newTally, notBegun, sendOne, takeNoted, type BatchTally, type ReadySend, type SendContext } from './send-one.ts'
import { SendQueue, type SendActions } from './send-queue.ts'

/** `statements`: each that asks the database takes a place there. */
type Sending = {
  ctx: Context
  statements: Semaphore
  lane: Lane
  means: SendContext
  dispatch: DispatchRow
  held: DispatchLease
  signal: AbortSignal
}
type Queue = SendQueue<ReadySend, ledger.SendOutcome>
/** `taken`: lines of the ledger that were looked at. `restsUntil`: the provider wants no more before; milliseconds, or 0. */
export type Batched = { isChanged: boolean; taken: number; sent: number; restsUntil: number }

/** Until nobody is due, or `isOver`; of a batch at most so many. `isChanged`: the dispatch is another now, and nobody more is taken. */
export async function sendBatches(sending: Sending, limits: { most: number; isOver(): boolean }): Promise<Batched> {
  const tally = newTally()
  const queue: Queue = new SendQueue(sending.lane, actionsOf(sending, tally))
  let claimed: Pick<Batched, 'isChanged' | 'taken'>
  try {
    claimed = await claimBatches(sending, queue, limits)
  } finally {
    await queue.end()
  }
  return { ...claimed, sent: tally.sent, restsUntil: tally.busyUntil }
}

function actionsOf(
  { ctx, statements, means, dispatch, held, signal }: Sending,
  tally: BatchTally,
): SendActions<ReadySend, ledger.SendOutcome> {
  const parts = { means, dispatch, tally, now: () => ctx.clock.ms() }
  return {
    isStopped: () => signal.aborted,
    call: async (send) => {
      const outcome = await sendOne(parts, send)
      if (outcome.state === 'sent') tally.sent++
      return outcome
    },
    giveBack: (send) => notBegun(send, ctx.clock.now()),
    record: async (settled, isLast) => {
      await ctx.faults.reach('dispatch: sent')
      await statements.take(() => recordOutcomes({ ctx, means, held }, settled, takeNoted(tally, isLast)))
    },
  }
}

async function claimBatches(sending: Sending, queue: Queue, { most, isOver }: { most: number; isOver(): boolean }) {
  const { ctx, statements, lane, means } = sending
  let taken = 0
  for (;;) {
    const limit = Math.min(most, lane.batch())
    const batch = await statements.take(() => takeBatch(sending, limit))
    if (!batch || batch.taken === 0) return { isChanged: batch === undefined, taken }
    await ctx.faults.reach('dispatch: marked')
    taken += batch.taken
    const skipped = batch.taken - batch.ready.length - batch.later
    if (skipped > 0) ctx.metrics.sends.inc({ channel: means.channel, outcome: 'skipped' }, skipped)
    queue.add(batch.ready)
    const isLast = batch.taken < limit || isOver()
    if (isLast || !(await queue.hasRoom(limit)) || isOver()) return { isChanged: false, taken }
  }
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
    const first = firstMailTo(means, fit)
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
