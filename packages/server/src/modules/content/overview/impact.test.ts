import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { workspaceOverTime } from '../../../../test/builders/events.ts'
import { deny, identify } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { hashTables } from '../../../../test/harness/tables.ts'

const builders = await startApp()
const { workspace, advance, ctx } = builders

const FIELDS = [
  { id: 'f_title', tag: '#title', type: 'text', required: true },
  { id: 'f_body', tag: '#body', type: 'text' },
]

async function shop(): Promise<Workspace> {
  const ws = await workspace()
  await prepare(ws)
  return ws
}

async function prepare(ws: Workspace): Promise<void> {
  await ws.block('promo', { fields: FIELDS })
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  expectStatus(await ws.admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules }), 201)
}

async function impact({ admin }: Workspace, id: string, { target = 'live', body }: { target?: string; body?: object } = {}) {
  const path = `/blocks/promo/instances/${id}/impact?target=${target}`
  return expectStatus(body ? await admin.post(path, body) : await admin.get(path), 200).data
}

test('publishing a draft adds what it fills; what is published already changes nothing', async () => {
  const ws = await shop()
  const body = {
    values: { '#title': 'Hi' },
    translations: { ar: { '#title': 'مرحبا' } },
    schedule: { startTime: '2100-01-01T00:00:00.000Z' },
  }
  const { id } = await ws.instance('promo', body, { publish: false })
  const draft = await impact(ws, id)
  assert.deepEqual([draft.change, draft.state, draft.fault, draft.audienceNow], ['added', 'scheduled', null, null])
  assert.deepEqual(draft.differences, { fields: ['#title'], locales: ['ar'], settings: [] })
  assert.deepEqual(draft.schedule, body.schedule)
  const publish = (target: string) => ws.admin.post(`/blocks/promo/instances/${id}/publish`, { target })
  expectStatus(await publish('test'), 200)
  assert.deepEqual([(await impact(ws, id)).change, (await impact(ws, id, { target: 'test' })).change], ['added', 'nothing'])
  expectStatus(await publish('live'), 200)
  const live = await impact(ws, id)
  assert.deepEqual([live.change, live.differences], ['nothing', { fields: [], locales: [], settings: [] }])
})

test('G-36 what a save of a published instance would change at once is told before it is saved, and nothing is stored', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', { values: { '#title': 'Hi' } })
  const before = await hashTables(ctx.db)
  const changed = await impact(ws, id, {
    body: { values: { '#title': 'Hi', '#body': 'New' }, seg: 'Gold', translations: { ar: { '#body': 'جديد' } } },
  })
  assert.equal(changed.change, 'changed')
  assert.deepEqual(changed.differences, { fields: ['#body'], locales: ['ar'], settings: ['seg'] })
  assert.deepEqual([changed.audience.segment, changed.audienceNow.segment], ['Gold', null])
  assert.equal((await impact(ws, id, { body: { values: { '#title': 'Hi' } } })).change, 'nothing')
  assert.equal((await impact(ws, id, { target: 'test', body: { priority: 4 } })).change, 'changed', 'test keys get live content too')
  assert.equal((await impact(ws, id, { body: { values: { '#title': null } } })).fault, '#title is required and empty')
  assert.equal(await hashTables(ctx.db), before)
  const path = `/blocks/promo/instances/${id}/impact`
  for (const bad of [{ values: { '#nothing': 1 } }, { name: 'x' }, { priority: 'high' }])
    assert.equal((await ws.admin.post(path, bad)).status, 400)
  assert.equal((await ws.admin.get(`${path}?target=both`)).status, 400)
  assert.equal((await ws.admin.post('/blocks/promo/instances/none/impact', { name: 'x' })).status, 404)
  expectStatus(await (await ws.viewer()).post(path, {}), 200)
})

test('devices are those of the segment that consented, of the environment, seen in the last 30 days; counted at most once a minute', async () => {
  const ws = await workspaceOverTime(builders)
  await prepare(ws)
  const gold = { traits: { plan: 'gold' } }
  await identify(ws.app, 'one', 'U', gold)
  await identify(ws.app, 'two', 'U', gold)
  await identify(ws.app, 'anonymous', undefined, gold)
  await identify(ws.app, 'silver', 'S')
  await deny(ws.app, 'denied')
  await identify(ws.testApp, 'tester', 'T', gold)
  const make = async (seg: string | null) => (await ws.instance('promo', { seg, values: { '#title': 'Hi' } }, { publish: false })).id
  const [forGold, forAll, forNobody] = [await make('Gold'), await make(null), await make('No such')]
  const count = async (id: string, target = 'live') => {
    const { audience } = await impact(ws, id, { target })
    return [audience.devices, audience.isKnown]
  }
  assert.deepEqual(await count(forGold), [3, true])
  assert.deepEqual(await count(forAll), [4, true])
  assert.deepEqual(await count(forNobody), [0, false])
  assert.deepEqual(
    [await count(forGold, 'test'), await count(forAll, 'test')],
    [
      [1, true],
      [1, true],
    ],
  )
  await identify(ws.app, 'three', 'U', gold)
  assert.deepEqual(await count(forGold), [3, true], 'within the minute')
  await advance(61)
  assert.deepEqual(await count(forGold), [4, true])
  await advance(30 * 86_400)
  await identify(ws.app, 'one', 'U', gold)
  const later = { ...ws, admin: await ws.signIn() }
  assert.equal((await impact(later, forGold)).audience.devices, 1)
})
