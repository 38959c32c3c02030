/** Finds and enters the people that the trigger of a journey takes: a bounded number of people in one statement. */
import { sql, type RawBuilder } from 'kysely'
import { CROSSED, IDENTIFIED, REPORTED, type EventType, type Filters } from '@contentflow/core/journeys/journey.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Db } from '../../../db/open.ts'
import { isNew, type JourneyEntry, type RunTrigger } from './queries-runs.ts'

/** A query for rows of `id` (a person) and `trigger`; those of events also have `at`, when the event arrived. */
type PeopleQuery = RawBuilder<unknown>

/** Where reading continues: after this person; `mark`: their activity mark, where people are read in the order of marks. */
export type TriggerCursor = { id: string; mark?: string }
/** One bounded step: up to `limit` people after this one. */
export type TriggerPage = { after: TriggerCursor; limit: number }

/**
 * Enters the live people of a source after `after` who are not in the journey yet. Undefined: that was the last of them; else
 * the person to continue after.
 */
export async function enterStep(
  tx: Db,
  { workspaceId, journeyId, firstStep, now }: JourneyEntry,
  source: PeopleQuery,
  { after, limit }: TriggerPage,
): Promise<TriggerCursor | undefined> {
  const { rows } = await sql<{ count: number; last: string | null }>`
    with found as materialized (
      select distinct on (s.id) s.id, s.trigger from (${source}) s where s.id > ${after.id} order by s.id limit ${limit}),
    entered as (
      insert into journey_runs (workspace_id, journey_id, profile_id, status, step, trigger, entered_at, updated_at, due_at)
      select ${workspaceId}, ${journeyId}, p.id, 'active', ${firstStep}::text, f.trigger, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from found f join profiles p on p.workspace_id = ${workspaceId} and p.id = f.id
      where p.environment = 'live' and ${isNew(workspaceId, journeyId)} order by p.id
      on conflict do nothing)
    select count(*) as count, max(id) as last from found`.execute(tx)
  const [found] = rows
  return found?.last != null && found.count === limit ? { id: found.last } : undefined
}

const triggerOf = (trigger: RunTrigger) => sql`${JSON.stringify(trigger)}::jsonb`

/** Where reading continues: from a moment, for reported events also after a batch; and until when it reads. */
type From = { since: Date; until: Date; afterBatch: number | null }

/** People with an event of this type since then; undefined: no event of this type can meet the filters. */
export function eventSource(workspaceId: string, eventType: EventType, filters: Filters, from: From): PeopleQuery | undefined {
  const { since, until } = from
  if (isIn(REPORTED, eventType)) return reportedSource(workspaceId, eventType, filters, from)
  const { fenceId, ...others } = filters
  if (Object.keys(others).length > 0) return undefined
  if (isIn(CROSSED, eventType)) return crossingSource(workspaceId, eventType, fenceId, from)
  if (fenceId !== undefined) return undefined
  return sql`
    select profile_id as id, ${triggerOf({ type: 'event', eventType })} as trigger, at from identity_events
    where workspace_id = ${workspaceId} and at > ${since} and at <= ${until} and environment = 'live' and type = ${IDENTIFIED[eventType]}`
}

const FILTER_COLUMNS = { campaignId: 'campaign_id', blockKey: 'block_key', screen: 'screen', fenceId: 'fence_id' } as const

/** Reads by the time of arrival, which also says which partitions to read. People who were merged since count as the person they became. */
function reportedSource(
  workspaceId: string,
  eventType: keyof typeof REPORTED,
  filters: Filters,
  { since, until, afterBatch }: From,
): PeopleQuery {
  const about = Object.entries(filters).map(
    ([filter, value]) => sql`and e.${sql.ref(FILTER_COLUMNS[filter as keyof typeof FILTER_COLUMNS])} = ${value}`,
  )
  return sql`
    select coalesce(a.into_id, e.profile_id) as id, ${triggerOf({ type: 'event', eventType })} as trigger, e.received_at as at
    from events e left join absorbed_profiles a on a.workspace_id = ${workspaceId} and a.profile_id = e.profile_id
    where e.workspace_id = ${workspaceId} and e.batch > ${afterBatch ?? 0} and e.received_at > ${since}
      and e.received_at <= ${until} and e.environment = 'live'
      and e.type in (${sql.join(REPORTED[eventType].map((type) => sql.lit(type)))}) ${sql.join(about, sql` `)}`
}

/** Reads by the id, which begins with the time of arrival: a device may report a crossing long after it happened. */
function crossingSource(
  workspaceId: string,
  eventType: keyof typeof CROSSED,
  fenceId: string | undefined,
  { since, until }: From,
): PeopleQuery {
  const fence = fenceId === undefined ? sql`` : sql`and fence_id = ${fenceId}`
  return sql`
    select profile_id as id, jsonb_build_object('type', 'event', 'eventType', ${eventType}::text, 'fenceId', fence_id, 'source', source) as trigger,
      to_timestamp(('x' || replace(left(id, 13), '-', ''))::bit(48)::bigint / 1000.0) as at
    from geofence_events
    where workspace_id = ${workspaceId} and id >= ${idAfter(since)} and id < ${idAfter(until)} and environment = 'live' and type = ${CROSSED[eventType]} ${fence}`
}

/** The beginning of ids of the next millisecond (RFC 9562, version 7). */
function idAfter(moment: Date): string {
  const hex = (moment.getTime() + 1).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** People who became members of the segment since then. */
export function segmentSource(workspaceId: string, segmentId: string, since: Date): PeopleQuery {
  return sql`
    select profile_id as id, ${triggerOf({ type: 'segment_entry' })} as trigger from segment_members
    where workspace_id = ${workspaceId} and segment_id = ${segmentId} and is_member and since > ${since}`
}

export function everybodySource(workspaceId: string, trigger: RunTrigger): PeopleQuery {
  return sql`select id, ${triggerOf(trigger)} as trigger from profiles where workspace_id = ${workspaceId} and environment = 'live'`
}

/** Stores who did first, in `source`, what the goal asks for, in time after they entered. Runs are looked up one by one: in a join, a planner without fresh statistics compares every run with every other. */
export async function saveConversions(tx: Db, workspaceId: string, journeyId: string, source: PeopleQuery, days: number): Promise<void> {
  for (let saved = CONVERSIONS; saved === CONVERSIONS;) saved = await saveSome(tx, workspaceId, journeyId, source, days)
}

/** Conversions held in memory at a time. */
const CONVERSIONS = 50_000

async function saveSome(tx: Db, workspaceId: string, journeyId: string, source: PeopleQuery, days: number): Promise<number> {
  const { rows } = await sql<{ id: string; occasion: number; at: Date }>`
    with entered as materialized (
      select s.id, s.at, run.occasion, run.entered_at from (${source}) s cross join lateral (
        select i.occasion, i.entered_at from journey_runs i
        where i.workspace_id = ${workspaceId} and i.journey_id = ${journeyId} and i.profile_id = s.id and i.converted_at is null offset 0) run)
    select id, occasion, min(at) as at from entered
    where at > entered_at and extract(epoch from at - entered_at) <= ${(days * DAY_MS) / 1_000} group by id, occasion limit ${CONVERSIONS}`.execute(
    tx,
  )
  await sql`
    update journey_runs r set converted_at = found.at
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ occasion }) => occasion)}::integer[], ${rows.map(({ at }) => at)}::timestamptz[])
      as found (id, occasion, at)
    where r.workspace_id = ${workspaceId} and r.journey_id = ${journeyId} and r.profile_id = found.id and r.occasion = found.occasion`.execute(
    tx,
  )
  return rows.length
}

/** Forgets the conversions of a goal that was replaced. */
export async function forgetConversions(tx: Db, workspaceId: string, journeyId: string): Promise<void> {
  await tx
    .updateTable('journey_runs')
    .set({ converted_at: null })
    .where('workspace_id', '=', workspaceId)
    .where('journey_id', '=', journeyId)
    .where('converted_at', 'is not', null)
    .execute()
}

/** The columns with how far events were read: for the trigger, or for the goal. */
const CURSORS = { trigger: ['read_until', 'read_batch'], goal: ['goal_until', 'goal_batch'] } as const

/**
 * Stores how far events were read, in the transaction of what was found. Batches are numbered as they are written, so once what
 * arrived by `settled` is committed, so is every batch with a smaller number.
 */
export async function saveReadUntil(
  tx: Db,
  workspaceId: string,
  journeyId: string,
  { of, until, settled }: { of: keyof typeof CURSORS; until: Date; settled: Date },
): Promise<void> {
  const [moment, batch] = CURSORS[of].map((name) => sql.ref(name))
  const dayBefore = new Date(settled.getTime() - DAY_MS)
  await sql`
    update journeys set ${moment} = ${until}, ${batch} = coalesce((
      select batch from events where workspace_id = ${workspaceId} and received_at > ${dayBefore} and received_at <= ${settled}
      order by batch desc limit 1), ${batch})
    where workspace_id = ${workspaceId} and id = ${journeyId}`.execute(tx)
}

/** Null: none is set. */
export async function findTimeZone(db: Db, workspaceId: string): Promise<string | null> {
  const { rows } = await sql<{ zone: string | null }>`
    select calendar ->> 'timeZone' as zone from workspaces where id = ${workspaceId}`.execute(db)
  return rows[0]?.zone ?? null
}

function isIn<T extends object>(record: T, name: PropertyKey): name is keyof T {
  return Object.hasOwn(record, name)
}
