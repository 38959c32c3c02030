import { sql } from 'kysely'
import type { Limits } from '@contentflow/core/access/allows.ts'
import type { OwnRole } from '@contentflow/core/access/grants.ts'
import type { DocumentedRole } from '@contentflow/core/access/permissions.ts'
import type { Db } from '../../db/open.ts'
import { IS_RESTING } from '../../infra/due/queries-due.ts'

export type StoredService = {
  id: string
  name: string
  ownerId: string
  /** When the owner stopped being a member; null: they are one. */
  ownerLeftAt: Date | null
  role: DocumentedRole
  roleId: string | null
  limits: Limits
  ownRole?: OwnRole
  createdAt: Date
  updatedAt: Date
}
export type StoredToken = {
  id: string
  hint: string
  expiresAt: Date
  allowedCidrs: string[]
  createdBy: string
  createdAt: Date
  lastUsedAt: Date | null
  lastUsedFrom: string | null
  revokedAt: Date | null
}

function selectServices(db: Db, workspaceId: string) {
  return db
    .selectFrom('service_accounts')
    .leftJoin('roles', (join) => join.on('roles.workspace_id', '=', workspaceId).onRef('roles.id', '=', 'service_accounts.role_id'))
    .select(['service_accounts.id', 'service_accounts.name', 'owner_id', 'owner_left_at', 'role', 'role_id', 'service_accounts.limits'])
    .select(['service_accounts.created_at', 'service_accounts.updated_at', 'roles.permissions', 'roles.limits as role_limits'])
    .where('service_accounts.workspace_id', '=', workspaceId)
}

type Row = Awaited<ReturnType<ReturnType<typeof selectServices>['execute']>>[number]

function toService(row: Row): StoredService {
  return {
    id: row.id,
    name: row.name,
    ownerId: row.owner_id,
    ownerLeftAt: row.owner_left_at,
    role: row.role,
    roleId: row.role_id,
    limits: row.limits as Limits,
    ...(row.permissions && { ownRole: { permissions: row.permissions, limits: row.role_limits as Limits } }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function listServices(db: Db, workspaceId: string): Promise<StoredService[]> {
  return (await selectServices(db, workspaceId).orderBy('service_accounts.name').orderBy('service_accounts.id').execute()).map(toService)
}

export async function findService(db: Db, workspaceId: string, id: string): Promise<StoredService | undefined> {
  const row = await selectServices(db, workspaceId).where('service_accounts.id', '=', id).executeTakeFirst()
  return row && toService(row)
}

export type ServiceContent = Pick<StoredService, 'name' | 'ownerId' | 'role' | 'roleId' | 'limits'>

export async function insertService(db: Db, workspaceId: string, id: string, service: ServiceContent, now: Date): Promise<void> {
  await db
    .insertInto('service_accounts')
    .values({ workspace_id: workspaceId, id, ...toColumns(service), created_at: now, updated_at: now })
    .execute()
}

/** A new owner is a member. */
export async function updateService(db: Db, workspaceId: string, id: string, service: ServiceContent, now: Date): Promise<void> {
  await db
    .updateTable('service_accounts')
    .set({ ...toColumns(service), updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deleteService(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('service_accounts').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

function toColumns({ name, ownerId, role, roleId, limits }: ServiceContent) {
  return { name, owner_id: ownerId, owner_left_at: null, role, role_id: roleId, limits: JSON.stringify(limits) }
}

const TOKEN = [
  'id',
  'hint',
  'expires_at as expiresAt',
  'allowed_cidrs as allowedCidrs',
  'created_by as createdBy',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'last_used_from as lastUsedFrom',
  'revoked_at as revokedAt',
] as const

/** Those that were taken back too. */
export async function listTokens(db: Db, workspaceId: string, serviceId: string): Promise<StoredToken[]> {
  const of = db.selectFrom('api_tokens').select(TOKEN).where('workspace_id', '=', workspaceId)
  return of.where('service_account_id', '=', serviceId).orderBy('id').execute()
}

export async function findToken(db: Db, workspaceId: string, serviceId: string, id: string): Promise<StoredToken | undefined> {
  const of = db.selectFrom('api_tokens').select(TOKEN).where('workspace_id', '=', workspaceId)
  return of.where('service_account_id', '=', serviceId).where('id', '=', id).executeTakeFirst()
}

type NewToken = { id: string; serviceId: string; hash: string; hint: string; expiresAt: Date; allowedCidrs: string[]; by: string }

export async function insertToken(db: Db, workspaceId: string, token: NewToken, now: Date): Promise<void> {
  const { id, serviceId, hash, hint, expiresAt, allowedCidrs, by } = token
  const row = { id, service_account_id: serviceId, hash, hint, expires_at: expiresAt, allowed_cidrs: allowedCidrs, created_by: by }
  await db
    .insertInto('api_tokens')
    .values({ workspace_id: workspaceId, ...row, created_at: now })
    .execute()
}

type TokenChange = { expires_at?: Date; allowed_cidrs?: string[]; revoked_at?: Date }

export async function updateToken(db: Db, workspaceId: string, id: string, change: TokenChange): Promise<void> {
  await db.updateTable('api_tokens').set(change).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Of those that are over. */
export async function deleteOldTokens(db: Db, workspaceId: string, serviceId: string, before: Date): Promise<void> {
  const of = db.deleteFrom('api_tokens').where('workspace_id', '=', workspaceId).where('service_account_id', '=', serviceId)
  await of.where((eb) => eb.or([eb('expires_at', '<', before), eb('revoked_at', '<', before)])).execute()
}

/** Whom a token opens the workspace for, unless it is over. */
export async function findByToken(db: Db, workspaceId: string, hash: string, at: { now: Date; ownerLeftSince: Date }) {
  return selectServices(db, workspaceId)
    .innerJoin('api_tokens as t', (join) =>
      join.on('t.workspace_id', '=', workspaceId).onRef('t.service_account_id', '=', 'service_accounts.id'),
    )
    .innerJoin('workspaces', (join) => join.on('workspaces.id', '=', workspaceId))
    .select(['t.id as token_id', 't.allowed_cidrs', 't.last_used_at', IS_RESTING.as('is_resting')])
    .where('t.hash', '=', hash)
    .where('t.revoked_at', 'is', null)
    .where('t.expires_at', '>', at.now)
    .where((eb) => eb.or([eb('owner_left_at', 'is', null), eb('owner_left_at', '>', at.ownerLeftSince)]))
    .executeTakeFirst()
    .then(
      (row) =>
        row && {
          ...toService(row),
          tokenId: row.token_id,
          allowedCidrs: row.allowed_cidrs,
          lastUsedAt: row.last_used_at,
          isSuspended: row.is_resting,
        },
    )
}

/** Unless it was noted since. */
export async function noteTokenUse(
  db: Db,
  workspaceId: string,
  id: string,
  use: { at: Date; from: string; unlessSince: Date },
): Promise<void> {
  await db
    .updateTable('api_tokens')
    .set({ last_used_at: use.at, last_used_from: use.from })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where(sql<boolean>`(last_used_at is null or last_used_at < ${use.unlessSince}::timestamptz)`)
    .execute()
}

/** Members by id and name. */
export async function listNames(db: Db, workspaceId: string, accountIds: readonly string[]): Promise<Map<string, string>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['accounts.id', 'accounts.name'])
    .where('members.workspace_id', '=', workspaceId)
    .where('members.invitation_hash', 'is', null)
    .where('accounts.id', 'in', accountIds)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
