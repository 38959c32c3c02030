/** Every row of the database as one hash, to show that a request changed nothing. */
import { sql } from 'kysely'
import type { Context } from '../../src/context.ts'

type Db = Context['db']

/** All tables of the application, found in the database itself so that a new one is never left out; a divided one is named once. */
export async function listTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname not like 'kysely_%' order by 1`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** They follow by themselves, whenever that is, from events and from keys that were used; what no request stored is in none of them. */
const FOLLOWING = new Set([
  'active_devices',
  // What was asked stands there, whatever came of it.
  'audit_checkpoints',
  'audit_entries',
  'audit_heads',
  'audit_keys',
  'campaign_counts',
  'campaign_devices',
  'column_batches',
  'column_types',
  'event_batches',
  'event_catalogs',
  'event_columns',
  'event_counts',
  'event_properties',
  'event_types',
  'experiment_counts',
  'experiment_units',
  'key_uses',
  'people_numbers',
  'roll_ups',
])

/** Written about whoever is signed in, whatever they ask, once a minute. */
const NOTED = { table: 'sessions', column: 'last_seen_at' }

/** One line a table: its name and a hash over its rows; with `workspaceId` only rows of that workspace. */
export async function hashTables(db: Db, { workspaceId, except = [] }: { workspaceId?: string; except?: string[] } = {}): Promise<string> {
  const tables = (await listTables(db)).filter((table) => !except.includes(table) && !FOLLOWING.has(table))
  // One statement for all: sweeps ask before and after each route. Its parts may be answered side by side, in any order.
  const parts = tables.map((table) => {
    const row = table === NOTED.table ? sql`to_jsonb(t) - ${sql.lit(NOTED.column)}` : sql`to_jsonb(t)`
    const owner = table === 'workspaces' ? 'id' : 'workspace_id'
    const kept = workspaceId === undefined ? sql`true` : sql`line ->> ${sql.lit(owner)} = ${workspaceId}`
    return sql`
      select ${sql.lit(table)} as name, count(*) as count, md5(string_agg(line::text, chr(10) order by line::text)) as hash
      from (select ${row} as line from ${sql.table(table)} t) as lines where ${kept}`
  })
  const { rows } = await sql<{
    name: string
    count: number
    hash: string | null
  }>`${sql.join(parts, sql` union all `)} order by name`.execute(db)
  return rows.map(({ name, count, hash }) => `${name} ${count} ${hash ?? ''}`).join('\n')
}
