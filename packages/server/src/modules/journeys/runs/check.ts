/** The check of the journeys of a workspace, every minute while one is active (M-JRN-12). */
import { isEventGoal } from '@contentflow/core/journeys/journey.ts'
import type { Context } from '../../../context.ts'
import { SYSTEM } from '../../../infra/change.ts'
import { oneByOne, type Batch, type DueWork } from '../../../infra/due/due.ts'
import { GenerationalCache } from '../../../infra/cache/generational-cache.ts'
import { touchContent } from '../../content/index.ts'
import { moveBatch, type RunPass } from './move-runs.ts'
import { listChecked, listListening } from '../queries.ts'
import { dueChecks, saveCheckAt, type CheckRow } from './queries-checks.ts'
import { listWithHeard } from '../events/queries-inbox.ts'
import { moveListening } from '../events/move-listening.ts'
import { listWithDue } from './queries-runs.ts'
import { JOURNEYS } from './work-kind.ts'
import { readGoal, readTrigger, type Places } from './triggers.ts'

/** Shorter than the minute between passes, so that the next pass finds the check due even when timers are late. */
const AGAIN_MS = 45_000
/** A pass that was asked for also checks journeys that were checked just before. */
const ASKED_MS = 60_000
const BACK_OFF = { first: 30_000, most: 300_000 }
/** The same on the embedded database: at the end of each turn every stream of the workspace may get a signal. */
const TURN_MS = 1_500
/** The next look at events that others have to be counted before. */
const SOON_MS = 1_000
/** How many triggers that a turn did not finish are remembered. */
const HALF_READ = 10_000

export function journeysWork(ctx: Context): DueWork<CheckRow> {
  const table = dueChecks(ctx.db)
  const places: Places = new GenerationalCache(HALF_READ)
  const work = oneByOne<CheckRow>(ctx, { kind: JOURNEYS, table, backOff: BACK_OFF }, async (row, batch) =>
    row.id === 'events' ? checkEvents(ctx, batch) : check(ctx, batch, row, places),
  )
  return { kind: JOURNEYS, rows: table, most: 1, aheadMs: ASKED_MS, turnMs: TURN_MS, rests: true, work }
}

/**
 * Returns when the next check is due. Triggers are read before due people are moved, so that people who enter take their first
 * steps at once. A check may take several turns and processes: `check_at` keeps its moment until it is over.
 */
async function check(ctx: Context, batch: Batch<CheckRow>, { check_at }: CheckRow, places: Places): Promise<Date | null> {
  const { workspaceId, token, isOver } = batch
  const checkAt = check_at ?? ctx.clock.now()
  const save = (moment: Date | null) => saveCheckAt(ctx.db, workspaceId, token, moment)
  const checked = await listChecked(ctx.db, workspaceId)
  if (check_at === null && checked.length > 0) await save(checkAt)
  const isRead = (until: Date | null) => until !== null && until >= checkAt
  for (const { id, status, trigger, readUntil, goal, goalUntil } of checked) {
    batch.signal.throwIfAborted()
    const reading = { workspaceId, journeyId: id, checkAt, places, isOver }
    const isTaking = status === 'active' && trigger.type !== 'manual' && trigger.type !== 'custom_event'
    const reads = [
      ...(goal && !isEventGoal(goal) && !isRead(goalUntil) ? [readGoal] : []),
      ...(isTaking && !isRead(readUntil) ? [readTrigger] : []),
    ]
    for (const read of reads) {
      const isGoingOn = await attempt(ctx, id, async () => {
        await read(ctx, reading)
        return isOver()
      })
      // The turn is over, and another workspace has the next. What was read is not read again; what failed is left to the next check.
      if (isGoingOn) return ctx.clock.now()
    }
  }
  const pass: RunPass = { checkAt, programs: new Map(), hasShown: false }
  const isDone = await move(ctx, workspaceId, pass, batch)
  await show(ctx, workspaceId, pass)
  if (!isDone) return ctx.clock.now()
  await save(null)
  return checked.length === 0 ? null : new Date(checkAt.getTime() + AGAIN_MS)
}

/** Leads on those about whom events arrived, at once. */
async function checkEvents(ctx: Context, batch: Batch<CheckRow>): Promise<Date | null> {
  const pass: RunPass = { checkAt: ctx.clock.now(), programs: new Map(), hasShown: false, isOfEvents: true }
  const isDone = await move(ctx, batch.workspaceId, pass, batch)
  await show(ctx, batch.workspaceId, pass)
  if (!isDone) return ctx.clock.now()
  // What arrived before it is not counted yet.
  return (await listWithHeard(ctx.db, batch.workspaceId)).length > 0 ? new Date(ctx.clock.ms() + SOON_MS) : null
}

/** Once for all of a turn, because every stream of the workspace gets the signal. */
async function show(ctx: Context, workspaceId: string, { hasShown }: RunPass): Promise<void> {
  if (hasShown) await ctx.change({ workspaceId, actor: SYSTEM }, async (change) => touchContent(change, ['live'], 'message.updated'))
}

/** Moves people, journey by journey, within the turn; false when there is more to do. */
async function move(ctx: Context, workspaceId: string, pass: RunPass, { signal, isOver }: Batch<CheckRow>): Promise<boolean> {
  const heard = await listWithHeard(ctx.db, workspaceId)
  const due = pass.isOfEvents ? [] : await listWithDue(ctx.db, workspaceId, pass.checkAt)
  const listening = new Set([...heard, ...(await listListening(ctx.db, workspaceId)).map(({ id }) => id)])
  let waiting = [...new Set([...heard, ...due])]
  for (let batches = 0; waiting.length > 0;) {
    const left: string[] = []
    for (const id of waiting) {
      // At least one batch in each turn.
      if (batches++ > 0 && isOver()) return false
      signal.throwIfAborted()
      if (await attempt(ctx, id, () => (listening.has(id) ? moveListening : moveBatch)(ctx, workspaceId, id, pass))) left.push(id)
    }
    waiting = left
  }
  return true
}

/** Runs `work` for one journey; a failure does not stop the others, and the next check tries again. */
async function attempt<T>(ctx: Context, journeyId: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    ctx.log.error({ err: error, id: journeyId }, 'a journey could not be checked; the next check tries again')
    return undefined
  }
}
