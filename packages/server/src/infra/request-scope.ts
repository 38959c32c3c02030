/**
 * Which request something is done for: its id stands in its answer, in every line of the log, and in those of due work that it set
 * off; and how much it brought, which is held as long as it waits.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const scope = new AsyncLocalStorage<{ requestId: string | undefined; bodyBytes: number }>()

/** Runs `work`, and all that goes on behind it, for this request; undefined: for none. */
export function inRequest<T>(requestId: string | undefined, work: () => T): T {
  return scope.run({ requestId, bodyBytes: 0 }, work)
}

export function currentRequestId(): string | undefined {
  return scope.getStore()?.requestId
}

/** Says that the request of now brought a large body. */
export function noteBody(bytes: number): void {
  const current = scope.getStore()
  if (current) current.bodyBytes = bytes
}

/** Bytes of the large body that the current request brought; 0 without one. */
export function currentBodyBytes(): number {
  return scope.getStore()?.bodyBytes ?? 0
}
