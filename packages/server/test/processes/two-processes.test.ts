/** Two processes on one PostgreSQL: what one does, the other serves. The embedded database has no second process. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Workspace } from '../builders/builders.ts'
import { untilPolledTwice } from '../harness/polls.ts'
import { startApp, startOn, type TestApp } from '../harness/start-app.ts'
import { openStream, type Stream } from '../harness/streams.ts'
import { until } from '../harness/until.ts'

if (process.env['TEST_DATABASE_URL']) {
  const a = await startApp()
  const b = await startOn(a.databaseEnv)
  after(() => b.stop())
  testTwo(a, b)
}

function testTwo(a: TestApp, b: TestApp): void {
  const clientAt = (app: TestApp, key: string) => ({
    get: (path: string, headers: Record<string, string> = {}) =>
      app.anyone.get(`/sdk/v1${path}`, { headers: { 'x-cf-key': key, ...headers } }),
  })
  const titlesAt = async (app: TestApp, ws: Workspace, key = ws.live) =>
    expectStatus(await clientAt(app, key).get('/sync'), 200).data.blocks.map((block: any) => block.values['#title'])
  const streamAt = (app: TestApp, key: string, lastEventId?: string): Promise<Stream> =>
    openStream(`${app.url}/sdk/v1/stream`, { 'x-cf-key': key, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) })

  /** A workspace made through A; both processes have served it once. */
  async function shop(): Promise<Workspace> {
    const ws = await a.workspace()
    await ws.block('promo')
    for (const app of [a, b]) assert.deepEqual(await titlesAt(app, ws), [])
    return ws
  }

  /** The ids of the listening connections of both processes, ended on the server's side. */
  const cutSignals = async () => {
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'contentflow signals'`.execute(a.ctx.db)
    assert.equal(rows.length, 2)
  }

  const untilBothListen = () =>
    until('both listen again', async () => {
      const { rows } =
        await sql`select 1 from pg_stat_activity where datname = current_database() and application_name = 'contentflow signals'`.execute(
          a.ctx.db,
        )
      return rows.length === 2
    })

  test('C-STREAM-09 a publish on one process signals the streams of the other and it serves the content then', async () => {
    const ws = await shop()
    const [near, far, testing] = [await streamAt(a, ws.live), await streamAt(b, ws.live), await streamAt(b, ws.test)]
    await ws.instance('promo', { values: { '#title': 'one' } })
    const events = await Promise.all([near, far, testing].map((stream) => stream.next()))
    assert.deepEqual(
      events.map(({ event }) => event),
      ['block.published', 'block.published', 'block.published'],
    )
    assert.equal(events[0]?.id, events[1]?.id, 'both processes count alike')
    for (const app of [a, b]) assert.deepEqual(await titlesAt(app, ws), ['one'])
    for (const stream of [near, far, testing]) stream.close()
  })

  test('a stream is told of a change that its process was not notified of, also where the clock runs ahead', async () => {
    const ws = await shop()
    b.ctx.clock.advance(120)
    const stream = await streamAt(b, ws.live)
    await stream.until('it is open', () => stream.text() !== '')
    await cutSignals()
    await ws.instance('promo', { values: { '#title': 'one' } })
    assert.equal((await stream.next()).event, 'block.published')
    stream.close()
    b.ctx.clock.advance(-120)
    await untilBothListen()
  })

  test('the two answer with the same bytes and ETags, so a client may change between them', async () => {
    const ws = await shop()
    const variants = ['x', 'y'].map((id) => ({ id, weight: 1, values: { '#title': id } }))
    await ws.instance('promo', { variants, values: { '#title': 'base' } })
    await until('the other process serves it', async () => (await titlesAt(b, ws)).length === 1)
    for (let i = 0; i < 20; i++) {
      const device = { 'x-cf-device': `device-${i}` }
      const [one, other] = [await clientAt(a, ws.live).get('/sync', device), await clientAt(b, ws.live).get('/sync', device)]
      assert.equal(one.text, other.text)
      assert.equal((await clientAt(b, ws.live).get('/sync', { ...device, 'if-none-match': one.headers.get('etag') ?? '' })).status, 304)
    }
  })

  test('C-STREAM-05 a client that comes back to the other process with its last id misses nothing and hears nothing twice', async () => {
    const ws = await shop()
    const first = await streamAt(a, ws.live)
    const { id } = await ws.instance('promo', { values: { '#title': 'one' } })
    const seen = (await first.next()).id ?? ''
    first.close()
    const current = await streamAt(b, ws.live, seen)
    expectStatus(await ws.admin.post(`/blocks/promo/instances/${id}/unpublish`), 200)
    assert.equal((await current.next()).event, 'block.unpublished')
    assert.equal(current.events.length, 1)
    current.close()
    const late = await streamAt(b, ws.live, seen)
    assert.equal((await late.next()).event, 'block.unpublished')
    late.close()
  })

  test('C-STREAM-05 it misses nothing either when the other process was not notified of what it missed', async () => {
    const ws = await shop()
    const staying = await streamAt(b, ws.live)
    const { id } = await ws.instance('promo', { values: { '#title': 'one' } })
    const seen = (await staying.next()).id ?? ''
    await cutSignals()
    expectStatus(await ws.admin.post(`/blocks/promo/instances/${id}/unpublish`), 200)
    const back = await streamAt(b, ws.live, seen)
    for (const stream of [back, staying]) {
      assert.equal((await stream.next()).event, 'block.unpublished')
      stream.close()
    }
    await untilBothListen()
  })

  test('a stream opened after a change is not told of it once more by the process that looks for lost signals', async () => {
    const ws = await shop()
    // Once the other process has heard of the change itself, only its look for lost signals can tell of it again.
    const early = await streamAt(b, ws.live)
    const { id } = await ws.instance('promo', { values: { '#title': 'one' } })
    await early.next()
    early.close()
    const streams = [await streamAt(a, ws.live), await streamAt(b, ws.live)]
    // Two looks for lost signals later a real change is the first thing a stream hears.
    await Promise.all([a, b].map((server) => untilPolledTwice(server.ctx)))
    expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { values: { '#title': 'two' } }), 200)
    for (const stream of streams) {
      assert.equal((await stream.next()).event, 'block.updated')
      assert.equal(stream.events.length, 1)
      stream.close()
    }
  })

  test('C-AUTH-19 C-AUTH-21 X-INT-34 a key revoked, rotated or suspended on one process is refused on the other, and its streams end there', async () => {
    const ws = await shop()
    const [revoked, rotated] = [await ws.key('publishable', 'live'), await ws.key('secret', 'live')]
    const keys = [revoked.key, rotated.key, `${ws.id}_app`, ws.live]
    for (const key of keys) assert.equal((await clientAt(b, key).get('/sync')).status, 200)
    const streams = await Promise.all(keys.map((key) => streamAt(b, key)))
    const refusedAtB = async (key: string) => (await clientAt(b, key).get('/sync')).status === 401
    const steps: [string, () => Promise<unknown>][] = [
      [revoked.key, () => ws.admin.delete(`/settings/sdk-keys/${revoked.id}`)],
      [rotated.key, () => ws.admin.post(`/settings/sdk-keys/${rotated.id}/rotate`)],
      [`${ws.id}_app`, () => ws.admin.put('/settings/sdk-key-policy', { derivedKeysEnabled: false })],
      [ws.live, () => a.operator.post(`/operator/workspaces/${ws.id}/suspend`)],
    ]
    for (const [index, [key, step]] of steps.entries()) {
      await step()
      await until(`${key} is refused`, () => refusedAtB(key))
      await streams[index]?.ended()
      assert.equal((await clientAt(b, key).get('/stream')).status, 401)
    }
    expectStatus(await a.operator.post(`/operator/workspaces/${ws.id}/resume`), 200)
    await until('it is open again', async () => (await clientAt(b, ws.live).get('/sync')).status === 200)
  })

  test('a key made on one process opens the other at once, also when that one was asked for it before', async () => {
    const ws = await shop()
    const made = await ws.key('publishable', 'test')
    assert.equal((await clientAt(b, made.key).get('/sync')).status, 200)
    const { key } = expectStatus(await ws.admin.post(`/settings/sdk-keys/${made.id}/rotate`), 200).data
    assert.equal((await clientAt(b, key).get('/sync')).status, 200)
  })

  test('sign-outs and lowered roles count on the other process from the next call', async () => {
    const ws = await shop()
    const token = await signIn(ws)
    const atB = (path: string, body: object) =>
      b.anyone.post(`/api/v1${path}`, body, { headers: { authorization: `Bearer ${token.token}`, 'x-tenant-id': ws.id } })
    assert.equal((await atB('/settings/write-keys', {})).status, 201)
    expectStatus(await ws.admin.put(`/members/${token.userId}`, { role: 'viewer' }), 200)
    assert.equal((await atB('/settings/write-keys', {})).status, 403)
    expectStatus(await a.anyone.post('/api/v1/auth/logout', undefined, { headers: { authorization: `Bearer ${token.token}` } }), 200)
    assert.equal((await atB('/settings/write-keys', {})).status, 401)
  })

  async function signIn(ws: Workspace): Promise<{ token: string; userId: string }> {
    const account = { email: `${ws.id}@example.com`, password: 'a long enough one', name: 'P', role: 'editor' }
    expectStatus(await ws.admin.post('/members', account), 201)
    const { token, user } = expectStatus(await a.anyone.post('/api/v1/auth/login', account), 200).data
    return { token, userId: user.userId }
  }

  test('a lost notification is healed: content, streams and keys of the other process follow within seconds', async () => {
    const ws = await shop()
    const doomed = await ws.key('publishable', 'live')
    assert.equal((await clientAt(b, doomed.key).get('/sync')).status, 200)
    const stream = await streamAt(b, ws.live)
    await cutSignals()
    // Nobody listens now: the next connection is tried half a second later at the earliest.
    await ws.instance('promo', { values: { '#title': 'unheard' } })
    expectStatus(await ws.admin.delete(`/settings/sdk-keys/${doomed.id}`), 200)
    assert.deepEqual(await titlesAt(a, ws), ['unheard'], 'whoever made the change serves it at once')
    await until('the other process serves it', async () => (await titlesAt(b, ws)).length === 1)
    assert.equal((await stream.next()).event, 'block.published')
    await until('the revoked key is refused', async () => (await clientAt(b, doomed.key).get('/sync')).status === 401)
    stream.close()
    await untilBothListen()
    const again = await streamAt(b, ws.live)
    await ws.instance('promo', { values: { '#title': 'heard' } })
    await again.next()
    again.close()
  })

  test('notifications that are none of ours end nothing: the next change is heard as before', async () => {
    const ws = await shop()
    const stream = await streamAt(b, ws.live)
    const broken = { kind: 'content', workspaceId: ws.id, environment: 'live' }
    for (const payload of [
      'not JSON',
      '',
      'null',
      '[]',
      '{}',
      '{"from":"x"}',
      ...[
        null,
        1,
        {},
        { kind: 'toString', workspaceId: ws.id },
        { kind: '__proto__' },
        broken,
        { ...broken, revision: {}, signalId: [] },
      ].map((signal) => JSON.stringify({ from: 'x', signal })),
    ])
      await sql`select pg_notify('contentflow', ${payload})`.execute(a.ctx.db)
    await ws.instance('promo', { values: { '#title': 'heard' } })
    assert.equal((await stream.next()).event, 'block.published')
    assert.deepEqual(await titlesAt(b, ws), ['heard'])
    stream.close()
  })

  test('writers on both processes at once leave one history: nothing is lost, and both serve the same in the end', async () => {
    const ws = await shop()
    const { id } = await ws.instance('promo', { title: 'start', values: { '#title': 'start' } })
    const token = await signIn(ws)
    const at = (app: TestApp) => (index: number) =>
      app.anyone.put(
        `/api/v1/blocks/promo/instances/${id}`,
        { title: `${index}`, values: { '#title': `${index}` } },
        {
          headers: { authorization: `Bearer ${token.token}`, 'x-tenant-id': ws.id },
        },
      )
    // On a busy machine the last of the row would wait for longer than a save may; then it is sent again.
    const save = async (index: number) => {
      for (;;) {
        const answer = await (index % 2 ? at(a) : at(b))(index)
        if (answer.status !== 503) return answer
      }
    }
    const saves = await Promise.all(Array.from({ length: 40 }, (_, index) => save(index)))
    for (const answer of saves) expectStatus(answer, 200)
    assert.deepEqual(
      saves.map(({ data }) => data.version).sort((x, y) => x - y),
      Array.from({ length: 40 }, (_, index) => index + 2),
    )
    const last = saves.find(({ data }) => data.version === 41)?.data.values['#title']
    for (const app of [a, b]) await until('both serve the last save', async () => (await titlesAt(app, ws))[0] === last)
  })
}
