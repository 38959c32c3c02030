/** Signing in again over the page that is open, while what was asked of the server waits. */
import { useSyncExternalStore } from 'react'

let waiting: ((isSame: boolean) => void)[] = []
let isAsked = false
const listeners = new Set<() => void>()

/** Resolves when somebody has signed in: whether it is the same person as before. */
export async function askToReenter(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  waiting.push(resolve)
  set(true)
  return promise
}

export function reentered(isSame: boolean): void {
  const [asked, resolves] = [isAsked, waiting]
  if (!asked) return
  waiting = []
  set(false)
  for (const resolve of resolves) resolve(isSame)
}

export function useIsReentering(): boolean {
  return useSyncExternalStore(subscribe, () => isAsked)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function set(next: boolean): void {
  isAsked = next
  for (const listener of listeners) listener()
}
