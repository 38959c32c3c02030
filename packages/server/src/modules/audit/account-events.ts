/** What happens to an account: it concerns each workspace that it opens. */
import type { Context } from '../../context.ts'
import type { Said } from '../../infra/audit/audit.ts'
import { listWorkspacesOf } from './queries-audit.ts'

/** Workspaces of one account that hear of it. */
const MOST_WORKSPACES = 50

/** `actor`: left out, whoever the account is. `action`: left out, it is the route's. */
export type AccountEvent = Pick<Said, 'actor' | 'action' | 'outcome' | 'reason'> & { accountId: string }

/** Writes into the log of each workspace of an account, each in a transaction of its own. */
export async function noteAccountEvent(ctx: Context, { accountId, ...said }: AccountEvent): Promise<void> {
  const actor = { kind: 'member', id: accountId } as const
  for (const workspaceId of await listWorkspacesOf(ctx.db, accountId, MOST_WORKSPACES))
    await ctx.audit.writeApart(workspaceId, { actor, object: { kind: 'account', id: accountId }, ...said })
}
