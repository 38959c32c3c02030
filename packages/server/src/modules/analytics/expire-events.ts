/** Takes away what is kept no longer: days of events, in bounded steps, and ids of events. Safe to be done twice. */
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS, HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { BATCH_SIZES } from '../../infra/due/batch-size.ts'
import type { Change } from '../../infra/change.ts'
import { oneByOne, type Batch, type DueWork } from '../../infra/due/due.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import { auditHistories, trimHistories } from '../behaviour/index.ts'
import { nextOf } from './utc-units.ts'
import * as queries from './queries-retention.ts'
import { markDone, rollUpTable, type RollUp } from './queries-roll-ups.ts'

const KIND = 'retention'

/** Sets how many days events are kept from now on; older events are deleted soon. */
export async function keepEvents({ tx, workspaceId, now, nudge, audited }: Change, days: number): Promise<void> {
  audited('setting', 'event-retention', { days: await queries.findRetention(tx, workspaceId) }, { days })
  await queries.updateRetention(tx, workspaceId, days, now)
  nudge(KIND)
}

/** Every day, workspace by workspace: one that fails is tried again by itself. */
export function retentionWork(ctx: Context): DueWork<RollUp> {
  const table = rollUpTable(ctx.db, 'retention', 'event_ids')
  const work = oneByOne<RollUp>(ctx, { kind: KIND, table, backOff: { first: 60_000, most: HOUR_MS } }, async (row, batch) =>
    row.id === 'event_ids' ? expireIds(ctx, batch) : expireDays(ctx, batch, row.done_until),
  )
  return { kind: KIND, rows: table, most: 2, work }
}

/** Nothing goes before it was counted. */
/** One that is cut short by others' turns finds gone what it has done. */
async function expireDays(ctx: Context, { workspaceId, signal, isOver }: Batch<RollUp>, doneUntil: Date | null): Promise<Date> {
  const now = ctx.clock.ms()
  const kept = nextOf(DAY_MS, now).getTime() - (1 + (await queries.findRetention(ctx.db, workspaceId))) * DAY_MS
  const pending = await queries.findOldestBatch(ctx.db, workspaceId)
  const until = Math.min(kept, pending ? Math.floor(pending.getTime() / DAY_MS) * DAY_MS : kept)
  const of = { workspaceId, from: doneUntil, until: new Date(until) }
  const limit = BATCH_SIZES.expiredEvents[ctx.engine]
  for (const day of await queries.listDays(ctx.db, of)) {
    for (let after: number | undefined = -1; after !== undefined; signal.throwIfAborted()) {
      after = await queries.deleteEvents(ctx.db, workspaceId, day, after, limit)
      if (after !== undefined && isOver()) return ctx.clock.now()
    }
  }
  const { deletePersonDays, deleteActiveDevices, deleteCampaignDevices, deleteExperimentUnits } = queries
  for (const deleteSome of [deletePersonDays, deleteActiveDevices, deleteCampaignDevices, deleteExperimentUnits])
    while ((await deleteSome(ctx.db, of, limit)) === limit) {
      signal.throwIfAborted()
      if (isOver()) return ctx.clock.now()
    }
  if (!(await trimHistories(ctx, workspaceId, of.until, isOver))) return ctx.clock.now()
  await auditHistories(ctx, workspaceId, of.until)
  await markDone(ctx.db, workspaceId, 'retention', of.until)
  return until < kept ? new Date(now + HOUR_MS) : nextOf(DAY_MS, now)
}

async function expireIds(ctx: Context, { workspaceId, signal, isOver }: Batch<RollUp>): Promise<Date> {
  const now = ctx.clock.ms()
  const until = new Date(now - LIMITS.eventIdDays * DAY_MS)
  while (await queries.deleteIds(ctx.db, workspaceId, until, BATCH_SIZES.expiredEvents[ctx.engine])) {
    signal.throwIfAborted()
    if (isOver()) return ctx.clock.now()
  }
  return nextOf(DAY_MS, now)
}

/** Days that no workspace keeps go whole. One that is in use goes with a later pass. */
export async function dropDays(ctx: Context): Promise<void> {
  const until = await queries.findFirstKept(ctx.db, ctx.clock.now())
  if (until === undefined) return
  for (const day of await queries.listDays(ctx.db, { from: null, until })) {
    try {
      await inTransaction(ctx.db, async (tx) => queries.dropDay(tx, day))
    } catch (error) {
      ctx.log.info({ err: error, part: day }, 'a day of events could not be dropped; the next pass tries again')
      return
    }
  }
}
