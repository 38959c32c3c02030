/**
 * Work that arrives together is done together: while one batch is under way the next one fills, so a busy server
 * makes few large statements and an idle one waits for nobody. A batch that fails is done again one by one, so
 * that no item fails for another's sake; unless `isForAll` says that the error would meet each of them.
 */
export function batched<T, R>(
  run: (items: readonly T[]) => Promise<readonly R[]>,
  { most, atOnce, weigh = () => 1, isForAll = () => false }: Batching<T>,
) {
  type Waiting = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }
  const queue: Waiting[] = []
  let active = 0

  const settle = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R)
    } catch (error) {
      if (batch.length === 1 || isForAll(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await settle([one])
    }
  }
  const takeBatch = (): Waiting[] => {
    let weight = 0
    const end = queue.findIndex(({ item }) => (weight += weigh(item)) >= most)
    return queue.splice(0, end === -1 ? queue.length : end + 1)
  }
  const next = (): void => {
    while (active < atOnce && queue.length > 0) {
      active++
      void settle(takeBatch()).finally(() => {
        active--
        next()
      })
    }
  }
  return (item: T): Promise<R> =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      // What the same turn of the event loop brings belongs to the same batch.
      if (queue.length === 1) queueMicrotask(next)
    })
}

type Batching<T> = {
  /** A batch ends with the item that brings its weight to this. */
  most: number
  atOnce: number
  weigh?: (item: T) => number
  isForAll?: (error: unknown) => boolean
}
