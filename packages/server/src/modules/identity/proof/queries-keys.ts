import { sql, type Selectable } from 'kysely'
import type { ProofEnvironment } from '@contentflow/core/identity-proof/modes.ts'
import type { Db } from '../../../db/open.ts'
import type { IdentityKeys } from '../../../db/schema.ts'
import { failWith } from '../../../errors.ts'

export type IdentityKeyRow = Selectable<IdentityKeys>

/** In the order they were made; there are few. */
export async function listIdentityKeys(db: Db, workspaceId: string): Promise<IdentityKeyRow[]> {
  return db.selectFrom('identity_keys').selectAll().where('workspace_id', '=', workspaceId).orderBy('id').execute()
}

/** Another one after each change of the keys. */
export async function fingerprintOfKeys(db: Db, workspaceId: string): Promise<string> {
  const { rows } = await sql<{ fingerprint: string | null }>`
    select string_agg(id || coalesce(left(sealed, 20), ''), ',' order by id) as fingerprint from identity_keys where workspace_id = ${workspaceId}`.execute(
    db,
  )
  return rows[0]?.fingerprint ?? ''
}

export async function getIdentityKey(db: Db, workspaceId: string, id: string): Promise<IdentityKeyRow> {
  const row = await db
    .selectFrom('identity_keys')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? failWith(404, 'identity key not found')
}

export type NewIdentityKeyRow = Omit<IdentityKeyRow, 'public_key' | 'last_used_at'> & { public_key: string | null }

export async function insertIdentityKey(db: Db, row: NewIdentityKeyRow): Promise<void> {
  await db.insertInto('identity_keys').values(row).execute()
}

export async function deleteIdentityKey(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('identity_keys').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Keys that are gone meanwhile are left out. */
export async function saveIdentityKeyUses(db: Db, workspaceId: string, ids: readonly string[], now: Date): Promise<void> {
  await db
    .updateTable('identity_keys')
    .set({ last_used_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute()
}

/** The keys that have not expired. */
export function activeKeys<Row extends Pick<IdentityKeyRow, 'environment' | 'expires_at'>>(
  keys: readonly Row[],
  environment: ProofEnvironment,
  now: Date,
): Row[] {
  return keys.filter((key) => key.environment === environment && (key.expires_at === null || key.expires_at > now))
}

export async function findIdentitySecret(db: Db, workspaceId: string, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('identity_secrets')
    .select('sealed')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.sealed
}

/** When two processes make the secret at once, the first one stays. */
export async function insertIdentitySecret(db: Db, workspaceId: string, id: string, sealed: string, now: Date): Promise<void> {
  await db
    .insertInto('identity_secrets')
    .values({ workspace_id: workspaceId, id, sealed, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
