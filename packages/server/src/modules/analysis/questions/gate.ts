/** Questions that take long come one after another. */
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { FairLimiter } from '../../../infra/concurrency/fair-limiter.ts'

/** Questions that wait in a process. */
const MOST_WAITING = 8
const RETRY_SECONDS = 5

type Gate = { take<T>(workspaceId: string, work: () => Promise<T>): Promise<T> }

const gates = new WeakMap<Context, Gate>()

/** The one gate of a process: one question at a time, workspaces in turns; 429 `ANALYSIS_BUSY` for whoever would wait behind eight. */
export function gateOf(ctx: Context): Gate {
  const known = gates.get(ctx)
  if (known) return known
  const limiter = new FairLimiter({ all: 1, each: 1 })
  let inside = 0
  const gate: Gate = {
    take: async (workspaceId, work) => {
      if (inside > MOST_WAITING) fail('ANALYSIS_BUSY', { retryAfter: RETRY_SECONDS })
      inside++
      try {
        return await limiter.take(workspaceId, work)
      } finally {
        inside--
      }
    },
  }
  gates.set(ctx, gate)
  return gate
}
