import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { startEmbedded } from '../../../db/embedded.ts'
import { migrateTo } from '../../../db/migrate.ts'
import type { Database } from '../../../db/schema.ts'
import { hashSecret } from '../../../infra/secrets/crypto.ts'
import { clientOf, expectStatus } from '../../../../test/builders/builders.ts'
import { freshDatabase, startOn } from '../../../../test/harness/start-app.ts'

const onCrash = (error: Error) => {
  throw error
}

async function open({ DATABASE_URL: connectionString, CF_DATA_DIR: folder = '' }: Record<string, string>) {
  const engine = connectionString === undefined ? await startEmbedded(folder, onCrash) : undefined
  const at = engine ? { host: engine.host, port: engine.port, user: 'postgres', database: 'postgres' } : { connectionString }
  // Its end does not wait until the connection is closed, which the removal of the database may then do.
  const pool = new pg.Pool({ ...at, max: 1 }).on('error', () => {})
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const close = async () => {
    await db.destroy()
    await engine?.close()
  }
  return { db, close }
}

const [T1, T2, T3, T4] = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01'].map((day) => `${day}T00:00:00Z`) as [
  string,
  string,
  string,
  string,
]

/** Content as versions before pointers stored it: one set of values with two flags, and a revision for each save. */
async function store(databaseEnv: Record<string, string>): Promise<void> {
  const { db, close } = await open(databaseEnv)
  try {
    await migrateTo(db, '0016_of_one_workspace')
    const run = (text: string) => sql.raw(text).execute(db)
    await run(
      `insert into workspaces (id, name, created_at, updated_at, settings_changed_at) values ('shopshop', 'Shop', '${T1}', '${T1}', '${T1}')`,
    )
    await run(
      `insert into content_heads (workspace_id, environment, changed_at) values ('shopshop', 'live', '${T1}'), ('shopshop', 'test', '${T1}')`,
    )
    await run(`insert into string_catalogs (workspace_id, changed_at) values ('shopshop', '${T1}')`)
    await run(`insert into keys (workspace_id, id, kind, environment, name, hash, masked, created_at) values
      ('shopshop', 'k', 'write', 'live', '', '${hashSecret('wk_live_none')}', '', '${T1}')`)
    await run(
      `insert into accounts (id, email, email_folded, name, password_hash, created_at) values ('a', 'a@example.com', 'a@example.com', 'A', '', '${T1}')`,
    )
    await run(
      `insert into members (workspace_id, account_id, role, can_approve, created_at) values ('shopshop', 'a', 'admin', true, '${T1}')`,
    )
    await run(
      `insert into sessions (token_hash, account_id, created_at, expires_at) values ('${hashSecret('session-of-the-test-0000')}', 'a', '${T1}', '2099-01-01')`,
    )
    await run(`insert into block_definitions (workspace_id, key, name, screen, crumb, fields, blank, in_campaigns, created_at, updated_at) values
      ('shopshop', 'promo', 'Promo', '', '', '[{"id":"t","tag":"#title","type":"text"}]', '{}', false, '${T1}', '${T1}')`)
    const instance = (id: string, title: string, version: number, live: string, forTest: string) =>
      run(`insert into block_instances (workspace_id, id, block_key, title, "values", priority, variants, translations, version, live_published_at,
        test_published_at, created_at, updated_at) values ('shopshop', '${id}', 'promo', '', '{"t":"${title}"}', 0, '[]', '{}', ${version}, ${live}, ${forTest},
        '${T1}', '${T4}')`)
    const revision = (id: string, number: number, title: string, at: string) =>
      run(`insert into instance_revisions (workspace_id, instance_id, number, content, source, made_by, created_at) values ('shopshop', '${id}', ${number},
        '{"title":"","values":{"t":"${title}"},"seg":null,"priority":0,"schedule":null,"variants":[],"translations":{},"frequency":null}', 'edit', 'a', '${at}')`)
    await instance('live', 'three', 3, `'${T2}'`, 'null')
    await revision('live', 1, 'one', T1)
    await revision('live', 2, 'two', T1)
    await revision('live', 3, 'three', T3)
    await instance('both', 'one', 1, `'${T3}'`, `'${T2}'`)
    await revision('both', 1, 'one', T1)
    await instance('draft', 'one', 1, 'null', 'null')
    await revision('draft', 1, 'one', T1)
  } finally {
    await close()
  }
}

test('G-82 content stored before there were pointers is served as before, and its past is known', async () => {
  const fresh = await freshDatabase({ isBare: true })
  try {
    await store(fresh.env)
    const app = await startOn(fresh.env)
    try {
      const admin = clientOf(`${app.url}/api/v1`, { authorization: 'Bearer session-of-the-test-0000', 'x-tenant-id': 'shopshop' })
      const pointers = async (id: string) => {
        const { head, live, test: forTest, targets } = expectStatus(await admin.get(`/blocks/promo/instances/${id}`), 200).data
        return { head, live, forTest, targets }
      }
      assert.deepEqual(await pointers('live'), { head: 3, live: 3, forTest: null, targets: ['live'] })
      assert.deepEqual(await pointers('both'), { head: 1, live: 1, forTest: 1, targets: ['live', 'test'] })
      assert.deepEqual(await pointers('draft'), { head: 1, live: null, forTest: null, targets: [] })
      const { blocks } = expectStatus(await clientOf(`${app.url}/sdk/v1`, { 'x-cf-key': 'shopshop_app' }).get('/sync'), 200).data
      assert.deepEqual(
        blocks.map((block: any) => [block.instanceId, block.version, block.values['#title']]),
        [
          ['live', 3, 'three'],
          ['both', 1, 'one'],
        ],
      )
      const at = async (time: string) =>
        expectStatus(await admin.get(`/blocks/promo/instances/live/at?time=${time}`), 200).data.content?.values['#title'] ?? null
      assert.deepEqual(
        [await at('2026-01-15T00:00:00Z'), await at('2026-02-15T00:00:00Z'), await at('2026-03-15T00:00:00Z')],
        [null, 'two', 'three'],
      )
    } finally {
      await app.stop()
    }
  } finally {
    await fresh.remove()
  }
})
