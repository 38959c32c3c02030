/**
 * What follows hourly from events for people (C-SEG-44). First their sums, in the transaction that forgets the batch,
 * so each event counts once. That leaves the person due: then the windows of 30 and 90 days are worked out, with the
 * memberships that follow. Whoever has events in a window is due again on each day, because time alone changes it.
 */
import { DAY_MS, HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { BATCH_SIZES } from '../../infra/due/batch-size.ts'
import { oneByOne, type Batch, type DueWork } from '../../infra/due/due.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import { findPriorities } from '../enrichment/index.ts'
import { resolvePeople } from '../people/index.ts'
import { reevaluateProfiles } from '../segments/index.ts'
import { nextOf } from './utc-units.ts'
import { inSteps } from './in-steps.ts'
import { addToPeople, deleteBatches, holdCounted, holdPeople, refreshDue, settle } from './queries-people.ts'
import { rollUpTable, type RollUp } from './queries-roll-ups.ts'

const KIND = 'people'

/** The memberships of some people are right after this. */
const SETTLED_MS = 600_000

/** Every hour for every workspace that has events. Somebody who asks for it takes the hour that is not over, too. */
export function peopleWork(ctx: Context): DueWork<RollUp> {
  const table = rollUpTable(ctx.db, 'people')
  const work = (batch: Batch<RollUp>) =>
    oneByOne<RollUp>(ctx, { kind: KIND, table, backOff: { first: 60_000, most: HOUR_MS } }, async () => {
      const before = new Date(Math.floor(batch.dueBy.getTime() / HOUR_MS) * HOUR_MS)
      await inSteps(batch.signal, async (limit) => addSome(ctx, batch.workspaceId, before, limit))
      while ((await refreshSome(ctx, batch.workspaceId)) === BATCH_SIZES.refreshedPeople[ctx.engine]) {
        batch.signal.throwIfAborted()
        if (batch.isOver()) return ctx.clock.now()
      }
      return nextOf(HOUR_MS, ctx.clock.ms())
    })(batch)
  return { kind: KIND, rows: table, most: 1, aheadMs: HOUR_MS, work }
}

/** Says how many batches it did. */
async function addSome(ctx: Context, workspaceId: string, before: Date, limit: number): Promise<number> {
  return inTransaction(ctx.db, async (tx) => {
    const batches = await holdCounted(tx, workspaceId, before, limit)
    if (batches.length === 0) return 0
    await holdPeople(tx, workspaceId, batches)
    await addToPeople(tx, workspaceId, batches, ctx.clock.now())
    await deleteBatches(tx, workspaceId, batches)
    await ctx.faults.reach(`${KIND}: added`)
    return batches.length
  })
}

/** Says of how many. Whose memberships a process that died did not come to is due again. */
async function refreshSome(ctx: Context, workspaceId: string): Promise<number> {
  const now = ctx.clock.now()
  const unsettledAt = new Date(now.getTime() + SETTLED_MS)
  const people = await inTransaction(ctx.db, async (tx) => {
    const refreshed = await refreshDue(tx, workspaceId, now, unsettledAt, BATCH_SIZES.refreshedPeople[ctx.engine])
    const changed = refreshed.filter(({ hasChanged }) => hasChanged).map(({ profileId }) => profileId)
    await resolvePeople(tx, workspaceId, changed, await findPriorities(tx, workspaceId), now)
    return refreshed
  })
  const ids = people.map(({ profileId }) => profileId)
  await reevaluateProfiles(ctx, workspaceId, ids)
  await settle(ctx.db, workspaceId, people, unsettledAt, nextOf(DAY_MS, now.getTime()))
  return ids.length
}
