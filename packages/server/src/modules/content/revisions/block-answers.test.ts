import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { insertDevice } from '../../../../test/builders/devices.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx } = await startApp()

const path = (id: string) => `/blocks/promo/instances/${id}`
const goldDevice = (ws: Workspace) => insertDevice(ctx, ws.id, randomUUID(), { segments: ['Gold'] })
const block = async (ws: Workspace, device?: string, key = ws.live) =>
  ws.sdk({ 'x-cf-key': key, ...(device && { 'x-cf-device': device }) }).get('/blocks/promo')

async function shop(definition: object = {}) {
  const ws = await workspace()
  await ws.block('promo', definition)
  return ws
}

test('C-BLK-01 C-BLK-02 C-BLK-03 C-BLK-05 C-BLK-07 C-BLK-10 a delivered block is its type, its instance, values and schema', async () => {
  const ws = await shop({ name: 'Promo banner', screen: 'home', crumb: 'Home' })
  const { id } = await ws.instance('promo', { title: 'Internal', externalId: 'e', priority: 3, values: { '#title': 'Hi' } })
  const expected = {
    key: 'promo',
    name: 'Promo banner',
    screen: 'home',
    instanceId: id,
    version: 1,
    values: { '#title': 'Hi' },
    fields: [{ tag: '#title', type: 'text' }],
    visible: true,
  }
  assert.deepEqual(await ws.blocks(), [expected])
  assert.deepEqual((await block(ws)).data, { ...expected, instances: [expected] })
})

test('C-BLK-02 a type without a screen has an empty one', async () => {
  const ws = await shop()
  await ws.instance('promo')
  assert.equal((await ws.blocks())[0].screen, '')
})

test('C-BLK-04 G-36 segment names the target, and only a targeted instance has it', async () => {
  const ws = await shop()
  const gold = await goldDevice(ws)
  for (const seg of ['Gold', null, 'All users']) await ws.instance('promo', { seg, values: { '#title': String(seg) } })
  const expected = new Map([
    ['Gold', 'Gold'],
    ['null', undefined],
    ['All users', undefined],
  ])
  const blocks = await ws.blocks(gold)
  assert.equal(blocks.length, 3)
  for (const one of blocks) {
    const segment = expected.get(one.values['#title'])
    assert.equal(one.segment, segment)
    assert.equal('segment' in one, segment !== undefined)
  }
  assert.deepEqual((await ws.blocks()).map(({ values }) => values['#title']).sort(), ['All users', 'null'])
})

test('C-BLK-08 a collection names its allowed types, and its bounds when the definition has them', async () => {
  const ws = await shop({
    fields: [
      { id: 'a', tag: '#a', type: 'collection', allowedBlockKeys: ['item', 'other'] },
      { id: 'b', tag: '#b', type: 'collection', allowedBlockKeys: ['item'], minItems: 0, maxItems: 3 },
      { id: 'c', tag: '#c', type: 'collection', allowedBlockKeys: ['item'], maxItems: 2 },
      { id: 'd', tag: '#d', type: 'text', maxLength: 5 },
    ],
  })
  await ws.instance('promo')
  assert.deepEqual((await ws.blocks())[0].fields, [
    { tag: '#a', type: 'collection', allowedBlockKeys: ['item', 'other'] },
    { tag: '#b', type: 'collection', allowedBlockKeys: ['item'], minItems: 0, maxItems: 3 },
    { tag: '#c', type: 'collection', allowedBlockKeys: ['item'], maxItems: 2 },
    { tag: '#d', type: 'text' },
  ])
})

test('C-BLK-11 C-BLK-20 A-62 a single block is the first in priority order, with all eligible ones', async () => {
  const ws = await shop()
  const gold = await goldDevice(ws)
  const low = await ws.instance('promo', { priority: 1, values: { '#title': 'low' } })
  const high = await ws.instance('promo', { priority: 9, values: { '#title': 'high' } })
  const top = await ws.instance('promo', { priority: 99, seg: 'Gold', values: { '#title': 'top' } })
  await ws.instance('promo', { priority: 999, seg: 'Silver' })
  await ws.instance('promo', { priority: 999 }, { publish: false })
  for (const [device, ids] of [
    [undefined, [high.id, low.id]],
    [gold, [top.id, high.id, low.id]],
  ] as const) {
    const { data } = expectStatus(await block(ws, device), 200)
    const { instances, ...first } = data
    assert.deepEqual(
      instances.map(({ instanceId }: any) => instanceId),
      ids,
    )
    assert.deepEqual(instances[0], first)
    assert.deepEqual(instances, await ws.blocks(device), 'the same blocks as in the list')
  }
})

test('C-BLK-12 C-BLK-13 the full and the hidden form have an ETag and answer 304 to it', async () => {
  const ws = await shop()
  const etagOf = async () => {
    const answer = expectStatus(await block(ws), 200)
    const etag = answer.headers.get('etag') ?? ''
    assert.match(etag, /^".+"$/)
    const again = await ws.app.get('/blocks/promo', { headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag])
    return etag
  }
  const hidden = await etagOf()
  const { id } = await ws.instance('promo')
  const full = await etagOf()
  expectStatus(await ws.admin.put(path(id), { values: { '#title': 'new' } }), 200)
  const changed = await etagOf()
  assert.equal(new Set([hidden, full, changed]).size, 3)
  assert.equal((await ws.app.get('/blocks/promo', { headers: { 'if-none-match': hidden } })).status, 200)
})

test('C-BLK-14 C-BLK-15 C-BLK-16 G-76 nothing for this device is the hidden form with the revision of the definition as text', async () => {
  const ws = await shop()
  const hidden = (version: string) => ({ success: true, data: { key: 'promo', visible: false, version } })
  assert.deepEqual((await block(ws)).body, hidden('1'))
  const draft = await ws.instance('promo', { values: { '#title': 'secret' } }, { publish: false })
  assert.deepEqual((await block(ws)).body, hidden('1'), 'a draft only')
  await ws.instance('promo', { seg: 'Gold', values: { '#title': 'secret' } })
  for (const device of [undefined, randomUUID()]) assert.deepEqual((await block(ws, device)).body, hidden('1'), 'a segment it is not in')
  assert.equal((await block(ws, await goldDevice(ws))).data.visible, true)
  expectStatus(await ws.admin.put(path(draft.id), { schedule: { endTime: '2020-01-01' } }), 200)
  expectStatus(await ws.admin.post(`${path(draft.id)}/publish`), 200)
  assert.deepEqual((await block(ws)).body, hidden('1'), 'past its schedule')
  await ws.block('promo', { name: 'Changed' })
  assert.deepEqual((await block(ws)).body, hidden('2'))
})

test('C-BLK-17 an unknown key is 404 with the documented text and no code', async () => {
  const ws = await shop()
  for (const key of ['nope', 'PROMO', 'promo%20', 'constructor', '__proto__', '..%2Fpromo', '%F0%9F%98%80', 'x'.repeat(300)]) {
    const answer = await ws.app.get(`/blocks/${key}`)
    assert.deepEqual([answer.status, answer.body], [404, { success: false, error: 'unknown block' }], key)
  }
})

test('C-BLK-18 G-31 the single block takes a locale and an optional device', async () => {
  const ws = await shop({
    fields: [
      { id: 'f1', tag: '#title', type: 'text' },
      { id: 'f2', tag: '#body', type: 'text' },
    ],
  })
  await ws.instance('promo', {
    values: { '#title': 'base', '#body': 'body' },
    translations: { ar: { '#title': 'ar', '#body': 'ar body' }, 'ar-SA': { '#title': 'ar-SA' }, fr: { '#title': 'fr' } },
  })
  for (const [locale, title, body] of [
    ['ar-SA', 'ar-SA', 'ar body'],
    ['ar', 'ar', 'ar body'],
    ['ar-EG', 'ar', 'ar body'],
    ['fr-CH', 'fr', 'body'],
    ['de', 'base', 'body'],
  ] as const) {
    const { data } = expectStatus(await ws.app.get(`/blocks/promo?locale=${locale}`), 200)
    assert.deepEqual([data.values, data.instances[0].values], [{ '#title': title, '#body': body }, data.values], locale)
  }
  assert.equal(
    (await ws.app.get('/blocks/promo', { headers: { 'accept-language': 'fr', 'x-cf-device': randomUUID() } })).data.values['#title'],
    'fr',
  )
})

test('C-BLK-19 the single block follows the environment and the targeting of the list', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', { values: { '#title': 'test' } }, { publish: 'test' })
  assert.equal((await block(ws)).data.visible, false)
  const full = await block(ws, undefined, ws.test)
  assert.deepEqual([full.data.visible, full.data.instanceId, full.headers.get('x-cf-env')], [true, id, 'test'])
  expectStatus(await ws.admin.put(path(id), { seg: 'Gold' }), 200)
  assert.equal((await block(ws, undefined, ws.test)).data.visible, false)
  const device = await insertDevice(ctx, ws.id, randomUUID(), { segments: ['Gold'], environment: 'test' })
  assert.equal((await block(ws, device, ws.test)).data.segment, 'Gold')
  assert.equal((await block(ws, await goldDevice(ws))).data.visible, false)
})
