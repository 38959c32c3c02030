import { sql } from 'kysely'
import { COUNTS, type Count } from '@contentflow/core/events/counted-as.ts'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'

export type Counts = Record<Count | 'total', number>
export type Subject = 'type' | 'block' | 'instance' | 'campaign' | 'screen' | 'string' | 'devices'
/** From `from` up to, but without, `to`; both at the beginning of a unit. */
export type Range = {
  workspaceId: string
  environment: Environment
  unit: 'hour' | 'day'
  from: Date
  to: Date
  /** The days of another zone than UTC, which are made of hours, and the one behind them: where each begins, and the day of UTC with its date. */
  days?: { at: Date; date: Date }[]
}

const sums = sql.raw([...COUNTS, 'total'].map((count) => `coalesce(sum(${count}), 0)::bigint as ${count}`).join(', '))

const inRange = ({ workspaceId, environment, unit, from, to, days }: Range, subject: Subject) =>
  sql`workspace_id = ${workspaceId} and environment = ${environment} and subject = ${subject} and unit = ${days ? 'hour' : unit}
    and starts_at >= ${from} and starts_at < ${to}`

/** Sums the counts of one block, instance and so on. */
export async function sumCounts(db: Db, range: Range, subject: Subject, name: string): Promise<Counts> {
  const { rows } = await sql<Counts>`select ${sums} from event_counts where ${inRange(range, subject)} and name = ${name}`.execute(db)
  return rows[0] ?? { impressions: 0, clicks: 0, dismissals: 0, conversions: 0, total: 0 }
}

/** The largest first. */
export async function listTop(
  db: Db,
  range: Range,
  subject: Subject,
  by: 'total' | 'impressions',
  limit: number,
): Promise<(Counts & { name: string })[]> {
  const { rows } = await sql<Counts & { name: string }>`
    select name, ${sums} from event_counts where ${inRange(range, subject)}
    group by name order by ${sql.ref(by)} desc, name limit ${limit}`.execute(db)
  return rows
}

/** Units in which anything was counted, oldest first. */
export async function listSeries(db: Db, range: Range, subject: Subject): Promise<(Counts & { at: Date })[]> {
  const days = range.days?.map(({ at }) => at)
  const at = days ? sql`(${days}::timestamptz[])[width_bucket(starts_at, ${days}::timestamptz[])]` : sql`starts_at`
  const { rows } = await sql<Counts & { at: Date }>`
    select ${at} as at, ${sums} from event_counts where ${inRange(range, subject)} group by 1 order by 1`.execute(db)
  return rows
}
