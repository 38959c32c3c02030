/** What the columns are built from, and the rows that are built. */
import { sql } from 'kysely'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { ColumnsMeta } from '@contentflow/core/analysis/columns.ts'
import type { Db } from '../../../db/open.ts'
import { dueTable, type DueRow, type DueTable } from '../../../infra/due/queries-due.ts'
import type { Environment } from '../../../infra/signals/signals.ts'

/** When the columns of each workspace are built next. */
export function columnsTable(db: Db): DueTable<DueRow> {
  return dueTable<DueRow>(db, 'roll_ups', sql`id = 'columns'`)
}

export type PendingBatch = { id: number; received_at: Date }

/** Batches that were counted just now come into the columns with the next build. */
export async function noteBatches(tx: Db, workspaceId: string, batches: readonly PendingBatch[], dueAt: Date): Promise<void> {
  await sql`
    insert into column_batches (workspace_id, id, received_at)
    select ${workspaceId}::text, b.id, b.received_at
    from unnest(${batches.map(({ id }) => id)}::bigint[], ${batches.map(({ received_at }) => received_at)}::timestamptz[]) as b (id, received_at)
    on conflict do nothing`.execute(tx)
  await sql`
    insert into roll_ups (workspace_id, id, due_at) values (${workspaceId}, 'columns', ${dueAt}) on conflict do nothing`.execute(tx)
}

/** The oldest batches that are in no column yet. */
export async function holdPending(tx: Db, workspaceId: string, limit: number): Promise<PendingBatch[]> {
  return tx
    .selectFrom('column_batches')
    .select(['id', 'received_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()
}

export async function deletePending(tx: Db, workspaceId: string, batches: readonly PendingBatch[]): Promise<void> {
  const ids = batches.map(({ id }) => id)
  await sql`delete from column_batches where workspace_id = ${workspaceId} and id = any(${ids}::bigint[])`.execute(tx)
}

/** `person`: who did it, as of now. */
export type BuiltEvent = {
  environment: Environment
  person: string
  type: string
  receivedAt: Date
  occurredAt: Date | null
  platform: string | null
  value: number | null
  properties: JsonObject | null
}

const EVENT = sql`e.environment, coalesce(a.into_id, e.profile_id) as person, e.type, e.received_at as "receivedAt",
  e.occurred_at as "occurredAt", e.platform, e.value`

/** The events of these batches, in the order in which they were stored; properties only of types that reports ask for them. */
export async function readEvents(
  tx: Db,
  workspaceId: string,
  batches: readonly PendingBatch[],
  withProperties: readonly string[],
): Promise<BuiltEvent[]> {
  const times = batches.map(({ received_at }) => received_at.getTime())
  const { rows } = await sql<BuiltEvent>`
    select ${EVENT}, case when e.type = any(${[...withProperties]}::text[]) then e.properties end as properties
    from events e left join absorbed_profiles a on a.workspace_id = ${workspaceId} and a.profile_id = e.profile_id
    where e.workspace_id = ${workspaceId} and e.batch = any(${batches.map(({ id }) => id)}::bigint[])
      and e.received_at between ${new Date(Math.min(...times))} and ${new Date(Math.max(...times))}
    order by e.batch, e.ctid`.execute(tx)
  return rows
}

/** Events of one day (UTC) of these people, and of whom they absorbed, that are in the columns or were until now. */
export async function readDayOf(
  tx: Db,
  workspaceId: string,
  { people, day, withProperties }: { people: readonly string[]; day: string; withProperties: readonly string[] },
): Promise<BuiltEvent[]> {
  const { rows } = await sql<BuiltEvent>`
    select ${EVENT}, case when e.type = any(${[...withProperties]}::text[]) then e.properties end as properties
    from events e left join absorbed_profiles a on a.workspace_id = ${workspaceId} and a.profile_id = e.profile_id
    where e.workspace_id = ${workspaceId} and e.received_at >= ${day}::date::timestamp at time zone 'UTC'
      and e.received_at < (${day}::date + 1)::timestamp at time zone 'UTC'
      and (e.profile_id = any(${[...people]}::text[]) or e.profile_id = any(array(
        select profile_id from absorbed_profiles where workspace_id = ${workspaceId} and into_id = any(${[...people]}::text[]))))
      and not exists (select from column_batches c where c.workspace_id = ${workspaceId} and c.id = e.batch)
      and not exists (select from event_batches b where b.workspace_id = ${workspaceId} and b.id = e.batch and not b.is_counted)
    order by e.batch, e.ctid`.execute(tx)
  return rows
}

/** The number of each of these people; who has none gets the next one. The caller is alone with the columns of the workspace. */
export async function numberPeople(
  tx: Db,
  workspaceId: string,
  environment: Environment,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const find = async () => {
    const { rows } = await sql<{ id: string; no: number }>`
      select profile_id as id, min(no) as no from people_numbers
      where workspace_id = ${workspaceId} and environment = ${environment} and profile_id = any(${[...ids]}::text[]) group by profile_id`.execute(
      tx,
    )
    return new Map(rows.map(({ id, no }) => [id, no]))
  }
  const known = await find()
  const fresh = ids.filter((id) => !known.has(id))
  if (fresh.length === 0) return known
  await sql`
    insert into people_numbers (workspace_id, environment, no, profile_id)
    select ${workspaceId}::text, ${environment}::text, f.position + (
        select coalesce(max(no), -1) from people_numbers where workspace_id = ${workspaceId} and environment = ${environment})::integer, f.id
    from unnest(${fresh}::text[]) with ordinality as f (id, position)`.execute(tx)
  return find()
}

/** The number of each of these types; there is a bound on them, and further ones get none. */
export async function numberTypes(tx: Db, workspaceId: string, names: readonly string[], most: number): Promise<Map<string, number>> {
  const rows = await tx.selectFrom('column_types').select(['id', 'name']).where('workspace_id', '=', workspaceId).execute()
  const known = new Map(rows.map(({ id, name }) => [name, id]))
  let next = Math.max(0, ...known.values())
  const fresh = names.filter((name) => !known.has(name)).slice(0, Math.max(0, most - known.size))
  if (fresh.length === 0) return known
  const added = fresh.map((name) => ({ workspace_id: workspaceId, id: ++next, name }))
  await tx.insertInto('column_types').values(added).execute()
  for (const { name, id } of added) known.set(name, id)
  return known
}

/** The properties that reports ask for, by type: dimensions and measures as they are declared now. */
export async function listUsed(tx: Db, workspaceId: string): Promise<{ type: string; property: string; use: 'dimension' | 'measure' }[]> {
  const { rows } = await sql<{ type: string; property: string; use: 'dimension' | 'measure' }>`
    select t.name as type, p.name as property, p.use from event_types t
    join event_properties p on p.workspace_id = ${workspaceId} and p.type_id = t.id
    where t.workspace_id = ${workspaceId} and p.use <> 'none' order by t.name, p.name`.execute(tx)
  return rows
}

export type ColumnRow = {
  environment: Environment
  typeId: number
  day: string
  part: number
  people: number
  events: number
  body: Uint8Array
  meta: ColumnsMeta
}

/** Rows that were built together, behind all that were built before. */
export async function insertRows(tx: Db, workspaceId: string, rows: readonly ColumnRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  const column = <T>(member: (row: ColumnRow) => T) => rows.map(member)
  await sql`
    insert into event_columns (workspace_id, environment, type_id, day, part, chunk, people, events, body, meta, built_at)
    select ${workspaceId}::text, r.environment, r.type_id, r.day, r.part, c.chunk, r.people, r.events, r.body, r.meta, ${now}::timestamptz
    from (select nextval('event_batch_ids') as chunk) as c cross join unnest(${column(({ environment }) => environment)}::text[], ${column(({ typeId }) => typeId)}::integer[],
      ${column(({ day }) => day)}::date[], ${column(({ part }) => part)}::smallint[], ${column(({ people }) => people)}::integer[],
      ${column(({ events }) => events)}::integer[], ${column(({ body }) => Buffer.from(body))}::bytea[],
      ${column(({ meta }) => JSON.stringify(meta))}::jsonb[]) as r (environment, type_id, day, part, people, events, body, meta)`.execute(
    tx,
  )
}
