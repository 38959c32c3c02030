/** The packed product, installed into an empty folder without what only makes it, as a user that may write its data folder and nothing else. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { migrateTo } from '../../src/db/migrate.ts'
import type { Database } from '../../src/db/schema.ts'
import { uniqueEmail } from '../builders/builders.ts'
import { freshDatabase } from '../harness/start-app.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const run = promisify(execFile)

/** Where everybody may read. */
const place = mkdtempSync(join(tmpdir(), 'cf-packed-'))
chmodSync(place, 0o755)
after(() => rmSync(place, { recursive: true, force: true }))
const product = join(place, 'product')
await run('node', ['scripts/pack.mjs', product], { cwd: ROOT })
await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: product, timeout: 300_000 })
if (!isRoot) await run('chmod', ['-R', 'a-w', product])
writeFileSync(join(place, 'installed'), '')

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const [node = '', ...command] = /ExecStart=\/srv\/contentflow\/(.+)/.exec(read('ops/contentflow.service'))?.[1]?.split(' ') ?? []

/** As the systemd unit starts it. Only a folder of its own is writable: as root, by being somebody else; otherwise the product is made read-only. */
async function startPacked(env: Record<string, string>) {
  const data = mkdtempSync(join(place, 'data-'))
  chmodSync(data, 0o700)
  if (isRoot) chownSync(data, NOBODY, NOBODY)
  const child = spawn(join(product, node), command, {
    cwd: product,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PORT: '0', CF_DEMO: 'off', CF_SIGNUP: 'on', CF_DATA_DIR: data, TMPDIR: data, NODE_ENV: 'production', ...env },
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const said = /ContentFlow is at (http:\S+)/.exec(printed)?.[1]
      if (said) resolve(said)
    })
    void ended.then(() => reject(new Error(`it ended before it listened:\n${printed}`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    return ended
  }
  return { url, stop, pid: child.pid ?? 0 }
}

async function signUp(url: string): Promise<number> {
  const body = { email: uniqueEmail(), password: 'a long enough one', name: 'Sara', workspaceName: 'Shop' }
  return (await fetch(`${url}/api/v1/auth/signup`, { method: 'POST', body: JSON.stringify(body) })).status
}

test('the container, npm start and the unit of the guide start what the systemd unit does', () => {
  assert.deepEqual(JSON.parse(/^CMD (.+)/m.exec(read('Dockerfile'))?.[1] ?? ''), ['node', ...command])
  assert.equal(JSON.parse(read('package.json')).scripts.start, ['exec', 'node', ...command].join(' '))
  assert.ok(read('docs/run/self-hosting.md').includes(`ExecStart=/srv/contentflow/${node} ${command.join(' ')}`))
})

test('it starts, serves its pages and takes writes, with only its data folder writable', async () => {
  const database = await freshDatabase({ isBare: true })
  after(database.remove)
  const env = database.env['DATABASE_URL'] ? { DATABASE_URL: database.env['DATABASE_URL'] } : {}
  const { url, stop, pid } = await startPacked(env)
  assert.equal(await signUp(url), 201)
  for (const page of ['/', '/login', '/docs', '/guide/', '/guide/ar/', '/demo/shop/', '/readyz', '/metrics'])
    assert.equal((await fetch(url + page)).status, 200, page)
  if (isRoot) assert.match(readFileSync(`/proc/${pid}/status`, 'utf8'), new RegExp(`^Uid:\\s+${NOBODY}`, 'm'))
  assert.equal(await stop(), 0)
  const { stdout } = await run('find', [product, '-newer', join(place, 'installed')])
  assert.equal(stdout, '', 'nothing of the product is written')
})

test('the same sources are packed into the same bytes, wherever and by whomever', async () => {
  const hashOf = async (name: string, mask: string) => {
    const folder = join(place, name)
    await run('sh', ['-c', `umask ${mask} && exec node scripts/pack.mjs "$0"`, folder], {
      cwd: ROOT,
      env: { ...process.env, SOURCE_DATE_EPOCH: '1760000000' },
    })
    const tar = 'tar --sort=name --owner=0 --group=0 --numeric-owner -cf - . | sha256sum'
    return (await run('sh', ['-c', tar], { cwd: folder })).stdout
  }
  assert.equal(await hashOf('first', '022'), await hashOf('elsewhere/second', '077'))
})

test('nothing is installed that only makes the product', async () => {
  const { stdout } = await run('ls', [join(product, 'node_modules')])
  const installed = stdout.split('\n')
  for (const name of ['vite', 'typescript', 'playwright-core', 'prettier', 'knip', 'react', 'vitepress', 'vue'])
    assert.ok(!installed.includes(name), name)
  const { stdout: tests } = await run('find', [join(product, 'packages'), '-name', '*.test.ts'])
  assert.equal(tests, '')
})

const server = process.env['TEST_DATABASE_URL']
test(
  'a database of an earlier version is brought up to date at the first start, with all it holds',
  { skip: server === undefined || process.env['TEST_CITUS'] === '1' },
  async () => {
    const database = await freshDatabase({ isBare: true })
    after(database.remove)
    const connectionString = database.env['DATABASE_URL'] ?? ''
    // Its end does not wait until the connection is closed, which the removal of the database may then do.
    const pool = new pg.Pool({ connectionString, max: 1 }).on('error', () => {})
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
    try {
      await migrateTo(db, '0015_accounts')
      await sql`insert into workspaces (id, name, settings_changed_at, created_at, updated_at) values ('earlierone', 'From before', now(), now(), now())`.execute(
        db,
      )
      const { url, stop } = await startPacked({ DATABASE_URL: connectionString })
      const { data } = (await (await fetch(`${url}/readyz`)).json()) as { data: object }
      assert.deepEqual(data, { status: 'ready', database: 'up' })
      assert.equal(await signUp(url), 201)
      assert.equal(await stop(), 0)
      const { rows } = await sql<{ name: string }>`select name from workspaces where id = 'earlierone'`.execute(db)
      assert.deepEqual(rows, [{ name: 'From before' }])
    } finally {
      await db.destroy()
    }
  },
)
