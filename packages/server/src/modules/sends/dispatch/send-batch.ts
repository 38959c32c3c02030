/** Writes to the people of a dispatch: a batch is judged and written down in one transaction, then joins the queue of those that are sent. */
import { isInControlGroup } from '@contentflow/core/campaigns/control-group.ts'
import { isHeldOut } from '@contentflow/core/experiments/holdout.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { skipReasonFor, composeFor } from '@contentflow/core/messages/judge.ts'
import { namesEvents } from '@contentflow/core/messages/message-tokens.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/open.ts'
import { lockFrequency } from '../../../db/locks.ts'
import { hash32 } from '../../../infra/secrets/crypto.ts'
import type { Semaphore } from '../../../infra/concurrency/fair-limiter.ts'
import { inTransaction } from '../../../infra/unavailable.ts'
import { isUnchanged, type DispatchRow, type DispatchLease } from '../queries.ts'
import { withSegments } from '../queries-mail-segments.ts'
import { noteCampaignPeople } from '../queries-control.ts'
import { listSendValues } from './queries-values.ts'
import { insertBatch, type SendOutcome } from './queries-batches.ts'
import { listFrequencyCapped } from './queries-frequency.ts'
import * as ledger from './queries-ledger.ts'
import { shortenLinks } from './shorten-links.ts'
import { holdSends, nextHour, takeFirstMessages } from '../first-messages/queries-first-messages.ts'
import type { Lane } from './dispatcher.ts'
import { OpenBatches } from './open-batches.ts'
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
type Claiming = Sending & { batches: OpenBatches }
type Queue = SendQueue<ReadySend, SendOutcome>
/** `taken`: lines of the ledger that were looked at. `restsUntil`: the provider wants no more before; milliseconds, or 0. */
export type Batched = { isChanged: boolean; taken: number; sent: number; restsUntil: number }

/** Until nobody is due, or `isOver`; of a batch at most so many. `isChanged`: the dispatch is another now, and nobody more is taken. */
export async function sendBatches(sending: Sending, limits: { most: number; isOver(): boolean }): Promise<Batched> {
  const tally = newTally()
  const claiming = { ...sending, batches: new OpenBatches() }
  const queue: Queue = new SendQueue(sending.lane, actionsOf(claiming, tally))
  let claimed: Pick<Batched, 'isChanged' | 'taken'>
  try {
    claimed = await claimBatches(claiming, queue, limits)
  } finally {
    await queue.end()
  }
  return { ...claimed, sent: tally.sent, restsUntil: tally.busyUntil }
}

function actionsOf(
  { ctx, statements, means, dispatch, held, batches, signal }: Claiming,
  tally: BatchTally,
): SendActions<ReadySend, SendOutcome> {
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
      await statements.take(() => recordOutcomes({ ctx, means, held, batches }, settled, takeNoted(tally, isLast)))
    },
  }
}

async function claimBatches(claiming: Claiming, queue: Queue, { most, isOver }: { most: number; isOver(): boolean }) {
  const { ctx, statements, lane, means } = claiming
  let taken = 0
  for (;;) {
    const limit = Math.min(most, lane.batch())
    const batch = await statements.take(() => takeBatch(claiming, limit))
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

type Locking = { held: DispatchLease; means: SendContext; mail: MailDocument | undefined }

async function lockBatch(tx: Db, { held, means, mail }: Locking, now: Date, limit: number): Promise<ledger.DueSend[]> {
  const locked = await ledger.lockDue(tx, held, pushProvidersOf(means), now, limit)
  const people = await withSegments(
    tx,
    held.workspaceId,
    mail,
    locked.map(({ recipient }) => recipient),
  )
  return locked.map((send, index) => ({ ...send, recipient: people[index] ?? send.recipient }))
}

/** `later`: how many of those taken are held until the next hour. */
type Taken = { ready: ReadySend[]; taken: number; later: number }

async function takeBatch({ ctx, means, dispatch, held, batches }: Claiming, limit: number): Promise<Taken | undefined> {
  const { workspaceId } = held
  const { caps } = means
  const isCounted = dispatch.source !== 'notification' && (caps.isDaily || caps.isWeekly)
  const { content, mail, controlPercent } = dispatch.message
  const said = { channel: means.channel, content, mail, sourceId: dispatch.source_id, now: ctx.clock.ms(), ...means.settings }
  const number = batches.next()
  const batch = await inTransaction(ctx.db, async (tx) => {
    if (!(await isUnchanged(tx, held, dispatch))) return undefined
    if (isCounted) await lockFrequency(tx, workspaceId)
    const now = ctx.clock.now()
    const locked = await lockBatch(tx, { held, means, mail }, now, limit)
    if (locked.length === 0) return { ready: [], taken: 0, later: 0 }
    const ids = locked.map(({ recipient }) => recipient.id)
    const values = namesEvents({ content, mail }) ? await listSendValues(tx, workspaceId, dispatch.id, ids) : undefined
    const due = values ? locked.map((send) => ({ ...send, recipient: { ...send.recipient, ...values.get(send.recipient.id) } })) : locked
    const capped = isCounted ? await listFrequencyCapped(tx, workspaceId, ids, caps, now) : undefined
    const fit: ReadySend[] = []
    const heldBack: string[] = []
    const judge = (send: ledger.DueSend): string | null => {
      const bar = skipReasonFor(means.channel, send.recipient, means.topic)
      if (bar) return bar
      const composed = composeFor(send.recipient, said, hash32)
      if (!composed.ok) return composed.reason
      if (capped?.has(send.recipient.id)) return 'frequencyCapped'
      if (isHeldOut(means.holdout, send.recipient.id, now.getTime(), hash32)) return 'holdout'
      // Last of all: whoever is left out would have got it, and can be compared with those who did.
      if (isInControlGroup(controlPercent, send.recipient.id, dispatch.source_id, hash32)) {
        heldBack.push(send.recipient.id)
        return 'control_group'
      }
      fit.push({ ...send, composed, batch: number })
      return null
    }
    const skipped = due.flatMap((send) => {
      const reason = judge(send)
      return reason === null ? [] : [{ id: send.recipient.id, reason }]
    })
    const first = firstMailTo(means, fit)
    const granted = first.length === 0 ? 0 : await takeFirstMessages(tx, workspaceId, first.length, now)
    const later = new Set(first.slice(granted))
    const ready = fit.filter(({ recipient }) => !later.has(recipient.id))
    if (later.size > 0) await holdSends(tx, held, [...later], nextHour(now), now)
    await shortenLinks(tx, { means, dispatch }, ready, now)
    if (skipped.length > 0) await ledger.writeSkipped(tx, held, skipped, now)
    const reached = ready.map(({ recipient }) => recipient.id)
    if (reached.length > 0) await insertBatch(tx, held, { number, channelId: means.channels[0]?.id ?? null, profileIds: reached }, now)
    if (controlPercent !== undefined) await noteCampaignPeople(tx, workspaceId, dispatch.source_id, { reached, heldBack }, now)
    return { ready, taken: due.length, later: later.size }
  })
  if (batch && batch.ready.length > 0) batches.open(number, batch.ready.length)
  return batch
}
