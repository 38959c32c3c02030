/** Which request something is done for: its id stands in its answer, in every line of the log, and in those of due work that it set off. */
import { AsyncLocalStorage } from 'node:async_hooks'

const scope = new AsyncLocalStorage<string | undefined>()

/** Runs `work`, and all that goes on behind it, for this request; undefined: for none. */
export function inRequest<T>(requestId: string | undefined, work: () => T): T {
  return scope.run(requestId, work)
}

export function currentRequestId(): string | undefined {
  return scope.getStore()
}
