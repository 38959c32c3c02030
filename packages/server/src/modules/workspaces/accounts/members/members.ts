import { grantOfMember } from '@contentflow/core/access/grants.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../../context.ts'
import { readOnce } from '../../../../infra/once/once.ts'
import type { Db } from '../../../../db/open.ts'
import { fail, failWith } from '../../../../errors.ts'
import { requireGrant } from '../../../../http/callers/auth.ts'
import type { AccountCaller, MemberCaller, Role } from '../../../../http/callers/caller.ts'
import { hashSecret, randomToken } from '../../../../infra/secrets/crypto.ts'
import { auditedObject } from '../../../../infra/audit/audit.ts'
import { isResting } from '../../../../infra/due/queries-due.ts'
import { noteAudited } from '../../../../infra/request-scope.ts'
import { inTransaction } from '../../../../infra/unavailable.ts'
import { openAccount } from '../accounts.ts'
import type { Passwords } from '../sign-in/passwords.ts'
import { isInactive } from '../oidc/queries-provisioned.ts'
import { mustChangeFirst } from '../sign-in/own-passwords.ts'
import { findAccountNamed } from '../queries-accounts.ts'
import { membershipsIn } from './memberships.ts'
import * as queries from './queries-members.ts'
import { findOwnRole, leaveServices } from './queries-roles.ts'
import { memberCounters, spendTry } from '../sign-in/tries.ts'
import { lockSettings } from '../../queries.ts'

/** `roleId`: a role of the workspace, which counts instead of `role`. */
export type NewMember = { email: string; name: string; password: string; role: Role; roleId?: string; canApprove?: boolean }
/** With what an account that was there before joins; shown this once. */
type Added = queries.Member & { invitation?: { token: string; expiresAt: Date } }

const INVITATION_DAYS = 7

/**
 * G-06. An account that exists is not known to belong to whoever the admin means: anybody may have opened it with that email.
 * It is a member at once only when the admin knows its password; otherwise the invitation, which the admin passes on, makes
 * its bearer the member.
 */
export async function addMember(
  ctx: Context,
  passwords: Passwords,
  admin: MemberCaller,
  input: NewMember & { isOwnPage: boolean },
): Promise<Added> {
  await requireGiven(ctx.db, admin, input)
  const known = await readOnce(ctx.db, () => findAccountNamed(ctx.db, input.email))
  if (!known) {
    await spendTry(ctx, memberCounters(admin.accountId), 'SIGNUP_RATE_LIMITED')
    mustChangeFirst(ctx, input)
    const passwordHash = await passwords.hash(admin.accountId, input.password)
    return changeMembers(ctx, { workspaceId: admin.workspaceId }, async (tx) => {
      const { userId } = await openAccount(ctx, tx, { ...input, madeBy: admin.accountId, mustChange: true }, passwordHash)
      return insertMember(ctx, tx, admin, userId, input)
    })
  }
  const isTheirs = await passwords.guess({ address: admin.accountId }, known.email_folded, known, input.password)
  const of = { workspaceId: admin.workspaceId, accountId: known.id }
  if (isTheirs) return changeMembers(ctx, of, (tx) => insertMember(ctx, tx, admin, known.id, input))
  return changeMembers(ctx, of, async (tx) => {
    const token = randomToken()
    const expiresAt = new Date(ctx.clock.ms() + INVITATION_DAYS * DAY_MS)
    const member = await insertMember(ctx, tx, admin, known.id, { ...input, invitation: { hash: hashSecret(token), expiresAt } })
    return { ...member, invitation: { token, expiresAt } }
  })
}

/** Whose membership changes. Without `accountId`: of an account that is made. */
type Of = { workspaceId: string; accountId?: string }

/** What `work` makes of somebody's membership is made of it in the linked sandbox too, in the same transaction. */
async function changeMembers<T extends { userId: string }>(ctx: Context, by: Of, work: (tx: Db) => Promise<T>): Promise<T> {
  const result = await inTransaction(ctx.db, async (tx) => {
    const changed = await changeMembersIn(ctx, tx, by, () => work(tx))
    await noteMember(ctx, tx, by.workspaceId, changed)
    return changed.result
  })
  noteAudited(by.workspaceId)
  return result
}

export type ChangedMember<T> = { result: T; before: queries.Member | undefined; after: queries.Member | undefined }

/** Into the audit log, as the last thing of the transaction. */
async function noteMember(ctx: Context, tx: Db, workspaceId: string, { result, before, after }: ChangedMember<{ userId: string }>) {
  const shown = (member: queries.Member | undefined) => member && { role: member.role, canApprove: member.canApprove }
  return ctx.audit.write(tx, workspaceId, [auditedObject('member', result.userId, shown(before), shown(after))])
}

/** The same inside a transaction that is under way. Who changes several workspaces takes them in the order of their ids. */
export async function changeMembersIn<T extends { userId: string }>(
  ctx: Context,
  tx: Db,
  { workspaceId, accountId }: Of,
  work: () => Promise<T>,
): Promise<ChangedMember<T>> {
  // Held, so that no sandbox is made meanwhile with the members of before.
  const { sandbox_id: to } = await lockSettings(tx, workspaceId)
  const wasMember = accountId !== undefined && (await queries.findMembership(tx, workspaceId, accountId)) !== undefined
  const before = accountId === undefined ? undefined : await queries.findMember(tx, workspaceId, accountId)
  const result = await work()
  if (to) await queries.followMember(tx, { from: workspaceId, to, accountId: result.userId, wasMember, now: ctx.clock.now() })
  return { result, before, after: await queries.findMember(tx, workspaceId, result.userId) }
}

/** Removes the membership of an account that is deleted, in the same transaction. */
export async function leaveWorkspace(ctx: Context, tx: Db, workspaceId: string, accountId: string): Promise<void> {
  await changeMembersIn(ctx, tx, { workspaceId, accountId }, async () => {
    await queries.deleteMember(tx, workspaceId, accountId)
    await leaveServices(tx, workspaceId, accountId, ctx.clock.now())
    return { userId: accountId }
  })
}

async function insertMember(
  ctx: Context,
  db: Db,
  { workspaceId, accountId: invitedBy }: MemberCaller,
  accountId: string,
  { role: asked, roleId, canApprove = false, invitation }: NewMember & { invitation?: queries.Invitation },
): Promise<queries.Member> {
  const role = roleId === undefined ? asked : 'viewer'
  await queries.insertMember(db, { workspaceId, accountId, role, roleId, canApprove, now: ctx.clock.now(), invitedBy, invitation })
  return (await queries.findMember(db, workspaceId, accountId)) ?? failWith(404, 'member not found')
}

/** Makes whoever is signed in the member that was invited, whatever email the invitation was for; it can be taken once. */
export async function joinWorkspace(ctx: Context, { accountId, session }: AccountCaller, token: string) {
  const hash = hashSecret(token)
  const { workspaceId } = (await queries.findInvitation(ctx.db, hash, ctx.clock.now())) ?? fail('INVITATION_OVER')
  await changeMembers(ctx, { workspaceId, accountId }, async (tx) => {
    // Nobody's membership answers for this, as it does for other writes (G-93). The invitation can be taken afterwards.
    if (await isResting(tx, workspaceId)) fail('WORKSPACE_SUSPENDED')
    if (!(await queries.takeInvitation(tx, workspaceId, hash, accountId, ctx.clock.now()))) fail('INVITATION_OVER')
    return { userId: accountId }
  })
  const memberships = await membershipsIn(ctx.db, accountId, session)
  return memberships.find(({ id }) => id === workspaceId) ?? failWith(404, 'workspace not found')
}

/** `roleId`: null and a documented `role` take a role of the workspace away. */
type MemberChange = { role?: Role; roleId?: string | null; canApprove?: boolean }

export async function changeMember(ctx: Context, admin: MemberCaller, userId: string, asked: MemberChange): Promise<queries.Member> {
  const { workspaceId } = admin
  const change = asked.roleId ? { ...asked, role: 'viewer' as const } : asked
  if (asked.roleId && asked.role && asked.role !== 'viewer') failWith(400, 'send role or roleId, not both')
  return changeMembers(ctx, { workspaceId, accountId: userId }, async (tx) => {
    const admins = await queries.lockAdmins(tx, workspaceId)
    await refuseManaged(tx, workspaceId, userId)
    if (change.role && change.role !== 'admin') refuseLastAdmin(admins, userId)
    await requireHeld(tx, admin, userId)
    const before = (await queries.findMember(tx, workspaceId, userId)) ?? failWith(404, 'member not found')
    const roleId = change.roleId === undefined && change.role === undefined ? before.roleId : (change.roleId ?? undefined)
    await requireGiven(tx, admin, { ...before, ...change, roleId })
    const update = {
      ...(change.role && { role: change.role }),
      ...((change.role !== undefined || change.roleId !== undefined) && { role_id: change.roleId ?? null }),
      ...(change.canApprove !== undefined && { can_approve: change.canApprove }),
    }
    if (Object.keys(update).length > 0) await queries.updateMember(tx, workspaceId, userId, update)
    return (await queries.findMember(tx, workspaceId, userId)) ?? failWith(404, 'member not found')
  })
}

export async function removeMember(ctx: Context, admin: MemberCaller, userId: string): Promise<void> {
  const { workspaceId } = admin
  await changeMembers(ctx, { workspaceId, accountId: userId }, async (tx) => {
    const admins = await queries.lockAdmins(tx, workspaceId)
    await refuseManaged(tx, workspaceId, userId)
    refuseLastAdmin(admins, userId)
    await requireHeld(tx, admin, userId)
    await queries.deleteMember(tx, workspaceId, userId)
    await leaveServices(tx, workspaceId, userId, ctx.clock.now())
    return { userId }
  })
}

/** What a directory says of a member is changed there. Who stayed as the last admin, though it wants them gone, is changed here. */
async function refuseManaged(tx: Db, workspaceId: string, userId: string): Promise<void> {
  const { source } = (await queries.findMember(tx, workspaceId, userId)) ?? {}
  if (source !== undefined && !(await isInactive(tx, workspaceId, userId))) fail('MEMBER_MANAGED')
}

/** Whoever is changed, removed or given a new password has no rights that the caller lacks. */
export async function requireHeld(db: Db, caller: MemberCaller, userId: string): Promise<void> {
  const grant = await queries.findGrant(db, caller.workspaceId, userId)
  if (grant) requireGrant(caller, grant)
}

/** Refuses to give more than one holds, and roles that are none. */
async function requireGiven(
  db: Db,
  caller: MemberCaller,
  { role, roleId, canApprove = false }: { role: Role; roleId?: string | undefined; canApprove?: boolean | undefined },
): Promise<void> {
  const ownRole = roleId === undefined ? undefined : await findOwnRole(db, caller.workspaceId, roleId)
  if (roleId !== undefined && !ownRole) failWith(400, 'roleId must be a role of the workspace')
  requireGrant(caller, grantOfMember(role, role === 'admin' || canApprove, ownRole))
}

function refuseLastAdmin(admins: readonly string[], userId: string): void {
  if (admins.length === 1 && admins[0] === userId) failWith(409, 'A workspace needs an admin')
}
