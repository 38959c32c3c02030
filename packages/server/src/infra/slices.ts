/** Long work on the one thread that answers everybody: done in slices, at most one in each turn of the event loop. */

export type Slices = {
  /**
   * Runs `work` to its end, as many of its steps at a time as a slice holds; each must be a few milliseconds. Owners take
   * turns, so that what a caller sends makes only that caller wait, and so do the works of one, so that its long ones do not
   * keep its short ones. Of an owner who waits for nothing the first slice is at once, so most work is over without a turn
   * of the loop.
   */
  run<T>(owner: string, work: Iterator<unknown, T>): Promise<T>
}

/** Milliseconds. */
const SLICE = 1

export function openSlices(): Slices {
  /** In the order of their next turn. */
  const owners = new Map<string, (() => boolean)[]>()
  let isRunning = false
  const turn = () => {
    const [next] = owners
    isRunning = next !== undefined
    if (!next) return
    const [owner, works] = next
    owners.delete(owner)
    const step = works.shift()
    if (step && !step()) works.push(step)
    if (works.length > 0) owners.set(owner, works)
    setImmediate(turn)
  }
  return {
    run: (owner, work) =>
      new Promise((resolve, reject) => {
        /** Whether it is over. */
        const step = () => {
          try {
            for (const end = performance.now() + SLICE; ;) {
              const { done, value } = work.next()
              if (done) resolve(value)
              if (done || performance.now() >= end) return done === true
            }
          } catch (error) {
            reject(error)
            return true
          }
        }
        const waiting = owners.get(owner)
        if (!waiting && step()) return
        owners.set(owner, [...(waiting ?? []), step])
        if (isRunning) return
        isRunning = true
        setImmediate(turn)
      }),
  }
}

/** `items.map(work)`, a step for each. */
export function* mapSteps<T, R>(items: readonly T[], work: (item: T, index: number) => R): Generator<undefined, R[]> {
  const results: R[] = []
  for (const [index, item] of items.entries()) {
    results.push(work(item, index))
    yield
  }
  return results
}
