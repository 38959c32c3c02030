import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { insertDevice, type DeviceInput } from '../../../../test/builders/devices.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, advance } = await startApp()

const titles = (blocks: any[]) => blocks.map((block) => block.values['#title'])
const device = (ws: Workspace, input: DeviceInput) => insertDevice(ctx, ws.id, randomUUID(), input)

/** One instance for everyone and one for each named segment; each is titled with its segment. */
async function shop(...segments: string[]): Promise<Workspace> {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { priority: 1, values: { '#title': 'everyone' } })
  for (const seg of segments) await ws.instance('promo', { seg, values: { '#title': seg } })
  return ws
}

test('C-SYNC-17 C-DEV-06 C-SEG-10 a device nobody knows gets the untargeted instance only', async () => {
  const ws = await shop('Gold')
  assert.deepEqual(titles(await ws.blocks(randomUUID())), ['everyone'])
  assert.deepEqual(titles(await ws.blocks()), ['everyone'])
  assert.deepEqual(titles(await ws.blocks(await device(ws, { consent: 'granted' }))), ['everyone'])
})

test('C-SYNC-18 a device that denied or never decided gets untargeted content although its segments are stored', async () => {
  const ws = await shop('Gold')
  for (const consent of ['denied', 'unknown'] as const) {
    const blocks = await ws.blocks(await device(ws, { consent, segments: ['Gold'] }))
    assert.deepEqual(titles(blocks), ['everyone'], consent)
    assert.ok(blocks.every((block) => !('segment' in block)))
  }
})

test('C-SYNC-19 C-SEG-09 C-BLK-04 a consenting device gets untargeted content and that of its segments, which carries the segment', async () => {
  const ws = await shop('Gold', 'Silver', 'VIP')
  const gold = await ws.blocks(await device(ws, { segments: ['Gold', 'nobody targets this'] }))
  assert.deepEqual(titles(gold), ['everyone', 'Gold'])
  assert.equal('segment' in gold[0], false)
  assert.equal(gold[1].segment, 'Gold')
  assert.deepEqual(titles(await ws.blocks(await device(ws, { segments: ['VIP', 'Silver'] }))), ['everyone', 'Silver', 'VIP'])
})

test('C-SEG-02..08 only null, empty text, absence and exactly "All users" mean everyone; names are compared byte for byte', async () => {
  const ws = await workspace()
  await ws.block('promo')
  for (const [title, body] of [
    ['null', { seg: null }],
    ['empty', { seg: '' }],
    ['absent', {}],
    ['All users', { seg: 'All users' }],
    ['lower', { seg: 'all users' }],
    ['upper', { seg: 'All Users' }],
    ['none such', { seg: 'NoSuchSegment' }],
    ['gold', { seg: 'gold' }],
    ['Gold blank', { seg: 'Gold ' }],
    ['decomposed', { seg: 'Cafe\u0301' }],
  ] as const)
    await ws.instance('promo', { ...body, values: { '#title': title } })
  const plain = await ws.blocks()
  assert.deepEqual(titles(plain), ['null', 'empty', 'absent', 'All users'])
  assert.ok(plain.every((block) => !('segment' in block)))
  assert.deepEqual(titles(await ws.blocks(await device(ws, { segments: ['Gold', 'Caf\u00e9'] }))), titles(plain))
  assert.deepEqual(titles(await ws.blocks(await device(ws, { segments: ['all users'] }))), [...titles(plain), 'lower'])
})

test('C-SYNC-05 another device, environment or segment set never gets a false 304', async () => {
  const ws = await shop('Gold')
  await ws.instance('promo', { seg: 'Silver', values: { '#title': 'Silver' } })
  const callers: { name: string; headers: Record<string, string> }[] = [
    { name: 'nobody', headers: { 'x-cf-key': ws.live } },
    { name: 'gold', headers: { 'x-cf-key': ws.live, 'x-cf-device': await device(ws, { segments: ['Gold'] }) } },
    { name: 'silver', headers: { 'x-cf-key': ws.live, 'x-cf-device': await device(ws, { segments: ['Silver'] }) } },
    { name: 'test key', headers: { 'x-cf-key': ws.test } },
    { name: 'test device', headers: { 'x-cf-key': ws.test, 'x-cf-device': await device(ws, { segments: ['Gold'], environment: 'test' }) } },
  ]
  for (const path of ['/sync', '/blocks/promo']) {
    const etags = new Map<string, string>()
    for (const { name, headers } of callers) etags.set(name, (await ws.sdk(headers).get(path)).headers.get('etag') ?? '')
    for (const { name, headers } of callers) {
      for (const [owner, etag] of etags) {
        const { status } = await ws.sdk(headers).get(path, { headers: { 'if-none-match': etag } })
        assert.equal(status, owner === name ? 304 : 200, `${path}: the tag of ${owner} sent by ${name}`)
      }
    }
  }
})

test('segments of a device count only with a key of the environment it belongs to', async () => {
  const ws = await shop('Gold')
  const live = await device(ws, { segments: ['Gold'] })
  const other = await device(ws, { segments: ['Gold'], environment: 'test' })
  assert.deepEqual(titles(await ws.blocks(live)), ['everyone', 'Gold'])
  assert.deepEqual(titles(await ws.blocks(live, { key: ws.test })), ['everyone'])
  assert.deepEqual(titles(await ws.blocks(other)), ['everyone'])
  assert.deepEqual(titles(await ws.blocks(other, { key: ws.test })), ['everyone', 'Gold'])
})

test('a device id of another workspace is an unknown device here', async () => {
  const [ws, other] = [await shop('Gold'), await shop('Gold')]
  const id = await device(other, { segments: ['Gold'] })
  assert.deepEqual(titles(await ws.blocks(id)), ['everyone'])
  assert.deepEqual(titles(await other.blocks(id)), ['everyone', 'Gold'])
})

test('X-INT-41 a record that lapses turns its device to untargeted content, also for the tag it holds', async () => {
  const ws = await shop('Gold')
  const id = await device(ws, { segments: ['Gold'], livesSeconds: 86_400 })
  const client = ws.sdk({ 'x-cf-key': ws.live, 'x-cf-device': id })
  await advance(86_340)
  const before = await client.get('/sync')
  assert.deepEqual(titles(before.data.blocks), ['everyone', 'Gold'])
  await advance(60)
  const after = await client.get('/sync', { headers: { 'if-none-match': before.headers.get('etag') ?? '' } })
  assert.equal(after.status, 200)
  assert.deepEqual(titles(after.data.blocks), ['everyone'])
})

test('C-LIMIT-16 changed segments of a device are read again once a minute has passed', async () => {
  const ws = await shop('Gold')
  const id = await device(ws, { segments: [] })
  assert.deepEqual(titles(await ws.blocks(id)), ['everyone'])
  await ctx.db
    .updateTable('devices')
    .set({ segments: ['Gold'] })
    .where('workspace_id', '=', ws.id)
    .where('device_id', '=', id)
    .execute()
  await advance(30)
  assert.deepEqual(titles(await ws.blocks(id)), ['everyone'])
  await advance(31)
  let seen: string[] = []
  for (let i = 0; i < 100 && seen.length < 2; i++) seen = titles(await ws.blocks(id))
  assert.deepEqual(seen, ['everyone', 'Gold'])
})

test('C-BLK-16 C-BLK-14 C-BLK-15 C-BLK-17 a type with targeted instances only is hidden, not unknown, to a device outside', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { seg: 'Gold', values: { '#title': 'gold' } })
  const hidden = expectStatus(await ws.app.get('/blocks/promo', { headers: { 'x-cf-device': randomUUID() } }), 200)
  assert.deepEqual(Object.keys(hidden.data).sort(), ['key', 'version', 'visible'])
  assert.equal(hidden.data.visible, false)
  assert.equal(typeof hidden.data.version, 'string')
  const gold = await device(ws, { segments: ['Gold'] })
  const seen = expectStatus(await ws.app.get('/blocks/promo', { headers: { 'x-cf-device': gold } }), 200)
  assert.equal(seen.data.visible, true)
  assert.equal(seen.data.instances.length, 1)
  const unknown = await ws.app.get('/blocks/no_such', { headers: { 'x-cf-device': gold } })
  assert.equal(unknown.status, 404)
  assert.deepEqual(unknown.body, { success: false, error: 'unknown block' })
})

test('X-INT-38 a collection child is left out for a device outside its segment and the order of the rest stays', async () => {
  const ws = await workspace()
  await ws.block('item')
  await ws.block('list', { fields: [{ id: 'f_items', tag: '#items', type: 'collection', allowedBlockKeys: ['item'] }] })
  const gold = await ws.instance('item', { seg: 'Gold', values: { '#title': 'gold' } })
  const open = await ws.instance('item', { values: { '#title': 'open' } })
  const draft = await ws.instance('item', { values: { '#title': 'draft' } }, { publish: false })
  const past = await ws.instance('item', { schedule: { endTime: '2001-01-01T00:00:00Z' }, values: { '#title': 'past' } })
  await ws.instance('list', { values: { '#items': [open.id, gold.id, draft.id, past.id, open.id] } })
  const itemsFor = async (id: string) => {
    const list = (await ws.blocks(id)).find((block) => block.key === 'list')
    return list.values['#items'].map((item: any) => [item.values['#title'], item.segment])
  }
  assert.deepEqual(await itemsFor(randomUUID()), [
    ['open', undefined],
    ['open', undefined],
  ])
  assert.deepEqual(await itemsFor(await device(ws, { segments: ['Gold'] })), [
    ['open', undefined],
    ['gold', 'Gold'],
    ['open', undefined],
  ])
})
