import type { Context } from '../../context.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import type { Change, Actor } from '../../infra/change.ts'
import { isWriteConflict } from '../../infra/unavailable.ts'

/** The actor of writes by an application: its key. */
export function byApp({ workspaceId, keyId }: AppCaller): Actor {
  return { workspaceId, actor: keyId, isBrief: true }
}

/**
 * Runs one transaction that writes people. Devices are locked before people, people in the order of their ids. It starts again
 * also when a person it meant to create exists by then, or one it referred to is gone.
 */
export async function writePeople<T>({ change }: Context, by: Actor, work: (change: Change) => Promise<T>): Promise<T> {
  return change(by, work, isWriteConflict)
}
