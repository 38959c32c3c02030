import { DAY_MS, HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { lockCounting } from '../../db/locks.ts'
import type { Batch, DueWork } from '../../infra/due/due.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import { noteForColumns } from '../analysis/index.ts'
import { BEHAVIOUR, foldCounted } from '../behaviour/index.ts'
import { countCampaigns } from './count-campaigns.ts'
import { countExperiments } from './experiments/count-experiments.ts'
import { addContentCounts } from './queries-content.ts'
import { addActiveDevices, addCounts, batchRows, holdUncounted, markCounted, type EventBatch } from './queries-counts.ts'
import { nextOf } from './utc-units.ts'
import { ensureRollUps } from './queries-roll-ups.ts'

export const EVENT_COUNTS = 'event-counts'
/** How long events wait to be counted; together with the counting well below the 5 s of G-66. */
const DELAY_MS = 1_000
/** Batches of one transaction: each has one event or a thousand. */
const MOST = 500

/** Told of the batches that are being counted, in their transaction; true when somebody is to be nudged. */
export type Listener = { work: string; hear(tx: Db, workspaceId: string, batches: readonly EventBatch[]): Promise<boolean> }

/**
 * Adds up what arrived (G-66). A batch is counted in the transaction that says so, so each counts once, whenever a
 * process dies: that needs no lease.
 */
export function eventCountsWork(ctx: Context, listener: Listener): DueWork<EventBatch> {
  return {
    kind: EVENT_COUNTS,
    rows: batchRows(ctx.db),
    most: MOST,
    gatherMs: DELAY_MS,
    work: async (batch) => countEvents(ctx, batch, listener),
  }
}

async function countEvents(ctx: Context, { workspaceId, rows }: Batch<EventBatch>, listener: Listener): Promise<void> {
  const { isFolded, isHeard } = await inTransaction(ctx.db, async (tx) => {
    await lockCounting(tx, workspaceId)
    const batches = await holdUncounted(tx, workspaceId, rows)
    const [oldest] = batches
    if (!oldest) return { isFolded: false, isHeard: false }
    const since = oldest.received_at.getTime()
    await addCounts(tx, workspaceId, batches)
    await addActiveDevices(tx, workspaceId, batches)
    const shown = await countCampaigns(tx, workspaceId, batches)
    await addContentCounts(tx, workspaceId, batches)
    await countExperiments(ctx, tx, workspaceId, batches, shown)
    const isFolded = await foldCounted(ctx, tx, workspaceId, batches)
    const isHeard = await listener.hear(tx, workspaceId, batches)
    await markCounted(tx, workspaceId, batches)
    await noteForColumns(tx, workspaceId, batches, ctx.clock.now())
    await ensureRollUps(tx, workspaceId, { hour: nextOf(HOUR_MS, since), day: nextOf(DAY_MS, since) })
    await ctx.faults.reach(`${EVENT_COUNTS}: worked`)
    return { isFolded, isHeard }
  })
  if (isFolded) ctx.due.nudge(BEHAVIOUR, workspaceId)
  if (isHeard) ctx.due.nudge(listener.work, workspaceId)
}
