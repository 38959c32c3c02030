import { sql, type RawBuilder } from 'kysely'
import { COUNTED_SIGNALS, COUNTED_TYPES, COUNTS, type Count } from '@contentflow/core/events/counted-as.ts'
import { NO_DEVICE } from '@contentflow/core/events/read-events.ts'
import type { Db } from '../../db/open.ts'
import { BACKLOG, type DueRows, type Waiting } from '../../infra/due/queries-due.ts'

/** Events of one workspace that were written together. */
export type EventBatch = { id: number; received_at: Date }

/** What is to be counted. The transaction that counts takes a batch, does it and says so at once: there is nothing to hold. */
export function batchRows(db: Db): DueRows<EventBatch> {
  return {
    listWorkspaces: async (_dueBy, _now, limit) => {
      const { rows } = await sql<{ id: string }>`
        select workspace_id as id from event_batches where not is_counted group by workspace_id order by min(id) limit ${limit}`.execute(db)
      return rows.map(({ id }) => id)
    },
    countWaiting: async () => {
      const { rows } = await sql<Waiting>`
        select count(*)::integer as rows, min(received_at) as oldest from (
          select received_at from event_batches where not is_counted order by id limit ${BACKLOG}) as waiting`.execute(db)
      return rows[0]!
    },
    claim: async ({ workspaceId, limit }) =>
      db
        .selectFrom('event_batches')
        .select(['id', 'received_at'])
        .where('workspace_id', '=', workspaceId)
        .where('is_counted', '=', false)
        .orderBy('id')
        .limit(limit)
        .execute(),
    renew: async () => true,
    handBack: async () => {},
  }
}

/** Those of these that nobody has counted meanwhile. */
export async function holdUncounted(tx: Db, workspaceId: string, batches: readonly EventBatch[]): Promise<EventBatch[]> {
  return tx
    .selectFrom('event_batches')
    .select(['id', 'received_at'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', anyOf(batches))
    .where('is_counted', '=', false)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function markCounted(tx: Db, workspaceId: string, batches: readonly EventBatch[]): Promise<void> {
  await tx
    .updateTable('event_batches')
    .set({ is_counted: true })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', anyOf(batches))
    .execute()
}

export function anyOf(batches: readonly EventBatch[]): RawBuilder<number> {
  return sql<number>`any(${batches.map(({ id }) => id)}::bigint[])`
}

/** The events of these batches. The times let the database look into the partitions of those days only. */
export function whereInBatches(workspaceId: string, batches: readonly EventBatch[]): RawBuilder<boolean> {
  const times = batches.map(({ received_at }) => received_at.getTime())
  return sql<boolean>`workspace_id = ${workspaceId} and batch = ${anyOf(batches)}
    and received_at between ${new Date(Math.min(...times))} and ${new Date(Math.max(...times))}`
}

/**
 * Adds the events of these batches to the hours and days of everything they are about. They are read once: each set of
 * the grouping is one kind of subject by type, and what is left of a million events is a few thousand sums.
 */
export async function addCounts(tx: Db, workspaceId: string, batches: readonly EventBatch[]): Promise<void> {
  const columns = [...SUBJECTS.values()].map((column) => sql.ref(column))
  const kinds = [...SUBJECTS].map(([subject, column]) => sql`when ${sql.ref(column)} is not null then ${sql.lit(subject)}`)
  await sql`
    with sums as materialized (
      select environment, date_trunc('hour', received_at, 'UTC') as hour, type, ${sql.join(columns)},
        grouping(${sql.join(columns)}) = ${sql.lit(2 ** SUBJECTS.size - 1)} as is_all, count(*) as n
      from events where ${whereInBatches(workspaceId, batches)}
      group by environment, hour, type, grouping sets ((), ${sql.join(columns.map((column) => sql`(${column})`))})),
    s as materialized (
      select environment, hour, type, n, case when is_all then 'type' ${sql.join(kinds, sql` `)} end as subject,
        case when is_all then type else coalesce(${sql.join(columns)}) end as name
      from sums)
    insert into event_counts as c (workspace_id, environment, subject, name, unit, starts_at, ${sql.raw(COUNTS.join(', '))}, total)
    select ${workspaceId}::text, environment, subject, name, u.unit, date_trunc(u.unit, hour, 'UTC'),
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

/** Whether a row of `s` counts as `count`. */
function countsAs(count: Count): RawBuilder<boolean> {
  const signal = COUNTED_SIGNALS[count]
  const plain = isCountedType(sql`type`, count)
  return signal === undefined ? plain : sql<boolean>`(${plain} or (subject = 'string' and type = ${sql.lit(signal)}))`
}

/** Notes the devices of these batches as active on their days; the day's count is that of its devices. */
export async function addActiveDevices(tx: Db, workspaceId: string, batches: readonly EventBatch[]): Promise<void> {
  await sql`
    with fresh as (
      insert into active_devices (workspace_id, environment, device_id, day)
      select ${workspaceId}::text, environment, device_id, (received_at at time zone 'UTC')::date from events
      where ${whereInBatches(workspaceId, batches)} and device_id <> ${NO_DEVICE}
      group by 2, 3, 4 order by 3, 2, 4
      on conflict do nothing
      returning environment, day)
    insert into event_counts as c (workspace_id, environment, subject, name, unit, starts_at, total)
    select ${workspaceId}::text, environment, 'devices', '', 'day', day::timestamp at time zone 'UTC', count(*) from fresh
    group by 1, 2, 6 order by 1, 2, 6
    on conflict (workspace_id, environment, subject, name, unit, starts_at) do update set total = c.total + excluded.total`.execute(tx)
}
