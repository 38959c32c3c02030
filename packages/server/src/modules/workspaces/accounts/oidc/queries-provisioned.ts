/** People as the directory of a workspace sends them: whose row it is, and what it says. */
import { sql, type ExpressionBuilder } from 'kysely'
import type { Db } from '../../../../db/open.ts'
import type { Database } from '../../../../db/schema.ts'

/** A row of somebody. `accountId` null: nobody signed in yet who is meant. */
export type Provisioned = {
  id: string
  active: boolean
  externalId: string | null
  email: string | null
  userName: string
  accountId: string | null
  providerId: string | null
}

function select(db: Db, workspaceId: string) {
  return db
    .selectFrom('scim_users')
    .select(['id', 'active', 'external_id as externalId', 'email_folded as email', 'user_name_folded as userName'])
    .select(['account_id as accountId', 'provider_id as providerId'])
    .where('workspace_id', '=', workspaceId)
}

export async function findByExternalId(db: Db, workspaceId: string, ids: readonly string[]): Promise<Provisioned | undefined> {
  const found = select(db, workspaceId).where('external_id', '=', sql<string>`any(${[...ids]}::text[])`)
  return found.orderBy('id').limit(1).executeTakeFirst()
}

export async function findByAccount(db: Db, workspaceId: string, accountId: string): Promise<Provisioned | undefined> {
  return select(db, workspaceId).where('account_id', '=', accountId).executeTakeFirst()
}

/** Whether the account of a row is there. */
function hasAccount(eb: ExpressionBuilder<Database, 'scim_users'>) {
  return eb.exists(eb.selectFrom('accounts').select('accounts.id').whereRef('accounts.id', '=', 'scim_users.account_id'))
}

/** Rows of nobody yet with this address, those whose user name it is first; two at most. */
export async function listWaitingByEmail(db: Db, workspaceId: string, email: string): Promise<Provisioned[]> {
  return select(db, workspaceId)
    .where((eb) => eb.not(hasAccount(eb)))
    .where((eb) => eb.or([eb('user_name_folded', '=', email), eb('email_folded', '=', email)]))
    .orderBy(sql`user_name_folded = ${email}`, 'desc')
    .orderBy('id')
    .limit(2)
    .execute()
}

/** Those of these rows that wait for their people. */
export async function listWaiting(db: Db, workspaceId: string, ids: readonly string[]): Promise<Provisioned[]> {
  return select(db, workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .where((eb) => eb.not(hasAccount(eb)))
    .orderBy('id')
    .execute()
}

export type Linked = Provisioned & { accountId: string; providerId: string }

/** Those of these rows whose people have signed in and have their accounts still. */
export async function listLinked(db: Db, workspaceId: string, ids: readonly string[]): Promise<Linked[]> {
  return select(db, workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .where('provider_id', 'is not', null)
    .where(hasAccount)
    .orderBy('id')
    .$narrowType<{ accountId: string; providerId: string }>()
    .execute()
}

/** Makes it the row of this account, and of no other. */
export async function linkTo(tx: Db, workspaceId: string, id: string, of: { accountId: string; providerId: string }): Promise<void> {
  await tx
    .updateTable('scim_users')
    .set({ account_id: null, provider_id: null })
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', of.accountId)
    .where('id', '<>', id)
    .execute()
  await tx
    .updateTable('scim_users')
    .set({ account_id: of.accountId, provider_id: of.providerId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** People of a provider that is taken away wait for the next one. */
export async function unlinkFrom(tx: Db, workspaceId: string, providerId: string): Promise<void> {
  await tx
    .updateTable('scim_users')
    .set({ account_id: null, provider_id: null })
    .where('workspace_id', '=', workspaceId)
    .where('provider_id', '=', providerId)
    .execute()
}

/** Whether the directory sends groups: they count instead of those of tokens then. */
export async function sendsGroups(db: Db, workspaceId: string): Promise<boolean> {
  return (await db.selectFrom('scim_groups').select('id').where('workspace_id', '=', workspaceId).limit(1).executeTakeFirst()) !== undefined
}

/** The groups of these people, by both of their names. */
export async function listGroupsOf(db: Db, workspaceId: string, userIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('scim_members')
    .innerJoin('scim_groups', (join) =>
      join.on('scim_groups.workspace_id', '=', workspaceId).onRef('scim_groups.id', '=', 'scim_members.group_id'),
    )
    .select(['scim_members.user_id', 'scim_groups.display_name', 'scim_groups.external_id'])
    .where('scim_members.workspace_id', '=', workspaceId)
    .where('scim_members.user_id', '=', sql<string>`any(${[...userIds]}::text[])`)
    .execute()
  const found = new Map<string, string[]>()
  for (const { user_id: userId, display_name: name, external_id: externalId } of rows)
    found.set(userId, [...(found.get(userId) ?? []), name, ...(externalId === null ? [] : [externalId])])
  return found
}

/** Whether the directory says of a member that they are not to come in any more. */
export async function isInactive(db: Db, workspaceId: string, accountId: string): Promise<boolean> {
  return (await findByAccount(db, workspaceId, accountId))?.active === false
}

/** Makes a member of a directory one made by hand. */
export async function releaseMember(tx: Db, workspaceId: string, accountId: string): Promise<void> {
  const own = tx.updateTable('members').set({ source: null, provider_id: null }).where('workspace_id', '=', workspaceId)
  await own.where('account_id', '=', accountId).execute()
}

/** Ends the sessions that open this workspace alone. */
export async function deleteSessionsIn(tx: Db, workspaceId: string, accountId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('workspace_id', '=', workspaceId).where('account_id', '=', accountId).execute()
}
