/** What a client remembers between runs, and who else may write there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStorage } from '../src/shell/storage.ts'
import type { Storage } from '../src/types.ts'
import { bench, clientFor } from './support/bench.ts'
import { CONFIG, scriptedServer, succeed } from './support/scripted-server.ts'
import { block } from './support/states.ts'
import { until } from '../../server/test/harness/until.ts'

test('last known content, texts, queue and person are there at once after a restart, before the network', async () => {
  const storage = memoryStorage()
  const server = await scriptedServer()
  server.on('/sync', (_request, response) => succeed(response, { blocks: [block('a')], config: CONFIG }, { etag: '"one"' }))
  server.on('/strings', (_request, response) =>
    succeed(response, { locale: 'en', strings: { hi: 'Hi {name}' }, smartKeys: [], withheldKeys: [], version: '1' }, { etag: '"two"' }),
  )
  const first = clientFor(server, { storage }).client
  first.start()
  await first.identify({ consent: true, userId: 'sara' })
  await first.sync()
  first.track({ type: 'kept' })
  first.stop()

  server.on('/sync', (_request, response) => response.destroy())
  server.on('/strings', (_request, response) => response.destroy())
  const { client, time } = clientFor(server, { storage })
  client.start()
  const { deviceId, blocks, userId, consent } = client.snapshot()
  assert.deepEqual(
    [deviceId, blocks.length, userId, consent, client.t('hi', { name: 'Sara' })],
    [first.snapshot().deviceId, 1, 'sara', 'granted', 'Hi Sara'],
  )
  await until('the queue', () => server.to('/events').length === 1)
  assert.equal(server.to('/events')[0]?.body.events[0].type, 'kept')
  await until('offline', () => client.snapshot().status === 'offline')
  assert.equal(client.blocks().length, 1, 'a failed sync never empties anything')
  assert.equal(server.to('/sync').at(-1)?.headers['if-none-match'], '"one"')
  assert.equal(server.to('/strings').at(-1)?.headers['if-none-match'], '"two"')
  client.stop()
  assert.ok(time.waits().length <= 1)
})

test('an asynchronous storage is read before anything is written, and is as good', async () => {
  const inner = memoryStorage()
  const later = async <Value>(value: Value) => (await new Promise((resolve) => setImmediate(resolve)), value)
  const storage: Storage = {
    getItem: async (key) => later(await inner.getItem(key)),
    setItem: async (key, value) => {
      await later(0)
      await inner.setItem(key, value)
    },
  }
  const server = await scriptedServer()
  server.on('/sync', (_request, response) => succeed(response, { blocks: [block('a')], config: CONFIG }))
  const first = clientFor(server, { storage }).client
  first.start()
  assert.equal(first.snapshot().deviceId, undefined)
  const identified = first.identify({ consent: true, userId: 'sara' })
  assert.equal((await identified).status, 'done')
  await first.sync()
  const { deviceId } = first.snapshot()
  first.stop()
  await later(0)
  const { client } = clientFor(server, { storage })
  client.start()
  await until('it was read', () => client.snapshot().deviceId !== undefined)
  assert.deepEqual([client.snapshot().deviceId, client.snapshot().userId, client.blocks().length], [deviceId, 'sara', 1])
  client.stop()
})

test('a storage that refuses is told once, and the client works without it; a garbled one is as if it were empty', async () => {
  const broken: Storage = {
    getItem: () => {
      throw new Error('denied')
    },
    setItem: () => {
      throw new Error('full')
    },
  }
  for (const storage of [broken, { ...memoryStorage(), setItem: () => Promise.reject(new Error('full')) }]) {
    const { client, errors } = await bench({ storage })
    client.start()
    await client.sync()
    assert.equal(client.snapshot().status, 'ready')
    await until('told', () => errors().length > 0)
    assert.deepEqual(errors(), ['STORAGE'])
    client.stop()
  }
  const { client, errors } = await bench({ storage: { ...memoryStorage(), getItem: () => '{"deviceId":' } })
  client.start()
  await client.sync()
  assert.deepEqual([client.snapshot().status, errors()], ['ready', []])
  client.stop()
})

test('without consent events are not stored on the device', async () => {
  const storage = memoryStorage()
  const { server, client } = await bench({ storage })
  client.start()
  client.track({ type: 'secret' })
  assert.equal(client.pending(), 1)
  client.stop()
  const { client: again } = clientFor(server, { storage })
  again.start()
  assert.equal(again.pending(), 0)
  again.stop()
})

test('two tabs of one origin do not overwrite each other, and an event of either counts once', async () => {
  const storage = memoryStorage()
  const server = await scriptedServer()
  server.on('/events', (_request, response) => response.destroy())
  const [a, b] = [clientFor(server, { storage }), clientFor(server, { storage })]
  a.client.start()
  await a.client.identify({ consent: true })
  b.client.start()
  a.client.track({ type: 'a' })
  b.client.track({ type: 'b' })
  a.client.stop()
  b.client.stop()
  const { client } = clientFor(server, { storage })
  client.start()
  assert.equal(client.pending(), 2)
  client.stop()
})

test('C-LIMIT-19 a popup shows once a day: not again the same day, also after a restart, and again the next', async () => {
  const storage = memoryStorage()
  const server = await scriptedServer()
  server.on('/sync', (_request, response) => succeed(response, { blocks: [block('p', { designType: 'popup' })], config: CONFIG }))
  const first = clientFor(server, { storage })
  first.client.start()
  await first.client.sync()
  const [popup] = first.client.blocks()
  assert.ok(popup)
  assert.equal(first.client.mayShow(popup), true)
  first.client.impression(popup)
  assert.equal(first.client.mayShow(popup), false)
  first.client.stop()
  const again = clientFor(server, { storage })
  again.client.start()
  assert.equal(again.client.mayShow(popup), false)
  again.time.advance(86_400_000)
  assert.equal(again.client.mayShow(popup), true)
  again.client.stop()
})

/** As another app, a person with developer tools or a fault may leave it. */
const CORRUPT: Readonly<Record<string, readonly unknown[]>> = {
  device: [
    5,
    { deviceId: 7 },
    { link: 'x' },
    { link: { consent: 'granted', renewAt: 'soon' } },
    { channels: [] },
    { over: {} },
    { shown: { a: 1 } },
  ],
  content: [
    [],
    { content: null },
    { content: { blocks: {} } },
    { content: { blocks: [], config: 4 } },
    { content: { blocks: [null, { key: 1 }], config: { features: {}, pollIntervalSeconds: 'x', popupDefaultFrequency: {} } } },
  ],
  texts: ['x', { texts: {} }, { texts: { catalog: { locale: 'en', strings: [] } } }],
  outbox: [
    { items: 5 },
    {
      items: [
        null,
        3,
        { kind: 'event' },
        { id: 'a', kind: 'of tomorrow', body: {}, sessionId: 's' },
        { id: 'b', kind: 'toString', body: {} },
      ],
    },
  ],
}

for (const [part, all] of Object.entries(CORRUPT))
  for (const value of ['{', ...all.map((each) => JSON.stringify(each))])
    test(`${part} that holds ${value} is as if it had never been stored`, async () => {
      const storage = memoryStorage()
      const { server, client } = await bench({
        storage: { ...storage, getItem: (name) => (name.endsWith(`:${part}`) ? value : storage.getItem(name)) },
      })
      const errors: unknown[] = []
      client.on('error', (error) => void errors.push(error))
      client.start()
      await client.identify({ consent: true, userId: 'sara' })
      client.track({ type: 'x' })
      client.flush()
      await until('sent', () => client.pending() === 0 && server.to('/events').length === 1)
      await client.sync()
      assert.deepEqual([client.snapshot().status, client.t('a'), client.blocks(), errors], ['ready', 'a', [], []])
      client.stop()
    })
