/**
 * The database goes away and comes back. What was served goes on byte for byte, what cannot be known is 503 and
 * never 401 or less content, and afterwards all is as before. On PostgreSQL the connection is really cut; the
 * faults of the test hooks stand in for it on either engine.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { expectStatus, makeBuilders, type Answer, type Workspace } from '../builders/builders.ts'
import { insertDevice } from '../builders/devices.ts'
import { EventLoad, readStored } from '../builders/event-load.ts'
import { assertRefusal } from '../harness/refusals.ts'
import { spawnServer, started } from '../harness/server-process.ts'
import { freshDatabase, OPERATOR_TOKEN, startOn } from '../harness/start-app.ts'
import { openStream } from '../harness/streams.ts'
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts'
import { inTime, pause, until } from '../harness/until.ts'

const database = await freshDatabase()
const away = await openWayOut(database.env)
const app = await startOn(away.env)
after(async () => {
  await app.stop()
  await away.close()
  await database.remove()
})
const { workspace, anyone, advance, operator, fault, url } = app

type WayOut = { env: Record<string, string>; proxy: TcpProxy | undefined; close(): Promise<void> }

/** Puts the proxy between the server and PostgreSQL; the embedded database has no connection that could be cut. */
async function openWayOut(env: Record<string, string>): Promise<WayOut> {
  if (!env['DATABASE_URL']) return { env, proxy: undefined, close: async () => {} }
  const address = new URL(env['DATABASE_URL'])
  const proxy = await startTcpProxy(address.hostname, Number(address.port || 5432))
  address.hostname = '127.0.0.1'
  address.port = String(proxy.port)
  return { env: { ...env, DATABASE_URL: address.href }, proxy, close: proxy.close }
}

const inSeconds = (seconds: number) => new Date(app.ctx.clock.ms() + seconds * 1000).toISOString()
const sync = (key: string, headers: Record<string, string> = {}, path = '/sync') =>
  anyone.get(`/sdk/v1${path}`, { headers: { 'x-cf-key': key, ...headers } })

async function shop(): Promise<Workspace> {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'for all' } })
  await ws.instance('promo', { seg: 'Gold', values: { '#title': 'gold' } })
  await ws.instance('promo', { values: { '#title': 'test' } }, { publish: 'test' })
  return ws
}

/** Brings the key of a workspace into memory and nothing of its content: that waits until somebody asks for it or listens. */
async function meetKey({ live }: Workspace): Promise<void> {
  expectStatus(await sync(live, {}, '/no/such'), 404)
}

/** Everything a client could have asked for before, with the answer it got. */
async function warm(ws: Workspace): Promise<{ ask: () => Promise<Answer>; again: (etag: string) => Promise<Answer>; answer: Answer }[]> {
  const device = await insertDevice(app.ctx, ws.id, randomUUID(), { segments: ['Gold'] })
  const asked: [string, Record<string, string>, string][] = []
  for (const key of [ws.live, ws.test, `${ws.id}_app`])
    for (const path of ['/sync', '/blocks/promo', '/sync?locale=ar'])
      for (const headers of [{}, { 'x-cf-device': device }] as Record<string, string>[]) asked.push([key, headers, path])
  return Promise.all(
    asked.map(async ([key, headers, path]) => {
      const ask = () => sync(key, headers, path)
      return {
        ask,
        again: (etag: string) => sync(key, { ...headers, 'if-none-match': etag }, path),
        answer: expectStatus(await ask(), 200),
      }
    }),
  )
}

async function assertServedAsBefore(warmed: Awaited<ReturnType<typeof warm>>): Promise<void> {
  for (const { ask, again, answer } of warmed) {
    const now = await ask()
    assert.equal(now.status, 200, now.text)
    assert.equal(now.text, answer.text)
    assert.equal((await again(answer.headers.get('etag') ?? '')).status, 304)
  }
}

function assertUnavailable(answer: Answer, what: string): void {
  assertRefusal(answer, [502, 503, 504], what)
  assert.equal(answer.body.code, 'UPSTREAM_UNAVAILABLE', what)
  assert.equal(answer.body.retryable, true, what)
  assert.equal(answer.headers.get('retry-after'), '5', what)
}

test('C-ERR-25 C-AUTH-22 with content and keys out of reach warmed answers stay byte for byte, cold content is 503 UPSTREAM_UNAVAILABLE, unseen keys 503', async () => {
  const [ws, cold] = [await shop(), await shop()]
  const warmed = await warm(ws)
  const unseen = (await ws.key('publishable', 'live')).key
  await meetKey(cold)
  await fault('upstream', true)
  await fault('key_validation', true)
  await assertServedAsBefore(warmed)
  assertUnavailable(await sync(cold.live), 'content never loaded')
  assertUnavailable(await sync(cold.live, {}, '/blocks/promo'), 'a block never loaded')
  const refused = await sync(unseen)
  assertRefusal(refused, 503)
  assert.equal('code' in refused.body, false)
  await fault('upstream', false)
  await fault('key_validation', false)
  assert.equal((await sync(cold.live)).data.blocks.length, 1)
  assert.equal((await sync(unseen)).status, 200)
  await assertServedAsBefore(warmed)
})

if (away.proxy) testCut(away.proxy)

function testCut(proxy: TcpProxy): void {
  test('what another process changed meanwhile is served and signalled within ten seconds of the return', async () => {
    const ws = await shop()
    const warmed = await warm(ws)
    const stream = await openStream(`${url}/sdk/v1/stream?key=${ws.live}`)
    const revoked = await ws.key('publishable', 'live')
    assert.equal((await sync(revoked.key)).status, 200)
    const other = await startOn(database.env)
    try {
      const account = { email: `${ws.id}@example.com`, password: 'a long enough one', name: 'P', role: 'editor' }
      expectStatus(await ws.admin.post('/members', account), 201)
      proxy.cut()
      const { token } = expectStatus(await other.anyone.post('/api/v1/auth/login', account), 200).data
      const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id }
      const made = expectStatus(
        await other.anyone.post('/api/v1/blocks/promo/instances', { values: { '#title': 'unheard' } }, { headers }),
        201,
      ).data
      expectStatus(await other.anyone.post(`/api/v1/blocks/promo/instances/${made.id}/publish`, {}, { headers }), 200)
      expectStatus(await other.anyone.delete(`/api/v1/settings/sdk-keys/${revoked.id}`, { headers }), 200)
      await assertServedAsBefore(warmed)
      assert.equal((await sync(revoked.key)).status, 200, 'what was known of a key goes on being used')
    } finally {
      await other.stop()
    }
    proxy.join()
    await until('the change is served', async () =>
      (await sync(ws.live)).data.blocks.some((block: any) => block.values['#title'] === 'unheard'),
    )
    await stream.until('a signal', () => stream.events.some(({ event }) => event === 'block.published'))
    await until('the revoked key is refused', async () => (await sync(revoked.key)).status === 401)
    stream.close()
  })

  test('with the connection cut reads go on, everything else is 503 and never 401, streams stay; ten seconds after it returns all works', async () => {
    const [ws, cold, quiet] = [await shop(), await shop(), await shop()]
    const later = await ws.instance('promo', { values: { '#title': 'later' }, schedule: { startTime: inSeconds(1_000) } })
    const warmed = await warm(ws)
    const unseen = (await ws.key('publishable', 'live')).key
    const stream = await openStream(`${url}/sdk/v1/stream?key=${ws.live}`)
    const quietStream = await openStream(`${url}/sdk/v1/stream?key=${quiet.live}`)
    await meetKey(cold)
    const editor = await ws.editor()

    proxy.cut()
    for (let i = 0; i < 5; i++) await assertServedAsBefore(warmed)
    await advance(61)
    await assertServedAsBefore(warmed)
    for (const [what, answer] of [
      ['an unseen key', await sync(unseen)],
      ['an unseen key on the stream', await sync(unseen, {}, '/stream')],
      ['an unseen key on an unknown route', await sync(unseen, {}, '/no/such')],
    ] as const) {
      assertRefusal(answer, 503, what)
      assert.equal('code' in answer.body, false, what)
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/, what)
    }
    for (const [what, answer] of [
      ['content that was never loaded', await sync(cold.live)],
      ['a device that was never read', await sync(ws.live, { 'x-cf-device': randomUUID() })],
      ['a registration', await ws.write.post('/cards/register', { key: 'x' })],
      ['a wrong write key', await ws.sdk({ 'x-cf-write-key': `wk_live_${'0'.repeat(40)}` }).post('/cards/register', { key: 'x' })],
      ['a publish', await ws.admin.post(`/blocks/promo/instances/${later.id}/publish`)],
      ['an edit', await editor.put(`/blocks/promo/instances/${later.id}`, { title: 'x' })],
      ['a list', await ws.admin.get('/members')],
      ['a sign-in', await anyone.post('/api/v1/auth/login', { email: 'a@example.com', password: 'whatever' })],
      [
        'a sign-up',
        await anyone.post('/api/v1/auth/signup', { email: 'a@example.com', password: 'whatever 1', name: 'n', workspaceName: 'w' }),
      ],
      ['a suspension', await operator.post(`/operator/workspaces/${ws.id}/suspend`)],
    ] as const)
      assertUnavailable(answer, what)
    assert.equal((await sync('abc')).status, 401, 'what is no key at all needs no database')
    assert.equal((await anyone.get('/healthz')).status, 200)
    const readiness = await anyone.get('/readyz')
    assert.deepEqual([readiness.status, readiness.data.database], [200, 'down'])
    assert.equal((await anyone.get('/metrics')).status, 200)

    await advance(1_000)
    const scheduled = await sync(ws.live)
    assert.ok(
      scheduled.data.blocks.some((block: any) => block.values['#title'] === 'later'),
      'schedules go on without the database',
    )

    proxy.join()
    await until('a write is taken', async () => (await ws.write.post('/cards/register', { key: 'after' })).status === 201)
    assert.equal((await sync(unseen)).status, 200)
    assert.equal((await sync(cold.live)).status, 200)
    assert.equal((await anyone.get('/readyz')).data.database, 'up')
    const before = stream.events.length
    await ws.instance('promo', { values: { '#title': 'afterwards' } })
    await stream.until('a signal of the new publish', () => stream.events.slice(before).some(({ event }) => event === 'block.published'))
    assert.ok((await sync(ws.live)).data.blocks.some((block: any) => block.values['#title'] === 'afterwards'))
    assert.equal(quietStream.text().startsWith(': connected'), true)
    await quiet.instance('promo', { values: { '#title': 'afterwards' } })
    await quietStream.until('a signal', () => quietStream.events.some(({ event }) => event === 'block.published'))
    stream.close()
    quietStream.close()
  })

  test('a connection that is cut again and again under load never ends the process, leaves no request hanging and no answer wrong', async () => {
    const server = spawnServer({ ...away.env, CF_DATABASE_POOL: '4' })
    try {
      const builders = makeBuilders(await started(server), OPERATOR_TOKEN)
      const ws = await builders.workspace()
      expectStatus(await builders.operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
      await ws.block('promo')
      await ws.instance('promo', { values: { '#title': 'x' } })
      const before = expectStatus(await ws.app.get('/sync'), 200).text
      const seen = new Map<number, number>()
      const load = { isOver: false }
      const writers = Array.from({ length: 6 }, async (_, worker) => {
        for (let n = 0; !load.isOver; n++) {
          const { status, text } = await ws.write.post('/cards/register', { key: `w${worker}_${n}`, seedInstance: false })
          seen.set(status, (seen.get(status) ?? 0) + 1)
          assert.ok(status === 201 || status === 503, text)
        }
      })
      const cutting = async () => {
        for (let i = 0; i < 8; i++) {
          await pause(100 + Math.random() * 200)
          proxy.cut()
          assert.equal(expectStatus(await ws.app.get('/sync'), 200).text, before)
          proxy.join()
        }
        load.isOver = true
      }
      await Promise.all([cutting(), ...writers])
      assert.ok((seen.get(201) ?? 0) > 0 && (seen.get(503) ?? 0) > 0, JSON.stringify([...seen]))
      await until('writes are taken again', async () => (await ws.write.post('/cards/register', { key: 'after' })).status === 201)
    } catch (error) {
      throw new Error(`the server said:\n${server.output().slice(0, 3_000)}`, { cause: error })
    } finally {
      proxy.join()
      server.kill('SIGTERM')
    }
    assert.deepEqual(await server.exit, { code: 0, signal: null })
  })

  test('a network that swallows everything makes writes 503 as well, and never holds up what is at hand', async () => {
    const ws = await shop()
    const warmed = await warm(ws)
    proxy.swallow()
    const writes = Array.from({ length: 15 }, (_, n) => ws.write.post('/cards/register', { key: `k${n}`, seedInstance: false }))
    for (let i = 0; i < 10; i++) await assertServedAsBefore(warmed)
    // Nothing ever comes back, and yet every write is answered.
    const answers = await inTime('an answer to every write', Promise.all(writes)).finally(() => proxy.join())
    for (const answer of answers) assertUnavailable(answer, 'a write into the void')
    await until('writes are taken again', async () => (await ws.write.post('/cards/register', { key: 'after' })).status === 201)
  })

  test('C-ERR-25 events while the database is away are 503 each in bounded time, none that was acknowledged is lost, and afterwards all is as before', async () => {
    const ws = await shop()
    const load = await EventLoad.open(ws)
    const sendMany = () =>
      Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          return ws.app.post('/events', { deviceId: `device-${index % 8}`, events: [{ type: 'impression' }] })
        }),
      )
    const cycle = { isOver: false }
    const running = load.run(() => cycle.isOver)
    for (const leave of [proxy.cut, proxy.swallow, proxy.cut]) {
      const goal = load.acknowledged.size + 50
      await until('events are taken', async () => load.acknowledged.size >= goal)
      await pause(Math.random() * 100)
      leave()
      // A group that fails is refused as one: tried again one by one, each would wait for a connection of its own.
      for (const answer of await inTime('an answer to every event', sendMany())) assertUnavailable(answer, 'an event')
      proxy.join()
    }
    await until('events are taken again', async () => (await sendMany()).every(({ status }) => status === 202))
    cycle.isOver = true
    await running
    await load.settle()
    const rows = await readStored(database.env, ws.id)
    // Those sent beside the load have no name.
    const { lost, twice, unknown } = load.judge(rows.filter(({ name }) => name !== ''))
    assert.deepEqual({ lost, twice, unknown }, { lost: [], twice: [], unknown: [] })
    assert.ok(rows.some(({ name }) => name === ''))
  })
}
