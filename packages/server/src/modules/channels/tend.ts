import type { Context } from '../../context.ts'
import { placeOf } from './channels.ts'
import * as queries from './queries.ts'

/** Secrets of a key that is not the first any more are sealed with the first. */
export async function tendChannels({ db, secrets, config }: Context): Promise<void> {
  if (config.secretKeys.length < 2) return
  const present = secrets.present()
  for (const workspaceId of await queries.listWorkspacesSealedBefore(db, present))
    for (const { id, secrets: sealed } of await queries.listSealedBefore(db, workspaceId, present)) {
      const next = secrets.reseal(sealed, placeOf(workspaceId, id))
      if (next !== undefined) await queries.reseal(db, workspaceId, id, sealed, next)
    }
}
