/** Settles as `work` does, and rejects when it takes longer than `milliseconds`; what comes of the work then is dropped. */
export function withDeadline<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
