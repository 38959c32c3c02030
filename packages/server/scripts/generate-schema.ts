/**
 * Writes src/db/schema.ts from a migrated, empty embedded database: the SQL files are the only source of the
 * tables. `--check` writes nothing and fails when the file is out of date.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '../src/db/open.ts'

const TARGET = new URL('../src/db/schema.ts', import.meta.url)

/** PostgreSQL type name to the JavaScript type the driver gives. */
const TYPES: Record<string, string> = {
  text: 'string',
  uuid: 'string',
  date: 'string',
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  timestamptz: 'Date',
  jsonb: 'JsonColumn',
  _text: 'string[]',
  _float8: 'number[]',
  bytea: 'Buffer',
}

type Column = {
  table_name: string
  column_name: string
  udt_name: string
  is_nullable: string
  column_default: string | null
  is_identity: string
  /** `CHECK ((role = ANY (ARRAY['admin'::text, 'editor'::text])))`, where the column takes one of a few words. */
  choices: string | null
}

const folder = mkdtempSync(join(tmpdir(), 'contentflow-schema-'))
try {
  const text = await generate()
  const current = readFileSync(TARGET, { encoding: 'utf8', flag: 'a+' })
  if (process.argv.includes('--check')) {
    if (text !== current) throw new Error('src/db/schema.ts is not what the migrations make; run npm run schema')
  } else {
    writeFileSync(TARGET, text)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function generate(): Promise<string> {
  const log = { error: (details: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`) }
  const database = await openDatabase({ databaseUrl: '', dataDir: folder, databasePool: 1 }, log, (error) => {
    throw error
  })
  const { rows } = await sql<Column>`
    select table_name, column_name, udt_name, is_nullable, column_default, is_identity,
      (select min(pg_get_constraintdef(con.oid)) from pg_constraint con
        where con.contype = 'c' and con.conrelid = table_name::regclass and con.conkey = array[ordinal_position::int2]
          and pg_get_constraintdef(con.oid) like 'CHECK ((% = ANY (ARRAY[%') as choices
    from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely_%'
    order by table_name, ordinal_position`.execute(database.db)
  await database.close()
  return render(Map.groupBy(rows, (row) => row.table_name))
}

function render(tables: Map<string, Column[]>): string {
  const interfaces = [...tables].map(([table, columns]) => `export type ${pascal(table)} = {\n${columns.map(renderColumn).join('')}}\n`)
  const database = `export type Database = {\n${[...tables.keys()].map((table) => `  ${table}: ${pascal(table)}\n`).join('')}}\n`
  return `// Made by \`npm run schema\` from src/db/migrations. Do not edit.
import type { ColumnType, Generated } from 'kysely'

/** Read as parsed JSON, written as JSON text. */
export type JsonColumn = ColumnType<unknown, string, string>

${[...interfaces, database].join('\n')}`
}

function renderColumn({ table_name, column_name, udt_name, is_nullable, column_default, is_identity, choices }: Column): string {
  const words = choices?.match(/'\w+'/g)?.join(' | ')
  const base = words ?? TYPES[udt_name]
  if (!base) throw new Error(`${table_name}.${column_name}: no JavaScript type is known for ${udt_name}`)
  const nullable =
    is_nullable !== 'YES' ? base : base === 'JsonColumn' ? 'ColumnType<unknown, string | null, string | null>' : `${base} | null`
  return `  ${column_name}: ${column_default === null && is_identity === 'NO' ? nullable : base === 'JsonColumn' ? 'ColumnType<unknown, string | undefined, string>' : `Generated<${nullable}>`}\n`
}

function pascal(name: string): string {
  return name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
}
