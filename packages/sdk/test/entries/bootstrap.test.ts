/** What is shown before the first request, and when there never is an answer (decision 90). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStorage } from '../../src/shell/storage.ts'
import type { Block, Bootstrap, Defaults } from '../../src/types.ts'
import { bench, clientFor } from '../support/bench.ts'
import { CONFIG, scriptedServer, succeed } from '../support/scripted-server.ts'
import { block } from '../support/states.ts'
import { until } from '../../../server/test/harness/until.ts'

const catalog = (strings: Record<string, string>, locale = 'en') => ({ locale, strings, smartKeys: [], withheldKeys: [], version: '1' })
const bootstrapOf = (id: string, text: string): Bootstrap => ({
  sync: { blocks: [block(id)], config: CONFIG },
  strings: catalog({ hello: text }),
})
const DEFAULTS: Defaults = {
  locale: 'ar',
  strings: { hello: 'أهلًا {name}', items: '{n, plural, two {عنصران} other {# عناصر}}' },
  blocks: [block('default') as Block],
}

test('what a server asked for is there before the start, without a request, and stays until the server answers this client', async () => {
  const storage = memoryStorage()
  const server = await scriptedServer()
  server.on('/sync', (_request, response) => succeed(response, { blocks: [block('older')], config: CONFIG }))
  const before = clientFor(server, { storage }).client
  before.start()
  await before.sync()
  before.stop()

  server.on('/sync', (_request, response) => succeed(response, { blocks: [block('newest')], config: CONFIG }))
  const asked = server.received.length
  const { client } = clientFor(server, { storage, bootstrap: bootstrapOf('came', 'Hello {name}') })
  const seen = [client.snapshot()]
  client.subscribe(() => seen.push(client.snapshot()))
  assert.deepEqual([client.snapshot().isReady, client.snapshot().status], [true, 'stopped'])
  assert.equal(client.t('hello', { name: 'Sara' }), 'Hello Sara')
  assert.equal(server.received.length, asked)
  client.start()
  await client.sync()
  const ids = seen.map(({ blocks }) => blocks.map(({ instanceId }) => instanceId).join())
  assert.deepEqual([...new Set(ids)], ['came', 'newest'])
  assert.equal(client.t('hello'), 'hello', 'the answer replaces the texts as well')
  assert.equal(client.snapshot().deviceId, before.snapshot().deviceId)
  client.stop()
})

test('only blocks or only texts may come, and what is no answer is as if it had not come', async () => {
  const of = async (bootstrap: unknown) => (await bench({ bootstrap: bootstrap as Bootstrap })).client
  const blocksOnly = await of({ sync: bootstrapOf('a', '').sync })
  assert.deepEqual([blocksOnly.blocks().length, blocksOnly.strings(), blocksOnly.snapshot().isReady], [1, undefined, false])
  const textsOnly = await of({ strings: catalog({ hello: 'Hi' }) })
  assert.deepEqual([textsOnly.t('hello'), textsOnly.blocks().length, textsOnly.snapshot().isReady], ['Hi', 0, false])
  for (const malformed of [
    {},
    { sync: {}, strings: {} },
    { sync: { blocks: 'x' }, strings: { locale: 1 } },
    { sync: { blocks: [null, 7] } },
  ])
    assert.deepEqual((await of(malformed)).blocks(), [])
})

test('while a person leaves, nothing that is aimed at them comes in with the page', async () => {
  const storage = memoryStorage()
  const server = await scriptedServer()
  server.on('/sync', (_request, response) => response.destroy())
  const first = clientFor(server, { storage }).client
  first.start()
  await first.identify({ consent: true, userId: 'sara' })
  server.on('/logout', (_request, response) => response.destroy())
  assert.equal((await first.logout()).status, 'pending')
  first.stop()
  const sync = { blocks: [block('theirs', { segment: 'gold' }), block('all')], config: CONFIG }
  const { client } = clientFor(server, { storage, bootstrap: { sync } })
  client.start()
  assert.deepEqual(
    client.blocks().map(({ instanceId }) => instanceId),
    ['all'],
  )
  client.stop()
})

test('an app that starts offline for the first time shows its defaults and never a key', async () => {
  const server = await scriptedServer()
  for (const path of ['/sync', '/strings']) server.on(path, (_request, response) => response.destroy())
  const { client } = clientFor(server, { defaults: DEFAULTS })
  assert.deepEqual([client.snapshot().isReady, client.t('hello', { name: 'سارة' })], [false, 'أهلًا سارة'])
  client.start()
  assert.deepEqual([client.snapshot().status, client.snapshot().isReady], ['loading', false])
  await until('offline', () => client.snapshot().isReady)
  assert.equal(client.snapshot().status, 'offline')
  assert.deepEqual([client.block('promo')?.instanceId, client.t('items', { n: 2 }), client.t('unknown')], ['default', 'عنصران', 'unknown'])
  client.stop()
})

test('the first answer replaces default blocks, and default texts stand in only for what the catalog lacks', async () => {
  const { client, server } = await bench({ defaults: DEFAULTS })
  server.on('/strings', (_request, response) => succeed(response, catalog({ hello: 'Hello {name}' })))
  client.start()
  await client.sync()
  assert.deepEqual([client.blocks(), client.t('hello', { name: 'Sara' }), client.t('items', { n: 2 })], [[], 'Hello Sara', 'عنصران'])
  assert.equal(client.t('hello', { name: 'Sara' }, { ...client.snapshot(), strings: undefined }), 'أهلًا Sara')
  client.stop()
})

test('isReady also comes when texts or blocks are refused for good, and when the key is', async () => {
  for (const path of ['/strings', '/sync']) {
    const { client, server } = await bench()
    server.on(
      path,
      (_request, response) => void response.writeHead(403, { 'content-type': 'application/json' }).end('{"success":false,"error":"off"}'),
    )
    client.start()
    await until(`ready without ${path}`, () => client.snapshot().isReady)
    client.stop()
  }
  const { client, server } = await bench()
  server.on(
    '/sync',
    (_request, response) =>
      void response.writeHead(401, { 'content-type': 'application/json' }).end('{"success":false,"error":"no","code":"INVALID_SDK_KEY"}'),
  )
  client.start()
  await until('rejected', () => client.snapshot().status === 'rejected')
  assert.equal(client.snapshot().isReady, true)
})
