/** The check of the journeys of a workspace, every minute while one is active (M-JRN-12). */
import type { Context } from '../../context.ts'
import { oneByOne, type Batch, type DueWork } from '../../infra/due.ts'
import { moveBatch, type Programs } from './move-runs.ts'
import { listActive } from './queries.ts'
import { dueChecks, saveCheckAt, type CheckRow } from './queries-checks.ts'
import { listWithDue } from './queries-runs.ts'
import { readTrigger } from './triggers.ts'

const KIND = 'journeys'
/** The pass of every minute finds it due, whatever the timer is late by. */
const AGAIN_MS = 45_000
/** A pass that somebody asked for checks whoever was checked just before. */
const ASKED_MS = 60_000
const BACK_OFF = { first: 30_000, most: 300_000 }
/** Batches of people, of one turn: then another workspace has its own. */
const BATCHES = 20

export function journeysWork(ctx: Context): DueWork<CheckRow> {
  const table = dueChecks(ctx.db)
  const work = oneByOne<CheckRow>(ctx, { kind: KIND, table, backOff: BACK_OFF }, async (row, batch) => check(ctx, batch, row))
  return { kind: KIND, rows: table, most: 1, aheadMs: ASKED_MS, work }
}

/**
 * Says when it is due next. First the triggers, then whoever is due: so who enters takes their first steps at once. Where
 * there is more than one turn takes, `check_at` keeps it one check.
 */
async function check(ctx: Context, { workspaceId, signal }: Batch<CheckRow>, { check_at }: CheckRow): Promise<Date | null> {
  const checkAt = check_at ?? ctx.clock.now()
  if (check_at === null) {
    const active = await listActive(ctx.db, workspaceId)
    if (active.length === 0) return null
    for (const { id, trigger } of active) {
      signal.throwIfAborted()
      if (trigger.type !== 'manual') await attempt(ctx, id, () => readTrigger(ctx, workspaceId, id, checkAt))
    }
  }
  const isOver = await move(ctx, workspaceId, checkAt, signal)
  if (isOver ? check_at !== null : check_at === null) await saveCheckAt(ctx.db, workspaceId, isOver ? null : checkAt)
  return isOver ? new Date(checkAt.getTime() + AGAIN_MS) : ctx.clock.now()
}

/** Journey by journey in turns; false when there is more to do. */
async function move(ctx: Context, workspaceId: string, checkAt: Date, signal: AbortSignal): Promise<boolean> {
  const programs: Programs = new Map()
  let waiting = await listWithDue(ctx.db, workspaceId, checkAt)
  for (let batches = 0; waiting.length > 0;) {
    const left: string[] = []
    for (const id of waiting) {
      if (batches++ === BATCHES) return false
      signal.throwIfAborted()
      if (await attempt(ctx, id, () => moveBatch(ctx, workspaceId, id, { checkAt, programs }))) left.push(id)
    }
    waiting = left
  }
  return true
}

/** One journey that fails does not keep the others; the next check tries again. */
async function attempt<T>(ctx: Context, journeyId: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    ctx.log.error({ err: error, journeyId }, 'a journey could not be checked; the next check tries again')
    return undefined
  }
}
