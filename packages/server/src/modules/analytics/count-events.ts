import { DAY_MS, HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { lockCounting } from '../../db/locks.ts'
import type { Batch, DueWork } from '../../infra/due/due.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import { countCampaigns } from './count-campaigns.ts'
import { addActiveDevices, addCounts, batchRows, holdUncounted, markCounted, type EventBatch } from './queries-counts.ts'
import { nextOf } from './utc-units.ts'
import { ensureRollUps } from './queries-roll-ups.ts'

export const EVENT_COUNTS = 'event-counts'
/** How long events wait to be counted; together with the counting well below the 5 s of G-66. */
const DELAY_MS = 1_000
/** Batches of one transaction: each has one event or a thousand. */
const MOST = 500

/**
 * Adds up what arrived (G-66). A batch is counted in the transaction that says so, so each counts once, whenever a
 * process dies: that needs no lease.
 */
export function eventCountsWork(ctx: Context): DueWork<EventBatch> {
  return { kind: EVENT_COUNTS, rows: batchRows(ctx.db), most: MOST, gatherMs: DELAY_MS, work: async (batch) => countEvents(ctx, batch) }
}

async function countEvents(ctx: Context, { workspaceId, rows }: Batch<EventBatch>): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await lockCounting(tx, workspaceId)
    const batches = await holdUncounted(tx, workspaceId, rows)
    const [oldest] = batches
    if (!oldest) return
    const since = oldest.received_at.getTime()
    await addCounts(tx, workspaceId, batches)
    await addActiveDevices(tx, workspaceId, batches)
    await countCampaigns(tx, workspaceId, batches)
    await markCounted(tx, workspaceId, batches)
    await ensureRollUps(tx, workspaceId, { hour: nextOf(HOUR_MS, since), day: nextOf(DAY_MS, since) })
    await ctx.faults.reach(`${EVENT_COUNTS}: worked`)
  })
}
