/** Waits until all of it has settled, whatever came of it, but no longer than `milliseconds`. False: some of it has not. */
export async function settledWithin(milliseconds: number, works: Iterable<Promise<unknown>>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), milliseconds)
  return Promise.race([Promise.allSettled(works).then(() => true), late]).finally(() => clearTimeout(timer))
}

/** Settles as `work` does, and rejects when it takes longer than `milliseconds`; what comes of the work then is dropped. */
export function withDeadline<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
