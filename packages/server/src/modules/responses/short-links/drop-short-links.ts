import type { Context } from '../../../context.ts'
import { dropOldLinks, listWorkspacesWithOldLinks } from './queries-short-links.ts'

/** Rows of one statement. */
const MOST = 10_000

/** Links whose days are over lead nowhere any more. */
export async function dropShortLinks({ db, clock }: Context): Promise<void> {
  const before = clock.now()
  for (const workspaceId of await listWorkspacesWithOldLinks(db, before))
    for (let gone = MOST; gone === MOST;) gone = await dropOldLinks(db, workspaceId, before, MOST)
}
