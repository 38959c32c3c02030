/** The rows of the catalogue of events. Whoever writes them holds the row of `event_catalogs` (`lockCatalog`). */
import { sql } from 'kysely'
import type { DeclaredProperty, PropertyUse } from '@contentflow/core/events/catalog/declared-type.ts'
import type { ViolationShape } from '@contentflow/core/events/catalog/find-violations.ts'
import type { Db } from '../../db/open.ts'

export type TypeRow = {
  id: number
  name: string
  description: string
  owner: string
  isDeclared: boolean
  firstSeen: Date | null
  lastSeen: Date | null
  hiddenAt: Date | null
  others: number
}
export type PropertyRow = {
  typeId: number
  name: string
  kinds: string[]
  declared: DeclaredProperty | null
  use: PropertyUse
  violations: number
  violation: ViolationShape | null
  violatedAt: Date | null
  firstSeen: Date | null
  /** The first day (UTC) since which reports can ask for it. */
  filledFrom: string | null
}
/** What is written of a property; the rest of its row stays. */
export type WrittenProperty = Pick<PropertyRow, 'typeId' | 'name' | 'kinds' | 'declared' | 'use' | 'firstSeen'>

/** The one row that changes of the catalogue of a workspace wait for; made where there is none. */
export async function lockCatalog(tx: Db, workspaceId: string): Promise<{ lastId: number }> {
  await sql`insert into event_catalogs (workspace_id) values (${workspaceId}) on conflict (workspace_id) do nothing`.execute(tx)
  const { rows } = await sql<{ lastId: number }>`
    select last_id as "lastId" from event_catalogs where workspace_id = ${workspaceId} for update`.execute(tx)
  return rows[0] ?? { lastId: 0 }
}

/** 0 where there is no catalogue yet. */
export async function findRevision(db: Db, workspaceId: string): Promise<number> {
  const row = await db.selectFrom('event_catalogs').select('revision').where('workspace_id', '=', workspaceId).executeTakeFirst()
  return row?.revision ?? 0
}

/** Events of types that there was no room for. */
export async function findOthers(db: Db, workspaceId: string): Promise<number> {
  const row = await db.selectFrom('event_catalogs').select('others').where('workspace_id', '=', workspaceId).executeTakeFirst()
  return row?.others ?? 0
}

export async function moveCatalog(tx: Db, workspaceId: string, { lastId }: { lastId: number }): Promise<void> {
  await sql`update event_catalogs set revision = revision + 1, last_id = greatest(last_id, ${lastId}::integer)
    where workspace_id = ${workspaceId}`.execute(tx)
}

export async function addToCatalog(tx: Db, workspaceId: string, { others, lastId }: { others: number; lastId: number }): Promise<void> {
  await sql`update event_catalogs set others = others + ${others}::bigint, last_id = greatest(last_id, ${lastId}::integer)
    where workspace_id = ${workspaceId}`.execute(tx)
}

/** All of a workspace, by name; there is a bound on them. */
export async function listTypes(db: Db, workspaceId: string): Promise<TypeRow[]> {
  const { rows } = await sql<TypeRow>`
    select id, name, description, owner, is_declared as "isDeclared", first_seen as "firstSeen", last_seen as "lastSeen",
      hidden_at as "hiddenAt", others
    from event_types where workspace_id = ${workspaceId} order by name`.execute(db)
  return rows
}

export async function findType(db: Db, workspaceId: string, name: string): Promise<TypeRow | undefined> {
  const { rows } = await sql<TypeRow>`
    select id, name, description, owner, is_declared as "isDeclared", first_seen as "firstSeen", last_seen as "lastSeen",
      hidden_at as "hiddenAt", others
    from event_types where workspace_id = ${workspaceId} and name = ${name}`.execute(db)
  return rows[0]
}

/** Of these types, by name. */
export async function listProperties(db: Db, workspaceId: string, typeIds: readonly number[]): Promise<PropertyRow[]> {
  if (typeIds.length === 0) return []
  const { rows } = await sql<PropertyRow>`
    select type_id as "typeId", name, kinds, declared, use, violations, violation, violated_at as "violatedAt", first_seen as "firstSeen",
      filled_from::text as "filledFrom"
    from event_properties where workspace_id = ${workspaceId} and type_id = any(${[...typeIds]}::integer[]) order by type_id, name`.execute(
    db,
  )
  return rows
}

export async function insertTypes(tx: Db, workspaceId: string, types: readonly (TypeRow & { firstSeen: Date | null })[]): Promise<void> {
  if (types.length === 0) return
  const column = <T>(member: (type: TypeRow) => T) => types.map(member)
  await sql`
    insert into event_types (workspace_id, id, name, description, owner, is_declared, first_seen, last_seen)
    select ${workspaceId}::text, t.* from unnest(${column(({ id }) => id)}::integer[], ${column(({ name }) => name)}::text[],
      ${column(({ description }) => description)}::text[], ${column(({ owner }) => owner)}::text[],
      ${column(({ isDeclared }) => isDeclared)}::boolean[], ${column(({ firstSeen }) => firstSeen)}::timestamptz[],
      ${column(({ lastSeen }) => lastSeen)}::timestamptz[]) as t`.execute(tx)
}

/** What is declared of types that are there; one that is declared is on the list again. */
export async function updateDeclared(
  tx: Db,
  workspaceId: string,
  types: readonly Pick<TypeRow, 'id' | 'description' | 'owner' | 'isDeclared'>[],
): Promise<void> {
  if (types.length === 0) return
  await sql`
    update event_types set description = t.description, owner = t.owner, is_declared = t.is_declared,
      hidden_at = case when t.is_declared then null else hidden_at end
    from unnest(${types.map(({ id }) => id)}::integer[], ${types.map(({ description }) => description)}::text[],
      ${types.map(({ owner }) => owner)}::text[], ${types.map(({ isDeclared }) => isDeclared)}::boolean[]) as t (id, description, owner, is_declared)
    where event_types.workspace_id = ${workspaceId} and event_types.id = t.id`.execute(tx)
}

/** When types were seen last, and how many properties they had no room for. */
export async function updateSeen(
  tx: Db,
  workspaceId: string,
  seen: readonly { id: number; lastSeen: Date | null; others: number }[],
): Promise<void> {
  if (seen.length === 0) return
  await sql`
    update event_types set others = event_types.others + t.others, first_seen = coalesce(first_seen, t.last_seen),
      last_seen = greatest(event_types.last_seen, t.last_seen)
    from unnest(${seen.map(({ id }) => id)}::integer[], ${seen.map(({ lastSeen }) => lastSeen)}::timestamptz[],
      ${seen.map(({ others }) => others)}::bigint[]) as t (id, last_seen, others)
    where event_types.workspace_id = ${workspaceId} and event_types.id = t.id`.execute(tx)
}

type Idle = {
  most: number
  /** Only those that were not seen since. */
  before?: Date
  /** Names of those that stay. */
  kept?: readonly string[]
}

/** Makes room: undeclared types, unseen longest first. */
export async function dropIdleTypes(tx: Db, workspaceId: string, { most, before, kept = [] }: Idle): Promise<number[]> {
  if (most <= 0) return []
  const isIdle = before === undefined ? sql`true` : sql`last_seen < ${before}`
  const { rows } = await sql<{ id: number }>`
    delete from event_types where workspace_id = ${workspaceId} and id in (
      select id from event_types where workspace_id = ${workspaceId} and not is_declared and ${isIdle}
        and name <> all(${[...kept]}::text[]) order by last_seen limit ${most})
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function deleteTypes(tx: Db, workspaceId: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from event_types where workspace_id = ${workspaceId} and id = any(${[...ids]}::integer[])`.execute(tx)
}

export async function hideType(tx: Db, workspaceId: string, id: number, at: Date | null): Promise<void> {
  await sql`update event_types set hidden_at = ${at} where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** `isNewRule`: what was counted against another declaration does not count against this one. */
export async function writeProperties(
  tx: Db,
  workspaceId: string,
  rows: readonly WrittenProperty[],
  { isNewRule }: { isNewRule: boolean },
): Promise<void> {
  if (rows.length === 0) return
  const kept = isNewRule ? sql`, violations = 0, violation = null, violated_at = null` : sql``
  await sql`
    insert into event_properties (workspace_id, type_id, name, kinds, declared, use, first_seen)
    select ${workspaceId}::text, p.type_id, p.name, string_to_array(p.kinds, ','), p.declared, p.use, p.first_seen
    from unnest(${rows.map(({ typeId }) => typeId)}::integer[], ${rows.map(({ name }) => name)}::text[],
      ${rows.map(({ kinds }) => kinds.join(','))}::text[],
      ${rows.map(({ declared }) => declared && JSON.stringify(declared))}::jsonb[], ${rows.map(({ use }) => use)}::text[],
      ${rows.map(({ firstSeen }) => firstSeen)}::timestamptz[]) as p (type_id, name, kinds, declared, use, first_seen)
    on conflict (workspace_id, type_id, name) do update
      set kinds = excluded.kinds, declared = excluded.declared, use = excluded.use, first_seen = excluded.first_seen,
        filled_from = case when event_properties.use = excluded.use then event_properties.filled_from end ${kept}`.execute(tx)
}

/** Reports ask for more than the columns of the past have: they are built again (module `analysis`). */
export async function askForRefill(tx: Db, workspaceId: string, now: Date): Promise<void> {
  await sql`
    insert into roll_ups (workspace_id, id, due_at) values (${workspaceId}, 'refill', ${now})
    on conflict (workspace_id, id) do update set due_at = excluded.due_at`.execute(tx)
}

export async function deleteProperties(tx: Db, workspaceId: string, rows: readonly Pick<PropertyRow, 'typeId' | 'name'>[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    delete from event_properties using unnest(${rows.map(({ typeId }) => typeId)}::integer[], ${rows.map(({ name }) => name)}::text[]) as p (type_id, name)
    where event_properties.workspace_id = ${workspaceId} and event_properties.type_id = p.type_id and event_properties.name = p.name`.execute(
    tx,
  )
}

export type AddedViolation = { typeId: number; name: string; count: number; shape: ViolationShape }

/** Of properties that are declared still. */
export async function addViolations(tx: Db, workspaceId: string, found: readonly AddedViolation[], now: Date): Promise<void> {
  if (found.length === 0) return
  await sql`
    update event_properties set violations = event_properties.violations + v.count, violation = v.shape, violated_at = ${now}::timestamptz
    from unnest(${found.map(({ typeId }) => typeId)}::integer[], ${found.map(({ name }) => name)}::text[],
      ${found.map(({ count }) => count)}::bigint[], ${found.map(({ shape }) => JSON.stringify(shape))}::jsonb[]) as v (type_id, name, count, shape)
    where event_properties.workspace_id = ${workspaceId} and event_properties.type_id = v.type_id and event_properties.name = v.name
      and event_properties.declared is not null`.execute(tx)
}

/** Names of the reports that ask for any of these properties of a type, which they are no longer able to. */
export async function listReportsUsing(
  tx: Db,
  workspaceId: string,
  lost: readonly Pick<PropertyRow, 'typeId' | 'name'>[],
): Promise<string[]> {
  if (lost.length === 0) return []
  const { rows } = await sql<{ name: string }>`
    select r.name from reports r
    where r.workspace_id = ${workspaceId} and exists (
      select from unnest(${lost.map(({ typeId }) => typeId)}::integer[], ${lost.map(({ name }) => `properties.${name}`)}::text[]) as l (type_id, field)
      join event_types t on t.workspace_id = ${workspaceId} and t.id = l.type_id
      where (r.definition -> 'types' @> to_jsonb(t.name)
          or exists (select from jsonb_path_query(r.definition, 'strict $.**.type') as n (name) where n.name = to_jsonb(t.name)))
        and (r.definition ->> 'by' = l.field or r.definition ->> 'measure' = l.field
          or exists (select from jsonb_path_query(r.definition, 'strict $.**.field') as n (name) where n.name = to_jsonb(l.field))))
    order by lower(r.name), r.id`.execute(tx)
  return rows.map(({ name }) => name)
}
