/**
 * Work that may be long is a generator: it yields, every few milliseconds at most, where whoever shares the thread may go
 * on. Takes such work to its end at one go, where nobody waits.
 */
export function runToEnd<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
