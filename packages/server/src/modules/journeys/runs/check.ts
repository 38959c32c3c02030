/** The check of the journeys of a workspace, every minute while one is active (M-JRN-12). */
import type { Context } from '../../../context.ts'
import { SYSTEM } from '../../../infra/change.ts'
import { oneByOne, type Batch, type DueWork } from '../../../infra/due/due.ts'
import { GenerationalCache } from '../../../infra/cache/generational-cache.ts'
import { touchContent } from '../../content/index.ts'
import { moveBatch, type RunPass } from './move-runs.ts'
import { listChecked } from '../queries.ts'
import { dueChecks, saveCheckAt, type CheckRow } from './queries-checks.ts'
import { listWithDue } from './queries-runs.ts'
import { readGoal, readTrigger, type Places } from './triggers.ts'

const KIND = 'journeys'
/** Shorter than the minute between passes, so that the next pass finds the check due even when timers are late. */
const AGAIN_MS = 45_000
/** A pass that was asked for also checks journeys that were checked just before. */
const ASKED_MS = 60_000
const BACK_OFF = { first: 30_000, most: 300_000 }
/** The same on the embedded database: at the end of each turn every stream of the workspace may get a signal. */
const TURN_MS = 1_500
/** How many triggers that a turn did not finish are remembered. */
const HALF_READ = 10_000

export function journeysWork(ctx: Context): DueWork<CheckRow> {
  const table = dueChecks(ctx.db)
  const places: Places = new GenerationalCache(HALF_READ)
  const work = oneByOne<CheckRow>(ctx, { kind: KIND, table, backOff: BACK_OFF }, async (row, batch) => check(ctx, batch, row, places))
  return { kind: KIND, rows: table, most: 1, aheadMs: ASKED_MS, turnMs: TURN_MS, rests: true, work }
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
    const isTaking = status === 'active' && trigger.type !== 'manual'
    const reads = [...(goal && !isRead(goalUntil) ? [readGoal] : []), ...(isTaking && !isRead(readUntil) ? [readTrigger] : [])]
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
  // Once for all of a turn, because every stream of the workspace gets the signal.
  if (pass.hasShown) await ctx.change({ workspaceId, actor: SYSTEM }, async (change) => touchContent(change, ['live'], 'message.updated'))
  if (!isDone) return ctx.clock.now()
  await save(null)
  return checked.length === 0 ? null : new Date(checkAt.getTime() + AGAIN_MS)
}

/** Moves people, journey by journey, within the turn; false when there is more to do. */
async function move(ctx: Context, workspaceId: string, pass: RunPass, { signal, isOver }: Batch<CheckRow>): Promise<boolean> {
  let waiting = await listWithDue(ctx.db, workspaceId, pass.checkAt)
  for (let batches = 0; waiting.length > 0;) {
    const left: string[] = []
    for (const id of waiting) {
      // At least one batch in each turn.
      if (batches++ > 0 && isOver()) return false
      signal.throwIfAborted()
      if (await attempt(ctx, id, () => moveBatch(ctx, workspaceId, id, pass))) left.push(id)
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
