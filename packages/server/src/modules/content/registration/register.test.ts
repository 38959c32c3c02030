import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, type Answer, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, url } = await startApp()

const TITLE = { id: 'f_title', tag: '#title', type: 'text' }
const register = (ws: Workspace, body: object) => ws.write.post('/cards/register', body)
const stored = async (ws: Workspace, key: string) => expectStatus(await ws.admin.get(`/blocks/${key}`), 200).data
const instances = async (ws: Workspace, key: string) => expectStatus(await ws.admin.get(`/blocks/${key}/instances`), 200).data.instances

/** 400 with a text and without a code. */
function isRefused(answer: Answer, what: string) {
  assert.equal(answer.status, 400, `${what}: ${answer.text}`)
  assert.deepEqual(Object.keys(answer.body).sort(), ['error', 'success'], what)
  assert.equal(answer.body.success, false)
  assert.ok(answer.body.error.length > 0)
}

test('M-REG-01 M-REG-03 A-33 a flat definition is registered with a definition and a blank draft', async () => {
  const ws = await workspace()
  const answer = await register(ws, { key: 'promo', fields: [] })
  assert.equal(answer.status, 201)
  assert.deepEqual(Object.keys(answer.body).sort(), ['data', 'success'])
  assert.equal(answer.body.success, true)
  assert.equal(typeof answer.data.instanceId, 'string')
  assert.deepEqual(answer.data, {
    registered: 'promo',
    definitionCreated: true,
    instanceId: answer.data.instanceId,
    instanceCreated: true,
  })
})

test('M-REG-02 the route has the same effect under every root', async () => {
  const ws = await workspace()
  const roots = ['/sdk/v1', '/api/v1', '/api/v1/sdk']
  for (const [i, root] of roots.entries()) {
    const client = clientOf(url + root, { 'x-cf-write-key': ws.writeKey })
    const answer = expectStatus(await client.post('/cards/register', { key: `type_${i}`, name: root }), 201)
    assert.deepEqual([answer.data.registered, answer.data.definitionCreated, answer.data.instanceCreated], [`type_${i}`, true, true])
    assert.equal((await stored(ws, `type_${i}`)).name, root)
    assert.equal((await ws.app.get(`/blocks/type_${i}`)).data.visible, false)
  }
})

test('M-REG-04 G-38 a repeat updates in place and duplicates nothing', async () => {
  const ws = await workspace()
  const first = expectStatus(await register(ws, { key: 'promo', fields: [TITLE] }), 201).data
  const before = await stored(ws, 'promo')
  for (let i = 0; i < 2; i++) {
    const again = expectStatus(await register(ws, { key: 'promo', fields: [TITLE] }), 201).data
    assert.deepEqual(again, { registered: 'promo', definitionCreated: false, instanceId: first.instanceId, instanceCreated: false })
  }
  assert.deepEqual(await stored(ws, 'promo'), before, 'an unchanged definition keeps its revision')
  assert.deepEqual(
    (await instances(ws, 'promo')).map(({ id }: any) => id),
    [first.instanceId],
  )
})

test('G-38 a repeat makes a blank draft only while the type has no instance at all', async () => {
  const ws = await workspace()
  const none = expectStatus(await register(ws, { key: 'promo', seedInstance: false }), 201).data
  assert.deepEqual([none.instanceId, none.instanceCreated], [null, false])
  const seeded = expectStatus(await register(ws, { key: 'promo' }), 201).data
  assert.deepEqual([seeded.definitionCreated, seeded.instanceCreated], [false, true])
  expectStatus(await ws.admin.delete(`/blocks/promo/instances/${seeded.instanceId}`), 200)
  const own = await ws.instance('promo', {}, { publish: false })
  const last = expectStatus(await register(ws, { key: 'promo' }), 201).data
  assert.deepEqual([last.instanceId, last.instanceCreated], [own.id, false])
})

test('M-REG-05 a repeat with another name, screen and fields changes the definition and the blocks of a published instance', async () => {
  const ws = await workspace()
  await ws.block('promo', { name: 'Promo', screen: 'home' })
  await ws.instance('promo', { values: { '#title': 'Hi' } })
  assert.equal((await ws.app.get('/blocks/promo')).data.name, 'Promo')
  const fields = [TITLE, { id: 'f_size', tag: '#size', type: 'number' }]
  expectStatus(await register(ws, { key: 'promo', name: 'Sale', screen: 'cart', crumb: 'Cart / Top', fields }), 201)
  const { data } = await ws.app.get('/blocks/promo')
  assert.deepEqual(
    [data.name, data.screen, data.fields, data.values],
    [
      'Sale',
      'cart',
      [
        { tag: '#title', type: 'text' },
        { tag: '#size', type: 'number' },
      ],
      { '#title': 'Hi' },
    ],
  )
  const definition = await stored(ws, 'promo')
  assert.deepEqual([definition.name, definition.screen, definition.crumb, definition.fields], ['Sale', 'cart', 'Cart / Top', fields])
})

test('M-REG-06 M-REG-07 it needs no manifest before it and touches nothing but its key', async () => {
  const ws = await workspace()
  await ws.block('first', { name: 'First' })
  await ws.instance('first', { values: { '#title': 'Hi' } })
  const before = [await stored(ws, 'first'), (await ws.app.get('/blocks/first')).text]
  expectStatus(await register(ws, { key: 'second' }), 201)
  assert.deepEqual([await stored(ws, 'first'), (await ws.app.get('/blocks/first')).text], before)

  const other = await workspace()
  expectStatus(await other.write.post('/cards/sync', { blocks: [{ key: 'promo' }] }), 200)
  assert.equal((await stored(other, 'promo')).key, 'promo')
})

test('M-REG-08 M-REG-09 a key that is missing or no key is refused without a code and stores nothing', async () => {
  const ws = await workspace()
  for (const key of [undefined, null, '', 'Promo', 'a-b', 'a b', 'a.b', ' a', 'a\n', 'é', 5, ['promo'], { key: 'promo' }])
    isRefused(await register(ws, { key, name: 'x' }), JSON.stringify(key))
  for (const key of ['a', '9', '_', 'promo_2']) expectStatus(await register(ws, { key, seedInstance: false }), 201)
  assert.equal((await ws.admin.get('/blocks')).body.metadata.total, 4)
})

test('M-REG-10 M-REG-12 M-REG-14 M-REG-15 key, name, screen and crumb have their lengths', async () => {
  const ws = await workspace()
  expectStatus(await register(ws, { key: 'k'.repeat(100) }), 201)
  isRefused(await register(ws, { key: 'k'.repeat(101) }), 'key')
  for (const member of ['name', 'screen', 'crumb']) {
    for (const text of ['x'.repeat(150), 'ع'.repeat(150), '😀'.repeat(150)]) {
      expectStatus(await register(ws, { key: member, [member]: text }), 201)
      assert.equal((await stored(ws, member))[member], text)
    }
    isRefused(await register(ws, { key: member, [member]: 'x'.repeat(151) }), `${member} of 151`)
    isRefused(await register(ws, { key: member, [member]: 5 }), `${member} that is a number`)
  }
  isRefused(await register(ws, { key: 'name', name: '' }), 'empty name')
  expectStatus(await register(ws, { key: 'screen', screen: '', crumb: '' }), 201)
})

test('M-REG-11 a key belongs to its workspace', async () => {
  const [one, other] = [await workspace(), await workspace()]
  for (const ws of [one, other]) assert.equal((await register(ws, { key: 'promo', name: ws.id })).data.definitionCreated, true)
  for (const ws of [one, other]) assert.equal((await stored(ws, 'promo')).name, ws.id)
})

test('M-REG-13 C-BLK-01 the name is the key unless one is given', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo')
  const [block] = await ws.blocks()
  assert.deepEqual([block.key, block.name], ['promo', 'promo'])
})

test('M-REG-19 interruptive is a boolean or absent', async () => {
  const ws = await workspace()
  for (const interruptive of [true, false, undefined]) {
    expectStatus(await register(ws, { key: 'promo', interruptive }), 201)
    assert.equal((await stored(ws, 'promo')).interruptive, interruptive ?? null)
  }
  for (const interruptive of ['yes', 1, []]) isRefused(await register(ws, { key: 'promo', interruptive }), String(interruptive))
})

test('G-36 inCampaigns is kept and false unless given, and must be a boolean', async () => {
  const ws = await workspace()
  expectStatus(await register(ws, { key: 'promo' }), 201)
  assert.equal((await stored(ws, 'promo')).inCampaigns, false)
  expectStatus(await register(ws, { key: 'promo', inCampaigns: true }), 201)
  assert.equal((await stored(ws, 'promo')).inCampaigns, true)
  isRefused(await register(ws, { key: 'promo', inCampaigns: 'yes' }), 'inCampaigns')
})

test('M-REG-20 M-REG-22 the seeded instance is a draft and reaches neither key until it is published', async () => {
  const ws = await workspace()
  const { instanceId, instanceCreated } = expectStatus(await register(ws, { key: 'promo' }), 201).data
  assert.equal(instanceCreated, true)
  const [draft] = await instances(ws, 'promo')
  assert.deepEqual([draft.id, draft.status, draft.targets], [instanceId, 'draft', []])
  for (const client of [ws.app, ws.testApp]) {
    assert.deepEqual((await client.get('/sync')).data.blocks, [])
    assert.equal((await client.get('/blocks/promo')).data.visible, false)
  }
  expectStatus(await ws.admin.post(`/blocks/promo/instances/${instanceId}/publish`), 200)
  for (const client of [ws.app, ws.testApp]) assert.equal((await client.get('/sync')).data.blocks[0].instanceId, instanceId)
})

test('M-REG-21 seedInstance false makes no instance, and another word is refused', async () => {
  const ws = await workspace()
  const { data } = await register(ws, { key: 'promo', seedInstance: false })
  assert.deepEqual([data.instanceId, data.instanceCreated], [null, false])
  assert.deepEqual(await instances(ws, 'promo'), [])
  isRefused(await register(ws, { key: 'promo', seedInstance: 'no' }), 'seedInstance')
})

test('M-REG-40 a collection may name a block type that is registered later', async () => {
  const ws = await workspace()
  const fields = [{ id: 'f_items', tag: '#items', type: 'collection', allowedBlockKeys: ['later'] }]
  expectStatus(await register(ws, { key: 'list', fields, seedInstance: false }), 201)
  await ws.block('later')
  const item = await ws.instance('later', { values: { '#title': 'Item' } })
  await ws.instance('list', { values: { '#items': [item.id] } })
  assert.equal((await ws.app.get('/blocks/list')).data.values['#items'][0].instanceId, item.id)
})

test('M-REG-41 a refused repeat leaves the definition as it was', async () => {
  const ws = await workspace()
  await ws.block('promo', { name: 'Promo', screen: 'home' })
  const before = await stored(ws, 'promo')
  for (const body of [
    { name: '' },
    { name: 'New', fields: 'x' },
    { fields: [{ tag: '#t' }] },
    { screen: 'x'.repeat(151) },
    { seedInstance: 5 },
  ])
    isRefused(await register(ws, { key: 'promo', name: 'Other', ...body }), JSON.stringify(body))
  assert.deepEqual(await stored(ws, 'promo'), before)
  assert.deepEqual(await instances(ws, 'promo'), [])
})

test('a body that is no object is refused, and the key of messages is reserved', async () => {
  const ws = await workspace()
  for (const raw of ['[]', '"promo"', '5', 'null', '[{"key":"promo"}]'])
    isRefused(await ws.write.post('/cards/register', undefined, { raw }), raw)
  assert.equal((await ws.write.post('/cards/register', undefined, { raw: '{"key":' })).body.error, 'invalid JSON body')
  isRefused(await register(ws, { key: 'journey_message' }), 'journey_message')
  isRefused(await ws.write.post('/cards/register'), 'an empty body')
})

test('G-38 registering an archived key brings its type and published instances back', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'Hi' } })
  expectStatus(await ws.admin.delete('/blocks/promo'), 200)
  assert.equal((await ws.app.get('/blocks/promo')).status, 404)
  const again = expectStatus(await register(ws, { key: 'promo', fields: [TITLE] }), 201).data
  assert.deepEqual(again, { registered: 'promo', definitionCreated: false, instanceId: id, instanceCreated: false })
  assert.deepEqual((await ws.app.get('/blocks/promo')).data.values, { '#title': 'Hi' })
})

test('G-38 many registrations of one key at once make one definition and one draft', async () => {
  const ws = await workspace()
  // Several keys in turn: the first round finds the database's connections still being opened, one after another.
  for (const key of ['a', 'b', 'c', 'd']) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(ws, { key, fields: [TITLE] })))
    for (const answer of answers) expectStatus(answer, 201)
    assert.equal(answers.filter(({ data }) => data.definitionCreated).length, 1)
    assert.equal(answers.filter(({ data }) => data.instanceCreated).length, 1)
    assert.equal(new Set(answers.map(({ data }) => data.instanceId)).size, 1)
    assert.equal((await instances(ws, key)).length, 1)
  }
})
