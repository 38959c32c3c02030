/** Signing in again over the page that is open, while what was asked of the server waits. */
import { useSyncExternalStore } from 'react'

let waiting: ((isSame: boolean) => void)[] = []
/** `signed-out`: nothing goes on before. `long-ago`: what was asked takes a fresh sign-in, and may be left. */
type Reason = 'signed-out' | 'long-ago'
let asked: Reason | undefined
const listeners = new Set<() => void>()

/** Resolves when somebody has signed in: whether it is the same person as before. */
export async function askToReenter(reason: Reason = 'signed-out'): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  waiting.push(resolve)
  set(asked === 'signed-out' ? asked : reason)
  return promise
}

export function reentered(isSame: boolean): void {
  const [before, resolves] = [asked, waiting]
  if (!before) return
  waiting = []
  set(undefined)
  for (const resolve of resolves) resolve(isSame)
}

/** Why somebody is asked to sign in again, while they are. */
export function useReentering(): Reason | undefined {
  return useSyncExternalStore(subscribe, () => asked)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function set(next: Reason | undefined): void {
  asked = next
  for (const listener of listeners) listener()
}
