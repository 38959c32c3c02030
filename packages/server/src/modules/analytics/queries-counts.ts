import { sql, type RawBuilder } from 'kysely'
import { COUNTED_SIGNALS, COUNTED_TYPES, COUNTS, type Count } from '@contentflow/core/events/counted-as.ts'
import { COUNTING_LOCK } from '../../db/locks.ts'
import type { Db } from '../../db/open.ts'

export type Batch = { id: number; received_at: Date }

/** Whoever adds numbers up is alone with it, on all processes. */
export async function lockCounting(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${COUNTING_LOCK})`.execute(tx)
}

/** Oldest first. */
export async function listUncounted(tx: Db, limit: number): Promise<Batch[]> {
  return tx.selectFrom('event_batches').select(['id', 'received_at']).where('is_counted', '=', false).orderBy('id').limit(limit).execute()
}

export async function markCounted(tx: Db, batches: readonly Batch[]): Promise<void> {
  await sql`update event_batches set is_counted = true where id = any(${batches.map(({ id }) => id)}::bigint[])`.execute(tx)
}

/** The events of these batches. The times let the database look into the partitions of those days only. */
export function ofBatches(batches: readonly Batch[]): RawBuilder<boolean> {
  const times = batches.map(({ received_at }) => received_at.getTime())
  return sql<boolean>`batch = any(${batches.map(({ id }) => id)}::bigint[])
    and received_at between ${new Date(Math.min(...times))} and ${new Date(Math.max(...times))}`
}

/**
 * Adds the events of these batches to the hours and days of everything they are about. They are read once: each set of
 * the grouping is one kind of subject by type, and what is left of a million events is a few thousand sums.
 */
export async function addCounts(tx: Db, batches: readonly Batch[]): Promise<void> {
  const columns = [...SUBJECTS.values()].map((column) => sql.ref(column))
  const kinds = [...SUBJECTS].map(([subject, column]) => sql`when ${sql.ref(column)} is not null then ${sql.lit(subject)}`)
  await sql`
    with sums as materialized (
      select workspace_id, environment, date_trunc('hour', received_at, 'UTC') as hour, type, ${sql.join(columns)},
        grouping(${sql.join(columns)}) = ${sql.lit(2 ** SUBJECTS.size - 1)} as is_all, count(*) as n
      from events where ${ofBatches(batches)}
      group by workspace_id, environment, hour, type, grouping sets ((), ${sql.join(columns.map((column) => sql`(${column})`))})),
    s as materialized (
      select workspace_id, environment, hour, type, n, case when is_all then 'type' ${sql.join(kinds, sql` `)} end as subject,
        case when is_all then type else coalesce(${sql.join(columns)}) end as name
      from sums)
    insert into event_counts as c (workspace_id, environment, subject, name, unit, starts_at, ${sql.raw(COUNTS.join(', '))}, total)
    select workspace_id, environment, subject, name, u.unit, date_trunc(u.unit, hour, 'UTC'),
      ${sql.join(COUNTS.map((count) => sql`coalesce(sum(n) filter (where ${countsAs(count)}), 0)`))}, sum(n)
    from s cross join (values ('hour'), ('day')) as u (unit)
    where name is not null
    group by 1, 2, 3, 4, 5, 6
    order by 1, 2, 3, 4, 5, 6
    on conflict (workspace_id, environment, subject, name, unit, starts_at) do update
      set ${sql.raw([...COUNTS, 'total'].map((count) => `${count} = c.${count} + excluded.${count}`).join(', '))}`.execute(tx)
}

/** What is counted by name, with the column of events that names it; types are counted besides. */
const SUBJECTS = new Map([
  ['block', 'block_key'],
  ['instance', 'instance_id'],
  ['campaign', 'campaign_id'],
  ['screen', 'screen'],
  ['string', 'string_key'],
])

/** Whether this type is one of those that the count is made of. */
export function isCountedType(type: RawBuilder<unknown>, count: Count): RawBuilder<boolean> {
  return sql<boolean>`${type} in (${sql.join(COUNTED_TYPES[count].map((name) => sql.lit(name)))})`
}

/** Of a row of `s`. */
function countsAs(count: Count): RawBuilder<boolean> {
  const signal = COUNTED_SIGNALS[count]
  const plain = isCountedType(sql`type`, count)
  return signal === undefined ? plain : sql<boolean>`(${plain} or (subject = 'string' and type = ${sql.lit(signal)}))`
}

/** Notes the devices of these batches as active on their days; the day's count is that of its devices. */
export async function addActiveDevices(tx: Db, batches: readonly Batch[]): Promise<void> {
  await sql`
    with fresh as (
      insert into active_devices (workspace_id, environment, device_id, day)
      select distinct workspace_id, environment, device_id, (received_at at time zone 'UTC')::date from events where ${ofBatches(batches)}
      order by 1, 3, 2, 4
      on conflict do nothing
      returning workspace_id, environment, day)
    insert into event_counts as c (workspace_id, environment, subject, name, unit, starts_at, total)
    select workspace_id, environment, 'devices', '', 'day', day::timestamp at time zone 'UTC', count(*) from fresh
    group by 1, 2, 6 order by 1, 2, 6
    on conflict (workspace_id, environment, subject, name, unit, starts_at) do update set total = c.total + excluded.total`.execute(tx)
}
