/**
 * A real server on a fresh database: a copy of one migrated database, embedded or, with TEST_DATABASE_URL, on
 * PostgreSQL. One for a test file; each test makes its own workspace.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { createApp, type App } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { openContext, type Context } from '../src/context.ts'
import { openDatabase } from '../src/db/open.ts'
import { makeBuilders, type Builders } from './builders.ts'

export const OPERATOR_TOKEN = 'operator-token-of-the-tests'

export type TestApp = Builders & { url: string; ctx: Context; app: App; databaseEnv: Record<string, string>; stop(): Promise<void> }

/** `env` overrides settings; everything ends after the tests of the file. */
export async function startApp(env: Record<string, string> = {}): Promise<TestApp> {
  const database = await freshDatabase()
  const started = await startOn(database.env, env)
  after(async () => {
    await started.stop()
    await database.remove()
  })
  return started
}

/** A further process's worth of server on the same database; PostgreSQL only. The caller stops it. */
export async function startOn(databaseEnv: Record<string, string>, env: Record<string, string> = {}): Promise<TestApp> {
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
  const app = await createApp(ctx, { isStrict: true, isTimed: false })
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
    },
  }
}

/** Settings that name an empty migrated database of its own, and how to remove it. */
export async function freshDatabase(): Promise<{ env: Record<string, string>; remove(): Promise<void> }> {
  const server = process.env['TEST_DATABASE_URL']
  return server ? freshPostgres(server) : freshEmbedded()
}

async function freshEmbedded() {
  const folder = mkdtempSync(join(tmpdir(), 'cf-test-'))
  const template = process.env['CF_TEST_TEMPLATE']
  if (template) cpSync(join(template, 'pg'), join(folder, 'pg'), { recursive: true })
  return { env: { CF_DATA_DIR: folder }, remove: async () => rmSync(folder, { recursive: true, force: true }) }
}

async function freshPostgres(server: string) {
  const name = `cf_test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  const url = new URL(server)
  url.pathname = `/${name}`
  const template = process.env['CF_TEST_TEMPLATE']
  await asAdmin(`create database ${name} template ${template ? nameOf(template) : 'template0'}`)
  const env = { DATABASE_URL: url.href }
  if (!template) await migrate(env)
  return { env, remove: () => dropPostgres(url.href) }
}

/** Of the database that these settings name. */
export async function migrate({ DATABASE_URL: databaseUrl = '', CF_DATA_DIR: dataDir = '' }: Record<string, string>): Promise<void> {
  const database = await openDatabase({ databaseUrl, dataDir, databasePool: 1 }, { error: () => {} }, (error) => {
    throw error
  })
  await database.close()
}

export async function dropPostgres(url: string): Promise<void> {
  await asAdmin(`drop database if exists ${nameOf(url)} with (force)`)
}

function nameOf(databaseUrl: string): string {
  return new URL(databaseUrl).pathname.slice(1)
}

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] })
  await client.connect()
  await client.query(statement)
  await client.end()
}
