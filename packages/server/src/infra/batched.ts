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
  /** In the order of their turns. */
  const queues = new Map<string, Waiting[]>()
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
  const takeBatch = (group: string, queue: Waiting[]): Waiting[] => {
    let weight = 0
    const end = queue.findIndex(({ item }) => (weight += weigh(item)) >= most)
    const batch = queue.splice(0, end === -1 ? queue.length : end + 1)
    queues.delete(group)
    // Behind all others.
    if (queue.length > 0) queues.set(group, queue)
    return batch
  }
  const count = (group: string, change: 1 | -1): void => {
    active += change
    const left = (activeOf.get(group) ?? 0) + change
    if (left > 0) activeOf.set(group, left)
    else activeOf.delete(group)
  }
  const next = (): void => {
    for (const [group, queue] of queues) {
      if (active >= atOnce) return
      if ((activeOf.get(group) ?? 0) >= atOnceOfGroup) continue
      count(group, 1)
      void settle(takeBatch(group, queue)).finally(() => {
        count(group, -1)
        next()
      })
    }
  }
  return (item: T): Promise<R> =>
    new Promise((resolve, reject) => {
      const group = groupOf(item)
      const queue = queues.get(group)
      if (queue) queue.push({ item, resolve, reject })
      else {
        queues.set(group, [{ item, resolve, reject }])
        // What the same turn of the event loop brings belongs to the same batch.
        queueMicrotask(next)
      }
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
