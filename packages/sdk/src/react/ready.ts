/** Whether there is something to draw, and waiting for it with React Suspense. */
import { useState, useSyncExternalStore } from 'react'
import type { Client } from '../types.ts'
import { useClient, useSnapshot } from './context.ts'

/** Blocks and texts are there, or it is known that they do not come now (`isReady` of the snapshot). */
export function useReady(): boolean {
  return useSnapshot().isReady
}

/**
 * Suspends until `useReady` would be true, so that the nearest `<Suspense>` shows its fallback. What a server has drawn is never
 * taken away for that: there, and in what takes its drawing over, nothing is suspended, and the defaults stand in.
 */
export function useSuspenseReady(): void {
  const client = useClient()
  const isReady = useReady()
  const isOnPage = useSyncExternalStore(never, yes, no)
  const [isTakenOver] = useState(!isOnPage)
  // React 18 knows promises that are thrown; 19 takes them too.
  // oxlint-disable-next-line typescript/only-throw-error -- It is how a component suspends.
  if (!isReady && !isTakenOver) throw readiness(client)
}

const never = () => () => undefined
const yes = () => true
const no = () => false

const waiting = new WeakMap<Client, Promise<void>>()

/** The same promise until the client is ready: React asks again for it at every attempt. */
function readiness(client: Client): Promise<void> {
  const known = waiting.get(client)
  if (known) return known
  const promise = new Promise<void>((resolve) => {
    const stop = client.subscribe(() => {
      if (!client.snapshot().isReady) return
      stop()
      waiting.delete(client)
      resolve()
    })
  })
  waiting.set(client, promise)
  // A provider inside of what is suspended is not mounted yet, and would never start it.
  queueMicrotask(() => client.start())
  return promise
}
