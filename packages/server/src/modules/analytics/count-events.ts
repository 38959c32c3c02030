import type { Context } from '../../context.ts'
import { inSteps } from './in-steps.ts'
import { addActiveDevices, addCounts, listUncounted, lockCounting, markCounted } from './queries-counts.ts'

/**
 * Adds up what arrived since the last time (G-66). A batch is counted in the transaction that says so, so each counts
 * once, whenever a process dies. Everything that was stored before the call is counted when it resolves.
 */
export async function countEvents(ctx: Context): Promise<void> {
  await inSteps(async (limit) =>
    ctx.db.transaction().execute(async (tx) => {
      await lockCounting(tx)
      const batches = await listUncounted(tx, limit)
      if (batches.length === 0) return 0
      await addCounts(tx, batches)
      await addActiveDevices(tx, batches)
      await markCounted(tx, batches)
      return batches.length
    }),
  )
}
