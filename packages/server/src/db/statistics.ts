import { sql, type Kysely } from 'kysely'
import type { Database } from './schema.ts'

const LOOK_MS = 10_000
/** Pages below which any plan is a good one. */
const SMALL = 4

/**
 * Keeps what the planner knows of the tables about right. A statement that was prepared while a table was nearly
 * empty goes on reading all of it until the table is analyzed: the embedded database never does that by itself, and
 * PostgreSQL some minutes later. Returns the function that ends it.
 */
export function keepStatistics(db: Kysely<Database>, log: { error(details: object, message: string): void }): () => Promise<void> {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= refreshStatistics(db)
      .catch((error: unknown) =>
        log.error({ err: error }, 'the statistics of grown tables could not be refreshed; the next look tries again'),
      )
      .finally(() => {
        running = undefined
      })
  }, LOOK_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

/** Analyzes the tables that are twice as large as they were when they were last analyzed. */
export async function refreshStatistics(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
      and pg_relation_size(oid) > current_setting('block_size')::bigint * 2 * greatest(relpages, ${SMALL}::integer)`.execute(db)
  for (const { name } of rows) await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db)
}
