import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Config } from '../config.ts'
import { distribute } from './distribute.ts'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { PLANNING } from './planning.ts'
import type { Database } from './schema.ts'
import { keepStatistics } from './statistics.ts'

export type Db = Kysely<Database>
export type Engine = 'embedded' | 'postgres'

export type OpenDatabase = {
  db: Db
  engine: Engine
  /** At most so many at a time. */
  connections: number
  /** How its connections are used just now. */
  readPool(): { total: number; idle: number; waiting: number; most: number }
  /** Ends with the last connection closed. */
  close(): Promise<void>
}

/** At the start of a statement: parsed and planned once for each connection. Only for hot statements of a fixed text. */
export const PREPARED = '/* prepared */'
const preparedNames = new Map<string, string>()

class Client extends pg.Client {
  override query(...args: unknown[]): never {
    const [text, ...rest] = args
    if (typeof text !== 'string' || !text.startsWith(PREPARED)) return super.query(...(args as [string])) as never
    let name = preparedNames.get(text)
    if (name === undefined) {
      name = `p${preparedNames.size}`
      preparedNames.set(text, name)
    }
    return super.query({ name, text, values: rest[0] as unknown[] }) as never
  }
}

type Logger = { error(details: object, message: string): void }

// Both engines give the same JavaScript values: int8 counters fit a number, times are Dates, days are YYYY-MM-DD.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day)

/** Opens the database the configuration names and brings its tables to this version. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'databasePool'>,
  log: Logger,
  onCrash: (error: Error) => void,
): Promise<OpenDatabase> {
  if (config.databaseUrl) return openPostgres(config, log)
  const engine = await startEmbedded(config.dataDir, onCrash)
  const pool = new pg.Pool({
    Client,
    host: engine.host,
    port: engine.port,
    user: 'postgres',
    database: 'postgres',
    max: 1,
    idleTimeoutMillis: 0,
  })
  return finish(pool, 'embedded', log, engine.close)
}

async function openPostgres(config: Pick<Config, 'databaseUrl' | 'databasePool'>, log: Logger): Promise<OpenDatabase> {
  await migratePostgres(config.databaseUrl)
  const pool = new pg.Pool({
    Client,
    connectionString: config.databaseUrl,
    max: config.databasePool,
    // A request that cannot have a connection soon is answered 503 instead of piling up.
    connectionTimeoutMillis: 1_500,
    // Longest statement; and, a little later, when an answer that never comes is given up.
    statement_timeout: 8_000,
    query_timeout: 9_000,
    application_name: 'contentflow',
    // Whatever the server's default is: an acknowledged write is on disk.
    options: `-c synchronous_commit=on ${PLANNING.map((setting) => `-c ${setting}`).join(' ')}`,
  })
  return finish(pool, 'postgres', log, async () => {})
}

/** On a connection of its own, because a change of a large table may take longer than a request may. */
async function migratePostgres(connectionString: string): Promise<void> {
  // A statement that fails says so itself; a connection that is cut while it is being closed would end the process.
  const pool = new pg.Pool({ connectionString, max: 1 }).on('error', () => {})
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    await migrate(db)
    await distribute(db)
  } finally {
    await db.destroy()
  }
}

async function finish(pool: pg.Pool, engine: Engine, log: Logger, closeEngine: () => Promise<void>): Promise<OpenDatabase> {
  pool.on('error', (error) => log.error({ err: error }, 'an idle database connection failed'))
  // One that fails between two statements of a transaction is told by the next statement; unheard it would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => {})
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const stopStatistics = keepStatistics(db, log)
  const close = async () => {
    await stopStatistics()
    await db.destroy()
    await closeEngine()
  }
  try {
    if (engine === 'embedded') await migrate(db)
  } catch (error) {
    await close()
    throw error
  }
  const readPool = () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, most: pool.options.max })
  return { db, engine, connections: pool.options.max, readPool, close }
}
