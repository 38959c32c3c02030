/**
 * A real server on a fresh database: a copy of one migrated database, embedded or, with TEST_DATABASE_URL, on
 * PostgreSQL. One for a test file; each test makes its own workspace.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { createApp, type App } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { openContext, type Context } from '../../src/context.ts'
import { openDatabase } from '../../src/db/open.ts'
import { makeBuilders, type Builders } from '../builders/builders.ts'
import { recordAnswers } from './record-answers.ts'
import { recordStatements } from '../statements/record-statements.ts'

export const OPERATOR_TOKEN = 'operator-token-of-the-tests'

const isCluster = process.env['TEST_CITUS'] === '1'

export type TestApp = Builders & { url: string; ctx: Context; app: App; databaseEnv: Record<string, string>; stop(): Promise<void> }

/** `isTimed`: what is due is looked for by the clock too, as in a server that runs. */
type Options = { isTimed?: boolean }

/** `env` overrides settings; everything ends after the tests of the file. */
export async function startApp(env: Record<string, string> = {}, options: Options = {}): Promise<TestApp> {
  const database = await freshDatabase()
  const started = await startOn(database.env, env, options)
  after(async () => {
    try {
      await started.stop()
    } finally {
      await database.remove()
    }
  })
  return started
}

/** A further process's worth of server on the same database; PostgreSQL only. The caller stops it. */
export async function startOn(
  databaseEnv: Record<string, string>,
  env: Record<string, string> = {},
  { isTimed = false }: Options = {},
): Promise<TestApp> {
  const config = loadConfig({
    PORT: '0',
    CF_DEMO: 'off',
    CF_SIGNUP: 'on',
    CF_TEST_HOOKS: 'on',
    CF_OPERATOR_TOKEN: OPERATOR_TOKEN,
    CF_LOG_LEVEL: process.env['CF_LOG_LEVEL'] ?? 'silent',
    ...(process.env['TEST_REDIS_URL'] && {
      REDIS_URL: process.env['TEST_REDIS_URL'],
      CF_REDIS_PREFIX: `cf-test:${databaseEnv['DATABASE_URL'] ?? databaseEnv['CF_DATA_DIR']}`,
    }),
    ...databaseEnv,
    ...env,
  })
  const ctx = await openContext(config, (error) => {
    throw error
  })
  const statements = await recordStatements(ctx.db)
  const app = await createApp(ctx, { isStrict: true, isTimed })
  const answers = recordAnswers(app.http)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const url = app.http.listeningOrigin
  let isStopped = false
  return {
    ...makeBuilders(url, OPERATOR_TOKEN),
    url,
    ctx,
    app,
    databaseEnv,
    stop: async () => {
      if (isStopped) return
      isStopped = true
      await app.stop({ drainMs: 0, streamsMs: 0 })
      await ctx.close()
      statements.check()
      answers.check()
    },
  }
}

/** Settings that name an empty migrated database of its own, and how to remove it. `isBare`: without tables yet. */
export async function freshDatabase({ isBare = false } = {}): Promise<{ env: Record<string, string>; remove(): Promise<void> }> {
  const server = process.env['TEST_DATABASE_URL']
  return server ? freshPostgres(server, isBare) : freshEmbedded(isBare)
}

async function freshEmbedded(isBare: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'cf-test-'))
  const template = process.env['CF_TEST_TEMPLATE']
  if (template && !isBare) cpSync(join(template, 'pg'), join(folder, 'pg'), { recursive: true })
  return { env: { CF_DATA_DIR: folder }, remove: async () => rmSync(folder, { recursive: true, force: true }) }
}

async function freshPostgres(server: string, isBare: boolean) {
  const name = `cf_test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  const url = new URL(server)
  url.pathname = `/${name}`
  const template = isBare ? undefined : process.env['CF_TEST_TEMPLATE']
  await onEveryMachine(`create database ${name} template ${template ? nameOf(template) : 'template0'}`)
  const env = { DATABASE_URL: url.href }
  if (!template) {
    if (isCluster) await joinMachines(url.href)
    if (!isBare) await migrate(env)
  }
  return { env, remove: () => dropPostgres(url.href) }
}

/** Of the database that these settings name. */
export async function migrate({ DATABASE_URL: databaseUrl = '', CF_DATA_DIR: dataDir = '' }: Record<string, string>): Promise<void> {
  const database = await openDatabase({ databaseUrl, dataDir, databasePool: 1 }, { error: () => {} }, (error) => {
    throw error
  })
  await database.close()
}

/** Nobody connects to it any more, as a template needs: the cluster's own maintenance would. */
export async function closeTemplate(url: string): Promise<void> {
  if (!isCluster) return
  await onEveryMachine(`alter database ${nameOf(url)} with allow_connections false`)
  await onEveryMachine(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(url)}'`)
}

export async function dropPostgres(url: string): Promise<void> {
  await onEveryMachine(`drop database if exists ${nameOf(url)} with (force)`)
}

function nameOf(databaseUrl: string): string {
  return new URL(databaseUrl).pathname.slice(1)
}

/** The servers whose databases of one name are one database: those of the cluster with TEST_CITUS, else the one that is named. */
async function onEveryMachine(statement: string): Promise<void> {
  const server = process.env['TEST_DATABASE_URL'] ?? ''
  await Promise.all((await listMachines(server)).map((url) => run(url, statement)))
}

async function listMachines(server: string): Promise<string[]> {
  if (!isCluster) return [server]
  const nodes = await run(server, `select nodename || ':' || nodeport as host from pg_dist_node order by groupid`)
  return nodes.map(({ host }) => {
    const url = new URL(server)
    url.host = String(host)
    return url.href
  })
}

/** Makes the databases of one name on all machines one; few shards, because each is a table of its own to make. */
async function joinMachines(url: string): Promise<void> {
  await run(url, `alter database ${nameOf(url)} set citus.shard_count = 4`)
  const machines = await listMachines(process.env['TEST_DATABASE_URL'] ?? '')
  const [coordinator = url, ...workers] = machines.map((machine) => {
    const own = new URL(machine)
    own.pathname = new URL(url).pathname
    return own.href
  })
  for (const machine of [coordinator, ...workers]) await run(machine, 'create extension citus')
  const place = (machine: string) => `'${new URL(machine).hostname}', ${new URL(machine).port}`
  await run(coordinator, `select citus_set_coordinator_host(${place(coordinator)})`)
  for (const worker of workers) await run(coordinator, `select citus_add_node(${place(worker)})`)
}

async function run(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}
