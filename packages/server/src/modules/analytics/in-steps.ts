/** A step should take about so long: others wait for the rows it holds, on the embedded database for all of it. */
const STEP_MS = 150
const FIRST = 10
const MOST = 500

/**
 * Does batches of events in steps, more at a time while they are quickly done, because they can be of one event or of
 * a thousand. `doSome` says how many it did; fewer than it might have done are the last.
 */
export async function inSteps(signal: AbortSignal, doSome: (limit: number) => Promise<number>): Promise<void> {
  for (let limit = FIRST; ;) {
    const started = performance.now()
    if ((await doSome(limit)) < limit) return
    signal.throwIfAborted()
    const took = performance.now() - started
    if (took < STEP_MS / 2) limit = Math.min(limit * 2, MOST)
    else if (took > STEP_MS) limit = Math.max(Math.floor(limit / 2), 1)
  }
}
