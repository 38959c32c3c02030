/** Who is changed by what loads say: their values, and then the segments whose rules look at them (M-ENR-64, M-PRIO-07). */
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { BATCH_SIZES } from '../../infra/due/batch-size.ts'
import { SYSTEM, type Change } from '../../infra/change.ts'
import { oneByOne, type Batch, type DueWork } from '../../infra/due/due.ts'
import { dueTable, type DueRow } from '../../infra/due/queries-due.ts'
import { endedRows, holdPeople, resolvePeople, type IdArray } from '../people/index.ts'
import { markAllDue, markEnrichedDue, SEGMENTS } from '../segments/index.ts'
import { findDonePeople, findPriorities, saveResolvedUpTo } from './queries-priorities.ts'
import { listEnriched } from './queries-values.ts'

export const PRIORITIES = 'enrichment-priorities'
const ENDED = 'enrichment-ended'
const BACK_OFF = { first: 5_000, most: 600_000 }
/** No timer lives longer: what ends later than that is found by a pass, which comes every few seconds. */
const TIMED_MS = 60_000

/** Locks these people and works out what holds for them. */
export async function resolve(tx: Db, workspaceId: string, profileIds: readonly string[] | IdArray, now: Date): Promise<void> {
  const held = await holdPeople(tx, workspaceId, profileIds)
  await resolvePeople(tx, workspaceId, held, await findPriorities(tx, workspaceId), now)
}

/**
 * Segments that look at loaded values are worked out again; all of them for people who are new, of whom any rule may
 * hold. Before people are locked (LOCK_ORDER).
 */
export async function followInSegments(change: Change, { areNew = false } = {}): Promise<void> {
  await (areNew ? markAllDue : markEnrichedDue)(change.tx, change.workspaceId, change.now)
  change.nudge(SEGMENTS)
}

/** After a change of priorities everybody's values are worked out again, step by step. */
export function prioritiesWork(ctx: Context): DueWork<DueRow> {
  const table = dueTable<DueRow>(ctx.db, 'enrichment_priorities')
  const work = oneByOne<DueRow>(ctx, { kind: PRIORITIES, table, backOff: BACK_OFF }, async (_row, { workspaceId, signal, isOver }) => {
    while (await resolveSome(ctx, workspaceId)) {
      signal.throwIfAborted()
      if (isOver()) return ctx.clock.now()
    }
    await ctx.change({ workspaceId, actor: SYSTEM }, followInSegments)
    return null
  })
  return { kind: PRIORITIES, rows: table, most: 1, yields: true, rests: true, work }
}

/** False when nobody is left. Of priorities that were changed again meanwhile it begins with the first. */
async function resolveSome(ctx: Context, workspaceId: string): Promise<boolean> {
  return ctx.change({ workspaceId, actor: SYSTEM }, async ({ tx, now }) => {
    const before = await findDonePeople(tx, workspaceId)
    const { ids, last } = await listEnriched(tx, workspaceId, before, BATCH_SIZES.enrichedPeople[ctx.engine])
    if (last === null) return false
    await resolve(tx, workspaceId, ids, now)
    await saveResolvedUpTo(tx, workspaceId, before, last)
    await ctx.faults.reach(`${PRIORITIES}: worked`)
    return true
  })
}

/** What is loaded to end soon is over in its moment, not at the next pass (M-ENR-25). */
export function endInTime({ clock, due }: Context, workspaceId: string, endsAt: Date | null): void {
  const left = endsAt === null ? Infinity : endsAt.getTime() - clock.ms()
  if (left < TIMED_MS) setTimeout(() => due.nudge(ENDED, workspaceId), left + 1).unref()
}

/** Values end without a load. */
export function endedWork(ctx: Context): DueWork<{ id: string }> {
  const work = async ({ workspaceId, rows, dueBy }: Batch<{ id: string }>) =>
    ctx.change({ workspaceId, actor: SYSTEM }, async (change) => {
      await followInSegments(change)
      const ids = rows.map(({ id }) => id)
      await resolve(change.tx, workspaceId, ids, dueBy)
      await ctx.faults.reach(`${ENDED}: worked`)
    })
  return { kind: ENDED, rows: endedRows(ctx.db), most: BATCH_SIZES.enrichedPeople[ctx.engine], work }
}
