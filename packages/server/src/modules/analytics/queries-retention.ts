/** How long events are kept. Days begin at midnight, UTC. */
import { DAY_MS } from '@contentflow/core/units.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

export async function findRetention(db: Db, workspaceId: string): Promise<number> {
  const row = await db.selectFrom('workspaces').select('event_retention_days').where('id', '=', workspaceId).executeTakeFirstOrThrow()
  return row.event_retention_days
}

/** What is kept no longer is due at once. */
export async function updateRetention(tx: Db, workspaceId: string, days: number, now: Date): Promise<void> {
  await tx.updateTable('workspaces').set({ event_retention_days: days }).where('id', '=', workspaceId).execute()
  await tx.updateTable('roll_ups').set({ due_at: now }).where('workspace_id', '=', workspaceId).where('id', '=', 'retention').execute()
}

/** When the oldest events of the workspace arrived that are not counted yet, or not added to their people. */
export async function findOldestBatch(db: Db, workspaceId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('event_batches')
    .select((min) => min.fn.min<Date | null>('received_at').as('at'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row?.at ?? undefined
}

/** The first day that any workspace keeps, or that is still to be counted; undefined without workspaces. */
export async function findFirstKept(db: Db, now: Date): Promise<Date | undefined> {
  const row = await db
    .selectFrom('workspaces')
    .select((max) => max.fn.max<number | null>('event_retention_days').as('days'))
    .executeTakeFirst()
  if (row?.days === undefined || row.days === null) return undefined
  const pending = await db
    .selectFrom('event_batches')
    .select((min) => min.fn.min<Date | null>('received_at').as('since'))
    .executeTakeFirst()
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  return new Date(Math.min(today - row.days * DAY_MS, pending?.since?.getTime() ?? Infinity))
}

/** From `from` (null: from the beginning) up to, but without, `until`. */
type Range = { from: Date | null; until: Date }

/** The days that `events` has, oldest first. */
export async function listDays(db: Db, { from, until }: Range): Promise<Date[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'events'::regclass order by 1`.execute(
    db,
  )
  const days = rows.map(({ name }) => new Date(name.replace(/^events_(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')))
  return days.filter((day) => (!from || day.getTime() + DAY_MS > from.getTime()) && day.getTime() + DAY_MS <= until.getTime())
}

/** Waits only briefly for those who write, because they would wait behind it. */
export async function dropDay(tx: Db, day: Date): Promise<void> {
  await sql`set local lock_timeout = '500ms'`.execute(tx)
  await sql`drop table if exists ${sql.table(`events_${day.toISOString().slice(0, 10).replaceAll('-', '')}`)}`.execute(tx)
}

/** Deletes batches of a workspace's day beyond `after`, about `limit` rows; says up to which, undefined when that were the last. */
export async function deleteEvents(db: Db, workspaceId: string, day: Date, after: number, limit: number): Promise<number | undefined> {
  const ofDay = sql`workspace_id = ${workspaceId} and received_at >= ${day} and received_at < ${new Date(day.getTime() + DAY_MS)} and batch > ${after}`
  const { rows } = await sql<{ batch: number }>`
    select batch from events where ${ofDay} order by batch offset ${limit - 1} limit 1`.execute(db)
  const upTo = rows[0]?.batch
  await sql`delete from events where ${ofDay} ${upTo === undefined ? sql`` : sql`and batch <= ${upTo}`}`.execute(db)
  return upTo
}

type Expired = Range & { workspaceId: string }
const expired = ({ workspaceId, from, until }: Expired) =>
  sql`workspace_id = ${workspaceId} and day >= ${dayOf(from ?? new Date(0))}::date and day < ${dayOf(until)}::date`

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/** Counts by hour and day stay: they name nobody. At most `limit` rows; says how many. */
export async function deletePersonDays(db: Db, range: Expired, limit: number): Promise<number> {
  const result = await sql`
    delete from person_days where workspace_id = ${range.workspaceId} and (profile_id, day) in (
      select profile_id, day from person_days where ${expired(range)} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows)
}

export async function deleteActiveDevices(db: Db, range: Expired, limit: number): Promise<number> {
  const result = await sql`
    delete from active_devices where workspace_id = ${range.workspaceId} and (device_id, environment, day) in (
      select device_id, environment, day from active_devices where ${expired(range)} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows)
}

export async function deleteCampaignDevices(db: Db, range: Expired, limit: number): Promise<number> {
  const result = await sql`
    delete from campaign_devices where workspace_id = ${range.workspaceId} and (device_id, environment, campaign_id) in (
      select device_id, environment, campaign_id from campaign_devices where ${expired(range)} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows)
}

export async function deleteExperimentUnits(db: Db, range: Expired, limit: number): Promise<number> {
  const result = await sql`
    delete from experiment_units where workspace_id = ${range.workspaceId} and (device_id, experiment_id, run) in (
      select device_id, experiment_id, run from experiment_units where ${expired(range)} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows)
}

/** About `limit` of the ids that came before `until`, oldest first; false when those were the last. */
export async function deleteIds(db: Db, workspaceId: string, until: Date, limit: number): Promise<boolean> {
  const old = sql`workspace_id = ${workspaceId} and received_at < ${until}`
  const { rows } = await sql<{ at: Date }>`
    select received_at as at from event_ids where ${old} order by received_at offset ${limit - 1} limit 1`.execute(db)
  await sql`delete from event_ids where ${old} ${rows[0] ? sql`and received_at <= ${rows[0].at}` : sql``}`.execute(db)
  return rows.length > 0
}
