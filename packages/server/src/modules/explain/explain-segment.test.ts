import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace } = await startApp()

async function segment(ws: Workspace, name: string, rules: unknown[], more: object = {}): Promise<string> {
  return expectStatus(
    await ws.admin.post('/segments', {
      name,
      logicalOperator: 'AND',
      rules,
      ...more,
    }),
    201,
  ).data.id
}

const PLAN = {
  field: 'customAttributes.plan',
  operator: 'equals',
  value: 'gold',
}

test('every row says whether it holds for the person and what was found (C-SEG-45)', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold', carts: 3 } })
  const carts = {
    field: 'customAttributes.carts',
    operator: 'greater_than',
    value: 5,
  }
  const id = await segment(ws, 'S', [
    PLAN,
    {
      logicalOperator: 'OR',
      conditions: [carts, { ...PLAN, field: 'customAttributes.none' }],
    },
  ])
  const viewer = await ws.viewer()
  const { data } = expectStatus(await viewer.get(`/segments/${id}/explain?person=U`), 200)
  assert.deepEqual([data.userId, data.isMember, data.isStored, data.isAddedByHand], ['U', false, false, false])
  const [plan, group] = data.trace.rules
  assert.deepEqual([plan.held, plan.found], [true, 'gold'])
  assert.equal(group.held, false)
  assert.deepEqual([group.conditions[0].held, group.conditions[0].found], [false, 3])
  assert.ok(!('found' in group.conditions[1]))
})

test('an excluded segment and an adding by hand are named (M-SEG-06)', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  await segment(ws, 'Out', [PLAN])
  const kept = await segment(ws, 'Kept', [PLAN], { excludedSegments: ['Out'] })
  const hand = await segment(ws, 'Hand', [{ ...PLAN, value: 'other' }])
  expectStatus(
    await ws.admin.post('/users/bulk/segments', {
      segmentId: hand,
      userIds: ['U'],
    }),
    200,
  )
  const explain = async (id: string) => expectStatus(await ws.admin.get(`/segments/${id}/explain?person=U`), 200).data
  const out = await explain(kept)
  assert.deepEqual([out.isMember, out.trace.held, out.excludedBy], [false, true, ['Out']])
  const added = await explain(hand)
  assert.deepEqual([added.isMember, added.isStored, added.isAddedByHand, added.trace.held], [true, true, true, false])
})

test('enrichment and industry data are judged and never shown, under either name (C-PROF-08)', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  expectStatus(
    await ws.app.post('/profile', { userId: 'U', category: 'banking', data: { tier: 'secret' } }, { headers: { 'x-cf-device': 'D' } }),
    200,
  )
  const id = await segment(ws, 'S', [
    {
      field: 'industryProfile.banking.tier',
      operator: 'equals',
      value: 'secret',
    },
    { field: 'customAttributes.banking', operator: 'exists' },
  ])
  const { data } = expectStatus(await ws.admin.get(`/segments/${id}/explain?person=U`), 200)
  assert.equal(data.isMember, true)
  assert.deepEqual(
    data.trace.rules.map((rule: { found?: unknown }) => rule.found),
    [undefined, undefined],
  )
})

test('a person of the other environment, of nobody, and a segment of another workspace are not found', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  await identify(ws.testApp, 'D', 'T')
  const id = await segment(ws, 'S', [PLAN])
  expectStatus(await ws.admin.get(`/segments/${id}/explain?person=T`), 404)
  expectStatus(await ws.admin.get(`/segments/${id}/explain?person=T&environment=test`), 200)
  expectStatus(await ws.admin.get(`/segments/${id}/explain`), 400)
  expectStatus(await other.admin.get(`/segments/${id}/explain?person=T`), 404)
})
