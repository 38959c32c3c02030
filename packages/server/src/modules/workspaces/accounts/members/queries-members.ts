import { sql, type Expression, type Selectable, type SqlBool } from 'kysely'
import type { Grant, Limits } from '@contentflow/core/access/allows.ts'
import { grantOfMember, isApprover, type OwnRole } from '@contentflow/core/access/grants.ts'
import { followRole, leaveServices } from './queries-roles.ts'
import type { WorkspaceCalendar } from '@contentflow/core/calendar/workspace-calendar.ts'
import { strictestPolicy, type SecondFactorPolicy } from '@contentflow/core/identity/second-factor/policy.ts'
import type { Db } from '../../../../db/open.ts'
import type { Members } from '../../../../db/schema.ts'
import { failWith } from '../../../../errors.ts'
import type { Role } from '../../../../http/callers/caller.ts'
import { IS_RESTING } from '../../../../infra/due/queries-due.ts'
import type { Account } from '../queries-accounts.ts'

/** `invitedUntil`: has not joined yet, and may until then. `roleId`: a role of the workspace, which counts instead of `role`. */
export type Member = Account & {
  role: Role
  roleId?: string
  roleName?: string
  canApprove: boolean
  invitedUntil?: Date
  source?: MemberSource
}
/** The kind of directory that says what a member is. */
type MemberSource = 'oidc' | 'scim'
export type Invitation = { hash: string; expiresAt: Date }
export type Membership = {
  id: string
  name: string
  role: Role
  /** Of somebody with a role of the workspace. */
  roleName?: string
  permissions?: string[]
  canApprove: boolean
  isSandbox: boolean
  isSuspended?: true
  endsAt?: Date
  calendar: WorkspaceCalendar | null
  /** Who signs in there with a second factor. */
  secondFactor: SecondFactorPolicy
}

/** True for members who have joined: an invitation gives no rights. */
const hasJoined: Expression<SqlBool> = sql<boolean>`members.invitation_hash is null`

/** Of a statement that reads `workspaces`: what it asks of its members, and the workspace whose linked sandbox it is. */
const POLICIES = sql<SecondFactorPolicy[]>`array(
  select setting.second_factor from sign_in_settings setting
  where setting.workspace_id = any(
    array(select parent.id from workspaces parent where parent.sandbox_id = workspaces.id) || workspaces.id))`

/** `boundTo`: only this workspace and its sandbox, which are all that a session of its own provider opens. */
export async function listMemberships(db: Db, accountId: string, boundTo: string | null = null): Promise<Membership[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .leftJoin('roles', (join) => join.onRef('roles.workspace_id', '=', 'members.workspace_id').onRef('roles.id', '=', 'members.role_id'))
    .select(['workspaces.id', 'workspaces.name', 'workspaces.is_sandbox', 'workspaces.calendar', 'workspaces.ends_at'])
    .select(['members.role', 'members.can_approve', 'roles.name as role_name', 'roles.permissions', 'roles.limits'])
    .select([IS_RESTING.as('is_resting'), POLICIES.as('policies')])
    .where('members.account_id', '=', accountId)
    .where(hasJoined)
    .$if(boundTo !== null, (query) =>
      query.where(sql<boolean>`(workspaces.id = ${boundTo} or exists (
        select from workspaces parent where parent.id = ${boundTo} and parent.sandbox_id = workspaces.id))`),
    )
    .orderBy('workspaces.created_at')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    role: row.role,
    ...(row.permissions && { roleName: row.role_name ?? '', permissions: row.permissions }),
    canApprove: isApprover(toGrant(row)),
    isSandbox: row.is_sandbox,
    ...(row.is_resting && { isSuspended: true }),
    ...(row.ends_at && { endsAt: row.ends_at }),
    calendar: row.calendar as WorkspaceCalendar | null,
    secondFactor: strictestPolicy(row.policies),
  }))
}

/** `parentId`: the workspace whose sandbox it is. `breakGlass`: who may come in otherwise while a provider is required; undefined: none is. */
export type FoundMembership = {
  role: Role
  mayApprove: boolean
  ownRole?: OwnRole
  isSuspended: boolean
  parentId: string | null
  breakGlass: string[] | undefined
  /** Who signs in there with a second factor. */
  secondFactor: SecondFactorPolicy
}
const PARENT_ID = sql<string | null>`(select parent.id from workspaces parent where parent.sandbox_id = workspaces.id)`
/** Of the workspace, or of the one whose sandbox it is. */
const BREAK_GLASS = sql<string[] | null>`(
  select s.break_glass from sign_in_settings s
  where s.sso_required and (s.workspace_id = workspaces.id or s.workspace_id = ${PARENT_ID})
  order by s.workspace_id = workspaces.id desc limit 1)`

export async function findMembership(db: Db, workspaceId: string, accountId: string): Promise<FoundMembership | undefined> {
  const row = await db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .leftJoin('roles', (join) => join.on('roles.workspace_id', '=', workspaceId).onRef('roles.id', '=', 'members.role_id'))
    .select([
      'members.role',
      'members.can_approve',
      'roles.permissions',
      'roles.limits',
      IS_RESTING.as('is_resting'),
      POLICIES.as('policies'),
    ])
    .select(PARENT_ID.as('parent_id'))
    .select(BREAK_GLASS.as('break_glass'))
    .where('members.workspace_id', '=', workspaceId)
    .where('members.account_id', '=', accountId)
    .where(hasJoined)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    role: row.role,
    mayApprove: mayApprove(row),
    ...(row.permissions && { ownRole: { permissions: row.permissions, limits: row.limits as Limits } }),
    isSuspended: row.is_resting,
    parentId: row.parent_id,
    breakGlass: row.break_glass ?? undefined,
    secondFactor: strictestPolicy(row.policies),
  }
}

/** `invitedBy`: the account of the admin who made them a member; null: whoever runs the installation did. */
type NewMember = {
  workspaceId: string
  accountId: string
  role: Role
  roleId?: string | undefined
  canApprove: boolean
  now: Date
  invitedBy: string | null
  invitation?: Invitation | undefined
}

/** The admin of a workspace that this transaction makes: nobody is a member of it yet, and nobody made them one. */
export async function insertFirstAdmin(tx: Db, workspaceId: string, accountId: string, now: Date): Promise<void> {
  await tx
    .insertInto('members')
    .values({ workspace_id: workspaceId, account_id: accountId, role: 'admin', can_approve: true, created_at: now, proved_at: now })
    .execute()
}

/** Inserts a member. Somebody who was only invited so far is invited again, or joins. */
export async function insertMember(
  db: Db,
  { workspaceId, accountId, role, roleId, canApprove, now, invitedBy, invitation }: NewMember,
): Promise<void> {
  const entry = {
    role,
    role_id: roleId ?? null,
    can_approve: canApprove,
    created_at: now,
    invitation_hash: invitation?.hash ?? null,
    invitation_expires_at: invitation?.expiresAt ?? null,
    invited_by: invitedBy,
    invited_at: now,
    proved_at: null,
  }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('members')
    .values({ workspace_id: workspaceId, account_id: accountId, ...entry })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'account_id']).doUpdateSet(entry).where('members.invitation_hash', 'is not', null),
    )
    .executeTakeFirst()
  if (!numInsertedOrUpdatedRows) failWith(409, 'This person is already a member')
}

/** The workspace of an invitation that can still be taken, by the hash of its secret: it has no workspace yet, because the secret is what names it. */
export async function findInvitation(db: Db, hash: string, now: Date): Promise<{ workspaceId: string } | undefined> {
  return db
    .selectFrom('members')
    .select('workspace_id as workspaceId')
    .where('invitation_hash', '=', hash)
    .where('invitation_expires_at', '>', now)
    .executeTakeFirst()
}

/** Gives the invitation's place to an account that is no member; false when the invitation was taken or withdrawn meanwhile. */
export async function takeInvitation(tx: Db, workspaceId: string, hash: string, accountId: string, now: Date): Promise<boolean> {
  const own = tx.deleteFrom('members').where('workspace_id', '=', workspaceId).where('account_id', '=', accountId)
  await own.where('invitation_hash', '<>', hash).execute()
  const result = await tx
    .updateTable('members')
    .set({ account_id: accountId, created_at: now, proved_at: now, invitation_hash: null, invitation_expires_at: null })
    .where('workspace_id', '=', workspaceId)
    .where('invitation_hash', '=', hash)
    .executeTakeFirst()
  return result.numUpdatedRows > 0
}

export async function copyMembers(db: Db, from: string, to: string, now: Date): Promise<void> {
  await db
    .insertInto('members')
    .columns(['workspace_id', 'account_id', 'role', 'role_id', 'can_approve', 'invited_by', 'invited_at', 'proved_at', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('members')
        .select([
          sql<string>`${to}`.as('workspace_id'),
          'account_id',
          'role',
          'role_id',
          'can_approve',
          'invited_by',
          'invited_at',
          'proved_at',
          sql<Date>`${now}::timestamptz`.as('created_at'),
        ])
        .where('workspace_id', '=', from)
        .where(hasJoined),
    )
    .execute()
}

type Following = { from: string; to: string; accountId: string; wasMember: boolean; now: Date }

/**
 * Makes the membership of one account in a linked sandbox what it is in its parent; the sandbox keeps an admin. Who was no
 * member of the parent and is none is left as they are: a member of the sandbox alone, perhaps.
 */
export async function followMember(tx: Db, { from, to, accountId, wasMember, now }: Following): Promise<void> {
  const [member] = await readRights(tx, from, [accountId])
  if (member?.role_id) await followRole(tx, { from, to, roleId: member.role_id, now })
  if (member) await putMember(tx, to, member, now)
  else if (wasMember) {
    await deleteMember(tx, to, accountId)
    await leaveServices(tx, to, accountId, now)
  }
  if ((await lockAdmins(tx, to)).length > 0) return
  for (const admin of await readRights(tx, from, await lockAdmins(tx, from))) await putMember(tx, to, admin, now)
}

/** What a member may do, who made them one, and since when their address is proved. */
const RIGHTS = ['account_id', 'role', 'role_id', 'can_approve', 'invited_by', 'invited_at', 'proved_at'] as const
type Rights = Pick<Selectable<Members>, (typeof RIGHTS)[number]>

/** Reads the rights of those who have joined. */
async function readRights(tx: Db, workspaceId: string, accountIds: readonly string[]): Promise<Rights[]> {
  return tx
    .selectFrom('members')
    .select(RIGHTS)
    .where('workspace_id', '=', workspaceId)
    .where('account_id', 'in', accountIds)
    .where(hasJoined)
    .execute()
}

/** Joins, or has these rights from now on. */
async function putMember(tx: Db, workspaceId: string, { account_id, ...rights }: Rights, now: Date): Promise<void> {
  const entry = { ...rights, invitation_hash: null, invitation_expires_at: null }
  await tx
    .insertInto('members')
    .values({ workspace_id: workspaceId, account_id, created_at: now, ...entry })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'account_id']).doUpdateSet(entry))
    .execute()
}

export async function listMembers(db: Db, workspaceId: string): Promise<Member[]> {
  const rows = await selectMembers(db, workspaceId).orderBy('accounts.email').execute()
  return rows.map(toMember)
}

export async function findMember(db: Db, workspaceId: string, accountId: string): Promise<Member | undefined> {
  const row = await selectMembers(db, workspaceId).where('accounts.id', '=', accountId).executeTakeFirst()
  return row && toMember(row)
}

function selectMembers(db: Db, workspaceId: string) {
  return db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['accounts.id', 'accounts.email', 'accounts.name', 'members.role', 'members.can_approve', 'members.invitation_expires_at'])
    .select('members.source')
    .leftJoin('roles', (join) => join.on('roles.workspace_id', '=', workspaceId).onRef('roles.id', '=', 'members.role_id'))
    .select(['members.role_id', 'roles.name as role_name', 'roles.permissions', 'roles.limits'])
    .where('members.workspace_id', '=', workspaceId)
}

/** Workspaces that an account is or was to become a member of. */
export async function listMembershipIds(db: Db, accountId: string): Promise<string[]> {
  const rows = await db.selectFrom('members').select('workspace_id').where('account_id', '=', accountId).orderBy('workspace_id').execute()
  return rows.map((row) => row.workspace_id)
}

/** Workspaces that an account is admin of. `others`: admins beside it whose accounts do not end. */
export async function listAdministered(db: Db, accountId: string): Promise<{ id: string; name: string; others: number }[]> {
  const { rows } = await sql<{ id: string; name: string; others: number }>`
    select w.id, w.name, (
      select count(*)::integer from members other join accounts a on a.id = other.account_id
      where other.workspace_id = w.id and other.role = 'admin' and other.invitation_hash is null
        and other.account_id <> ${accountId} and a.ends_at is null
    ) as others
    from members join workspaces w on w.id = members.workspace_id
    where members.account_id = ${accountId} and members.role = 'admin' and ${hasJoined} order by w.created_at, w.id`.execute(db)
  return rows
}

/** Locks every admin of the workspace whose account does not end, so that two of them cannot remove each other at once. */
export async function lockAdmins(tx: Db, workspaceId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('members')
    .select('account_id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'admin')
    .where(hasJoined)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('accounts')
            .select('accounts.id')
            .whereRef('accounts.id', '=', 'members.account_id')
            .where('ends_at', 'is not', null),
        ),
      ),
    )
    .forUpdate()
    .execute()
  return rows.map((row) => row.account_id)
}

export async function updateMember(
  db: Db,
  workspaceId: string,
  accountId: string,
  change: { role?: Role; role_id?: string | null; can_approve?: boolean },
): Promise<void> {
  await db.updateTable('members').set(change).where('workspace_id', '=', workspaceId).where('account_id', '=', accountId).execute()
}

export async function deleteMember(db: Db, workspaceId: string, accountId: string): Promise<void> {
  await db.deleteFrom('members').where('workspace_id', '=', workspaceId).where('account_id', '=', accountId).execute()
}

/** Admins always may (G-06). */
function mayApprove(row: Pick<Selectable<Members>, 'role' | 'can_approve'>): boolean {
  return row.role === 'admin' || row.can_approve
}

type MemberRow = {
  id: string
  email: string
  name: string
  role: Role
  can_approve: boolean
  invitation_expires_at: Date | null
  source: string | null
} & OfRole
type OfRole = { role_id: string | null; role_name: string | null; permissions: string[] | null; limits: unknown }

/** Until somebody joins, no more is told of them than whoever invited them knew. */
function toMember(row: MemberRow): Member {
  const { id: userId, email, invitation_expires_at: invitedUntil } = row
  const ownRole = row.role_id !== null && { roleId: row.role_id, roleName: row.role_name ?? '' }
  const canApprove = isApprover(toGrant(row))
  const member = { userId, email, name: invitedUntil ? email : row.name, role: row.role, ...ownRole, canApprove }
  return { ...member, ...(invitedUntil && { invitedUntil }), ...(row.source !== null && { source: row.source as MemberSource }) }
}

function toGrant(row: Pick<MemberRow, 'role' | 'can_approve' | 'permissions' | 'limits'>): Grant {
  return grantOfMember(
    row.role,
    mayApprove(row),
    row.permissions ? { permissions: row.permissions, limits: row.limits as Limits } : undefined,
  )
}

/** What somebody who is a member, or was invited, holds or would. */
export async function findGrant(db: Db, workspaceId: string, accountId: string): Promise<Grant | undefined> {
  const row = await selectMembers(db, workspaceId).where('accounts.id', '=', accountId).executeTakeFirst()
  return row && toGrant(row)
}
