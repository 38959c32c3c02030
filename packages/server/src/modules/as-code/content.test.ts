/** Instances of the workspace as one document: what is worked on, and what is served. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { apply, applyPlanned, carry, exported, plan, refused, stale, told } from '../../../test/builders/code.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace } = await startApp()

const SCHEDULE = { startTime: '2020-01-01T00:00:00.000Z', endTime: '2090-01-01T00:00:00.000Z' }

async function fill(ws: Workspace): Promise<{ child: string; list: string; draft: string }> {
  await ws.block('promo', {
    fields: [
      { id: 'f_title', tag: '#title', type: 'text', required: true },
      { id: 'f_note', tag: '#note', type: 'text' },
    ],
  })
  await ws.block('list', { fields: [{ id: 'f_items', tag: '#items', type: 'collection', allowedBlockKeys: ['promo', 'list'] }] })
  const child = await ws.instance('promo', {
    title: 'Child',
    externalId: 'child-1',
    values: { '#title': 'Hi', '#note': 'no' },
    translations: { ar: { '#title': 'أهلا' } },
    variants: [{ id: 'b', weight: 1, values: { '#title': 'Ho' }, translations: { ar: { '#title': 'هلا' } } }],
    seg: 'VIP',
    priority: 3,
    schedule: SCHEDULE,
    frequency: { per: 'day', max: 2 },
  })
  const list = await ws.instance('list', { values: { '#items': [child.id] } }, { publish: 'test' })
  const draft = await ws.instance('promo', { values: { '#title': 'one' } })
  const save = (title: string, how = '') => ws.admin.put(`/blocks/promo/instances/${draft.id}${how}`, { values: { '#title': title } })
  expectStatus(await save('two', '?draft=true'), 200)
  await ws.instance('promo', { values: {} }, { publish: false })
  return { child: child.id, list: list.id, draft: draft.id }
}

/** Of what is served; a list has none. */
const titles = async (ws: Workspace, key?: string) =>
  (await ws.blocks(undefined, key === undefined ? {} : { key })).map(({ values }) => String(values['#title'])).toSorted()
const find = async (ws: Workspace, id: string) =>
  (await exported(ws, 'instances')).data.instances.find((instance: { id: string }) => instance.id === id)

test('instances: export, apply to an empty workspace, export: byte for byte the same, drafts and what is served', async () => {
  const [from, to] = [await workspace(), await workspace()]
  const { child, list, draft } = await fill(from)
  const found = await find(from, child)
  assert.deepEqual(
    [found.block, found.externalId, found.values, found.translations, found.schedule, found.frequency, found.live, found.test],
    ['promo', 'child-1', { '#title': 'Hi', '#note': 'no' }, { ar: { '#title': 'أهلا' } }, SCHEDULE, { per: 'day', max: 2 }, true, false],
  )
  assert.deepEqual([(await find(from, list)).live, (await find(from, list)).test], [false, true])
  const edited = await find(from, draft)
  assert.deepEqual([edited.values, edited.live.values], [{ '#title': 'two' }, { '#title': 'one' }])
  const changes = await carry(from, to)
  assert.equal(changes.filter(({ kind }) => kind === 'instances').length, 4)
  // What is served there is what is served here.
  assert.deepEqual(await titles(to), ['one'])
  assert.deepEqual(await titles(to), await titles(from))
  assert.deepEqual(await titles(to, to.test), await titles(from, from.test))
  await carry(to, await workspace(), 'blocks,instances')
})

test('instances change, go and come back exactly as planned', async () => {
  const ws = await workspace()
  const { child, list, draft } = await fill(ws)
  const { data } = await exported(ws, 'instances')
  const [first, second, third] = data.instances
  assert.deepEqual([first.id, second.id, third.id], [child, list, draft])
  const next = { ...third, values: { '#title': 'three' }, live: true, test: { ...third.live, values: { '#title': 'tried' } } }
  const changes = await apply(ws, { instances: [next, { ...second, values: { '#items': [] } }] })
  assert.deepEqual(told(changes), [
    `delete instances ${child}`,
    `change instances ${list}`,
    `change instances ${draft}`,
    `delete instances ${data.instances[3].id}`,
  ])
  assert.deepEqual(changes[2].members.toSorted(), ['live', 'test', 'values'])
  assert.deepEqual([await titles(ws), await titles(ws, ws.test)], [['three'], ['tried', 'undefined']])
  assert.deepEqual((await find(ws, draft)).test.values, { '#title': 'tried' })
  // What holds something that is gone is written without it.
  expectStatus(await ws.admin.put(`/blocks/list/instances/${list}`, { values: { '#items': [draft] } }), 200)
  expectStatus(await ws.admin.delete(`/blocks/promo/instances/${draft}`), 200)
  assert.deepEqual((await find(ws, list)).values, { '#items': [] })
  await apply(ws, data)
  assert.deepEqual((await exported(ws, 'instances')).data, data)
  const kept = expectStatus(await ws.admin.get(`/blocks/promo/instances/${draft}/revisions`), 200).data.revisions
  assert.ok(kept.length >= 4, 'each save is a revision')
  await stale(ws, { instances: [] }, () => ws.instance('promo', { values: { '#title': 'meanwhile' } }))
})

test('a block type that is brought back brings its instances; what the document leaves out of them goes', async () => {
  const [from, to] = [await workspace(), await workspace()]
  const { child } = await fill(from)
  await carry(from, to)
  const { data } = await exported(from)
  await apply(to, { blocks: [] })
  assert.deepEqual((await exported(to, 'instances')).data, { instances: [] })
  const some = { blocks: data.blocks, instances: data.instances.filter(({ id }: { id: string }) => id === child) }
  const changes = told(await apply(to, some))
  assert.deepEqual(changes.slice(0, 2), ['create blocks list', 'create blocks promo'])
  assert.deepEqual([changes.length, changes.slice(2).every((each) => each.startsWith('delete instances '))], [5, true])
  assert.deepEqual((await plan(to.admin, some)).changes, [])
  assert.deepEqual((await exported(to, 'blocks,instances')).data, some)
})

test('G-82 where publishing takes a second person an apply leaves a draft, asks, and the plan says so', async () => {
  const [from, to] = [await workspace(), await workspace()]
  const { child, draft } = await fill(from)
  const { data } = await exported(from)
  // Also where the same document would switch that off.
  expectStatus(await to.admin.put('/settings/publishing', { approval: true }), 200)
  const changes = await apply(to, data)
  const asked = changes.filter(({ asks }) => asks).map(({ key }) => key)
  assert.deepEqual(asked, [child, draft])
  assert.deepEqual(await titles(to), [])
  assert.deepEqual((await find(to, child)).live, false)
  const { reviews } = expectStatus(await to.admin.get('/reviews?status=pending'), 200).data
  assert.deepEqual(reviews.map(({ instanceId }: { instanceId: string }) => instanceId).toSorted(), [child, draft].toSorted())
  const approver = await to.approver()
  for (const { id } of reviews) expectStatus(await approver.post(`/reviews/${id}/approve`, {}), 200)
  assert.deepEqual((await plan(to.admin, data)).changes, [])
  assert.deepEqual(await titles(to), ['one'])
})

test('instances that cannot be are refused where they stand, and nothing changes', async () => {
  const ws = await workspace()
  await fill(ws)
  const { instances } = (await exported(ws, 'instances')).data
  const [child, list] = instances
  const wrong = (change: object, error: RegExp) => refused(ws, { instances: [{ ...child, ...change }, list] }, error)
  await wrong({ block: 'gone' }, /instances\[0\]: block must be the key of a block type that is there/)
  await wrong({ values: { '#other': 'x' } }, /instances\[0\]: values: this block type has no field #other/)
  await wrong({ values: {} }, /instances\[0\]: live: this cannot be served: #title is required and empty/)
  await wrong({ live: { values: { '#title': 1 } } }, /instances\[0\]: live: values #title/)
  await wrong({ live: 'yes' }, /instances\[0\]: live: must be true, false, or the content/)
  await wrong({ id: 'a b' }, /instances\[0\]: id must be/)
  await wrong({ colour: 'red' }, /instances\[0\]: colour is not a member/)
  await wrong({ externalId: 'other' }, /its block is promo and its externalId child-1, which stay/)
  await refused(ws, { instances: [list] }, /#items holds ".*", which is not in the document/)
  await refused(ws, { instances: [child, { ...child, id: 'twin' }, list] }, /another promo has its externalId/)
  const circle = [
    { id: 'a', block: 'list', values: { '#items': ['b'] } },
    { id: 'b', block: 'list', values: { '#items': ['a'] } },
  ]
  await refused(ws, { instances: circle }, /instances a, b hold each other in a circle/)
  // A test environment that is retired takes nothing.
  expectStatus(await ws.admin.put('/settings/test-environment', { retired: true }), 200)
  const before = (await exported(ws)).text
  const document = { instances: [{ ...child, title: 'New', test: true }, list, ...instances.slice(2)] }
  const late = await applyPlanned(ws.admin, document, (await plan(ws.admin, document)).version)
  assert.deepEqual([late.status, late.body.code], [409, 'TEST_ENV_RETIRED'])
  assert.equal((await exported(ws)).text, before)
})
