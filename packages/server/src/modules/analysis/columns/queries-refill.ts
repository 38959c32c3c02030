/** Rows that lack what reports ask for by now, and how far back the columns have it. */
import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'
import { dueTable, type DueRow, type DueTable } from '../../../infra/due/queries-due.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import type { StoredRow } from './queries-rows.ts'

/** The workspaces whose columns lack something. */
export function refillTable(db: Db): DueTable<DueRow> {
  return dueTable<DueRow>(db, 'roll_ups', sql`id = 'refill'`)
}

/** Whether columns of this workspace still lack something. */
export async function isRefilling(db: Db, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`
    select from roll_ups where workspace_id = ${workspaceId} and id = 'refill' and due_at is not null`.execute(db)
  return rows.length > 0
}

type Used = ReadonlyMap<string, { dimensions: readonly string[]; measures: readonly string[] }>

/** A row of the newest day, from `to` back to `from`, that has no column for what is used of its type. */
export async function findLacking(
  tx: Db,
  workspaceId: string,
  { from, to, used }: { from: string; to: string; used: Used },
): Promise<StoredRow | undefined> {
  const fields = [...used].flatMap(([type, { dimensions, measures }]) => [
    ...dimensions.map((name) => ({ type, field: `properties.${name}`, isDimension: true })),
    ...measures.map((name) => ({ type, field: `properties.${name}`, isDimension: false })),
  ])
  const { rows } = await sql<StoredRow>`
    with asked as materialized (
      select t.id as type_id, u.field, u.is_dimension
      from unnest(${fields.map(({ type }) => type)}::text[], ${fields.map(({ field }) => field)}::text[],
        ${fields.map(({ isDimension }) => isDimension)}::boolean[]) as u (type, field, is_dimension)
      join column_types t on t.workspace_id = ${workspaceId} and t.name = u.type)
    select c.environment, c.type_id as "typeId", c.day::text as day, c.part, c.chunk, c.body, c.meta from event_columns c
    where c.workspace_id = ${workspaceId} and c.day between ${from}::date and ${to}::date and exists (
      select from asked a where a.type_id = c.type_id and not case when a.is_dimension
        then c.meta -> 'dimensions' @> jsonb_build_array(jsonb_build_object('name', a.field))
        else c.meta -> 'measures' @> to_jsonb(a.field) end)
    order by c.day desc, c.environment, c.part, c.type_id, c.chunk limit 1`.execute(tx)
  return rows[0]
}

/** The people who have these numbers. */
export async function listProfilesOf(
  tx: Db,
  workspaceId: string,
  { environment, numbers }: { environment: Environment; numbers: readonly number[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct profile_id as id from people_numbers
    where workspace_id = ${workspaceId} and environment = ${environment} and no = any(${[...numbers]}::integer[])`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The columns have all that reports ask for since this day (UTC). */
export async function markFilled(tx: Db, workspaceId: string, day: string): Promise<void> {
  await sql`
    update event_properties set filled_from = ${day}::date
    where workspace_id = ${workspaceId} and use <> 'none' and (filled_from is null or filled_from > ${day}::date)`.execute(tx)
}
