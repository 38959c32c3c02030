import { sql } from 'kysely'
import type { Db } from '../../src/db/open.ts'

const WAITING = `select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** Statements of this database that wait for a lock; of a cluster on all its machines, which each know their own. */
export async function countWaiting(db: Db): Promise<number> {
  const everywhere = sql<{ count: number }>`
    select sum(result::integer)::integer as count from run_command_on_all_nodes(${WAITING})`
  const here = sql<{ count: number }>`${sql.raw(WAITING)}`
  const { rows } = await (process.env['TEST_CITUS'] === '1' ? everywhere : here).execute(db)
  return rows[0]?.count ?? 0
}
