/** The client against a scripted server on a real socket, with time moved by hand. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { memoryStorage } from '../src/shell/storage.ts'
import type { Client, Storage } from '../src/types.ts'
import { bench, KEY } from './support/bench.ts'
import { manualTime } from './support/manual-time.ts'
import { CONFIG, json, succeed } from './support/scripted-server.ts'
import { block } from './support/states.ts'
import { until } from '../../server/test/harness/until.ts'

const settled = (client: Client) => until('an answer', () => client.snapshot().status !== 'loading')

test('C-HDR-01 C-HDR-03 C-HDR-06 C-VER-05 C-VER-06 every request says who asks, with which SDK and in which session', async () => {
  const { server, client } = await bench({ locale: 'ar-SA', platform: 'web' })
  client.start()
  await client.identify({ consent: true, userId: 'sara' })
  client.track({ type: 'x' })
  client.flush()
  await until('all', () => server.to('/events').length === 1 && server.to('/strings').length === 1)
  client.stop()
  const sessions = new Set<unknown>()
  for (const { headers, path } of server.received) {
    assert.equal(headers['x-cf-key'], KEY)
    assert.match(String(headers['x-cf-sdk-version']), /^js\/\d+\.\d+\.\d+$/)
    assert.equal(headers['x-cf-sdk-capabilities'], 'erasure-partial-v1, frequency-v1')
    sessions.add(headers['x-cf-session-id'])
    assert.ok(!path.includes(KEY), 'a key is never in an address')
  }
  const [event] = server.to('/events')
  assert.deepEqual(event?.body.context, { sessionId: [...sessions][0], platform: 'web' })
  assert.equal(sessions.size, 1)
  assert.equal(server.to('/sync')[0]?.path, '/sync?locale=ar-SA')
  const ids = new Set(server.received.map(({ headers }) => headers['x-cf-device']))
  ids.delete(undefined)
  assert.deepEqual([...ids], [client.snapshot().deviceId])
  assert.match(client.snapshot().deviceId ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('the constructor does nothing: no request, no timer, no look into storage', async () => {
  let reads = 0
  const storage: Storage = { ...memoryStorage(), getItem: () => (reads++, null) }
  const { server, time, client } = await bench({ storage })
  assert.deepEqual([server.received, time.waits(), reads, client.snapshot().status], [[], [], 0, 'stopped'])
  await assert.rejects(client.sync(), { code: 'STOPPED' })
  await assert.rejects(client.locales(), { code: 'STOPPED' })
})

test('C-SYNC-03 a 304 keeps what is there, and the snapshot is the same object', async () => {
  const { server, client } = await bench()
  server.on('/sync', ({ headers }, response) => {
    if (headers['if-none-match'] === '"one"') response.writeHead(304, { etag: '"one"', 'x-cf-env': 'live' }).end()
    else succeed(response, { blocks: [block('a')], config: CONFIG }, { etag: '"one"' })
  })
  server.on('/strings', ({ headers }, response) => {
    if (headers['if-none-match'] === '"two"') response.writeHead(304).end()
    else succeed(response, { locale: 'en', strings: {} }, { etag: '"two"' })
  })
  client.start()
  await client.sync()
  const [before, asked] = [client.snapshot(), server.to('/sync').length]
  await client.sync()
  assert.equal(server.to('/sync').at(-1)?.headers['if-none-match'], '"one"')
  assert.ok(server.to('/sync').length > asked)
  assert.equal(client.snapshot(), before)
  client.stop()
})

for (const [name, retryAfter, leastMs] of [
  ['seconds', () => '60', 60_000],
  ['an HTTP date', (now: number) => new Date(now + 90_000).toUTCString(), 90_000],
  ['more than an hour', () => '99999', 3_600_000],
] as const)
  test(`C-ERR-27 after a 429 with Retry-After as ${name} the next attempt comes then and not before`, async () => {
    const { server, time, client } = await bench()
    let isRefusing = true
    server.on('/sync', (_request, response) => {
      if (isRefusing)
        json(
          response,
          429,
          { success: false, error: { message: 'slow down', code: 'SDK_RATE_LIMIT_EXCEEDED', details: {} } },
          { 'retry-after': retryAfter(time.now()) },
        )
      else succeed(response, { blocks: [block('a')], config: CONFIG })
    })
    client.start()
    await settled(client)
    assert.equal(client.snapshot().status, 'offline')
    await assert.rejects(client.sync(), { code: 'RETRY_LATER' })
    isRefusing = false
    time.advance(leastMs - 1)
    assert.equal(server.to('/sync').length, 1)
    time.advance(1_001)
    await until('blocks', () => client.blocks().length === 1)
    assert.equal(client.snapshot().status, 'ready')
    client.stop()
  })

const FAILURES: Record<string, { fail: (response: ServerResponse) => unknown; isSlow?: true }> = {
  'a connection that is cut': { fail: (response) => response.destroy() },
  'a 500': { fail: (response) => json(response, 500, { success: false, error: 'broken' }) },
  'a 503': { fail: (response) => json(response, 503, { success: false, error: 'down', code: 'UPSTREAM_UNAVAILABLE', retryable: true }) },
  'a page of somebody else': {
    fail: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to the hotel</h1>'),
  },
  'half an answer': { fail: (response) => response.writeHead(200, { 'content-length': '500' }).write('{"success":true'), isSlow: true },
  'no answer at all': { fail: () => {}, isSlow: true },
}

for (const [name, { fail, isSlow }] of Object.entries(FAILURES))
  test(`C-ERR-27 ${name} is followed by another attempt after 1, 2, 4 and 8 seconds, and what was known stays`, async () => {
    const { server, time, client, heard } = await bench()
    server.on('/sync', (_request, response) => succeed(response, { blocks: [block('a')], config: CONFIG }))
    client.start()
    await client.sync()
    server.on('/sync', (_request, response) => void fail(response))
    let wait = 30_000
    for (const next of [1_000, 2_000, 4_000, 8_000]) {
      const asked = server.to('/sync').length
      time.advance(wait - 1)
      assert.equal(server.to('/sync').length, asked)
      time.advance(1)
      await until('the attempt', () => server.to('/sync').length === asked + 1)
      if (isSlow) time.advance(30_000)
      await until('the failure', () => time.waits().includes(next))
      assert.deepEqual([client.blocks().length, client.snapshot().status], [1, 'offline'])
      wait = next
    }
    assert.deepEqual(
      heard.map((each) => each.name),
      ['offline'],
      'told once',
    )
    server.on('/sync', (_request, response) => succeed(response, { blocks: [], config: CONFIG }))
    time.advance(wait)
    await until('online', () => heard.some((each) => each.name === 'online'))
    assert.deepEqual(client.blocks(), [], 'an empty answer is an answer')
    client.stop()
  })

for (const [status, code] of [
  [401, 'INVALID_SDK_KEY'],
  [401, 'TENANT_KEY_MISMATCH'],
  [403, 'SDK_KEY_IN_QUERY'],
] as const)
  test(`C-AUTH-41 ${status} ${code} ends it for good: one request, no timer, and everything that waits is refused`, async () => {
    const { server, time, client, heard } = await bench()
    server.on('/sync', (_request, response) => json(response, status, { success: false, error: 'no', code }))
    server.on('/strings', () => {})
    client.start()
    await until('the end', () => client.snapshot().status === 'rejected')
    const count = server.received.length
    await assert.rejects(client.identify({ consent: true }), { code })
    await assert.rejects(client.sync(), { code })
    await assert.rejects(client.locales(), { code })
    client.track({ type: 'x' })
    client.start()
    time.advance(86_400_000)
    assert.deepEqual([server.received.length, time.waits()], [count, []])
    assert.deepEqual(
      heard.map(({ name }) => name),
      ['rejected'],
    )
  })

test('C-AUTH-22 a 503 of a key that cannot be checked is no refusal of the key', async () => {
  const { server, time, client } = await bench()
  server.on('/sync', (_request, response) => json(response, 503, { success: false, error: 'keys cannot be checked' }))
  client.start()
  await settled(client)
  assert.equal(client.snapshot().status, 'offline')
  server.on('/sync', (_request, response) => succeed(response, { blocks: [], config: CONFIG }))
  time.advance(1_000)
  await until('ready', () => client.snapshot().status === 'ready')
  client.stop()
})

test('C-LIMIT-18 501 events tracked offline keep the newest 500, and they arrive in hundreds, each with an id of its own', async () => {
  const { server, time, client, heard } = await bench()
  client.start()
  await client.identify({ consent: true })
  server.on('/events', (_request, response) => response.destroy())
  for (let i = 1; i <= 501; i++) client.track({ type: 'x', value: i })
  client.flush()
  await until('a failure', () => time.waits().includes(1_000))
  assert.equal(client.pending(), 500)
  const arrived: { value: number; eventId: string; timestamp: string }[] = []
  server.on('/events', ({ body }, response) => {
    arrived.push(...body.events)
    json(response, 202, { success: true, data: { accepted: body.events.length, dropped: 0, dropReasons: {} } })
  })
  time.advance(1_000)
  await until('all arrived', () => client.pending() === 0)
  assert.deepEqual(
    arrived.map(({ value }) => value),
    Array.from({ length: 500 }, (_, i) => i + 2),
  )
  assert.equal(new Set(arrived.map(({ eventId }) => eventId)).size, 500)
  assert.deepEqual(
    heard.filter(({ name }) => name === 'dropped').map(({ value }) => value),
    [{ queue_full: 1 }],
  )
  client.stop()
})

test('an event whose answer was lost is sent again under the same id', async () => {
  const { server, time, client } = await bench()
  client.start()
  await client.identify({ consent: true })
  server.on('/events', (_request, response) => response.destroy())
  client.track({ type: 'x' })
  time.advance(2_000)
  await until('a failure', () => time.waits().includes(1_000))
  time.advance(1_000)
  await until('a second attempt', () => server.to('/events').length === 2)
  const [first, second] = server.to('/events').map(({ body }) => body.events[0].eventId)
  assert.equal(first, second)
  client.stop()
})

test('a write that takes longer resolves as pending and is done in the end; a refusal nobody waits for is told', async () => {
  const { server, time, client, errors } = await bench()
  server.on('/identify', (_request, response) => json(response, 502, { success: false, error: 'down' }))
  client.start()
  assert.deepEqual(await client.identify({ consent: true, userId: 'sara' }), { status: 'pending' })
  assert.equal(client.snapshot().userId, undefined)
  server.on('/identify', (_request, response) => json(response, 409, { success: false, error: 'pending', code: 'ERASURE_PENDING' }))
  time.advance(1_000)
  await until('told', () => errors().length === 1)
  assert.deepEqual([errors(), client.pending()], [['ERASURE_PENDING'], 0])
  await assert.rejects(client.identify({ consent: true }), { code: 'ERASURE_PENDING', status: 409 })
  client.stop()
})

test('with a denial nothing about the person is sent, and places stay on the device', async () => {
  const { server, client } = await bench()
  client.start()
  await client.identify({ consent: false, userId: 'sara', traits: { plan: 'gold' }, email: 'sara@example.com' })
  assert.deepEqual(server.to('/identify')[0]?.body, { consent: false, deviceId: client.snapshot().deviceId })
  client.track({ type: 'x' })
  assert.equal(client.pending(), 0)
  await assert.rejects(client.trackLocation([{ latitude: 1, longitude: 2 }]), { code: 'LOCATION_CONSENT_REQUIRED' })
  client.stop()
})

test('C-CAMP-06 C-CAMP-15 campaigns are asked for the installation and language, and an answer about somebody who left meanwhile is asked for again', async () => {
  const { server, client } = await bench({ locale: 'ar', platform: 'web', appVersion: '2.1.0' })
  client.start()
  await client.identify({ consent: true, userId: 'sara' })
  let isFirst = true
  server.on('/campaigns', ({ headers }, response) => {
    const answer = () =>
      json(response, 200, { success: true, data: [{ id: String(headers['x-cf-device']) }], metadata: { campaignCount: 1 } })
    const leave = async () => {
      await client.logout()
      answer()
    }
    if (isFirst) void leave()
    else answer()
    isFirst = false
  })
  server.on('/logout', (_request, response) => succeed(response, { loggedOut: true }))
  const campaigns = await client.campaigns('home', { attributes: { cart: 3 } })
  assert.equal(campaigns.length, 1)
  const [first, second] = server.to('/campaigns')
  assert.deepEqual(first?.body, { attributes: { cart: 3 }, placementId: 'home', deviceInfo: { platform: 'web', appVersion: '2.1.0' } })
  assert.equal(first?.headers['accept-language'], 'ar')
  assert.equal(server.to('/campaigns').length, 2)
  assert.ok(second)
  client.stop()
})

test('C-STREAM-15 signals of any name, in pieces of any size, bring a sync; the stream comes back with its last id', async () => {
  const { server, time, client } = await bench()
  server.on('/sync', (_request, response) =>
    succeed(response, { blocks: [block(`b${server.to('/sync').length}`)], config: { ...CONFIG, features: {} } }),
  )
  client.start()
  await until('the stream', () => server.streams.length === 1)
  await until('a sync after it opened', () => server.to('/sync').length === 2)
  for (const [i, frame] of [
    'id: 4\nevent: block.published\ndata: {}\n\n',
    'id: 5\r\nevent: something.new\r\ndata: {}\r\n\r\n',
    'data\n\n',
  ].entries()) {
    const asked = server.to('/sync').length
    for (const letter of frame) server.streams[0]?.write(letter)
    await until(`a sync after signal ${i}`, () => server.to('/sync').length > asked)
  }
  server.streams[0]?.destroy()
  await until('it is noticed', () => time.waits().includes(1_000))
  time.advance(1_000)
  await until('the stream again', () => server.to('/stream').length === 2)
  assert.equal(server.to('/stream')[1]?.headers['last-event-id'], '5')
  client.stop()
})

test('where fetch cannot stream, polling is left', async () => {
  const { server, time, client } = await bench({
    fetch: async (url, init) => {
      const response = await globalThis.fetch(url, init)
      return response.url.endsWith('/stream') ? ({ ok: true, status: 200, headers: response.headers, body: null } as Response) : response
    },
  })
  server.on('/sync', (_request, response) => succeed(response, { blocks: [], config: { ...CONFIG, features: {} } }))
  client.start()
  await until('the stream was tried', () => server.to('/stream').length === 1)
  await until('polling', () => time.waits()[0] === 30_000)
  time.advance(30_000)
  await until('a poll', () => server.to('/sync').length === 2)
  assert.equal(server.to('/stream').length, 1)
  client.stop()
})

test('a clock that is set back stops nothing', async () => {
  const time = manualTime()
  let offset = 0
  const { server, client } = await bench({ now: () => time.now() + offset, schedule: time.schedule })
  client.start()
  await client.sync()
  offset = -86_400_000
  time.advance(30_000)
  await until('a poll', () => server.to('/sync').length === 2)
  await until('its answer', () => time.waits()[0] === 30_000)
  time.advance(30_000)
  await until('another poll', () => server.to('/sync').length === 3)
  client.stop()
})

test('a listener that fails stops neither the client nor the others, and its fault is not lost; unsubscribing works', async (t) => {
  const { client } = await bench()
  const later: (() => void)[] = []
  const queue = t.mock.method(globalThis, 'queueMicrotask', (run: () => void) => void later.push(run))
  let calls = 0
  client.on('change', () => {
    if (calls === 0) throw new Error('fault of the application')
  })
  const stop = client.subscribe(() => void calls++)
  client.start()
  assert.ok(calls > 0)
  assert.throws(() => later[0]?.(), /fault of the application/)
  queue.mock.restore()
  await client.sync()
  stop()
  const before = calls
  client.setLocale('ar')
  assert.equal(calls, before)
  client.stop()
})

test('a stopped client ends what is under way, and starts again where it was', async () => {
  const { server, time, client } = await bench()
  server.on('/sync', () => {})
  client.start()
  const sync = client.sync()
  const { deviceId } = client.snapshot()
  client.stop()
  await assert.rejects(sync, { code: 'STOPPED' })
  assert.deepEqual(time.waits(), [])
  server.on('/sync', (_request, response) => succeed(response, { blocks: [block('a')], config: CONFIG }))
  client.start()
  await client.sync()
  assert.deepEqual([client.blocks().length, client.snapshot().deviceId], [1, deviceId])
  client.stop()
})

test('C-BLK-23 C-BLK-24 an in-app message that was answered is gone at once, and what was answered is reported', async () => {
  const { server, client } = await bench()
  const message = (id: string) => block(id, { key: 'journey_message', source: 'campaign', campaignId: `c-${id}` })
  server.on('/sync', (_request, response) => succeed(response, { blocks: [message('msg_1'), message('msg_2')], config: CONFIG }))
  client.start()
  await client.identify({ consent: true, userId: 'sara' })
  await client.sync()
  const [one, two] = client.blocks('journey_message')
  assert.ok(one && two)
  client.dismiss(one)
  assert.deepEqual(client.blocks(), [two])
  client.click(two)
  assert.deepEqual(client.blocks(), [])
  client.flush()
  await until('reported', () => server.to('/events').length === 1)
  const { events } = server.to('/events')[0]?.body ?? {}
  assert.deepEqual(
    events.map(({ type, blockKey, instanceId, campaignId }: Record<string, string>) => [type, blockKey, instanceId, campaignId]),
    [
      ['dismiss', 'journey_message', 'msg_1', 'c-msg_1'],
      ['cta_click', 'journey_message', 'msg_2', 'c-msg_2'],
    ],
  )
  client.stop()
})
