/**
 * What loads say of people, and what follows from it: of each attribute the value of the highest source, of one source
 * the newest, of what has not ended (M-PRIO, M-ENR-25). It stands on the person, where stored membership reads it.
 */
import { sql } from 'kysely'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Priorities } from '@contentflow/core/imports/priorities.ts'
import type { Db } from '../../db/open.ts'
import type { DueRows } from '../../infra/queries-due.ts'

/** One load, as its values are kept. */
export type Load = { workspaceId: string; uploadId: string; source: string; loadedAt: Date; expiresAt: Date | null }

/** In one order, so that two loads of the same people come after each other; those who are still there. */
export async function holdPeople(tx: Db, workspaceId: string, profileIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('profiles')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...profileIds]}::text[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** Values of people who are held, by profile id. What the same load said of them before is replaced. */
export async function saveValues(
  tx: Db,
  { workspaceId, uploadId, source, loadedAt, expiresAt }: Load,
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

/** Works out what holds for these people, who are held; ids of those for whom something else holds now. */
export async function resolvePeople(
  tx: Db,
  workspaceId: string,
  profileIds: readonly string[],
  priorities: Priorities,
  now: Date,
): Promise<string[]> {
  if (profileIds.length === 0) return []
  const counted = sql`v.workspace_id = ${workspaceId} and v.profile_id = p.id and (v.expires_at is null or v.expires_at > ${now})`
  const { rows } = await sql<{ id: string; has_changed: boolean }>`
    with resolved as materialized (
      select p.id, coalesce((
          select jsonb_object_agg(name, value) from (
            select distinct on (e.name) e.name, e.value
            from enrichment_values v, jsonb_each(v.values) as e (name, value)
            where ${counted}
            order by e.name, (${JSON.stringify(priorities)}::jsonb ->> v.source)::float8 desc, v.loaded_at desc, v.upload_id desc) best),
        '{}') as effective,
        (select min(v.expires_at) from enrichment_values v where ${counted}) as due_at
      from profiles p where p.workspace_id = ${workspaceId} and p.id = any(${[...profileIds]}::text[])),
    differing as materialized (
      select resolved.*, p.enrichment <> effective as has_changed from resolved
      join profiles p on p.workspace_id = ${workspaceId} and p.id = resolved.id
      where p.enrichment <> effective or p.enrichment_due_at is distinct from due_at)
    update profiles p set enrichment = effective, enrichment_due_at = due_at,
      updated_at = case when has_changed then ${now}::timestamptz else p.updated_at end
    from differing where p.workspace_id = ${workspaceId} and p.id = differing.id
    returning p.id, has_changed`.execute(tx)
  return rows.filter(({ has_changed }) => has_changed).map(({ id }) => id)
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

/** People of whom anything is said, behind this one. */
export async function listEnriched(db: Db, workspaceId: string, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ profile_id: string }>`
    select distinct profile_id from enrichment_values where workspace_id = ${workspaceId} and profile_id > ${after}
    order by profile_id limit ${limit}`.execute(db)
  return rows.map(({ profile_id }) => profile_id)
}

/** People of whom a value has ended. Whoever works them out says in the same transaction when the next ends: there is nothing to hold. */
export function endedRows(db: Db): DueRows<{ id: string }> {
  return {
    listWorkspaces: async (dueBy, _now, limit) => {
      const { rows } = await sql<{ id: string }>`
        select workspace_id as id from profiles where enrichment_due_at <= ${dueBy}
        group by workspace_id order by min(enrichment_due_at) limit ${limit}`.execute(db)
      return rows.map(({ id }) => id)
    },
    claim: async ({ workspaceId, dueBy, limit }) =>
      db
        .selectFrom('profiles')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .where('enrichment_due_at', '<=', dueBy)
        .orderBy('enrichment_due_at')
        .limit(limit)
        .execute(),
    renew: async () => true,
    handBack: async () => {},
  }
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
