/** What events say of people: sums of days and of all time, and the windows of 30 and 90 days made from the days. */
import { sql, type RawBuilder } from 'kysely'
import { COUNTS } from '@contentflow/core/events/counted-as.ts'
import { NO_DEVICE } from '@contentflow/core/events/read-events.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Db } from '../../db/open.ts'
import { oldestMark } from '../people/index.ts'
import { anyOf, isCountedType, whereInBatches, type EventBatch } from './queries-counts.ts'

/** Counted batches that arrived before this moment, oldest first; whoever else wants them waits, and finds them gone. */
export async function holdCounted(tx: Db, workspaceId: string, before: Date, limit: number): Promise<EventBatch[]> {
  return tx
    .selectFrom('event_batches')
    .select(['id', 'received_at'])
    .where('workspace_id', '=', workspaceId)
    .where('is_counted', '=', true)
    .where('received_at', '<', before)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()
}

export async function deleteBatches(tx: Db, workspaceId: string, batches: readonly EventBatch[]): Promise<void> {
  await tx.deleteFrom('event_batches').where('workspace_id', '=', workspaceId).where('id', '=', anyOf(batches)).execute()
}

/** The events of these batches that devices sent, with who they belong to today: by what the server tells of people nobody is active. */
function eventsOf(workspaceId: string, batches: readonly EventBatch[]): RawBuilder<unknown> {
  return sql`(select * from events where ${whereInBatches(workspaceId, batches)} and device_id <> ${NO_DEVICE}) e
    left join absorbed_profiles a on a.workspace_id = ${workspaceId} and a.profile_id = e.profile_id`
}

/** In one order. A statement of its own: what follows must see whom a merge, which may have been waited for, made of them. */
export async function holdPeople(tx: Db, workspaceId: string, batches: readonly EventBatch[]): Promise<void> {
  await sql`
    select 1 from profiles
    where workspace_id = ${workspaceId} and id in (select coalesce(a.into_id, e.profile_id) from ${eventsOf(workspaceId, batches)})
    order by id
    for no key update`.execute(tx)
}

/** Members of `behavioral` by the column that is summed (G-78). */
const BEHAVIORAL = new Map<string, string>([...COUNTS.map((count) => [count, count] as const), ['eventsTotal', 'total']])

/** The load that counts of events are, and its source. */
const ANALYTICS = 'analytics'

/** What one conversion is worth is cut here, so that no absurd one makes every sum of its person absurd. */
const MOST_VALUE = 1_000_000_000

/** Events of people who are gone count for nobody. */
export async function addToPeople(tx: Db, workspaceId: string, batches: readonly EventBatch[], now: Date): Promise<void> {
  const columns = sql.raw([...COUNTS, 'total'].join(', '))
  const sums = [...COUNTS, 'total'].map((count) => sql`sum(${sql.ref(count)})::bigint as ${sql.ref(count)}`)
  const members = [...BEHAVIORAL].map(
    ([member, count]) =>
      sql`${sql.lit(`"${member}":`)} || (coalesce((p.behavioral ->> ${sql.lit(member)})::bigint, 0) + of_person.${sql.ref(count)})::text`,
  )
  await sql`
    with day as materialized (
      select p.id as profile_id, (e.received_at at time zone 'UTC')::date as day,
        ${sql.join(COUNTS.map((count) => sql`count(*) filter (where ${isCountedType(sql`e.type`, count)}) as ${sql.ref(count)}`))},
        count(*) as total, coalesce(sum(greatest(least(e.value, ${sql.lit(MOST_VALUE)}), ${sql.lit(-MOST_VALUE)}))
          filter (where ${isCountedType(sql`e.type`, 'conversions')}), 0) as value, max(e.received_at) as last_at
      from ${eventsOf(workspaceId, batches)} join profiles p on p.workspace_id = ${workspaceId} and p.id = coalesce(a.into_id, e.profile_id)
      group by 1, 2),
    days as (
      insert into person_days as d (workspace_id, profile_id, day, ${columns}, value)
      select ${workspaceId}, profile_id, day, ${columns}, value from day order by 2, 3
      on conflict (workspace_id, profile_id, day) do update
        set ${sql.raw([...COUNTS, 'total', 'value'].map((count) => `${count} = d.${count} + excluded.${count}`).join(', '))})
    -- Spelt out, because a cluster takes no jsonb_build_object in an update.
    update profiles p set behavioral = p.behavioral || ('{' || ${sql.join(members, sql` || ',' || `)} || '}')::jsonb,
      last_active_at = greatest(p.last_active_at, of_person.last_at),
      activity_mark = case when p.activity_mark >= ${oldestMark(now)} then p.activity_mark
        else greatest(p.last_active_at, of_person.last_at) end, updated_at = ${now},
      -- Left as it is where that does, because a change of it costs an entry of an index.
      behaviour_due_at = case when p.behaviour_due_at <= ${now} then p.behaviour_due_at else ${now} end
    from (select profile_id, ${sql.join(sums)}, max(last_at) as last_at from day group by 1) of_person
    where p.workspace_id = ${workspaceId} and p.id = of_person.profile_id`.execute(tx)
}

/** Whose windows were worked out. `hasEvents`: in a window, so the days that pass change them. `hasChanged`: what is said of them (M-ENR-93). */
export type Refreshed = { profileId: string; hasEvents: boolean; hasChanged: boolean }

/** Works the windows of people out who are due, longest first (M-ENR-93, G-77); they are due again at `unsettledAt` unless they are settled. */
export async function refreshDue(db: Db, workspaceId: string, now: Date, unsettledAt: Date, limit: number): Promise<Refreshed[]> {
  const today = sql`(${now}::timestamptz at time zone 'UTC')::date`
  const { rows } = await sql<Refreshed>`
    with due as materialized (
      select id from profiles where workspace_id = ${workspaceId} and behaviour_due_at <= ${now}
      order by behaviour_due_at limit ${limit} for no key update skip locked),
    windows as materialized (
      select due.id, last_day, recent_events, jsonb_build_object('analytics_impressions', impressions, 'analytics_clicks', clicks,
          'analytics_conversions', conversions, 'analytics_events_total', total,
          -- One more than the window stands for every longer time.
          'analytics_last_active_days', coalesce(${today} - last_day, ${sql.lit(LIMITS.analyticsDays + 1)}),
          -- Clicks for one impression.
          'analytics_ctr', case when impressions = 0 then 0 else trim_scale(round(clicks::numeric / impressions, 4)) end) as analytics
      from due cross join lateral (
        select coalesce(sum(impressions), 0) as impressions, coalesce(sum(clicks), 0) as clicks, coalesce(sum(conversions), 0) as conversions,
          coalesce(sum(total), 0) as total, coalesce(sum(total) filter (where day >= ${today} - ${sql.lit(LIMITS.recentDays)}), 0)::integer as recent_events, max(day) as last_day
        from person_days d where d.workspace_id = ${workspaceId} and d.profile_id = due.id and d.day >= ${today} - ${sql.lit(LIMITS.analyticsDays)}) recent),
    saved as (
      insert into enrichment_values as v (workspace_id, profile_id, upload_id, source, values, loaded_at)
      select ${workspaceId}, w.id, ${ANALYTICS}, ${ANALYTICS}, w.analytics, ${now}::timestamptz from windows w
      where w.last_day is not null or (
        select count(*) from enrichment_values known
        where known.workspace_id = ${workspaceId} and known.profile_id = w.id and known.upload_id = ${ANALYTICS}) > 0
      on conflict (workspace_id, profile_id, upload_id) do update set values = excluded.values, loaded_at = excluded.loaded_at
        where v.values <> excluded.values
      returning v.profile_id)
    update profiles p set behaviour_due_at = ${unsettledAt}, updated_at = ${now}, recent_events = w.recent_events
    from windows w where p.workspace_id = ${workspaceId} and p.id = w.id
    returning p.id as "profileId", w.last_day is not null as "hasEvents", p.id in (select profile_id from saved) as "hasChanged"`.execute(
    db,
  )
  return rows
}

/** Unless they did something meanwhile. */
export async function settle(db: Db, workspaceId: string, people: readonly Refreshed[], unsettledAt: Date, nextDay: Date): Promise<void> {
  await sql`
    update profiles p set behaviour_due_at = case when asked.has_events then ${nextDay}::timestamptz end
    from unnest(${people.map(({ profileId }) => profileId)}::text[], ${people.map(({ hasEvents }) => hasEvents)}::boolean[])
      as asked (id, has_events)
    where p.workspace_id = ${workspaceId} and p.id = asked.id and p.behaviour_due_at = ${unsettledAt}`.execute(db)
}
