import type { Context } from '../../context.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import type { Change, Actor } from '../../infra/change.ts'
import { isWriteConflict } from '../../infra/unavailable.ts'

/** The actor of what an application writes: its key. */
export function byApp({ workspaceId, keyId }: AppCaller): Actor {
  return { workspaceId, actor: keyId, isBrief: true }
}

/**
 * One transaction that writes people. Devices are locked before people, people in the order of their ids. People come
 * and go meanwhile: it begins again also when one that it meant to make is there, or one that it referred to is gone.
 */
export async function writePeople<T>({ change }: Context, by: Actor, work: (change: Change) => Promise<T>): Promise<T> {
  return change(by, work, isWriteConflict)
}
