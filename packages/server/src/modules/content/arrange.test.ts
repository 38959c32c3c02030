import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { hashTables } from '../../../test/harness/tables.ts'

const { workspace, ctx } = await startApp()

async function shop(count = 4, { publish = 'live' }: { publish?: 'live' | false } = {}) {
  const ws = await workspace()
  await ws.block('promo')
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push((await ws.instance('promo', { values: { '#title': `${i}` } }, { publish })).id)
  return { ws, ids }
}
const arrange = ({ admin }: Workspace, ids: string[], key = 'promo') => admin.put(`/blocks/${key}/instances/order`, { ids })
const delivered = async (ws: Workspace) => (await ws.blocks()).map(({ instanceId }) => instanceId)
const versionOf = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`/blocks/promo/instances/${id}`), 200).data.version
const revisionHead = async (ws: Workspace) =>
  ctx.db.selectFrom('content_heads').select(['environment', 'revision']).where('workspace_id', '=', ws.id).orderBy('environment').execute()

test('instances are delivered in the order that was asked for; only what had to change is a new version, in one step for clients', async () => {
  const { ws, ids } = await shop()
  const [a, b, c, d] = ids as [string, string, string, string]
  assert.deepEqual(await delivered(ws), ids)
  const heads = await revisionHead(ws)
  const answer = expectStatus(await arrange(ws, [d, a, b, c]), 200).data
  assert.deepEqual(answer, {
    instances: [{ id: d, priority: 1, version: 2 }, ...[a, b, c].map((id) => ({ id, priority: 0, version: 1 }))],
    changed: 1,
  })
  assert.deepEqual(await delivered(ws), [d, a, b, c])
  assert.deepEqual(
    (await revisionHead(ws)).map(({ revision }) => revision),
    heads.map(({ revision }) => revision + 1),
  )
  expectStatus(await arrange(ws, [c, b, a, d]), 200)
  assert.deepEqual(await delivered(ws), [c, b, a, d])
  const { revisions } = expectStatus(await ws.admin.get(`/blocks/promo/instances/${c}/revisions`), 200).data
  assert.deepEqual([revisions[0].source, revisions[0].content.values], ['edit', { '#title': '2' }])
  const before = await hashTables(ctx.db)
  assert.equal(expectStatus(await arrange(ws, [c, b, a, d]), 200).data.changed, 0)
  assert.equal(await hashTables(ctx.db), before, 'a repeat writes nothing')
})

test('some of the instances can be arranged among themselves; drafts keep the order whenever they are published', async () => {
  const { ws, ids } = await shop(3, { publish: false })
  const [a, b, c] = ids as [string, string, string]
  expectStatus(await arrange(ws, [c, a]), 200)
  assert.equal(await versionOf(ws, b), 1)
  expectStatus(await arrange(ws, [b, c, a]), 200)
  for (const id of [a, c, b]) expectStatus(await ws.admin.post(`/blocks/promo/instances/${id}/publish`, {}), 200)
  assert.deepEqual(await delivered(ws), [b, c, a])
})

test('an order that names what is not of the type, nothing, or something twice is refused whole', async () => {
  const [{ ws, ids }, other] = [await shop(2), await shop(1)]
  await ws.block('hero')
  const hero = (await ws.instance('hero')).id
  const viewer = { ...ws, admin: await ws.viewer() }
  const before = await hashTables(ctx.db)
  for (const foreign of [hero, other.ids[0]!, randomUUID()]) {
    const refused = await arrange(ws, [...ids.toReversed(), foreign])
    assert.deepEqual([refused.status, refused.body.error], [404, 'instance not found'])
  }
  for (const bad of [[], [ids[0]!, ids[0]!], [1] as never, Array.from({ length: 201 }, () => randomUUID())])
    assert.equal((await arrange(ws, bad)).status, 400)
  assert.equal((await arrange(ws, [], 'none')).status, 404, 'existence comes before the body')
  assert.deepEqual([(await arrange(viewer, ids)).status, (await arrange(viewer, ids)).body.code], [403, 'ROLE_REQUIRED'])
  assert.equal(await hashTables(ctx.db), before)
  expectStatus(await arrange({ ...ws, admin: await ws.editor() }, ids.toReversed()), 200)
})

test('a duplicate is a draft with the same content and a life of its own', async () => {
  const ws = await workspace()
  const fields = [
    { id: 'f_title', tag: '#title', type: 'text' },
    { id: 'f_items', tag: '#items', type: 'collection', allowedBlockKeys: ['promo'] },
  ]
  await ws.block('promo', { fields })
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  expectStatus(await ws.admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules }), 201)
  const child = (await ws.instance('promo')).id
  const content = {
    title: 'Winter',
    values: { '#title': 'a', '#items': [child] },
    seg: 'Gold',
    priority: 3,
    schedule: { startTime: '2020-03-01T00:00:00.000Z' },
    variants: [{ id: 'v', weight: 1, values: { '#title': 'variant' } }],
    translations: { ar: { '#title': 'ع' } },
    frequency: { per: 'day', max: 1 },
  }
  const original = await ws.instance('promo', { ...content, externalId: 'x' })
  // A reference whose target is gone is kept as the original keeps it.
  expectStatus(await ws.admin.delete(`/blocks/promo/instances/${child}`), 200)
  const path = `/blocks/promo/instances/${original.id}/duplicate`
  const copy = expectStatus(await (await ws.editor()).post(path, {}), 201).data
  const { id, createdAt, updatedAt, ...rest } = copy
  assert.notEqual(id, original.id)
  assert.ok(createdAt >= original.createdAt && updatedAt === createdAt)
  assert.deepEqual(rest, {
    ...content,
    blockKey: 'promo',
    externalId: null,
    status: 'draft',
    targets: [],
    version: 1,
    head: 1,
    live: null,
    test: null,
  })
  assert.equal(expectStatus(await ws.admin.post(path, { title: 'Winter 2' }), 201).data.title, 'Winter 2')
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { values: { '#title': 'changed' } }), 200)
  assert.equal(expectStatus(await ws.admin.get(`/blocks/promo/instances/${original.id}`), 200).data.values['#title'], 'a')
  const { revisions } = expectStatus(await ws.admin.get(`/blocks/promo/instances/${id}/revisions`), 200).data
  assert.deepEqual(
    revisions.map(({ number, source }: any) => [number, source]),
    [
      [2, 'edit'],
      [1, 'create'],
    ],
  )
  assert.equal((await ws.admin.post(path, { title: 'x'.repeat(201) })).status, 400)
  assert.equal((await ws.admin.post(path, { title: 5 })).status, 400)
  assert.equal((await ws.admin.post('/blocks/promo/instances/none/duplicate', { title: 5 })).status, 404)
  assert.equal((await (await ws.viewer()).post(path, {})).status, 403)
})
