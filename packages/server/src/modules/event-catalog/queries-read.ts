/** What the page of events shows besides the catalogue itself: how many came, who uses a type, and which values are frequent. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'

type Named = { id: string; name: string }
export type EventUses = { segments: Named[]; journeys: Named[]; reports: Named[] }
export const noUses = (): EventUses => ({ segments: [], journeys: [], reports: [] })
/** Properties of a type with a count over them. */
export type PropertyCounts = { properties: number; undeclared: number; violations: number; dimensions: number }

/** Of every type of the workspace, by its id. */
export async function countProperties(db: Db, workspaceId: string): Promise<Map<number, PropertyCounts>> {
  const { rows } = await sql<PropertyCounts & { typeId: number }>`
    select type_id as "typeId", count(*)::integer as properties, count(*) filter (where declared is null)::integer as undeclared,
      sum(violations)::bigint as violations, count(*) filter (where use <> 'none')::integer as dimensions
    from event_properties where workspace_id = ${workspaceId} group by type_id`.execute(db)
  return new Map(rows.map(({ typeId, ...counts }) => [typeId, counts]))
}

type Period = { workspaceId: string; environment: Environment; from: Date }

/** Events of each type since `from`, which begins a day (UTC). */
export async function countVolumes(db: Db, { workspaceId, environment, from }: Period): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; total: number }>`
    select name, sum(total)::bigint as total from event_counts
    where workspace_id = ${workspaceId} and environment = ${environment} and subject = 'type' and unit = 'day' and starts_at >= ${from}
    group by name`.execute(db)
  return new Map(rows.map(({ name, total }) => [name, total]))
}

/** The days on which any came, oldest first. */
export async function listDays(db: Db, { workspaceId, environment, from }: Period, type: string): Promise<{ day: Date; total: number }[]> {
  const { rows } = await sql<{ day: Date; total: number }>`
    select starts_at as day, total from event_counts
    where workspace_id = ${workspaceId} and environment = ${environment} and subject = 'type' and unit = 'day' and name = ${type}
      and starts_at >= ${from} order by starts_at`.execute(db)
  return rows
}

/**
 * Segments whose rules, journeys whose trigger, goal or steps, and reports whose definition name a type: rules as the field
 * `events.<type>`, journeys as a member `event` or, of the events of the platform, `eventType`, reports in `types` or as a member `type`. By the type.
 */
export async function listUses(db: Db, workspaceId: string): Promise<Map<string, EventUses>> {
  const { rows } = await sql<{ type: string; kind: keyof EventUses; id: string; name: string }>`
    with named as (
      select 'segments' as kind, s.id, s.name, substr(f.field #>> '{}', 8) as type
      from segments s cross join lateral jsonb_path_query(s.rules, 'strict $.**.field') as f (field)
      where s.workspace_id = ${workspaceId} and starts_with(f.field #>> '{}', 'events.')
      union
      select 'journeys' as kind, j.id, j.name, e.event #>> '{}' as type
      from journeys j cross join lateral (
        select jsonb_path_query(j.trigger, 'strict $.**.event') union all select jsonb_path_query(j.trigger, 'strict $.**.eventType')
        union all select jsonb_path_query(j.steps, 'strict $.**.event')) as e (event)
      where j.workspace_id = ${workspaceId} and jsonb_typeof(e.event) = 'string'
      union
      select 'reports' as kind, r.id, r.name, t.type #>> '{}' as type
      from reports r cross join lateral (
        select jsonb_path_query(r.definition, 'lax $.types[*]') union all select jsonb_path_query(r.definition, 'strict $.**.type')) as t (type)
      where r.workspace_id = ${workspaceId} and jsonb_typeof(t.type) = 'string')
    select distinct type, kind, id, name from named order by type, kind, name, id`.execute(db)
  const uses = new Map<string, EventUses>()
  for (const { type, kind, id, name } of rows) {
    let of = uses.get(type)
    if (!of) uses.set(type, (of = noUses()))
    of[kind].push({ id, name })
  }
  return uses
}

type PropertyValues = { name: string; values: { value: unknown; people: number }[] }
/** `events`: how many were looked at. */
export type FrequentValues = { events: number; properties: PropertyValues[] }

/** Events of the type that are looked at, and events of the workspace among which they are looked for. */
const LOOKED_AT = 2_000
const LOOKED_THROUGH = 50_000
/** A value that so many people have says nothing of one of them. */
const ENOUGH_PEOPLE = 20
const VALUES_EACH = 10
const VALUE_LENGTH = 100

/** The most frequent short values in the newest events of a type, each with the number of people who have it. */
export async function listFrequentValues(db: Db, { workspaceId, environment, from }: Period, type: string): Promise<FrequentValues> {
  const { rows } = await sql<{ events: number; properties: PropertyValues[] | null }>`
    with newest as materialized (
      select environment, type, profile_id, properties from events
      where workspace_id = ${workspaceId} and received_at >= ${from} order by batch desc limit ${LOOKED_THROUGH}),
    looked as materialized (
      select profile_id, properties from newest where environment = ${environment} and type = ${type} limit ${LOOKED_AT}),
    counted as (
      select p.key as name, p.value, count(distinct looked.profile_id) as people
      from looked cross join lateral jsonb_each(looked.properties) as p
      where looked.properties is not null and jsonb_typeof(p.value) in ('string', 'number', 'boolean') and length(p.value::text) <= ${VALUE_LENGTH}
      group by p.key, p.value having count(distinct looked.profile_id) >= ${ENOUGH_PEOPLE}),
    ranked as (select name, value, people, row_number() over (partition by name order by people desc, value) as rank from counted),
    shown as (
      select name, jsonb_agg(jsonb_build_object('value', value, 'people', people) order by rank) as values
      from ranked where rank <= ${VALUES_EACH} group by name)
    select (select count(*) from looked)::integer as events,
      (select jsonb_agg(jsonb_build_object('name', name, 'values', values) order by name) from shown) as properties`.execute(db)
  const { events, properties } = rows[0] ?? { events: 0, properties: [] }
  return { events, properties: properties ?? [] }
}
