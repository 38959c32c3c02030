/**
 * Builds the columns, hourly. A batch comes into them in the transaction that takes it off the list of those that are pending, so it is in
 * them once, whenever a process dies. Rows of a day that is over are then made one.
 */
import { decodeColumns, encodeColumns } from '@contentflow/core/analysis/columns.ts'
import { mergeColumns } from '@contentflow/core/analysis/merge-columns.ts'
import { ANALYSIS_LIMITS } from '@contentflow/core/analysis/question.ts'
import { DAY_MS, HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { lockCounting } from '../../../db/locks.ts'
import type { Db } from '../../../db/open.ts'
import { AdaptiveBatchSize, BATCH_SIZES } from '../../../infra/due/batch-size.ts'
import { oneByOne, type Batch, type DueWork } from '../../../infra/due/due.ts'
import type { DueRow } from '../../../infra/due/queries-due.ts'
import { inTransaction } from '../../../infra/unavailable.ts'
import { makeRows, readUsed } from './make-rows.ts'
import { columnsTable, deletePending, holdPending, insertRows, noteBatches, readEvents, type PendingBatch } from './queries-build.ts'
import { isRefilling } from './queries-refill.ts'
import { deleteIdleTypes, deleteOld, deleteRow, listScattered, readGroup, updateRow, type RowGroup } from './queries-rows.ts'

const KIND = 'columns'
/** Batches of a step; one has an event or a thousand. */
const FIRST = 20
const MOST = 200
/** How long a step should take: others who count or erase events of the workspace wait for it. */
const STEP_MS = { postgres: 500, embedded: 100 }
const GROUPS_AT_ONCE = 100

/** Says that these batches were counted, in the transaction that counts them. */
export async function noteForColumns(tx: Db, workspaceId: string, batches: readonly PendingBatch[], now: Date): Promise<void> {
  await noteBatches(tx, workspaceId, batches, new Date(nextHour(now.getTime())))
}

const nextHour = (ms: number): number => Math.floor(ms / HOUR_MS + 1) * HOUR_MS

/** Every hour for every workspace that has events. */
export function columnsWork(ctx: Context): DueWork<DueRow> {
  const table = columnsTable(ctx.db)
  const work = oneByOne<DueRow>(ctx, { kind: KIND, table, backOff: { first: 60_000, most: HOUR_MS } }, async (_row, batch) =>
    (await buildAll(ctx, batch)) && (await compact(ctx, batch)) && (await expire(ctx, batch))
      ? new Date(nextHour(ctx.clock.ms()))
      : ctx.clock.now(),
  )
  return { kind: KIND, rows: table, most: 1, aheadMs: HOUR_MS, work }
}

/** False: others have their turn first. */
async function buildAll(ctx: Context, { workspaceId, signal, isOver }: Batch<DueRow>): Promise<boolean> {
  const sizes = new AdaptiveBatchSize({ first: FIRST, most: MOST, goalMs: STEP_MS[ctx.engine] })
  for (;;) {
    const limit = sizes.size
    const began = performance.now()
    if ((await buildSome(ctx, workspaceId, limit)) < limit) return true
    sizes.note(performance.now() - began, limit)
    signal.throwIfAborted()
    if (isOver()) return false
  }
}

/** Says how many batches came into the columns. */
async function buildSome(ctx: Context, workspaceId: string, limit: number): Promise<number> {
  return inTransaction(ctx.db, async (tx) => {
    await lockCounting(tx, workspaceId)
    const batches = await holdPending(tx, workspaceId, limit)
    if (batches.length === 0) return 0
    const used = await readUsed(tx, workspaceId)
    const events = await readEvents(tx, workspaceId, batches, [...used.keys()])
    await insertRows(tx, workspaceId, await makeRows(ctx, tx, workspaceId, { events, used }), ctx.clock.now())
    await deletePending(tx, workspaceId, batches)
    await ctx.faults.reach(`${KIND}: built`)
    return batches.length
  })
}

async function compact(ctx: Context, { workspaceId, signal, isOver }: Batch<DueRow>): Promise<boolean> {
  // Rows that lack a property would hide behind those that have it already.
  if (await isRefilling(ctx.db, workspaceId)) return true
  const today = new Date(Math.floor(ctx.clock.ms() / DAY_MS) * DAY_MS).toISOString().slice(0, 10)
  for (;;) {
    const groups = await listScattered(ctx.db, workspaceId, today, GROUPS_AT_ONCE)
    for (const group of groups) {
      await inTransaction(ctx.db, async (tx) => compactGroup(ctx, tx, workspaceId, group))
      signal.throwIfAborted()
      if (isOver()) return false
    }
    if (groups.length < GROUPS_AT_ONCE) return true
  }
}

async function compactGroup(ctx: Context, tx: Db, workspaceId: string, group: RowGroup): Promise<void> {
  await lockCounting(tx, workspaceId)
  if (await isRefilling(tx, workspaceId)) return
  const [first, ...rest] = await readGroup(tx, workspaceId, group)
  if (!first || rest.length === 0) return
  const parts = [first, ...rest].map(({ body, meta }) => decodeColumns(body, meta))
  const merged = await ctx.timeSlicer.run(workspaceId, mergeColumns(parts))
  const [people, events] = [merged.people.length, merged.keys.length]
  await updateRow(tx, workspaceId, first, { people, events, ...encodeColumns(merged) })
  for (const row of rest) await deleteRow(tx, workspaceId, row)
  await ctx.faults.reach(`${KIND}: compacted`)
}

async function expire(ctx: Context, { workspaceId, signal, isOver }: Batch<DueRow>): Promise<boolean> {
  const limit = BATCH_SIZES.expiredEvents[ctx.engine]
  while ((await deleteOld(ctx.db, workspaceId, { now: ctx.clock.now(), most: ANALYSIS_LIMITS.days, limit })) === limit) {
    signal.throwIfAborted()
    if (isOver()) return false
  }
  await inTransaction(ctx.db, async (tx) => {
    await lockCounting(tx, workspaceId)
    await deleteIdleTypes(tx, workspaceId)
  })
  return true
}
