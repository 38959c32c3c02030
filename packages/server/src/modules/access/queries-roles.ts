import { sql } from 'kysely'
import type { Limits } from '@contentflow/core/access/allows.ts'
import type { Permission } from '@contentflow/core/access/permissions.ts'
import type { Db } from '../../db/open.ts'

export type StoredRole = {
  id: string
  name: string
  permissions: Permission[]
  limits: Limits
  version: number
  /** Members and service accounts that have it. */
  members: number
  serviceAccounts: number
  createdAt: Date
  updatedAt: Date
}

const users = (table: 'members' | 'service_accounts', workspaceId: string) =>
  sql<number>`(select count(*)::integer from ${sql.table(table)} u where u.workspace_id = ${workspaceId} and u.role_id = roles.id)`

function selectRoles(db: Db, workspaceId: string) {
  return db
    .selectFrom('roles')
    .select(['id', 'name', 'permissions', 'limits', 'version', 'created_at', 'updated_at'])
    .select([users('members', workspaceId).as('members'), users('service_accounts', workspaceId).as('service_accounts')])
    .where('workspace_id', '=', workspaceId)
}

type Row = Awaited<ReturnType<ReturnType<typeof selectRoles>['execute']>>[number]

function toRole({ created_at, updated_at, service_accounts, permissions, limits, ...row }: Row): StoredRole {
  const read = { permissions: permissions as Permission[], limits: limits as Limits }
  return { ...row, ...read, serviceAccounts: service_accounts, createdAt: created_at, updatedAt: updated_at }
}

export async function listRoles(db: Db, workspaceId: string): Promise<StoredRole[]> {
  return (await selectRoles(db, workspaceId).orderBy('name').orderBy('id').execute()).map(toRole)
}

export async function findRole(db: Db, workspaceId: string, id: string): Promise<StoredRole | undefined> {
  const row = await selectRoles(db, workspaceId).where('id', '=', id).executeTakeFirst()
  return row && toRole(row)
}

export type RoleContent = Pick<StoredRole, 'name' | 'permissions' | 'limits'>

export async function insertRole(db: Db, workspaceId: string, id: string, role: RoleContent, now: Date): Promise<void> {
  await db
    .insertInto('roles')
    .values({ workspace_id: workspaceId, id, ...toColumns(role), created_at: now, updated_at: now })
    .execute()
}

export async function updateRole(
  db: Db,
  workspaceId: string,
  id: string,
  role: RoleContent & { version: number },
  now: Date,
): Promise<void> {
  const { version, ...content } = role
  await db
    .updateTable('roles')
    .set({ ...toColumns(content), version, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deleteRole(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('roles').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

function toColumns({ name, permissions, limits }: RoleContent) {
  return { name, permissions: [...permissions], limits: JSON.stringify(limits) }
}

/** Whether a provider of the workspace gives it to a group. */
export async function isGivenToGroups(db: Db, workspaceId: string, roleId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from identity_providers
    where workspace_id = ${workspaceId} and mapping @> ${JSON.stringify([{ workspaceId, roleId }])}::jsonb limit 1`.execute(db)
  return rows.length > 0
}
