import { readdirSync, readFileSync } from 'node:fs'
import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { hasCitus } from './distribute.ts'
import type { Database } from './schema.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

/** Runs the numbered SQL files that have not run yet. Safe when several processes start at once: the migrator takes a lock. */
export function migrate(db: Kysely<Database>): Promise<void> {
  return migrateTo(db, undefined)
}

/** Up to the named one; to the newest when none is named. */
export async function migrateTo(db: Kysely<Database>, name: string | undefined): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => readMigrations() } })
  const { error } = name === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(name)
  if (error) throw new Error('the database could not be brought to this version', { cause: error })
}

function readMigrations(): Record<string, Migration> {
  const files = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort()
  return Object.fromEntries(
    files.map((file) => {
      const text = readFileSync(new URL(file, FOLDER), 'utf8')
      return [file.replace('.sql', ''), { up: (db: Kysely<unknown>) => runStatements(db, text) }]
    }),
  )
}

/** From `create table` to a line that begins with its last parenthesis: how all migrations are written. */
const NEW_TABLE = /^(create table \w+ \([^]*?^\)[^;]*;)/m

/**
 * On a cluster a new table begins as one of this machine alone, because it may not refer to a table that is spread before
 * it is spread itself; `distribute` does that afterwards. Every other statement is for all machines.
 */
export async function runStatements(db: Kysely<unknown>, text: string): Promise<void> {
  if (!(await hasCitus(db))) return void (await sql.raw(text).execute(db))
  for (const part of text.split(NEW_TABLE)) {
    await sql`set local citus.enable_ddl_propagation = ${sql.lit(NEW_TABLE.test(part) ? 'off' : 'on')}`.execute(db)
    await sql.raw(part).execute(db)
  }
  await sql`set local citus.enable_ddl_propagation = on`.execute(db)
}
