import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { insertDevice } from '../../../../test/builders/devices.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, advance } = await startApp()

const inSeconds = (seconds: number) => new Date(ctx.clock.ms() + seconds * 1000).toISOString()
const itemsField = (rules: object = {}) => ({ id: 'f_items', tag: '#items', type: 'collection', allowedBlockKeys: ['item'], ...rules })
const ids = (blocks: any[]) => blocks.map(({ instanceId }) => instanceId)

/** `list` holds a collection of `item`. */
async function shop(rules: object = {}) {
  const ws = await workspace()
  await ws.block('item')
  await ws.block('list', { fields: [itemsField(rules)] })
  return ws
}
const item = async (ws: Workspace, title: string, body: object = {}, options?: { publish?: false | 'live' | 'test' }): Promise<string> =>
  (await ws.instance('item', { values: { '#title': title }, ...body }, options)).id
const list = async (ws: Workspace, items: unknown[], options?: { publish?: false | 'live' | 'test' }): Promise<string> =>
  (await ws.instance('list', { values: { '#items': items } }, options)).id

/** The inlined children of the one list, as the whole list and the single block give them. */
async function children(ws: Workspace, device?: string, key = ws.live): Promise<any[]> {
  const synced = (await ws.blocks(device, { key })).find((block) => block.key === 'list')
  const single = await ws.sdk({ 'x-cf-key': key, ...(device && { 'x-cf-device': device }) }).get('/blocks/list')
  assert.deepEqual(single.data.values, synced.values)
  assert.equal(synced.visible, true)
  return synced.values['#items']
}

test('C-BLK-42 a collection is an ordered array of whole blocks under its tag', async () => {
  const ws = await shop()
  const [a, b] = [await item(ws, 'a'), await item(ws, 'b')]
  await list(ws, [b, a, b])
  const inlined = await children(ws)
  assert.deepEqual(ids(inlined), [b, a, b])
  const whole = await ws.blocks()
  for (const child of inlined) {
    assert.deepEqual(
      child,
      whole.find(({ instanceId }) => instanceId === child.instanceId),
    )
    assert.deepEqual(Object.keys(child).sort(), ['fields', 'instanceId', 'key', 'name', 'screen', 'values', 'version', 'visible'])
  }
})

test('C-BLK-43 A-05 X-INT-38 a child keeps its own targeting: it is left out for a device outside, in order', async () => {
  const ws = await shop()
  const [open, gold, last] = [await item(ws, 'open'), await item(ws, 'gold', { seg: 'Gold' }), await item(ws, 'last')]
  await list(ws, [gold, open, gold, last])
  const inGold = await insertDevice(ctx, ws.id, randomUUID(), { segments: ['Gold'] })
  const inSilver = await insertDevice(ctx, ws.id, randomUUID(), { segments: ['Silver'] })
  for (const device of [undefined, randomUUID(), inSilver]) assert.deepEqual(ids(await children(ws, device)), [open, last])
  const seen = await children(ws, inGold)
  assert.deepEqual(ids(seen), [gold, open, gold, last])
  assert.deepEqual(
    seen.map(({ segment }) => segment),
    ['Gold', undefined, 'Gold', undefined],
  )
})

test('C-BLK-43 a child keeps its own schedule', async () => {
  const ws = await shop()
  const [open, past, future] = [
    await item(ws, 'open'),
    await item(ws, 'past', { schedule: { endTime: inSeconds(-10) } }),
    await item(ws, 'future', { schedule: { startTime: inSeconds(100), endTime: inSeconds(200) } }),
  ]
  await list(ws, [past, future, open])
  assert.deepEqual(ids(await children(ws)), [open])
  await advance(101)
  assert.deepEqual(ids(await children(ws)), [future, open])
  await advance(100)
  assert.deepEqual(ids(await children(ws)), [open])
})

test('C-BLK-43 a child gets its own variant and locale, apart from its parent', async () => {
  const ws = await shop()
  const variants = ['a', 'b'].map((id) => ({ id, weight: 1, values: { '#title': id } }))
  const child = await item(ws, 'base', { variants })
  const other = await item(ws, 'base', { variants })
  const translated = await item(ws, 'base', { translations: { ar: { '#title': 'ar' } } })
  await list(ws, [child, other, translated])
  const seen = new Set<string>()
  for (let i = 0; i < 60; i++) {
    const blocks = await ws.blocks(randomUUID(), { locale: 'ar' })
    const inlined = blocks.find(({ key }) => key === 'list').values['#items']
    for (const one of inlined)
      assert.deepEqual(
        one,
        blocks.find(({ instanceId }) => instanceId === one.instanceId),
      )
    seen.add(inlined.map(({ values }: any) => values['#title']).join())
  }
  assert.deepEqual([...seen].sort(), ['a,a,ar', 'a,b,ar', 'b,a,ar', 'b,b,ar'])
  assert.deepEqual(
    (await children(ws)).map(({ values }) => values['#title']),
    ['base', 'base', 'base'],
  )
})

test('C-BLK-09 A-07 what a definition allows later never filters what is stored, and other changes can still be saved', async () => {
  const ws = await shop()
  await ws.block('other')
  const [a, b] = [await item(ws, 'a'), await item(ws, 'b')]
  const parent = await list(ws, [a, b], { publish: false })
  expectStatus(await ws.admin.post(`/blocks/list/instances/${parent}/publish`), 200)
  await ws.block('list', { fields: [itemsField({ allowedBlockKeys: ['other'] })] })
  assert.deepEqual(ids(await children(ws)), [a, b])
  expectStatus(await ws.admin.put(`/blocks/list/instances/${parent}`, { title: 'renamed', priority: 3 }), 200)
  assert.deepEqual(ids(await children(ws)), [a, b])
  const c = await item(ws, 'c')
  assert.equal((await ws.admin.put(`/blocks/list/instances/${parent}`, { values: { '#items': [a, c] } })).status, 400)
  await ws.block('list', { fields: [itemsField({ maxItems: 1 })] })
  assert.deepEqual(ids(await children(ws)), [a, b])
})

test('G-37 a reference must name an existing instance of an allowed type, in values, variants and translations', async () => {
  const ws = await shop()
  await ws.block('other')
  const elsewhere = await shop()
  const [good, wrong, foreign] = [await item(ws, 'a'), (await ws.instance('other')).id, await item(elsewhere, 'x')]
  const parent = await list(ws, [good])
  for (const items of [[wrong], [foreign], [randomUUID()], ['nope'], [good, wrong], [''], [5], [null], [{ id: good }], 'x', {}]) {
    for (const body of [
      { values: { '#items': items } },
      { variants: [{ id: 'v', weight: 1, values: { '#items': items } }] },
      { translations: { ar: { '#items': items } } },
    ]) {
      const answer = await ws.admin.put(`/blocks/list/instances/${parent}`, body)
      assert.deepEqual([answer.status, answer.body.code], [400, undefined], JSON.stringify(body))
      assert.equal((await ws.admin.post('/blocks/list/instances', body)).status, 400)
    }
  }
  assert.deepEqual(ids(await children(ws)), [good])
})

test('M-REG-36 A-07 too many references are refused on save, too few on publish, also in a variant', async () => {
  const ws = await shop({ minItems: 1, maxItems: 1 })
  const [a, b] = [await item(ws, 'a'), await item(ws, 'b')]
  const parent = (await ws.instance('list', {}, { publish: false })).id
  const path = `/blocks/list/instances/${parent}`
  assert.equal((await ws.admin.put(path, { values: { '#items': [a, b] } })).status, 400)
  assert.equal((await ws.admin.post(`${path}/publish`)).status, 400)
  expectStatus(await ws.admin.put(path, { values: { '#items': [a] } }), 200)
  expectStatus(await ws.admin.put(path, { variants: [{ id: 'v', weight: 1, values: { '#items': [] } }] }), 200)
  assert.equal((await ws.admin.post(`${path}/publish`)).status, 400)
  expectStatus(await ws.admin.put(path, { variants: [] }), 200)
  expectStatus(await ws.admin.post(`${path}/publish`), 200)
  for (const items of [[], null, [a, b]]) assert.equal((await ws.admin.put(path, { values: { '#items': items } })).status, 400)
  assert.deepEqual(ids(await children(ws)), [a])
})

test('X-INT-36 a child of an archived type is left out and the parent stays', async () => {
  const ws = await workspace()
  for (const key of ['item', 'other']) await ws.block(key)
  await ws.block('list', { fields: [itemsField({ allowedBlockKeys: ['item', 'other'] })] })
  const [a, b, c] = [await item(ws, 'a'), (await ws.instance('other')).id, await item(ws, 'c')]
  await list(ws, [a, b, c])
  assert.deepEqual(ids(await children(ws)), [a, b, c])
  expectStatus(await ws.admin.delete('/blocks/other'), 200)
  assert.deepEqual(ids(await children(ws)), [a, c])
  expectStatus(await ws.admin.delete('/blocks/item'), 200)
  assert.deepEqual(await children(ws), [])
  await ws.block('other')
  assert.deepEqual(ids(await children(ws)), [b])
})

test('X-INT-38 a draft child is left out, a child of the test environment reaches test keys only, and a deleted one is forgotten', async () => {
  const ws = await shop()
  const [draft, open, testing] = [
    await item(ws, 'draft', {}, { publish: false }),
    await item(ws, 'open'),
    await item(ws, 'test', {}, { publish: 'test' }),
  ]
  const parent = await list(ws, [draft, testing, open])
  assert.deepEqual(ids(await children(ws)), [open])
  assert.deepEqual(ids(await children(ws, undefined, ws.test)), [testing, open])
  expectStatus(await ws.admin.post(`/blocks/item/instances/${draft}/publish`), 200)
  assert.deepEqual(ids(await children(ws)), [draft, open])
  expectStatus(await ws.admin.delete(`/blocks/item/instances/${draft}`), 200)
  assert.deepEqual(ids(await children(ws)), [open])
  // A reference that lost its target stands in nobody's way.
  const renamed = expectStatus(await ws.admin.put(`/blocks/list/instances/${parent}`, { title: 'renamed' }), 200).data
  assert.deepEqual([renamed.title, renamed.values['#items']], ['renamed', [draft, testing, open]])
})

test('C-BLK-06 C-BLK-42 an edit of a child is seen inside its parent at once and changes its ETag', async () => {
  const ws = await shop()
  const child = await item(ws, 'before')
  await list(ws, [child])
  const etag = (await ws.app.get('/blocks/list')).headers.get('etag') ?? ''
  expectStatus(await ws.admin.put(`/blocks/item/instances/${child}`, { values: { '#title': 'after' } }), 200)
  const [inlined] = await children(ws)
  assert.deepEqual([inlined.values, inlined.version], [{ '#title': 'after' }, 2])
  assert.equal((await ws.app.get('/blocks/list', { headers: { 'if-none-match': etag } })).status, 200)
})

/** A type `node` that may hold nodes; returns a maker and a linker. */
async function graph() {
  const ws = await workspace()
  await ws.block('node', { fields: [{ id: 'f_title', tag: '#title', type: 'text' }, itemsField({ allowedBlockKeys: ['node'] })] })
  const make = async (title: string): Promise<string> => (await ws.instance('node', { values: { '#title': title } })).id
  const link = async (id: string, items: string[]) =>
    expectStatus(await ws.admin.put(`/blocks/node/instances/${id}`, { values: { '#items': items } }), 200)
  const titlesOf = ({ values }: any): unknown[] => [values['#title'], ...(values['#items'] ?? []).map(titlesOf)]
  const tree = async (id: string) => titlesOf((await ws.blocks()).find(({ instanceId }) => instanceId === id))
  return { ws, make, link, tree }
}

test('X-INT-37 G-37 a cycle is cut where it would repeat an ancestor', async () => {
  const { make, link, tree } = await graph()
  const [a, b, self] = [await make('a'), await make('b'), await make('self')]
  await link(a, [b])
  await link(b, [a, self])
  await link(self, [self])
  assert.deepEqual(await tree(a), ['a', ['b', ['self']]])
  assert.deepEqual(await tree(b), ['b', ['a'], ['self']])
  assert.deepEqual(await tree(self), ['self'])
})

test('G-37 children are inlined five levels deep, and the last one has an empty collection', async () => {
  const { ws, make, link, tree } = await graph()
  const chain: string[] = []
  for (let i = 0; i < 8; i++) chain.push(await make(String(i)))
  for (const [i, id] of chain.entries()) if (i < 7) await link(id, [chain[i + 1] ?? ''])
  assert.deepEqual(await tree(chain[0] ?? ''), ['0', ['1', ['2', ['3', ['4', ['5']]]]]])
  assert.deepEqual(await tree(chain[5] ?? ''), ['5', ['6', ['7']]])
  let deepest = (await ws.blocks()).find(({ instanceId }) => instanceId === chain[0])
  while (deepest.values['#items'].length > 0) deepest = deepest.values['#items'][0]
  assert.deepEqual([deepest.values, deepest.visible], [{ '#title': '5', '#items': [] }, true])
})

test('X-INT-37 nodes that all hold each other do not explode the answer', async () => {
  const { ws, make, link } = await graph()
  const nodes: string[] = []
  for (let i = 0; i < 12; i++) nodes.push(await make(String(i)))
  for (const id of nodes) await link(id, nodes)
  const answer = expectStatus(await ws.app.get('/sync'), 200)
  assert.equal(answer.data.blocks.length, 12)
  const countOf = ({ values }: any): number => 1 + values['#items'].reduce((sum: number, child: any) => sum + countOf(child), 0)
  for (const block of answer.data.blocks) assert.ok(countOf(block) <= 1_001, String(countOf(block)))
})
