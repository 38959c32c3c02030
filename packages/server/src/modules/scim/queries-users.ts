import { sql } from 'kysely'
import type { Resource } from '@contentflow/core/scim/shapes.ts'
import type { Db } from '../../db/open.ts'

/** `accountId` null: waits for its person to sign in. */
export type StoredUser = {
  id: string
  resource: Resource
  accountId: string | null
  version: number
  createdAt: Date
  updatedAt: Date
}

function select(db: Db, workspaceId: string) {
  return db
    .selectFrom('scim_users')
    .select(['id', 'resource', 'account_id', 'version', 'created_at', 'updated_at'])
    .where('workspace_id', '=', workspaceId)
}
type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

function toUser({ resource, account_id: accountId, created_at: createdAt, updated_at: updatedAt, ...row }: Row): StoredUser {
  return { ...row, resource: resource as Resource, accountId, createdAt, updatedAt }
}

/** What a filter says exactly, by which rows are looked up. */
export type By = { id?: string | undefined; userName?: string | undefined; externalId?: string | undefined }

function selectBy(db: Db, workspaceId: string, { id, userName, externalId }: By) {
  return select(db, workspaceId)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .$if(userName !== undefined, (query) => query.where('user_name_folded', '=', userName ?? ''))
    .$if(externalId !== undefined, (query) => query.where('external_id', '=', externalId ?? ''))
    .orderBy('created_at')
    .orderBy('id')
}

export async function listUsers(db: Db, workspaceId: string, by: By): Promise<StoredUser[]> {
  return (await selectBy(db, workspaceId, by).execute()).map(toUser)
}

export async function listPage(db: Db, workspaceId: string, { offset, limit }: { offset: number; limit: number }): Promise<StoredUser[]> {
  return (await selectBy(db, workspaceId, {}).offset(offset).limit(limit).execute()).map(toUser)
}

export async function findUser(db: Db, workspaceId: string, id: string): Promise<StoredUser | undefined> {
  const row = await select(db, workspaceId).where('id', '=', id).executeTakeFirst()
  return row && toUser(row)
}

export async function countUsers(db: Db, workspaceId: string): Promise<number> {
  const count = sql<number>`count(*)::integer`
  return (await db.selectFrom('scim_users').select(count.as('n')).where('workspace_id', '=', workspaceId).executeTakeFirstOrThrow()).n
}

/** By what each of them is looked up. */
export type UserColumns = {
  external_id: string | null
  user_name_folded: string
  email_folded: string | null
  active: boolean
  resource: string
}

/** Whether another row has this user name or external id. */
export async function isTaken(db: Db, workspaceId: string, id: string, of: UserColumns): Promise<boolean> {
  const row = await db
    .selectFrom('scim_users')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '<>', id)
    .where((eb) =>
      eb.or([
        eb('user_name_folded', '=', of.user_name_folded),
        ...(of.external_id === null ? [] : [eb('external_id', '=', of.external_id)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertUser(tx: Db, workspaceId: string, id: string, columns: UserColumns, now: Date): Promise<void> {
  const own = { workspace_id: workspaceId, id, version: 1, created_at: now, updated_at: now }
  await tx
    .insertInto('scim_users')
    .values({ ...columns, ...own })
    .execute()
}

export async function updateUser(tx: Db, workspaceId: string, id: string, columns: UserColumns & { version: number }, now: Date) {
  await tx
    .updateTable('scim_users')
    .set({ ...columns, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Out of its groups too, whose versions move. */
export async function deleteUser(tx: Db, workspaceId: string, id: string, now: Date): Promise<void> {
  await sql`
    update scim_groups set version = version + 1, updated_at = ${now}
    where workspace_id = ${workspaceId}
      and id in (select m.group_id from scim_members m where m.workspace_id = ${workspaceId} and m.user_id = ${id})`.execute(tx)
  await tx.deleteFrom('scim_members').where('workspace_id', '=', workspaceId).where('user_id', '=', id).execute()
  await tx.deleteFrom('scim_users').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}
