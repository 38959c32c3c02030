/** Members of workspaces as a provider has them: written at each sign-in. */
import type { Granted } from '@contentflow/core/sign-in/groups.ts'
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/open.ts'
import { changeMembersIn } from '../members/members.ts'
import { deleteMember, lockAdmins } from '../members/queries-members.ts'
import type { Provider } from './providers.ts'
import * as queries from './queries-directory.ts'

/** Somebody at a provider, and what their groups give them. `isProved`: the provider has proved their address. */
type Person = { accountId: string; granted: readonly Granted[]; isProved: boolean }

/**
 * Makes the memberships of an account what its groups give. A row of the mapping decides about members made by hand too; the
 * default role is for who is none yet. What the provider gave and gives no longer goes. The last admin of a workspace stays.
 */
export async function writeMemberships(ctx: Context, tx: Db, provider: Provider, { accountId, granted, isProved }: Person): Promise<void> {
  const before = new Map((await queries.listStandings(tx, accountId)).map((each) => [each.workspaceId, each]))
  const given = new Map(granted.map((each) => [each.workspaceId, each]))
  const managed = [...before.values()].filter(({ providerId }) => providerId === provider.id)
  const named = await queries.listExisting(tx, [...new Set([...given.keys(), ...managed.map(({ workspaceId }) => workspaceId)])])
  for (const workspaceId of named) {
    const [standing, grant] = [before.get(workspaceId), given.get(workspaceId)]
    const isOwn = standing?.providerId === provider.id
    if (grant?.isDefault && standing && !isOwn) continue
    if (standing && isSame(standing, grant) && isOwn) continue
    await changeMembersIn(ctx, tx, { workspaceId, accountId }, async () => {
      const isLastAdmin = (await lockAdmins(tx, workspaceId)).join() === accountId
      if (isLastAdmin && grant?.role !== 'admin') {
        ctx.log.warn({ workspaceId, id: provider.id }, 'the groups of the last admin of a workspace give another role: they stay admin')
      } else if (grant) {
        const { role, canApprove } = grant
        const now = ctx.clock.now()
        const entry = { role, canApprove, providerId: provider.id, invitedBy: provider.changedBy, provedAt: isProved ? now : null }
        await queries.putManaged(tx, { workspaceId, accountId, ...entry, now })
      } else await deleteMember(tx, workspaceId, accountId)
      return { userId: accountId }
    })
  }
}

function isSame(standing: queries.Standing, grant: Granted | undefined): boolean {
  return grant !== undefined && standing.role === grant.role && standing.canApprove === grant.canApprove
}
