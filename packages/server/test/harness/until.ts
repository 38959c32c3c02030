/** Waiting for what a test wants to see. Only what never comes fails, so how busy the machine is does not matter. */
import { setTimeout as pause } from 'node:timers/promises'

export { pause }

/** Longer than anything takes on the busiest machine, milliseconds. */
export const PATIENCE_MS = 90_000

/** Resolves when `isSo` first holds. `explain` adds what was seen instead. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, explain: () => string = () => ''): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${PATIENCE_MS} ms ${explain()}`)
    await pause(20)
  }
}

/** Rejects instead of waiting for ever. */
export async function inTime<T>(what: string, promise: Promise<T>): Promise<T> {
  const stop = new AbortController()
  const late = pause(PATIENCE_MS, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`${what}: not within ${PATIENCE_MS} ms`)
  })
  return Promise.race([promise, late]).finally(() => {
    late.catch(() => {})
    stop.abort()
  })
}
