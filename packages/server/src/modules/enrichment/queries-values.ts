/** What loads say of people, by load. What follows from it stands on the person (`people/queries-enrichment.ts`). */
import { sql } from 'kysely'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Priorities } from '@contentflow/core/imports/priorities.ts'
import type { Said } from '@contentflow/core/journeys/written.ts'
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

/**
 * Values of people who are held. What the same load said of other attributes stays, unless it has ended. It is newer than all that
 * is loaded of them, also than what was loaded in the same moment.
 */
export async function mergeValues(
  tx: Db,
  { workspaceId, uploadId, source, loadedAt, expiresAt }: ValueLoad,
  values: ReadonlyMap<string, JsonObject>,
): Promise<void> {
  const newest = await listNewest(tx, workspaceId, { people: [...values.keys()], uploadId, since: loadedAt })
  const moments = [...values.keys()].map((id) => new Date(Math.max(loadedAt.getTime(), (newest.get(id) ?? 0) + 1)))
  await sql`
    insert into enrichment_values as kept (workspace_id, profile_id, upload_id, source, values, loaded_at, expires_at)
    select ${workspaceId}, p.id, ${uploadId}, ${source}, said::jsonb, item.loaded_at, ${expiresAt}::timestamptz
    from unnest(${[...values.keys()]}::text[], ${[...values.values()].map((value) => JSON.stringify(value))}::text[],
      ${moments}::timestamptz[]) as item (id, said, loaded_at)
      join profiles p on p.workspace_id = ${workspaceId} and p.id = item.id
    on conflict (workspace_id, profile_id, upload_id) do update
      set values = case when kept.expires_at <= ${loadedAt} then excluded.values else kept.values || excluded.values end,
        loaded_at = excluded.loaded_at, expires_at = excluded.expires_at`.execute(tx)
}

/** When other loads said something of these people last, of those of whom any did since then; milliseconds. */
async function listNewest(
  tx: Db,
  workspaceId: string,
  { people, uploadId, since }: { people: readonly string[]; uploadId: string; since: Date },
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; newest: Date }>`
    select profile_id as id, max(loaded_at) as newest from enrichment_values
    where workspace_id = ${workspaceId} and profile_id = any(${[...people]}::text[]) and upload_id <> ${uploadId} and loaded_at >= ${since}
    group by profile_id`.execute(tx)
  return new Map(rows.map(({ id, newest }) => [id, newest.getTime()]))
}

/**
 * What loads say now of these attributes of people who are held, in the order in which `resolvePeople` merges them. Of the journey's own
 * loads everything, of others what wins among them.
 */
export async function listCompeting(
  tx: Db,
  workspaceId: string,
  asked: { journeyId: string; people: readonly string[]; names: readonly string[]; priorities: Priorities; now: Date },
): Promise<(Said & { id: string })[]> {
  const { journeyId, people, names, priorities, now } = asked
  const { rows } = await sql<Omit<Said, 'expiresAt'> & { id: string; expires_at: Date | null }>`
    select id, name, value, rank, days, expires_at from (
      select distinct on (v.profile_id, n.name, own.days) v.profile_id as id, n.name, v.values -> n.name as value, own.days, own.rank,
        v.expires_at, v.loaded_at, v.upload_id
      from enrichment_values v cross join unnest(${[...names]}::text[]) as n (name)
      cross join lateral (select (${JSON.stringify(priorities)}::jsonb ->> v.source)::float8 as rank, (
        select u.journey_days from uploads u where u.workspace_id = ${workspaceId} and u.id = v.upload_id
          and u.kind = 'journey' and u.status = 'completed' and u.journey_id = ${journeyId}) as days) own
      where v.workspace_id = ${workspaceId} and v.profile_id = any(${[...people]}::text[]) and v.values ? n.name
        and (v.expires_at is null or v.expires_at > ${now})
      order by v.profile_id, n.name, own.days, own.rank desc, v.loaded_at desc, v.upload_id desc) held
    order by rank, loaded_at, upload_id`.execute(tx)
  return rows.map(({ expires_at, ...said }) => ({ ...said, expiresAt: expires_at && expires_at.getTime() }))
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
