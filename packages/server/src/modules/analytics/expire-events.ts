/** Takes away what is kept no longer: days of events, in bounded steps, and ids of events. Safe to be done twice. */
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import * as queries from './queries-retention.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** Rows of one statement. */
const STEP = 20_000

export async function expireEvents(ctx: Context): Promise<void> {
  const today = ctx.clock.now().toISOString().slice(0, 10)
  await dropDays(ctx, today)
  for (const expired of await queries.listExpired(ctx.db, today)) {
    for (const day of await queries.listPartitions(ctx.db, expired)) {
      await untilNone((limit) => queries.deleteEvents(ctx.db, day, expired.workspaceIds, limit))
    }
    for (const table of queries.KEPT_BY_DAY) await untilNone((limit) => queries.deleteDays(ctx.db, table, expired, limit))
    await queries.markExpired(ctx.db, expired)
  }
  await expireIds(ctx)
}

/** Days that no workspace keeps go whole. One that is in use goes with a later pass. */
async function dropDays(ctx: Context, today: string): Promise<void> {
  const until = await queries.findFirstKept(ctx.db, today)
  if (until === undefined) return
  for (const day of await queries.listPartitions(ctx.db, { until })) {
    try {
      await ctx.db.transaction().execute(async (tx) => queries.dropPartition(tx, day))
    } catch (error) {
      ctx.log.info({ err: error, partition: day.name }, 'a day of events could not be dropped; the next pass tries again')
      return
    }
  }
}

async function untilNone(deleteSome: (limit: number) => Promise<number>): Promise<void> {
  while ((await deleteSome(STEP)) === STEP) await new Promise(setImmediate)
}

/** By the time they came, in slices that grow while they hold little: rows that are gone are not read again. */
async function expireIds(ctx: Context): Promise<void> {
  const until = ctx.clock.ms() - LIMITS.eventIdDays * DAY
  const oldest = await queries.findOldIds(ctx.db, new Date(until))
  if (!oldest) return
  let slice = MINUTE
  for (let from = oldest.getTime(); from < until;) {
    const end = Math.min(from + slice, until)
    const count = await queries.deleteIds(ctx.db, new Date(end), new Date(from))
    slice = count < STEP ? slice * 2 : MINUTE
    from = end
  }
}
