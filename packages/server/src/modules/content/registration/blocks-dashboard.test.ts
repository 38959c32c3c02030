import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { openStream } from '../../../../test/harness/streams.ts'

const { workspace, url } = await startApp()

const FIELDS = [{ id: 'f_title', tag: '#title', type: 'text' }]
const DESIGN_TYPES = ['banner', 'card', 'tile', 'hero', 'carousel', 'list', 'popup', 'tooltip', 'toast', 'panel']

test('G-35 a block type made in the dashboard is the one of register, and reads back the same', async () => {
  const ws = await workspace()
  const body = {
    key: 'promo',
    name: 'Promo',
    screen: 'home',
    crumb: 'Home / Top',
    fields: [{ ...FIELDS[0], label: 'Title', default: 'Hi', maxLength: 10, required: true }],
    blank: { f_title: 'Hello' },
    inCampaigns: true,
    interruptive: false,
    designType: 'hero',
  }
  const { data } = expectStatus(await ws.admin.post('/blocks', body), 201)
  const { createdAt, updatedAt, ...rest } = data
  assert.deepEqual(rest, { ...body, revision: 1, isArchived: false })
  for (const time of [createdAt, updatedAt]) assert.equal(new Date(time).toISOString(), time)
  assert.deepEqual((await ws.admin.get('/blocks/promo')).data, data)
  assert.deepEqual((await ws.admin.get('/blocks')).data.blocks, [data])
  assert.deepEqual((await ws.admin.get('/blocks/promo/instances')).data.instances, [], 'the dashboard seeds no instance')
  assert.deepEqual(
    expectStatus(await ws.write.post('/cards/register', { ...body, seedInstance: false }), 201).data.definitionCreated,
    false,
  )
  assert.equal((await ws.admin.get('/blocks/promo')).data.revision, 1)
})

test('C-BLK-28 G-35 the ten design types are accepted and returned, and no other', async () => {
  const ws = await workspace()
  for (const designType of DESIGN_TYPES) {
    assert.equal(
      expectStatus(await ws.admin.post('/blocks', { key: designType, fields: FIELDS, designType }), 201).data.designType,
      designType,
    )
    await ws.instance(designType)
  }
  assert.deepEqual((await ws.admin.get('/blocks')).data.blocks.map(({ designType }: any) => designType).sort(), DESIGN_TYPES.toSorted())
  for (const designType of ['modal', 'Banner', '', 5, ['banner']]) {
    for (const answer of [
      await ws.admin.post('/blocks', { key: 'other', designType }),
      await ws.admin.put('/blocks/hero', { designType }),
      await ws.write.post('/cards/register', { key: 'other', designType }),
    ])
      assert.deepEqual([answer.status, answer.body.success, answer.body.code], [400, false, undefined], String(designType))
  }
  assert.equal((await ws.admin.get('/blocks/hero')).data.designType, 'hero')
})

test('G-35 a taken key is a conflict, archived or not, and what register refuses is refused', async () => {
  const ws = await workspace()
  await ws.block('promo', { name: 'Promo' })
  const taken = await ws.admin.post('/blocks', { key: 'promo', name: 'Other' })
  assert.deepEqual([taken.status, taken.body.success, taken.body.code], [409, false, undefined])
  assert.equal((await ws.admin.get('/blocks/promo')).data.name, 'Promo')
  expectStatus(await ws.admin.delete('/blocks/promo'), 200)
  assert.equal((await ws.admin.post('/blocks', { key: 'promo' })).status, 409)
  const faulty = [
    {},
    { key: 'Promo' },
    { key: 'journey_message' },
    { key: 'a', fields: 'x' },
    { key: 'a', name: '' },
    { key: 'a', fields: [{ tag: '#t' }] },
    [],
    'x',
  ]
  for (const body of faulty) assert.equal((await ws.admin.post('/blocks', body)).status, 400, JSON.stringify(body))
  assert.equal((await ws.admin.get('/blocks')).body.metadata.total, 0)
  const other = await workspace()
  expectStatus(await other.admin.post('/blocks', { key: 'promo' }), 201)
})

test('of many requests for one key at once exactly one makes the block type', async () => {
  const ws = await workspace()
  const answers = await Promise.all(Array.from({ length: 6 }, () => ws.admin.post('/blocks', { key: 'promo' })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
})

test('G-35 a change keeps what it does not name, reaches published instances, and never renames the key', async () => {
  const ws = await workspace()
  await ws.block('promo', { name: 'Promo', screen: 'home', designType: 'hero', interruptive: true })
  await ws.instance('promo', { values: { '#title': 'Hi' } })
  const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })
  await stream.until('the greeting', () => stream.comments.length > 0)
  const changed = expectStatus(await ws.admin.put('/blocks/promo', { name: 'Sale', key: 'other', revision: 99 }), 200).data
  assert.deepEqual([changed.key, changed.name, changed.screen, changed.designType, changed.revision], ['promo', 'Sale', 'home', 'hero', 2])
  assert.deepEqual(changed.fields, FIELDS)
  assert.equal((await stream.next()).event, 'block.updated')
  assert.equal((await ws.app.get('/blocks/promo')).data.name, 'Sale')

  const cleared = expectStatus(await ws.admin.put('/blocks/promo', { designType: null, interruptive: null }), 200).data
  assert.deepEqual([cleared.designType, cleared.interruptive, cleared.name], [null, null, 'Sale'])
  assert.deepEqual(expectStatus(await ws.admin.put('/blocks/promo', {}), 200).data, cleared)
  for (const body of [{ name: '' }, { fields: 'x' }, { inCampaigns: 'yes' }, [], 'x'])
    assert.equal((await ws.admin.put('/blocks/promo', body)).status, 400, JSON.stringify(body))
  assert.deepEqual((await ws.admin.get('/blocks/promo')).data, cleared)
  stream.close()
})

test('two changes of one block type at once both count', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const changes = [{ name: 'Sale' }, { screen: 'cart' }, { crumb: 'Cart' }, { inCampaigns: true }, { designType: 'tile' }]
  for (const answer of await Promise.all(changes.map((body) => ws.admin.put('/blocks/promo', body)))) expectStatus(answer, 200)
  const { name, screen, crumb, inCampaigns, designType, revision } = (await ws.admin.get('/blocks/promo')).data
  assert.deepEqual([name, screen, crumb, inCampaigns, designType, revision], ['Sale', 'cart', 'Cart', true, 'tile', 6])
})

test('G-35 G-38 an archived block type is gone from dashboard and answers, and its instances are kept', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'Hi' } })
  const { body } = expectStatus(await ws.admin.delete('/blocks/promo'), 200)
  assert.equal(body.success, true)
  for (const answer of [
    await ws.admin.get('/blocks/promo'),
    await ws.admin.put('/blocks/promo', { name: 'x' }),
    await ws.admin.put('/blocks/promo', { name: '' }),
    await ws.admin.delete('/blocks/promo'),
    await ws.admin.get(`/blocks/promo/instances/${id}`),
  ])
    assert.equal(answer.status, 404)
  const gone = await ws.app.get('/blocks/promo')
  assert.deepEqual([gone.status, gone.body], [404, { success: false, error: 'unknown block' }])
  assert.deepEqual(await ws.blocks(), [])
  assert.deepEqual((await ws.admin.get('/blocks')).data.blocks, [])
  assert.deepEqual(
    (await ws.admin.get('/blocks?archived=true')).data.blocks.map(({ key, isArchived }: any) => [key, isArchived]),
    [['promo', true]],
  )
  await ws.block('promo')
  assert.equal((await ws.blocks())[0].instanceId, id)
})

test('G-35 an archived block type is brought back with its instances as they were, and open streams hear of it', async () => {
  const ws = await workspace()
  await ws.block('promo', { name: 'Promo', screen: 'home' })
  const { id } = await ws.instance('promo', { values: { '#title': 'Hi' } })
  const before = (await ws.admin.get('/blocks/promo')).data
  expectStatus(await ws.admin.delete('/blocks/promo'), 200)
  const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })
  await stream.until('the greeting', () => stream.comments.length > 0)

  const { data } = expectStatus(await (await ws.editor()).post('/blocks/promo/restore'), 200)
  assert.deepEqual(data, { ...before, revision: 3, updatedAt: data.updatedAt })
  assert.equal((await stream.next()).event, 'block.published')
  stream.close()
  const [delivered] = await ws.blocks()
  assert.deepEqual([delivered.instanceId, delivered.values['#title']], [id, 'Hi'])
  assert.deepEqual((await ws.admin.get('/blocks?archived=true')).data.blocks, [])
  assert.deepEqual((await ws.admin.get('/blocks/promo')).data, data)
})

test('G-35 to bring back what is not archived changes nothing, an unknown key is 404, and viewers may not', async () => {
  const ws = await workspace()
  const other = await workspace()
  await ws.block('promo')
  const before = (await ws.admin.get('/blocks/promo')).data
  for (const body of [undefined, {}, { name: 'x' }])
    assert.deepEqual(expectStatus(await ws.admin.post('/blocks/promo/restore', body), 200).data, before)
  await other.block('theirs')
  expectStatus(await other.admin.delete('/blocks/theirs'), 200)
  for (const key of ['nope', 'theirs', 'Not%20a%20key']) {
    const answer = await ws.admin.post(`/blocks/${key}/restore`)
    assert.deepEqual([answer.status, answer.body.error], [404, 'unknown block'], key)
  }
  expectStatus(await ws.admin.delete('/blocks/promo'), 200)
  const refused = await (await ws.viewer()).post('/blocks/promo/restore')
  assert.deepEqual([refused.status, refused.body.code], [403, 'ROLE_REQUIRED'])
  assert.equal((await ws.admin.get('/blocks/promo')).status, 404)
})

test('G-04 block types are listed in pages with their total', async () => {
  const ws = await workspace()
  for (const key of ['d', 'a', 'c', 'b']) await ws.block(key)
  const first = (await ws.admin.get('/blocks?limit=3')).body
  assert.deepEqual([first.data.blocks.map(({ key }: any) => key), first.metadata.total], [['a', 'b', 'c'], 4])
  const last = (await ws.admin.get(`/blocks?limit=3&cursor=${first.metadata.nextCursor}`)).body
  assert.deepEqual([last.data.blocks.map(({ key }: any) => key), last.metadata], [['d'], { total: 4, nextCursor: null }])
  assert.equal((await ws.admin.get('/blocks?limit=4')).body.metadata.nextCursor, null)
  for (const query of ['limit=0', 'limit=201', 'limit=x', 'archived=maybe'])
    assert.equal((await ws.admin.get(`/blocks?${query}`)).status, 400, query)
})

test('G-35 a viewer reads block types and changes none; an editor does both', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const [viewer, editor] = [await ws.viewer(), await ws.editor()]
  for (const path of ['/blocks', '/blocks/promo']) {
    expectStatus(await viewer.get(path), 200)
    expectStatus(await editor.get(path), 200)
  }
  for (const answer of [
    await viewer.post('/blocks', { key: 'other' }),
    await viewer.post('/blocks', { key: 'Bad' }),
    await viewer.put('/blocks/promo', { name: 'x' }),
    await viewer.put('/blocks/nope', { name: 'x' }),
    await viewer.delete('/blocks/promo'),
  ])
    assert.deepEqual([answer.status, answer.body.code], [403, 'ROLE_REQUIRED'])
  expectStatus(await editor.post('/blocks', { key: 'other' }), 201)
  expectStatus(await editor.put('/blocks/promo', { name: 'x' }), 200)
  expectStatus(await editor.delete('/blocks/promo'), 200)
})
