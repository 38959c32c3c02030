/** Every row of the database as one hash, to show that a request changed nothing. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../src/context.ts'

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
  'campaign_counts',
  'campaign_devices',
  'event_batches',
  'event_counts',
  'key_uses',
  'roll_ups',
])

/** Written about whoever is signed in, whatever they ask, once a minute. */
const NOTED = { table: 'sessions', column: 'last_seen_at' }

/** One line a table: its name and a hash over its rows; with `workspaceId` only rows of that workspace. */
export async function hashTables(db: Db, { workspaceId, except = [] }: { workspaceId?: string; except?: string[] } = {}): Promise<string> {
  const lines: string[] = []
  for (const table of await listTables(db)) {
    if (except.includes(table) || FOLLOWING.has(table)) continue
    const { rows } = await sql<{ row: Record<string, unknown> }>`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(db)
    const kept = rows
      .map(({ row }) => row)
      .filter(
        (row) => workspaceId === undefined || row['workspace_id'] === workspaceId || (table === 'workspaces' && row['id'] === workspaceId),
      )
    const isNoted = (column: string) => table === NOTED.table && column === NOTED.column
    const texts = kept.map((row) => JSON.stringify(row, (column, value: unknown) => (isNoted(column) ? undefined : value))).sort()
    lines.push(`${table} ${texts.length} ${createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16)}`)
  }
  return lines.join('\n')
}
