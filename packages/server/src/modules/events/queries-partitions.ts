import { DAY_MS } from '@contentflow/core/units.ts'
import { sql } from 'kysely'
import { lockPartitions } from '../../db/locks.ts'
import type { Db } from '../../db/open.ts'

/** Makes the partition of a day, by itself, and then attaches it, which does not wait for those who read or write other days. */
export async function makeDay(tx: Db, day: number): Promise<void> {
  const name = partitionName(day)
  await lockPartitions(tx)
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${name}) is not null as exists`.execute(tx)
  if (rows[0]?.exists) return
  const bounds = [day, day + DAY_MS].map((at) => sql.lit(new Date(at).toISOString()))
  await sql`create table ${sql.table(name)} (like events including all)`.execute(tx)
  await sql`alter table events attach partition ${sql.table(name)} for values from (${bounds[0]}) to (${bounds[1]})`.execute(tx)
}

/** `day`: its first millisecond, UTC. */
function partitionName(day: number): string {
  return `events_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`
}
