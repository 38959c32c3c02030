/** Workspaces that asked for a sign-in with their provider, and where that is. */
import { useSyncExternalStore } from 'react'

const asked = new Map<string, string>()
const listeners = new Set<() => void>()

/** `address`: empty when the workspace has no provider any more. */
export function noteSsoRequired(workspaceId: string, address: string): void {
  if (asked.get(workspaceId) === address) return
  asked.set(workspaceId, address)
  for (const listener of listeners) listener()
}

/** Where to sign in to this workspace; undefined while it is open. */
export function useSsoRequired(workspaceId: string): string | undefined {
  return useSyncExternalStore(subscribe, () => asked.get(workspaceId))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
