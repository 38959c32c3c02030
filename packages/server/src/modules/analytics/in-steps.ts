import { AdaptiveBatchSize } from '../../infra/due/batch-size.ts'

/** A step should take about so long: others wait for the rows it holds, on the embedded database for all of it. */
const STEP_MS = 150
const FIRST = 10
const MOST = 500

/**
 * Does batches of events in steps, more at a time while they are quickly done, because they can be of one event or of
 * a thousand. `doSome` says how many it did; fewer than it might have done are the last.
 */
export async function inSteps(signal: AbortSignal, doSome: (limit: number) => Promise<number>): Promise<void> {
  const batches = new AdaptiveBatchSize({ first: FIRST, most: MOST, goalMs: STEP_MS })
  for (;;) {
    const limit = batches.size
    const started = performance.now()
    if ((await doSome(limit)) < limit) return
    signal.throwIfAborted()
    batches.note(performance.now() - started, limit)
  }
}
