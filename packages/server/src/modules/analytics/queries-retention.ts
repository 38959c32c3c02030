/** How long events are kept. Days are `YYYY-MM-DD`, UTC. */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/open.ts'

export async function findRetention(db: Db, workspaceId: string): Promise<number> {
  const row = await db.selectFrom('workspaces').select('event_retention_days').where('id', '=', workspaceId).executeTakeFirstOrThrow()
  return row.event_retention_days
}

export async function updateRetention(db: Db, workspaceId: string, days: number): Promise<void> {
  await db.updateTable('workspaces').set({ event_retention_days: days }).where('id', '=', workspaceId).execute()
}

/** Workspaces whose days from `from` on, before `until`, are no longer kept. */
type Expired = { from: string; until: string; workspaceIds: string[] }

/** Nothing of a workspace is older than itself, and what went once does not come back. */
export async function listExpired(db: Db, today: string): Promise<Expired[]> {
  const { rows } = await sql<Expired>`
    select "from"::text, "until"::text, array_agg(id order by id) as "workspaceIds" from (
      select w.id, ${today}::date - w.event_retention_days as "until",
        coalesce((r.done_until at time zone 'UTC')::date, (w.created_at at time zone 'UTC')::date) as "from"
      from workspaces w left join roll_ups r on r.name = 'retention:' || w.id) w
    where "from" < "until" group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

export async function markExpired(db: Db, { until, workspaceIds }: Expired): Promise<void> {
  await sql`
    insert into roll_ups (name, done_until)
    select 'retention:' || id, ${until}::date::timestamp at time zone 'UTC' from unnest(${workspaceIds}::text[]) as id
    on conflict (name) do update set done_until = excluded.done_until`.execute(db)
}

/** The first day that any workspace keeps; undefined without workspaces. */
export async function findFirstKept(db: Db, today: string): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select (${today}::date - max(event_retention_days))::text as day from workspaces`.execute(db)
  return rows[0]?.day ?? undefined
}

type Partition = { name: string; day: string }

/** Days that `events` has, from `from` on and before `until`. */
export async function listPartitions(db: Db, { from, until }: { from?: string; until: string }): Promise<Partition[]> {
  const { rows } = await sql<Partition>`
    select * from (
      select c.relname as name, to_date(right(c.relname, 8), 'YYYYMMDD')::text as day
      from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'events'::regclass) p
    where day < ${until} and day >= ${from ?? ''} order by day`.execute(db)
  return rows
}

/** Waits only briefly for those who write, because they would wait behind it. */
export async function dropPartition(tx: Db, { name }: Partition): Promise<void> {
  await sql`set local lock_timeout = '500ms'`.execute(tx)
  await sql`drop table if exists ${sql.table(name)}`.execute(tx)
}

/** What goes when a day of a workspace is not kept any more. Counts by hour and day stay: they name nobody. */
export const KEPT_BY_DAY = ['person_days', 'active_devices'] as const

/** At most `limit` rows; says how many. */
export async function deleteDays(
  db: Db,
  table: (typeof KEPT_BY_DAY)[number],
  { from, until, workspaceIds }: Expired,
  limit: number,
): Promise<number> {
  return deleteSome(db, table, sql`workspace_id = any(${workspaceIds}::text[]) and day >= ${from}::date and day < ${until}::date`, limit)
}

/** Of one day, at most `limit`; says how many. */
export async function deleteEvents(db: Db, { name }: Partition, workspaceIds: readonly string[], limit: number): Promise<number> {
  return deleteSome(db, name, sql`workspace_id = any(${[...workspaceIds]}::text[])`, limit)
}

async function deleteSome(db: Db, table: string, which: RawBuilder<unknown>, limit: number): Promise<number> {
  const result = await sql`
    delete from ${sql.table(table)} where ctid = any(array(select ctid from ${sql.table(table)} where ${which} limit ${limit}))`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

// --- ids of events ---

/** Where the ids that are too old begin; undefined when there are none. */
export async function findOldIds(db: Db, before: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ from: Date | null }>`
    select coalesce((select done_until from roll_ups where name = 'event_ids'), (select min(received_at) from event_ids)) as "from"
    where exists (select from event_ids where received_at < ${before})`.execute(db)
  return rows[0]?.from ?? undefined
}

/** Says how many. */
export async function deleteIds(db: Db, until: Date, from: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (delete from event_ids where received_at >= ${from} and received_at < ${until} returning 1),
    done as (
      insert into roll_ups (name, done_until) values ('event_ids', ${until})
      on conflict (name) do update set done_until = excluded.done_until)
    select count(*)::integer as count from gone`.execute(db)
  return rows[0]?.count ?? 0
}
