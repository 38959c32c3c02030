import { readdirSync, readFileSync } from 'node:fs'
import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Database } from './schema.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

/** Runs the numbered SQL files that have not run yet. Safe when several processes start at once: the migrator takes a lock. */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => readMigrations() } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error('the database could not be brought to this version', { cause: error })
}

function readMigrations(): Record<string, Migration> {
  const files = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort()
  return Object.fromEntries(
    files.map((file) => {
      const text = readFileSync(new URL(file, FOLDER), 'utf8')
      return [file.replace('.sql', ''), { up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)) }]
    }),
  )
}
