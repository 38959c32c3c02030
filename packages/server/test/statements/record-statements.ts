/**
 * Records what the server sends to the database in a test, and holds two rules on it. A statement on tenant tables is of
 * one workspace, named as a parameter for every such table in it: a database that is sharded by workspace can run no
 * other. Inside a transaction only its own connection is used: the embedded database has one, so whoever waits for a
 * second waits forever, and on PostgreSQL requests that each hold one could use up the pool. What tests send themselves
 * does not count.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { sql, PostgresDriver, PostgresQueryCompiler, TransactionBuilder, type CompiledQuery, type Transaction } from 'kysely'
import { isShared } from '../../src/db/distribute.ts'
import type { Db } from '../../src/db/open.ts'
import { ACROSS_WORKSPACES, SECOND_CONNECTION, UNFIT_YET } from './statement-exceptions.ts'
import { readStatement, type Reading } from './statement-rule.ts'

const EXPLANATION =
  'A statement on tenant tables is of one workspace, with `workspace_id = $n` for each of them. These are not; ' +
  'what has to be of several workspaces is listed with its reason in test/statement-exceptions.ts:'
const SECOND_EXPLANATION =
  'Inside a transaction only `tx` is used. These took a second connection while the same async context held a transaction; ' +
  'what has to is listed with its reason in test/statement-exceptions.ts:'

/** Each is told of every statement of the process, whoever holds the database and in a transaction or not. */
const recorders = new Set<(statement: CompiledQuery) => void>()
const compile = PostgresQueryCompiler.prototype.compileQuery
PostgresQueryCompiler.prototype.compileQuery = function (...asked) {
  const statement = compile.apply(this, asked)
  for (const record of recorders) record(statement)
  return statement
}

/** Each is told who took a second connection, and who had opened the transaction that holds the first. */
const secondRecorders = new Set<(sender: string, opener: string) => void>()
/** The transaction that the server opened in this async context. What is started in it and goes on after its end is free. */
const held = new AsyncLocalStorage<{ opener: string; isOpen: boolean }>()

const runTransaction = TransactionBuilder.prototype.execute
TransactionBuilder.prototype.execute = function <T>(this: TransactionBuilder<unknown>, work: (tx: Transaction<unknown>) => Promise<T>) {
  const opener = findSender()
  if (opener === undefined) return runTransaction.call(this, work) as Promise<T>
  const transaction = { opener, isOpen: true }
  const inside = (tx: Transaction<unknown>) => held.run(transaction, () => work(tx)).finally(() => (transaction.isOpen = false))
  return runTransaction.call(this, inside) as Promise<T>
}

const takeConnection = PostgresDriver.prototype.acquireConnection
PostgresDriver.prototype.acquireConnection = function (...asked) {
  const transaction = held.getStore()
  if (transaction?.isOpen && secondRecorders.size > 0) {
    const sender = findSender()
    if (sender !== undefined) for (const record of secondRecorders) record(sender, transaction.opener)
  }
  return takeConnection.apply(this, asked)
}

export type Recorded = {
  /** Ends the recording. Throws when a statement was unfit, or was sent past the transaction. */
  check(): void
}

export async function recordStatements(db: Db): Promise<Recorded> {
  const tables = await listTenantTables(db)
  const isTenantTable = (name: string) => tables.has(name) || /^events_\d{8}$/.test(name)
  const readings = new Map<string, Reading>()
  const unfit = new Map<string, string>()

  const record = ({ sql: text, parameters }: CompiledQuery) => {
    let reading = readings.get(text)
    if (!reading) readings.set(text, (reading = readStatement(text, isTenantTable)))
    const workspaces = new Set(reading.parameters.map((number) => parameters[number - 1]))
    const fault =
      reading.unbound.length > 0
        ? `${[...new Set(reading.unbound)].join(', ')} not bound by workspace_id = $n`
        : workspaces.size > 1 && `of ${workspaces.size} workspaces`
    if (!fault) return
    const sender = findSender()
    if (sender === undefined || sender in ACROSS_WORKSPACES || UNFIT_YET.has(sender)) return
    unfit.set(sender, `${sender}: ${fault}\n    ${text.replace(/\s+/g, ' ').slice(0, 1_000)}`)
  }

  const second = new Set<string>()
  const recordSecond = (sender: string, opener: string) => {
    if (!(sender in SECOND_CONNECTION)) second.add(`${sender}, in the transaction of ${opener}`)
  }

  recorders.add(record)
  secondRecorders.add(recordSecond)
  return {
    check: () => {
      recorders.delete(record)
      secondRecorders.delete(recordSecond)
      const faults = [
        ...(unfit.size > 0 ? [EXPLANATION, ...unfit.values()] : []),
        ...(second.size > 0 ? [SECOND_EXPLANATION, ...second] : []),
      ]
      if (faults.length > 0) throw new Error(faults.join('\n  '))
    },
  }
}

async function listTenantTables(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'workspace_id'`.execute(db)
  return new Set(rows.map(({ name }) => name).filter((name) => !isShared(name)))
}

/** File and function that sends the statement or opens the transaction that is being made; undefined when it is a test. */
function findSender(): string | undefined {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 40
  const trace: { stack?: string } = {}
  Error.captureStackTrace(trace, findSender)
  Error.stackTraceLimit = limit
  const frames = (trace.stack ?? '').split('\n').flatMap((line) => {
    const [, name, path = ''] = /at (?:async )?(?:(\S+) )?.*packages\/server\/(.*?\.ts)/.exec(line) ?? []
    return path === '' || path.endsWith('record-statements.ts') ? [] : [{ name, path }]
  })
  const [first] = frames
  if (!first?.path.startsWith('src/') || first.path.endsWith('.test.ts')) return undefined
  const named = frames.find(({ name, path }) => path === first.path && name !== undefined && !name.includes('anonymous'))
  return `${first.path.slice('src/'.length)} ${named?.name?.replace(/^.*\./, '') ?? 'anonymous'}`
}
