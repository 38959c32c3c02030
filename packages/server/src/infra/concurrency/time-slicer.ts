/** Long work on the one thread that answers everybody: done in slices, one in each turn of the event loop, which many short works share. */
import { RoundRobin } from './round-robin.ts'

export type TimeSlicer = {
  /**
   * Takes `steps` to their end, as many of its steps at a time as a slice holds; each must be a few milliseconds. Owners take
   * turns, so that what a caller sends makes only that caller wait, and so do the works of one, so that its long ones do not
   * keep its short ones. Of an owner who waits for nothing the first slice is at once, so most work is over without a turn
   * of the loop.
   */
  run<T>(owner: string, steps: Iterator<unknown, T>): Promise<T>
}

/** Milliseconds. */
const SLICE = 1

/** Continues the work until `performance.now()` reaches `end`; returns whether the work is finished. */
type Work = (end: number) => boolean
type Task = { owner: string; work: Work }

export function openTimeSlicer(): TimeSlicer {
  const waiting = new RoundRobin<Task>()
  let isRunning = false
  const turn = () => {
    const end = performance.now() + SLICE
    do goOn(waiting, end)
    while (!waiting.isEmpty && performance.now() < end)
    isRunning = !waiting.isEmpty
    if (isRunning) setImmediate(turn)
  }
  return {
    run: (owner, steps) =>
      new Promise((resolve, reject) => {
        const work: Work = (end) => {
          try {
            for (;;) {
              const { done, value } = steps.next()
              if (done) resolve(value)
              if (done || performance.now() >= end) return done === true
            }
          } catch (error) {
            reject(error)
            return true
          }
        }
        if (!waiting.has(owner) && work(performance.now() + SLICE)) return
        waiting.push(owner, { owner, work })
        if (isRunning) return
        isRunning = true
        setImmediate(turn)
      }),
  }
}

/** Goes on with the next work of the next owner; what is not over then waits behind the owner's others. */
function goOn(waiting: RoundRobin<Task>, end: number): void {
  const task = waiting.shift()
  if (task && !task.work(end)) waiting.push(task.owner, task)
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
