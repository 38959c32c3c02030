/**
 * Work that arrives together is done together: while one batch is under way the next one fills, so a busy server
 * makes few large statements and an idle one waits for nobody. A batch that fails is done again one by one, so
 * that no item fails for another's sake.
 */
export function batched<T, R>(run: (items: readonly T[]) => Promise<readonly R[]>, { most, atOnce }: { most: number; atOnce: number }) {
  type Waiting = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }
  const queue: Waiting[] = []
  let active = 0

  const settle = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R)
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error)
      else for (const one of batch) await settle([one])
    }
  }
  const next = (): void => {
    while (active < atOnce && queue.length > 0) {
      active++
      void settle(queue.splice(0, most)).finally(() => {
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
