/** Roles that a workspace makes (decision 78). */
import type { Grant, Limits } from '@contentflow/core/access/allows.ts'
import type { Permission } from '@contentflow/core/access/permissions.ts'
import { readLimits, readPermissions } from '@contentflow/core/access/read-role.ts'
import { grantOfMember } from '@contentflow/core/access/grants.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import { requireGrant } from '../../http/callers/auth.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import { actorOfMember } from '../../http/callers/auth.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { followRole, lockSettings } from '../workspaces/index.ts'
import * as queries from './queries-roles.ts'
import type { StoredRole } from './queries-roles.ts'

type RoleBody = { name: string; permissions: readonly string[]; limits?: object }

export async function createRole(ctx: Context, caller: MemberCaller, body: RoleBody): Promise<StoredRole> {
  const role = readRole(caller, body)
  return ctx.change(actorOfMember(caller), async ({ tx, workspaceId, now, audited }) => {
    await lockSettings(tx, workspaceId)
    const roles = await queries.listRoles(tx, workspaceId)
    if (roles.length >= LIMITS.rolesPerWorkspace) fail('ROLE_LIMIT')
    refuseName(roles, role.name)
    const id = uuidv7(now.getTime())
    await queries.insertRole(tx, workspaceId, id, role, now)
    audited('role', id, undefined, role)
    return requireRole(tx, workspaceId, id)
  })
}

/** All members of the body; whoever changes a role holds what it was and what it becomes. */
export async function changeRole(
  ctx: Context,
  caller: MemberCaller,
  id: string,
  asked: { body: RoleBody; expectedVersion: number | undefined },
): Promise<StoredRole> {
  const role = readRole(caller, asked.body)
  return ctx.change(actorOfMember(caller), async ({ tx, workspaceId, now, audited }) => {
    const { sandbox_id: sandbox } = await lockSettings(tx, workspaceId)
    const before = await requireRole(tx, workspaceId, id)
    if (asked.expectedVersion !== undefined && asked.expectedVersion !== before.version) fail('VERSION_CHANGED')
    requireGrant(caller, grantOf(before))
    const others = (await queries.listRoles(tx, workspaceId)).filter((each) => each.id !== id)
    refuseName(others, role.name)
    await queries.updateRole(tx, workspaceId, id, { ...role, version: before.version + 1 }, now)
    audited('role', id, contentOf(before), role)
    if (sandbox) await followRole(tx, { from: workspaceId, to: sandbox, roleId: id, now, isOnlyKnown: true })
    return requireRole(tx, workspaceId, id)
  })
}

export async function removeRole(ctx: Context, caller: MemberCaller, id: string): Promise<void> {
  await ctx.change(actorOfMember(caller), async ({ tx, workspaceId, audited }) => {
    await lockSettings(tx, workspaceId)
    const role = await requireRole(tx, workspaceId, id)
    requireGrant(caller, grantOf(role))
    if (role.members + role.serviceAccounts > 0) fail('ROLE_IN_USE')
    if (await queries.isGivenToGroups(tx, workspaceId, id))
      fail('ROLE_IN_USE', { message: 'A provider of sign-ins gives this role to a group; change its mapping first' })
    await queries.deleteRole(tx, workspaceId, id)
    audited('role', id, contentOf(role))
  })
}

export async function requireRole(db: Db, workspaceId: string, id: string): Promise<StoredRole> {
  return (await queries.findRole(db, workspaceId, id)) ?? failWith(404, 'role not found')
}

/** What people choose of it. */
function contentOf({ name, permissions, limits }: StoredRole): queries.RoleContent {
  return { name, permissions, limits }
}

function grantOf(role: { permissions: readonly Permission[]; limits: Limits }): Grant {
  return grantOfMember('viewer', false, role)
}

function readRole(caller: MemberCaller, body: RoleBody): queries.RoleContent {
  const permissions = readPermissions(body.permissions)
  if (!permissions.ok) return failWith(400, permissions.error)
  const limits = readLimits(body.limits)
  if (!limits.ok) return failWith(400, limits.error)
  const role = { name: body.name.trim(), permissions: permissions.value, limits: limits.value }
  if (role.name === '') failWith(400, 'name must have 1 to 100 characters')
  requireGrant(caller, grantOf(role))
  return role
}

function refuseName(others: readonly { name: string }[], name: string): void {
  if (others.some((each) => each.name.toLowerCase() === name.toLowerCase())) fail('NAME_TAKEN')
}
