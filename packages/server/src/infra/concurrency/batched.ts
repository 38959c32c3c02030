import { RoundRobin } from './round-robin.ts'

/**
 * Work that arrives together is done together: while one batch is under way the next one fills, so a busy server
 * makes few large statements and an idle one waits for nobody. A batch that fails is done again one by one, so
 * that no item fails for another's sake; unless `isForAll` says that the error would meet each of them.
 */
export function batched<T, R>(
  run: (items: readonly T[]) => Promise<readonly R[]>,
  { most, atOnce, atOnceOfGroup = atOnce, weigh = () => 1, groupOf = () => '', isForAll = () => false }: Batching<T>,
) {
  type Waiting = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }
  const waiting = new RoundRobin<Waiting>()
  let active = 0
  const activeOf = new Map<string, number>()

  const settle = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R)
    } catch (error) {
      if (batch.length === 1 || isForAll(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await settle([one])
    }
  }
  const takeBatch = (group: string): Waiting[] => {
    let weight = 0
    return waiting.take(group, ({ item }) => (weight += weigh(item)) >= most)
  }
  const count = (group: string, change: 1 | -1): void => {
    active += change
    const left = (activeOf.get(group) ?? 0) + change
    if (left > 0) activeOf.set(group, left)
    else activeOf.delete(group)
  }
  const next = (): void => {
    for (const group of waiting.owners()) {
      if (active >= atOnce) return
      if ((activeOf.get(group) ?? 0) >= atOnceOfGroup) continue
      count(group, 1)
      void settle(takeBatch(group)).finally(() => {
        count(group, -1)
        next()
      })
    }
  }
  return (item: T): Promise<R> =>
    new Promise((resolve, reject) => {
      const group = groupOf(item)
      // What the same turn of the event loop brings belongs to the same batch.
      if (!waiting.has(group)) queueMicrotask(next)
      waiting.push(group, { item, resolve, reject })
    })
}

type Batching<T> = {
  /** A batch ends with the item that brings its weight to this. */
  most: number
  atOnce: number
  /** Batches of one group under way. */
  atOnceOfGroup?: number
  weigh?: (item: T) => number
  /** A batch is of one group; groups take turns, so that one with much to do keeps no other waiting. */
  groupOf?: (item: T) => string
  isForAll?: (error: unknown) => boolean
}
