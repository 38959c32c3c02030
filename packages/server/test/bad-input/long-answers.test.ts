/** Content that is too much for one answer hurts nobody but whoever has it, and only where it is too much. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { sql } from 'kysely'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus, type Answer } from '../builders/builders.ts'
import { launch, setStatus } from '../builders/campaigns.ts'
import { insertDevice } from '../builders/devices.ts'
import { startApp } from '../harness/start-app.ts'
import { until } from '../harness/until.ts'

const { ctx, url, workspace } = await startApp()

function assertTooLong({ status, body, headers }: Answer): void {
  assert.deepEqual([status, body.success, body.code, body.retryable], [503, false, 'UPSTREAM_UNAVAILABLE', true])
  assert.match(body.error, /too much content/)
  assert.deepEqual([headers.get('retry-after'), headers.get('x-cf-env'), headers.get('etag')], ['60', 'live', null])
}

test('a few blocks in collections of many others are no answer of gigabytes', async () => {
  const ws = await workspace()
  const collection = (of: string) => ({ fields: [{ tag: '#items', type: 'collection', allowedBlockKeys: [of], maxItems: 200 }] })
  await ws.block('leaf')
  await ws.block('middle', collection('leaf'))
  await ws.block('top', collection('middle'))
  const many = async (key: string, count: number, values: object): Promise<string[]> => {
    const made = []
    for (let i = 0; i < count; i++) made.push((await ws.instance(key, { values })).id)
    return made
  }
  const leaves = await many('leaf', 100, { '#title': 'x'.repeat(2_000) })
  const middles = await many('middle', 9, { '#items': leaves })
  assert.equal(expectStatus(await ws.app.get('/sync'), 200).data.blocks.length, 109)
  const device = { 'x-cf-device': await insertDevice(ctx, ws.id, 'gold', { segments: ['Gold'] }) }
  for (let i = 0; i < 10; i++) await ws.instance('top', { values: { '#items': middles }, seg: 'Gold' })
  // 10 times 9 times 100 blocks of two thousand characters, for some people.
  for (const path of ['/sync', '/sync', '/blocks/top'])
    assertTooLong(await ws.app.get(path, { headers: { ...device, 'if-none-match': '""' } }))
  assert.equal(expectStatus(await ws.app.get('/blocks/middle', { headers: device }), 200).data.instances.length, 9)
  assert.equal(expectStatus(await ws.app.get('/sync'), 200).data.blocks.length, 109)
  const isTooLong = async () => expectStatus(await ws.admin.get('/explain/blocks/top?deviceId=gold'), 200).data.isTooLong
  assert.equal(await isTooLong(), true)
  const tops = expectStatus(await ws.admin.get('/blocks/top/instances?limit=20'), 200).data.instances.map(({ id }: any) => id)
  for (const id of tops.slice(1)) expectStatus(await ws.admin.post(`/blocks/top/instances/${id}/unpublish`, {}), 200)
  assert.equal(expectStatus(await ws.app.get('/sync', { headers: device }), 200).data.blocks.length, 110)
  assert.equal(await isTooLong(), false)
})

test('nobody publishes, by whatever way, what would take everybody their answer; nothing of it is kept, and less is published', async () => {
  const ws = await workspace()
  const items = (of: string) => ({ id: 'f_items', tag: '#items', type: 'collection', allowedBlockKeys: [of], maxItems: 200 })
  const title = { id: 'f_title', tag: '#title', type: 'text' }
  await ws.block('leaf', { fields: [title] })
  await ws.block('top', { fields: [title, items('leaf')] })
  const leaves: string[] = []
  for (let i = 0; i < 25; i++) leaves.push((await ws.instance('leaf', { values: { '#title': 'x'.repeat(80_000) } })).id)
  const values = { '#items': leaves }
  // Two million characters each: with the leaves themselves seven are fourteen million and more.
  for (let i = 0; i < 6; i++) await ws.instance('top', { values })
  const last = await ws.instance('top', { values }, { publish: false })
  const blocks = async () => (await ws.blocks()).length
  assert.equal(await blocks(), 31)
  const top = `/blocks/top/instances/${last.id}`
  const seed = (status: string) => ({
    blocks: [
      { key: 'leaf', name: 'Leaf', fields: [title] },
      { key: 'top', name: 'Top', fields: [title, items('leaf')], instances: [{ externalId: 'seed', status, values }] },
    ],
  })
  const ways = {
    publish: () => ws.admin.post(`${top}/publish`, {}),
    'publish for test': () => ws.admin.post(`${top}/publish`, { target: 'test' }),
    manifest: () => ws.write.post('/cards/sync', seed('live')),
    longer: () => ws.admin.put(`/blocks/leaf/instances/${leaves[0]}`, { values: { '#title': 'x'.repeat(262_000) } }),
  }
  await ws.instance('top', { values: { '#items': leaves.slice(0, 10) } })
  for (const [name, way] of Object.entries(ways)) {
    const { status, body, text } = await way()
    assert.deepEqual([status, body.code], [409, 'ANSWER_TOO_LONG'], `${name}: ${text}`)
  }
  assert.equal(await blocks(), 32)
  // What not everybody gets may be more, and so may a draft.
  expectStatus(await ws.write.post('/cards/sync', seed('draft')), 200)
  await ws.instance('top', { values, seg: 'Gold' })
  const published = (await ws.blocks()).filter(({ key }) => key === 'top').map(({ instanceId }) => instanceId)
  expectStatus(await ws.admin.post(`/blocks/top/instances/${published[0]}/unpublish`, {}), 200)
  expectStatus(await ws.admin.post(`${top}/publish`, {}), 200)
  assert.equal(await blocks(), 32)
})

test('a catalog too long for an answer is fetched by namespace', async () => {
  const ws = await workspace()
  for (const namespace of ['a', 'b']) {
    const count = Math.ceil(LIMITS.answerLength / LIMITS.stringTextLength / 2) + 1
    const rows = Array.from({ length: count }, (_, i) => ({
      key: `${namespace}${i}`,
      namespace,
      sourceText: 'x'.repeat(LIMITS.stringTextLength),
    }))
    expectStatus(await ws.write.post('/strings/sync', { strings: rows }), 200)
  }
  assertTooLong(await ws.app.get('/strings'))
  for (const namespace of ['a', 'b'])
    assert.ok(Object.keys(expectStatus(await ws.app.get(`/strings?namespace=${namespace}`), 200).data.strings).length > 400)
})

test('campaigns that are too long for one list are none', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const { id } = await launch(ws, editor, { content: { en: { title: 'Long', body: 'x'.repeat(20_000) } } })
  const copies = LIMITS.answerLength / 20_000
  await sql`insert into campaigns select (jsonb_populate_record(c, jsonb_build_object('id', 'copy-' || i))).*
    from campaigns c, generate_series(1, ${copies}) as i where workspace_id = ${ws.id} and id = ${id}`.execute(ctx.db)
  // With it the others are read.
  const last = await launch(ws, editor)
  const campaigns = () => ws.app.post('/campaigns', {}, { headers: { 'x-cf-device': 'd' } })
  for (let times = 0; times < 2; times++) assertTooLong(await campaigns())
  await sql`delete from campaigns where workspace_id = ${ws.id} and id like 'copy-%'`.execute(ctx.db)
  expectStatus(await setStatus(ws.admin, last.id, 'paused'), 200)
  assert.equal(expectStatus(await campaigns(), 200).data.length, 1)
})

test('large answers that nobody takes are so many of one workspace, and one that all get is sent to all', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const fields = Array.from({ length: 36 }, (_, i) => ({ id: `f${i}`, tag: `#f${i}`, type: 'text' }))
  for (const each of [ws, other]) await each.block('large', { fields })
  const values = Object.fromEntries(fields.map(({ tag }) => [tag, 'v'.repeat(250_000)]))
  const locales = ['ar', 'fr', 'de', 'es', 'tr', 'ur', 'fa', 'hi', 'it', 'pt']
  await ws.instance('large', { values, translations: Object.fromEntries(locales.map((locale) => [locale, { '#f0': locale }])) })
  await other.instance('large', { values })
  const sockets: Socket[] = []
  /** Asks, and takes nothing but the beginning. */
  const status = async (key: string, locale: string): Promise<string> => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    socket.write(`GET /sdk/v1/sync?locale=${locale} HTTP/1.1\r\nhost: x\r\nx-cf-key: ${key}\r\nx-cf-device: d${sockets.length}\r\n\r\n`)
    const [begin] = await once(socket, 'data')
    socket.pause()
    return String(begin).slice(9, 12)
  }
  const seen: string[] = []
  for (const locale of locales) seen.push(await status(ws.live, locale))
  // Nine megabytes each, and 32 are enough.
  assert.deepEqual(seen, [...Array(4).fill('200'), ...Array(6).fill('503')])
  for (let times = 0; times < 10; times++) assert.equal(await status(other.live, 'en'), '200')
  const refused = await ws.app.get(`/sync?locale=${locales.at(-1)}`)
  assert.deepEqual([refused.status, refused.body.code, refused.headers.get('retry-after')], [503, 'UPSTREAM_UNAVAILABLE', '5'])
  // What is small is answered meanwhile, also what nobody asked for before.
  await ws.block('small')
  assert.equal((await ws.app.get('/blocks/small')).status, 200)
  assert.equal((await ws.app.post('/campaigns', {})).status, 200)
  for (const socket of sockets) socket.destroy()
  await until('they are let go', async () => (await ws.app.get(`/sync?locale=${locales.at(-1)}`)).status === 200)
  // Who leaves before the answer is made takes no room.
  for (const [i, locale] of locales.entries()) {
    const socket = connect(Number(new URL(url).port), new URL(url).hostname)
    await once(socket, 'connect')
    socket.write(`GET /sdk/v1/sync?locale=${locale} HTTP/1.1\r\nhost: x\r\nx-cf-key: ${ws.live}\r\nx-cf-device: gone-${i}\r\n\r\n`, () =>
      socket.destroy(),
    )
    await once(socket, 'close')
  }
  await until('they are let go', async () => (await ws.app.get(`/sync?locale=${locales.at(-1)}`)).status === 200)
})
