/** Long work on the one thread that answers everybody: done in slices, at most one in each turn of the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises'

export type Slices = {
  /**
   * Runs `work` to its end; each of its steps must be a few milliseconds. Owners take turns, and one owner's works
   * come one after another, so that what a caller sends makes only that caller wait.
   */
  run<T>(owner: string, work: Iterator<unknown, T>): Promise<T>
}

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
    if (works[0]?.()) works.shift()
    if (works.length > 0) owners.set(owner, works)
    setImmediate(turn)
  }
  return {
    run: (owner, work) =>
      new Promise((resolve, reject) => {
        const step = () => {
          try {
            const { done, value } = work.next()
            if (done) resolve(value)
            return done === true
          } catch (error) {
            reject(error)
            return true
          }
        }
        owners.set(owner, [...(owners.get(owner) ?? []), step])
        if (isRunning) return
        isRunning = true
        setImmediate(turn)
      }),
  }
}

/** `items.map(work)`, with a turn for others after every `size` of them. */
export async function mapInSlices<T, R>(items: readonly T[], size: number, work: (item: T, index: number) => R): Promise<R[]> {
  const most = Math.max(1, Math.floor(size))
  const results: R[] = []
  for (let from = 0; from < items.length; from += most) {
    if (from > 0) await nextTurn()
    results.push(...items.slice(from, from + most).map((item, index) => work(item, from + index)))
  }
  return results
}
