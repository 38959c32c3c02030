/** What anybody may ask for, with a credential that nobody has or with none, costs next to nothing: the others are served. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, request, type Answer } from '../builders/builders.ts'
import { startApp } from '../harness/start-app.ts'
import { until } from '../harness/until.ts'
import { countWaiting } from '../harness/waiting.ts'

const { workspace, ctx, url, anyone } = await startApp()
const postgres = { skip: ctx.engine === 'embedded' && 'one connection: a lock holds everybody' }

const CROWD = 60
const hex = (characters: number) => randomBytes(characters / 2).toString('hex')

/** By the table in which it is looked for: a request with a credential that nobody has. */
const strangers: Record<string, [table: string, ask: () => Promise<Answer>]> = {
  'a publishable key': ['keys', () => ask('/sdk/v1/sync', { 'x-cf-key': `abcdefgh12_cfpk${hex(40)}` })],
  'a secret key': ['keys', () => ask('/sdk/v1/sync', { 'x-cf-key': `pk_live_${hex(40)}` })],
  'a derived key': ['workspaces', () => ask('/sdk/v1/sync', { 'x-cf-key': `${hex(16)}_app` })],
  'a write key': ['keys', () => ask('/sdk/v1/cards/sync', { 'x-cf-write-key': `wk_live_${hex(40)}` })],
  'a read key': ['keys', () => ask('/api/v1/read/users/u/segments', { 'x-cf-read-key': `rk_live_${hex(24)}` })],
  'a session': ['sessions', () => ask('/api/v1/blocks', { authorization: `Bearer ${hex(40)}` })],
}
const ask = (path: string, headers: Record<string, string>) => request('GET', url + path, { headers })

/** The two, and what looks for changes now and then. */
async function assertFewWait(): Promise<void> {
  const waiting = await countWaiting(ctx.db)
  assert.ok(waiting <= 4, `${waiting} wait`)
}

for (const [name, [table, unknown]] of Object.entries(strangers))
  test(`a crowd with ${name} that nobody has waits with two connections; others are served, and none is told wrong`, postgres, async () => {
    const ws = await workspace()
    expectStatus(await ws.app.post('/identify', { deviceId: 'd', userId: 'u', consent: true }), 200)
    expectStatus(await ws.app.get('/sync'), 200)
    let crowd: Promise<Answer>[] = []
    await ctx.db.transaction().execute(async (tx) => {
      await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx)
      crowd = Array.from({ length: CROWD }, unknown)
      await until('two wait', async () => (await countWaiting(ctx.db)) >= 2)
      expectStatus(await ws.app.get('/sync'), 200)
      const events = [{ type: 'click', blockKey: 'a' }]
      // Whoever writes names their workspace, which is held here.
      if (table === 'workspaces') return await assertFewWait()
      assert.equal(expectStatus(await ws.app.post('/events', { deviceId: 'd', events }), 202).data.accepted, 1)
      expectStatus(await ws.app.patch('/push/preferences', { deviceId: 'd', digest: 'daily' }), 200)
      await assertFewWait()
    })
    for (const { status, text } of await Promise.all(crowd)) assert.equal(status, 401, text)
  })

test('C-AUTH-13 keys that are there and keys that are not, asked for at once, are each told apart', async () => {
  const workspaces = [await workspace(), await workspace()]
  const made = await Promise.all(workspaces.flatMap((ws) => ['publishable', 'secret'].map((kind) => ws.key(kind as 'secret', 'live'))))
  const keys = made.map(({ key }) => String(key))
  const answers = await Promise.all(
    keys.flatMap((key) => [
      ask('/sdk/v1/sync', { 'x-cf-key': key }),
      ask('/sdk/v1/sync', { 'x-cf-key': key.replace(/.{8}$/, 'deadbeef') }),
      strangers['a derived key']![1](),
    ]),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    keys.flatMap(() => [200, 401, 401]),
  )
})

for (const path of ['/docs', '/api/v1/openapi.json'])
  test(`${path} is made once and told to whoever has it by 304`, async () => {
    const first = expectStatus(await anyone.get(path), 200)
    const etag = first.headers.get('etag') ?? ''
    assert.match(etag, /^"[\w-]+"$/)
    assert.ok(first.text.length > 100_000)
    const same = await anyone.get(path, { headers: { 'if-none-match': etag } })
    assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', etag])
    const other = expectStatus(await anyone.get(path, { headers: { 'if-none-match': '"other"' } }), 200)
    assert.equal(other.text, first.text)
    for (const header of ['content-type', 'cache-control', 'content-security-policy', 'x-frame-options'])
      assert.equal(other.headers.get(header), first.headers.get(header), header)
  })

test('/metrics is made anew for whoever asks now and then, and for a crowd only as often as its share of the time allows', async () => {
  const made = async () =>
    Number(/^contentflow_http_requests_total\{.*route="\/metrics".*\} (\d+)$/m.exec((await anyone.get('/metrics')).text)?.[1] ?? 0)
  const before = await made()
  assert.equal(await made(), before + 1)
  const seen = new Map<number, number>()
  await until('the same one is given twice', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, made))
    for (const count of answers) seen.set(count, (seen.get(count) ?? 0) + 1)
    return [...seen.values()].some((times) => times > 1)
  })
  const last = Math.max(...seen.keys())
  await until('it goes on counting', async () => (await made()) > last)
})
