/** What questions read: the rows of columns, who people are by now, and the counts of events. Nothing is written. */
import { sql } from 'kysely'
import type { ColumnsMeta } from '@contentflow/core/analysis/columns.ts'
import type { Db } from '../../../db/open.ts'
import type { Environment } from '../../../infra/signals/signals.ts'

export type Source = { workspaceId: string; environment: Environment }
/** Rows of these types, of days from `from` up to, but without, `to`. */
export type Wanted = Source & { typeIds: readonly number[]; from: Date; to: Date }
export type ReadRow = { typeId: number; day: string; body: Buffer; meta: ColumnsMeta }

/** The numbers of these types; one that nobody sent has none. */
export async function findTypeIds(db: Db, workspaceId: string, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('column_types')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('name', '=', sql<string>`any(${[...names]}::text[])`)
    .execute()
  return new Map(rows.map(({ id, name }) => [name, id]))
}

const whereWanted = ({ workspaceId, environment, typeIds, from, to }: Wanted) =>
  sql`workspace_id = ${workspaceId} and environment = ${environment} and type_id = any(${[...typeIds]}::integer[])
    and day >= (${from}::timestamptz at time zone 'UTC')::date and day < (${to}::timestamptz at time zone 'UTC')::date`

/** Events of each part. */
export async function countParts(db: Db, wanted: Wanted): Promise<Map<number, number>> {
  const { rows } = await sql<{ part: number; events: number }>`
    select part, sum(events)::bigint as events from event_columns where ${whereWanted(wanted)} group by part`.execute(db)
  return new Map(rows.map(({ part, events }) => [part, events]))
}

/** The rows of one part, oldest first. */
export async function readPart(db: Db, wanted: Wanted, part: number): Promise<ReadRow[]> {
  const { rows } = await sql<ReadRow>`
    select type_id as "typeId", day::text as day, body, meta from event_columns
    where ${whereWanted(wanted)} and part = ${part} order by event_columns.day, chunk`.execute(db)
  return rows
}

export type ValueCount = { typeId: number; day: string; value: string | number | boolean | null; isOther: boolean; events: number }

/** Events of each value of a dimension by type and day, from what stands beside the bytes. */
export async function countValues(db: Db, wanted: Wanted, field: string): Promise<ValueCount[]> {
  const { rows } = await sql<ValueCount>`
    with r as materialized (
      select type_id, day, events, (select d from jsonb_array_elements(meta -> 'dimensions') d where d ->> 'name' = ${field}) as d
      from event_columns where ${whereWanted(wanted)}),
    counted as (
      select type_id, day, v.value, false as is_other, sum(c.count::bigint) as events
      from r cross join lateral rows from (jsonb_array_elements(r.d -> 'values'), jsonb_array_elements_text(r.d -> 'counts')) as v (value, count)
        cross join lateral (select v.count) as c group by 1, 2, 3
      union all
      select type_id, day, null, true, sum((d ->> 'others')::bigint) from r where d is not null group by 1, 2
      union all
      select type_id, day, null, false, sum(events - coalesce((d ->> 'others')::bigint, 0) - coalesce((
        select sum(c::bigint) from jsonb_array_elements_text(d -> 'counts') as c), 0)) from r group by 1, 2)
    select type_id as "typeId", day::text as day, value, is_other as "isOther", events::bigint as events from counted where events > 0`.execute(
    db,
  )
  return rows
}

export async function isSegment(db: Db, workspaceId: string, segmentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('segments')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', segmentId)
    .executeTakeFirst()
  return row !== undefined
}

/** Until when everything that arrived is in the columns. */
export async function findBuiltUntil(db: Db, workspaceId: string, now: Date): Promise<Date> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(received_at) as at from (
      select min(received_at) as received_at from column_batches where workspace_id = ${workspaceId}
      union all select min(received_at) from event_batches where workspace_id = ${workspaceId} and not is_counted) as pending`.execute(db)
  return rows[0]?.at ?? now
}

/** Events of these types by hour or by day, a few seconds behind. */
export async function countEvents(
  db: Db,
  { workspaceId, environment, from, to }: Source & { from: Date; to: Date },
  types: readonly string[],
  unit: 'hour' | 'day',
): Promise<{ type: string; at: Date; events: number }[]> {
  const { rows } = await sql<{ type: string; at: Date; events: number }>`
    select name as type, starts_at as at, total as events from event_counts
    where workspace_id = ${workspaceId} and environment = ${environment} and subject = 'type' and unit = ${unit}
      and name = any(${[...types]}::text[]) and starts_at >= ${from} and starts_at < ${to}`.execute(db)
  return rows
}

/** The properties that have a column now, by type. */
export async function listColumnsOf(
  db: Db,
  workspaceId: string,
  types: readonly string[],
): Promise<{ type: string; property: string; use: 'dimension' | 'measure' }[]> {
  const { rows } = await sql<{ type: string; property: string; use: 'dimension' | 'measure' }>`
    select t.name as type, p.name as property, p.use from event_types t
    join event_properties p on p.workspace_id = ${workspaceId} and p.type_id = t.id
    where t.workspace_id = ${workspaceId} and t.name = any(${[...types]}::text[]) and p.use <> 'none'`.execute(db)
  return rows
}

/** Who has these numbers. `deviceId`: of somebody who has no user id. */
export async function listPeople(
  db: Db,
  { workspaceId, environment }: Source,
  numbers: readonly number[],
): Promise<{ userId: string | null; deviceId: string | null }[]> {
  const { rows } = await sql<{ userId: string | null; deviceId: string | null }>`
    select p.user_id as "userId", case when p.user_id is null then (
        select min(d.device_id) from devices d where d.workspace_id = ${workspaceId} and d.profile_id = p.id) end as "deviceId"
    from profiles p where p.workspace_id = ${workspaceId} and p.id in (
      select profile_id from people_numbers where workspace_id = ${workspaceId} and environment = ${environment} and no = any(${[...numbers]}::integer[]))
    order by p.user_id, p.id`.execute(db)
  return rows
}
