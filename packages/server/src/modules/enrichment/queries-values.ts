/** What loads say of people, by load. What follows from it stands on the person (`people/queries-enrichment.ts`). */
import { sql } from 'kysely'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Db } from '../../db/open.ts'
import type { IdArray } from '../people/index.ts'

/** One load, as its values are kept. */
export type ValueLoad = { workspaceId: string; uploadId: string; source: string; loadedAt: Date; expiresAt: Date | null }

/** Values of people who are held, by profile id. What the same load said of them before is replaced. */
export async function saveValues(
  tx: Db,
  { workspaceId, uploadId, source, loadedAt, expiresAt }: ValueLoad,
  values: ReadonlyMap<string, JsonObject>,
): Promise<void> {
  if (values.size === 0) return
  await sql`
    insert into enrichment_values (workspace_id, profile_id, upload_id, source, values, loaded_at, expires_at)
    select ${workspaceId}, id, ${uploadId}, ${source}, said::jsonb, ${loadedAt}::timestamptz, ${expiresAt}::timestamptz
    from unnest(${[...values.keys()]}::text[], ${[...values.values()].map((value) => JSON.stringify(value))}::text[]) as item (id, said)
    on conflict (workspace_id, profile_id, upload_id) do update
      set values = excluded.values, loaded_at = excluded.loaded_at, expires_at = excluded.expires_at`.execute(tx)
}

/** Values of people who are held. What the same load said of other attributes stays. */
export async function mergeValues(
  tx: Db,
  { workspaceId, uploadId, source, loadedAt, expiresAt }: ValueLoad,
  values: ReadonlyMap<string, JsonObject>,
): Promise<void> {
  await sql`
    insert into enrichment_values as kept (workspace_id, profile_id, upload_id, source, values, loaded_at, expires_at)
    select ${workspaceId}, p.id, ${uploadId}, ${source}, said::jsonb, ${loadedAt}::timestamptz, ${expiresAt}::timestamptz
    from unnest(${[...values.keys()]}::text[], ${[...values.values()].map((value) => JSON.stringify(value))}::text[]) as item (id, said)
      join profiles p on p.workspace_id = ${workspaceId} and p.id = item.id
    on conflict (workspace_id, profile_id, upload_id) do update
      set values = kept.values || excluded.values, loaded_at = excluded.loaded_at, expires_at = excluded.expires_at`.execute(tx)
}

/** How many attributes one load says of these people. */
export async function countValues(tx: Db, workspaceId: string, uploadId: string, profileIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from enrichment_values v, jsonb_object_keys(v.values)
    where v.workspace_id = ${workspaceId} and v.upload_id = ${uploadId} and v.profile_id = any(${[...profileIds]}::text[])`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Of one load, up to `most` people: whose values went. They must be locked before; see `listLoaded`. */
export async function deleteValues(tx: Db, workspaceId: string, uploadId: string, profileIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('enrichment_values')
    .where('workspace_id', '=', workspaceId)
    .where('upload_id', '=', uploadId)
    .where('profile_id', '=', sql<string>`any(${[...profileIds]}::text[])`)
    .execute()
}

/** People of whom a load says something, in the order of their ids. */
export async function listLoaded(db: Db, workspaceId: string, uploadId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('enrichment_values')
    .select('profile_id')
    .where('workspace_id', '=', workspaceId)
    .where('upload_id', '=', uploadId)
    .orderBy('profile_id')
    .limit(limit)
    .execute()
  return rows.map(({ profile_id }) => profile_id)
}

/** People of whom anything is said, behind this one, and the last of them; null: nobody is. */
export async function listEnriched(
  db: Db,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<{ ids: IdArray; last: string | null }> {
  const { rows } = await sql<{ ids: IdArray; last: string | null }>`
    select coalesce(array_agg(profile_id), '{}')::text as ids, max(profile_id) as last from (
      select distinct profile_id from enrichment_values where workspace_id = ${workspaceId} and profile_id > ${after}
      order by profile_id limit ${limit}) next`.execute(db)
  return rows[0]!
}

export type SaidValue = {
  name: string
  value: unknown
  source: string
  upload_id: string
  label: string | null
  loaded_at: Date
  expires_at: Date | null
}

/** Everything that loads say of a person, also what lost or has ended. */
export async function listSaid(db: Db, workspaceId: string, profileId: string): Promise<SaidValue[]> {
  const { rows } = await sql<SaidValue>`
    select e.name, e.value, v.source, v.upload_id, v.loaded_at, v.expires_at,
      (select u.label from uploads u where u.workspace_id = ${workspaceId} and u.id = v.upload_id) as label
    from enrichment_values v, jsonb_each(v.values) as e (name, value)
    where v.workspace_id = ${workspaceId} and v.profile_id = ${profileId}
    order by e.name, v.loaded_at desc, v.upload_id desc`.execute(db)
  return rows
}
