/** Members of workspaces as a provider has them: written at each sign-in, and whenever the directory sends who somebody is (SCIM). */
import type { Granted } from '@contentflow/core/sign-in/groups.ts'
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/open.ts'
import { changeMembersIn, type ChangedMember } from '../members/members.ts'
import { deleteMember, lockAdmins } from '../members/queries-members.ts'
import { leaveServices } from '../members/queries-roles.ts'
import type { Provider } from './providers.ts'
import * as queries from './queries-directory.ts'

/** What is needed of a provider to write its members. */
export type Directory = Pick<Provider, 'id' | 'changedBy'>
/**
 * Somebody at a provider, and what their groups give them. `isProved`: the provider has proved their address. `source` scim: the
 * directory sent them.
 */
type Person = { accountId: string; granted: readonly Granted[]; isProved: boolean; source: 'oidc' | 'scim' }
/** What became of a membership. `isKept`: of the last admin, who would have lost it. */
export type Written = Omit<ChangedMember<unknown>, 'result'> & { workspaceId: string; isKept: boolean }

/**
 * Makes the memberships of an account what its groups give. A row of the mapping decides about members made by hand too; the
 * default role is for who is none yet. What the provider gave and gives no longer goes. The last admin of a workspace stays.
 */
export async function writeMemberships(ctx: Context, tx: Db, provider: Directory, person: Person): Promise<Written[]> {
  const { accountId, granted, source } = person
  const before = new Map((await queries.listStandings(tx, accountId)).map((each) => [each.workspaceId, each]))
  const given = new Map(granted.map((each) => [each.workspaceId, each]))
  const managed = [...before.values()].filter(({ providerId }) => providerId === provider.id)
  const named = await queries.listExisting(tx, [...new Set([...given.keys(), ...managed.map(({ workspaceId }) => workspaceId)])])
  const written: Written[] = []
  for (const workspaceId of named) {
    const [standing, grant] = [before.get(workspaceId), given.get(workspaceId)]
    if (isAsGiven(provider, standing, grant, source)) continue
    const changed = await changeMembersIn(ctx, tx, { workspaceId, accountId }, async () => {
      const isLastAdmin = (await lockAdmins(tx, workspaceId)).join() === accountId
      const isKept = isLastAdmin && grant?.role !== 'admin'
      if (isKept)
        ctx.log.warn({ workspaceId, id: provider.id }, 'the directory gives the last admin of a workspace another role: they stay admin')
      else if (grant) await put(ctx, tx, provider, { ...person, grant })
      else {
        await deleteMember(tx, workspaceId, accountId)
        await leaveServices(tx, workspaceId, accountId, ctx.clock.now())
      }
      return { userId: accountId, isKept }
    })
    written.push({ workspaceId, before: changed.before, after: changed.after, isKept: changed.result.isKept })
  }
  return written
}

async function put(ctx: Context, tx: Db, provider: Directory, { accountId, grant, isProved, source }: Person & { grant: Granted }) {
  const { workspaceId, role, roleId, canApprove } = grant
  const now = ctx.clock.now()
  const rights = { role, roleId, canApprove, source, providerId: provider.id }
  await queries.putManaged(tx, { workspaceId, accountId, ...rights, invitedBy: provider.changedBy, provedAt: isProved ? now : null, now })
}

/** Whether nothing is to be written: members are what they are given, or are none of the provider's. */
export function isAsGiven(
  { id }: Directory,
  standing: queries.Standing | undefined,
  grant: Granted | undefined,
  source: 'oidc' | 'scim',
): boolean {
  const isOwn = standing?.providerId === id
  if (!grant) return !isOwn
  if (grant.isDefault && standing && !isOwn) return true
  return (
    isOwn &&
    standing.role === grant.role &&
    standing.roleId === (grant.roleId ?? null) &&
    standing.canApprove === grant.canApprove &&
    standing.source === source
  )
}
