import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace } = await startApp()

const register = (ws: Workspace, body: object) => ws.write.post('/cards/register', { key: 'promo', seedInstance: false, ...body })
const withField = (ws: Workspace, field: object) => register(ws, { fields: [{ id: 'f1', tag: '#t', type: 'text', ...field }] })

async function accepts(ws: Workspace, fields: object[]) {
  for (const field of fields) assert.equal((await withField(ws, field)).status, 201, JSON.stringify(field))
}
async function refuses(ws: Workspace, fields: object[]) {
  for (const field of fields) {
    const answer = await withField(ws, field)
    assert.equal(answer.status, 400, JSON.stringify(field))
    assert.equal(answer.body.code, undefined)
  }
}
const draftValues = async (ws: Workspace, key = 'promo') => (await ws.admin.get(`/blocks/${key}/instances`)).data.instances[0].values

test('M-REG-16 fields is an array of descriptors', async () => {
  const ws = await workspace()
  for (const fields of ['x', { id: 'f1' }, 5, true, ['#t'], [null], [[]]]) {
    const answer = await register(ws, { fields })
    assert.equal(answer.status, 400, JSON.stringify(fields))
    assert.equal(answer.body.code, undefined)
  }
  expectStatus(await register(ws, { fields: [] }), 201)
  expectStatus(await register(ws, { fields: undefined }), 201)
})

test('M-REG-17 A-59 blank gives the seeded draft its starting values by field id', async () => {
  const ws = await workspace()
  const fields = [
    { id: 'f1', tag: '#t', type: 'text' },
    { id: 'f2', tag: '#u', type: 'text' },
  ]
  expectStatus(await register(ws, { fields, blank: { f1: 'Hi', '#u': 'by tag' }, seedInstance: true }), 201)
  assert.deepEqual(await draftValues(ws), { '#t': 'Hi' })
  for (const blank of ['x', [], { f1: 5 }]) assert.equal((await register(ws, { fields, blank })).status, 400)
})

test('M-REG-23 M-REG-24 C-BLK-46 a value is stored against the field id and delivered under the tag of the day', async () => {
  const ws = await workspace()
  await ws.block('promo', { fields: [{ id: 'f1', tag: '#old', type: 'text' }] })
  const { id } = await ws.instance('promo', { values: { '#old': 'Hi' } })
  assert.deepEqual((await ws.blocks())[0].values, { '#old': 'Hi' })
  expectStatus(await register(ws, { fields: [{ id: 'f1', tag: '#new', type: 'text' }] }), 201)
  const [block] = await ws.blocks()
  assert.deepEqual(block.values, { '#new': 'Hi' })
  assert.deepEqual(block.fields, [{ tag: '#new', type: 'text' }])
  assert.deepEqual((await ws.admin.get(`/blocks/promo/instances/${id}`)).data.values, { '#new': 'Hi' })
})

test('C-BLK-46 a field that goes takes its value out of the answer, and brings it back when it returns', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'Hi' } })
  expectStatus(await register(ws, { fields: [] }), 201)
  assert.deepEqual([(await ws.blocks())[0].values, (await ws.blocks())[0].fields], [{}, []])
  expectStatus(await register(ws, { fields: [{ id: 'f_title', tag: '#title', type: 'text' }] }), 201)
  assert.deepEqual((await ws.blocks())[0].values, { '#title': 'Hi' })
})

test('C-BLK-44 registering again without changes renames no tag, whatever it looks like', async () => {
  const ws = await workspace()
  const tags = ['#title_main', 'plain', '#Title', '#عنوان', '#a b', '#a.b[0]', '#constructor']
  const fields = tags.map((tag, i) => ({ id: `f${i}`, tag, type: 'text' }))
  await ws.block('promo', { fields })
  await ws.instance('promo', { values: Object.fromEntries(tags.map((tag) => [tag, tag])) })
  const before = (await ws.blocks())[0]
  assert.deepEqual(
    before.fields.map(({ tag }: any) => tag),
    tags,
  )
  expectStatus(await register(ws, { fields }), 201)
  assert.deepEqual((await ws.blocks())[0], before)
  assert.deepEqual(before.values, Object.fromEntries(tags.map((tag) => [tag, tag])))
})

test('C-BLK-45 A-06 two fields may share a tag, by register and by manifest; the first one owns it', async () => {
  const ws = await workspace()
  const fields = [
    { id: 'f1', tag: '#t', type: 'text' },
    { id: 'f2', tag: '#t', type: 'text' },
  ]
  expectStatus(await register(ws, { fields }), 201)
  expectStatus(await register(ws, { fields: [{ tag: '#t', type: 'text' }, ...fields.slice(1)] }), 201)
  const report = expectStatus(await ws.write.post('/cards/sync', { blocks: [{ key: 'promo', fields }] }), 200).data
  assert.deepEqual(report.errors, [])
  await ws.instance('promo', { values: { '#t': 'once' } })
  assert.deepEqual((await ws.blocks())[0].values, { '#t': 'once' })
})

test('M-REG-25 M-REG-26 all eight types are taken, and an unknown one is stored and delivered as it is', async () => {
  const ws = await workspace()
  const types = ['text', 'textarea', 'image', 'number', 'select', 'toggle', 'url', 'collection', 'rating']
  const fields = types.map((type) => ({ id: type, tag: `#${type}`, type, ...(type === 'collection' && { allowedBlockKeys: ['item'] }) }))
  await ws.block('promo', { fields })
  await ws.instance('promo', { values: { '#rating': { stars: 5 } } })
  const [block] = await ws.blocks()
  assert.deepEqual(
    block.fields.map(({ tag, type }: any) => [tag, type]),
    types.map((type) => [`#${type}`, type]),
  )
  assert.deepEqual(block.values, { '#rating': { stars: 5 } })
  await refuses(ws, [{ type: undefined }, { type: '' }, { type: 5 }, { tag: undefined }, { tag: '' }, { tag: 5 }, { id: '' }, { id: 5 }])
})

test('M-REG-27 C-BLK-07 label, default, options and the rules of a field are for editors and are not delivered', async () => {
  const ws = await workspace()
  await ws.block('promo', {
    fields: [
      { id: 'f1', tag: '#t', type: 'text', label: 'Title', default: 'Hi', maxLength: 10, required: true },
      { id: 'f2', tag: '#s', type: 'select', label: 'Size', options: ['S', 'L'], default: 'S' },
    ],
  })
  await ws.instance('promo')
  const expected = [
    { tag: '#t', type: 'text' },
    { tag: '#s', type: 'select' },
  ]
  assert.deepEqual((await ws.blocks())[0].fields, expected)
  const single = (await ws.app.get('/blocks/promo')).data
  assert.deepEqual([single.fields, single.instances[0].fields], [expected, expected])
  assert.equal((await ws.admin.get('/blocks/promo')).data.fields[0].label, 'Title')
  await refuses(ws, [{ label: 5 }])
})

test('M-REG-28 a default of any type starts every new instance, below blank', async () => {
  const ws = await workspace()
  const fields = [
    { id: 'f_text', tag: '#text', type: 'text', default: 'Hi' },
    { id: 'f_number', tag: '#number', type: 'number', default: 5 },
    { id: 'f_toggle', tag: '#toggle', type: 'toggle', default: false },
    { id: 'f_select', tag: '#select', type: 'select', options: ['a', 'b'], default: 'b' },
    { id: 'f_url', tag: '#url', type: 'url', default: '/offers' },
    { id: 'f_other', tag: '#other', type: 'rating', default: { stars: [1, null] } },
    { id: 'f_blank', tag: '#blank', type: 'text', default: 'default' },
  ]
  const expected = {
    '#text': 'Hi',
    '#number': 5,
    '#toggle': false,
    '#select': 'b',
    '#url': '/offers',
    '#other': { stars: [1, null] },
    '#blank': 'blank',
  }
  expectStatus(await register(ws, { fields, blank: { f_blank: 'blank' }, seedInstance: true }), 201)
  assert.deepEqual(await draftValues(ws), expected)
  const made = await ws.instance('promo', { values: { '#number': 7, '#text': null } }, { publish: false })
  const { '#text': _, ...others } = expected
  assert.deepEqual(made.values, { ...others, '#number': 7 })
  await refuses(ws, [{ default: 5 }, { type: 'url', default: 'javascript:x' }, { type: 'select', options: ['a'], default: 'z' }])
})

test('M-REG-29 M-REG-30 options is an array and maxLength a positive integer', async () => {
  const ws = await workspace()
  await accepts(ws, [
    { type: 'select', options: ['a', 'b'] },
    { type: 'select', options: [{ value: 'a', label: 'A' }, 2] },
    { type: 'select', options: [] },
  ])
  await refuses(ws, [
    { type: 'select', options: 'a' },
    { type: 'select', options: { a: 1 } },
    { type: 'select', options: 5 },
  ])
  await accepts(ws, [{ maxLength: 10 }, { maxLength: 1 }, { type: 'textarea', maxLength: 10 }])
  await refuses(ws, [{ maxLength: 0 }, { maxLength: -1 }, { maxLength: 1.5 }, { maxLength: 'a' }, { maxLength: '10' }, { maxLength: true }])
})

test('M-REG-33 M-REG-34 a collection must name block keys, never display names', async () => {
  const ws = await workspace()
  const collection = (allowedBlockKeys: unknown) => ({ type: 'collection', allowedBlockKeys })
  await refuses(ws, [undefined, null, 'item', {}, ['My Item'], ['item', 'Card'], [5], [['item']], ['']].map(collection))
  await accepts(ws, [['item'], ['item', 'other_2'], ['promo']].map(collection))
})

test('M-REG-35 minItems and maxItems are non-negative integers', async () => {
  const ws = await workspace()
  const collection = (rules: object) => ({ type: 'collection', allowedBlockKeys: ['item'], ...rules })
  await accepts(ws, [{ minItems: 0, maxItems: 3 }, { minItems: 0 }, { maxItems: 0 }, { minItems: 3, maxItems: 3 }].map(collection))
  await refuses(
    ws,
    [{ minItems: -1 }, { maxItems: -1 }, { minItems: 1.5 }, { maxItems: 1.5 }, { minItems: '1' }, { maxItems: true }].map(collection),
  )
})

test('M-REG-37 M-REG-38 M-REG-39 a scalar field has no collection rules, and no field has fields of its own', async () => {
  const ws = await workspace()
  for (const type of ['text', 'textarea', 'image', 'number', 'select', 'toggle', 'url'])
    await refuses(ws, [
      { type, allowedBlockKeys: ['item'] },
      { type, minItems: 0 },
      { type, maxItems: 3 },
      { type, fields: [] },
    ])
  await refuses(ws, [
    { type: 'collection', allowedBlockKeys: ['item'], fields: [{ id: 'x', tag: '#x', type: 'text' }] },
    { type: 'collection', allowedBlockKeys: ['item'], fields: [] },
    { type: 'rating', fields: [] },
  ])
  assert.equal((await ws.admin.get('/blocks/promo')).status, 404, 'nothing of a refused definition is stored')
})

test('fields named like what every object inherits are stored, checked and shown like any other', async () => {
  const ws = await workspace()
  const fields = ['constructor', 'toString', 'hasOwnProperty'].map((tag) => ({ tag, type: 'text', required: true }))
  expectStatus(await register(ws, { fields, seedInstance: true }), 201)
  assert.deepEqual(await draftValues(ws), {})
  const draft = await ws.instance('promo', {}, { publish: false })
  assert.equal((await ws.admin.post(`/blocks/promo/instances/${draft.id}/publish`)).status, 400)
  const values = { constructor: 'a', toString: 'b', hasOwnProperty: 'c' }
  await ws.instance('promo', { values })
  assert.deepEqual((await ws.blocks())[0].values, values)
  for (const member of ['tag', 'id'])
    assert.equal((await register(ws, { fields: [{ tag: '#t', type: 'text', [member]: '__proto__' }] })).status, 400)
})
