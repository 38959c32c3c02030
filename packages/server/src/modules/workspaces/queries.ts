import { sql, type Selectable } from 'kysely'
import { SIGN_UP_LOCK } from '../../db/locks.ts'
import type { Db } from '../../db/open.ts'
import type { Accounts, Keys, Members, Workspaces } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'
import type { Role } from '../../http/caller.ts'
import type { SignalOf } from '../../infra/signals.ts'

export type SettingsRow = Selectable<Workspaces>
export type KeyRow = Selectable<Keys>
export type KeyKind = 'publishable' | 'secret' | 'write' | 'read'
export type Account = { userId: string; email: string; name: string }

// --- accounts and sessions (of the installation, not of a workspace) ---

/** One at a time, so that "the first account" is one account. Held until the transaction ends. */
export async function lockSignUp(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SIGN_UP_LOCK})`.execute(tx)
}

export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function findAccountByEmail(db: Db, email: string): Promise<Selectable<Accounts> | undefined> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
}

export async function insertAccount(db: Db, account: Selectable<Accounts>): Promise<void> {
  await db.insertInto('accounts').values(account).execute()
}

export async function findAccount(db: Db, accountId: string): Promise<Selectable<Accounts> | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst()
}

export async function updateAccountName(db: Db, accountId: string, name: string): Promise<void> {
  await db.updateTable('accounts').set({ name }).where('id', '=', accountId).execute()
}

/** False when it is another one than `before` by now. */
export async function replacePassword(db: Db, accountId: string, before: string, after: string): Promise<boolean> {
  const result = await db
    .updateTable('accounts')
    .set({ password_hash: after })
    .where('id', '=', accountId)
    .where('password_hash', '=', before)
    .executeTakeFirst()
  return result.numUpdatedRows > 0
}

export async function deleteOtherSessions(db: Db, accountId: string, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).where('token_hash', '<>', tokenHash).execute()
}

export async function insertSession(db: Db, tokenHash: string, accountId: string, now: Date, expiresAt: Date): Promise<void> {
  await db.insertInto('sessions').values({ token_hash: tokenHash, account_id: accountId, created_at: now, expires_at: expiresAt }).execute()
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

export async function deleteSessionsOf(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).execute()
}

export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
}

export async function findSession(db: Db, tokenHash: string, now: Date): Promise<Account | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['accounts.id as userId', 'accounts.email', 'accounts.name'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

// --- workspaces ---

export type NewWorkspace = { id: string; name: string; sourceLocale: string | null; isSandbox: boolean }

export async function insertWorkspace(db: Db, { id, name, sourceLocale, isSandbox }: NewWorkspace, now: Date): Promise<void> {
  const times = { settings_changed_at: now, created_at: now, updated_at: now }
  await db
    .insertInto('workspaces')
    .values({ id, name, source_locale: sourceLocale, is_sandbox: isSandbox, ...times })
    .execute()
}

export async function markDemo(db: Db, workspaceId: string): Promise<void> {
  await db.updateTable('workspaces').set({ is_demo: true }).where('id', '=', workspaceId).execute()
}

export async function findDemo(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('workspaces').select('id').where('is_demo', '=', true).limit(1).executeTakeFirst())?.id
}

export async function findSettings(db: Db, workspaceId: string): Promise<SettingsRow | undefined> {
  return db.selectFrom('workspaces').selectAll().where('id', '=', workspaceId).executeTakeFirst()
}

export async function getSettings(db: Db, workspaceId: string): Promise<SettingsRow> {
  return (await findSettings(db, workspaceId)) ?? failWith(404, 'workspace not found')
}

/** The row, locked, so that a check and the change it allows are one. Whoever only names the workspace does not wait. */
export async function lockSettings(tx: Db, workspaceId: string): Promise<SettingsRow> {
  return (
    (await tx.selectFrom('workspaces').selectAll().where('id', '=', workspaceId).forNoKeyUpdate().executeTakeFirst()) ??
    failWith(404, 'workspace not found')
  )
}

export async function updateWorkspaceName(db: Db, workspaceId: string, name: string, now: Date): Promise<void> {
  await db.updateTable('workspaces').set({ name, updated_at: now }).where('id', '=', workspaceId).execute()
}

export type SettingsChange = Partial<{
  suspended: boolean
  derived_keys_enabled: boolean
  test_retired: boolean
  sandbox_id: string | null
  features: string
  customer_limit: number | null
  requests_per_minute: number | null
  plan_features: string
}>

export async function updateSettings(db: Db, workspaceId: string, change: SettingsChange, now: Date): Promise<SettingsRow> {
  const row = await db
    .updateTable('workspaces')
    .set({ ...change, settings_changed_at: laterThanBefore(now), updated_at: now })
    .where('id', '=', workspaceId)
    .returningAll()
    .executeTakeFirst()
  return row ?? failWith(404, 'workspace not found')
}

/** Of every workspace whose settings changed after `since`. */
export async function listChangedSettings(db: Db, since: Date): Promise<SignalOf<'settings'>[]> {
  const rows = await db.selectFrom('workspaces').select(['id', 'settings_changed_at']).where('settings_changed_at', '>', since).execute()
  return rows.map((row) => ({ kind: 'settings', workspaceId: row.id, changedAt: row.settings_changed_at.getTime() }))
}

/** Grows with every change, also when the process that makes it has a clock behind the one before: others compare it. */
function laterThanBefore(now: Date) {
  return sql<Date>`later_than(${now}, settings_changed_at)`
}

// --- members ---

export type Member = Account & { role: Role; canApprove: boolean }

type Membership = { id: string; name: string; role: Role; canApprove: boolean; isSandbox: boolean }

export async function listMemberships(db: Db, accountId: string): Promise<Membership[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(['workspaces.id', 'workspaces.name', 'workspaces.is_sandbox', 'members.role', 'members.can_approve'])
    .where('members.account_id', '=', accountId)
    .orderBy('workspaces.created_at')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    role: row.role as Role,
    canApprove: mayApprove(row),
    isSandbox: row.is_sandbox,
  }))
}

export async function findMembership(
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<{ role: Role; mayApprove: boolean } | undefined> {
  const row = await db
    .selectFrom('members')
    .select(['role', 'can_approve'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && { role: row.role as Role, mayApprove: mayApprove(row) }
}

export async function insertMember(
  db: Db,
  workspaceId: string,
  accountId: string,
  role: Role,
  canApprove: boolean,
  now: Date,
): Promise<void> {
  await db
    .insertInto('members')
    .values({ workspace_id: workspaceId, account_id: accountId, role, can_approve: canApprove, created_at: now })
    .execute()
}

export async function copyMembers(db: Db, from: string, to: string, now: Date): Promise<void> {
  await db
    .insertInto('members')
    .columns(['workspace_id', 'account_id', 'role', 'can_approve', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('members')
        .select([
          sql<string>`${to}`.as('workspace_id'),
          'account_id',
          'role',
          'can_approve',
          sql<Date>`${now}::timestamptz`.as('created_at'),
        ])
        .where('workspace_id', '=', from),
    )
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
    .select(['accounts.id', 'accounts.email', 'accounts.name', 'members.role', 'members.can_approve'])
    .where('members.workspace_id', '=', workspaceId)
}

/** Locks every admin of the workspace, so that two of them cannot remove each other at once. */
export async function lockAdmins(tx: Db, workspaceId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('members')
    .select('account_id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'admin')
    .forUpdate()
    .execute()
  return rows.map((row) => row.account_id)
}

export async function updateMember(
  db: Db,
  workspaceId: string,
  accountId: string,
  change: { role?: Role; can_approve?: boolean },
): Promise<void> {
  await db.updateTable('members').set(change).where('workspace_id', '=', workspaceId).where('account_id', '=', accountId).execute()
}

export async function deleteMember(db: Db, workspaceId: string, accountId: string): Promise<void> {
  await db.deleteFrom('members').where('workspace_id', '=', workspaceId).where('account_id', '=', accountId).execute()
}

// --- keys ---

/** The one look-up by hash: it has no workspace yet, because the key is what names it. */
export async function findKeyByHash(db: Db, hash: string): Promise<KeyRow | undefined> {
  return db.selectFrom('keys').selectAll().where('hash', '=', hash).where('revoked_at', 'is', null).executeTakeFirst()
}

export async function insertKey(db: Db, key: Omit<KeyRow, 'rotated_at' | 'revoked_at'>): Promise<void> {
  await db.insertInto('keys').values(key).execute()
}

/** With when it was used last, as far as that is known. */
export type ListedKey = KeyRow & { used_at: Date | null }

const currentKeys = (db: Db, workspaceId: string, kinds: readonly KeyKind[]) =>
  db
    .selectFrom('keys')
    .leftJoin('key_uses', (join) => join.on('key_uses.workspace_id', '=', workspaceId).onRef('key_uses.key_id', '=', 'keys.id'))
    .selectAll('keys')
    .select('key_uses.used_at')
    .where('keys.workspace_id', '=', workspaceId)
    .where('kind', 'in', kinds)
    .where('revoked_at', 'is', null)

export async function listKeys(db: Db, workspaceId: string, kinds: readonly KeyKind[]): Promise<ListedKey[]> {
  return currentKeys(db, workspaceId, kinds).orderBy('created_at').orderBy('id').execute()
}

export async function getKey(db: Db, workspaceId: string, id: string, kinds: readonly KeyKind[]): Promise<ListedKey> {
  return (await currentKeys(db, workspaceId, kinds).where('id', '=', id).executeTakeFirst()) ?? failWith(404, 'key not found')
}

export async function updateKey(
  db: Db,
  workspaceId: string,
  id: string,
  change: { hash: string; masked: string; rotated_at: Date } | { revoked_at: Date },
): Promise<void> {
  await db.updateTable('keys').set(change).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Keys that are gone meanwhile are left out. */
export async function saveKeyUses(db: Db, workspaceId: string, keyIds: readonly string[], now: Date): Promise<void> {
  await sql`
    insert into key_uses (workspace_id, key_id, used_at)
    select ${workspaceId}, id, ${now}::timestamptz from keys
    where workspace_id = ${workspaceId} and id = any(${[...keyIds]}::text[]) order by id
    on conflict (workspace_id, key_id) do update set used_at = greatest(key_uses.used_at, excluded.used_at)`.execute(db)
}

/** Admins always may (G-06). */
function mayApprove(row: Pick<Selectable<Members>, 'role' | 'can_approve'>): boolean {
  return row.role === 'admin' || row.can_approve
}

function toMember(row: { id: string; email: string; name: string; role: string; can_approve: boolean }): Member {
  return { userId: row.id, email: row.email, name: row.name, role: row.role as Role, canApprove: mayApprove(row) }
}
