import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

export type StoredGroup = {
  id: string
  displayName: string
  externalId: string | null
  version: number
  createdAt: Date
  updatedAt: Date
}

function select(db: Db, workspaceId: string) {
  return db
    .selectFrom('scim_groups')
    .select([
      'id',
      'display_name as displayName',
      'external_id as externalId',
      'version',
      'created_at as createdAt',
      'updated_at as updatedAt',
    ])
    .where('workspace_id', '=', workspaceId)
}

/** What a filter says exactly. `memberIds`: groups with each of these people. */
export type By = {
  id?: string | undefined
  name?: string | undefined
  externalId?: string | undefined
  memberIds?: readonly string[]
}

export async function listGroups(db: Db, workspaceId: string, { id, name, externalId, memberIds = [] }: By): Promise<StoredGroup[]> {
  let query = select(db, workspaceId)
  if (id !== undefined) query = query.where('id', '=', id)
  if (name !== undefined) query = query.where('name_folded', '=', name)
  if (externalId !== undefined) query = query.where('external_id', '=', externalId)
  for (const userId of memberIds)
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('scim_members')
          .select('user_id')
          .where('scim_members.workspace_id', '=', workspaceId)
          .whereRef('scim_members.group_id', '=', 'scim_groups.id')
          .where('scim_members.user_id', '=', userId),
      ),
    )
  return query.orderBy('created_at').orderBy('id').execute()
}

export async function findGroup(db: Db, workspaceId: string, id: string): Promise<StoredGroup | undefined> {
  return select(db, workspaceId).where('id', '=', id).executeTakeFirst()
}

export async function countGroups(db: Db, workspaceId: string): Promise<number> {
  const count = sql<number>`count(*)::integer`
  return (await db.selectFrom('scim_groups').select(count.as('n')).where('workspace_id', '=', workspaceId).executeTakeFirstOrThrow()).n
}

/** The people of these groups, by group; groups from the first on until there are `most` people, and at least one group. */
export async function listMembers(db: Db, workspaceId: string, groupIds: readonly string[], most: number): Promise<Map<string, string[]>> {
  const ids = sql<string>`any(${[...groupIds]}::text[])`
  const sizes = await db
    .selectFrom('scim_members')
    .select(['group_id', sql<number>`count(*)::integer`.as('n')])
    .where('workspace_id', '=', workspaceId)
    .where('group_id', '=', ids)
    .groupBy('group_id')
    .execute()
  const sizeOf = new Map(sizes.map(({ group_id: id, n }) => [id, n]))
  const found = new Map<string, string[]>()
  let people = 0
  for (const id of groupIds) {
    people += sizeOf.get(id) ?? 0
    if (people > most && found.size > 0) break
    found.set(id, [])
  }
  const rows = await db
    .selectFrom('scim_members')
    .select(['group_id', 'user_id'])
    .where('workspace_id', '=', workspaceId)
    .where('group_id', '=', sql<string>`any(${[...found.keys()]}::text[])`)
    .orderBy('user_id')
    .execute()
  for (const { group_id: groupId, user_id: userId } of rows) found.get(groupId)?.push(userId)
  return found
}

/** Those of these ids that are users of the workspace. */
export async function listKnownUsers(db: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('scim_users')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute()
  return rows.map(({ id }) => id)
}

export type GroupColumns = { external_id: string | null; display_name: string; name_folded: string }

/** Whether another group has this name or external id. */
export async function isTaken(db: Db, workspaceId: string, id: string, of: GroupColumns): Promise<boolean> {
  const row = await db
    .selectFrom('scim_groups')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '<>', id)
    .where((eb) =>
      eb.or([eb('name_folded', '=', of.name_folded), ...(of.external_id === null ? [] : [eb('external_id', '=', of.external_id)])]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertGroup(tx: Db, workspaceId: string, id: string, columns: GroupColumns, now: Date): Promise<void> {
  const own = { workspace_id: workspaceId, id, version: 1, created_at: now, updated_at: now }
  await tx
    .insertInto('scim_groups')
    .values({ ...columns, ...own })
    .execute()
}

export async function updateGroup(tx: Db, workspaceId: string, id: string, columns: GroupColumns & { version: number }, now: Date) {
  await tx
    .updateTable('scim_groups')
    .set({ ...columns, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deleteGroup(tx: Db, workspaceId: string, id: string): Promise<void> {
  await tx.deleteFrom('scim_members').where('workspace_id', '=', workspaceId).where('group_id', '=', id).execute()
  await tx.deleteFrom('scim_groups').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

export async function insertMembers(tx: Db, workspaceId: string, groupId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  await tx
    .insertInto('scim_members')
    .values(userIds.map((userId) => ({ workspace_id: workspaceId, group_id: groupId, user_id: userId })))
    .execute()
}

export async function deleteMembers(tx: Db, workspaceId: string, groupId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  await tx
    .deleteFrom('scim_members')
    .where('workspace_id', '=', workspaceId)
    .where('group_id', '=', groupId)
    .where('user_id', '=', sql<string>`any(${[...userIds]}::text[])`)
    .execute()
}
