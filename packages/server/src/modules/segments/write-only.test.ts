/** What nobody reads back is not read by asking either: viewers may not ask of it, and others are told no person. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAMPAIGN, create } from '../../../test/builders/campaigns.ts'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { makeJourney } from '../../../test/builders/journeys.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace } = await startApp()

const ILL = { field: 'industryProfile.healthcare.diagnosis', operator: 'equals', value: 'flu' }
const PLAN = { field: 'customAttributes.plan', operator: 'equals', value: 'gold' }
const NAMES: unknown[] = [ILL, { ...ILL, field: 'customAttributes.healthcare', operator: 'exists' }, { ...ILL, field: 'enrichment.tier' }]

async function people(ws: Workspace, from: number, to: number): Promise<void> {
  for (let at = from; at <= to; at++) {
    await identify(ws.app, `D${at}`, `U${at}`, { traits: { plan: 'gold' }, name: `Person ${at}` })
    const body = { userId: `U${at}`, category: 'healthcare', data: { diagnosis: 'flu' } }
    expectStatus(await ws.app.post('/profile', body, { headers: { 'x-cf-device': `D${at}` } }), 200)
  }
}

async function segment(ws: Workspace, name: string, rules: unknown[], more: object = {}): Promise<string> {
  return expectStatus(await ws.admin.post('/segments', { name, logicalOperator: 'AND', rules, ...more }), 201).data.id
}

test('C-PROF-08 viewers may not ask of industry data and imports with rules of their own, at any depth or by leaving out', async () => {
  const ws = await workspace()
  await people(ws, 1, 1)
  await segment(ws, 'Ill', [ILL])
  const viewer = await ws.viewer()
  const ask = (rules: unknown[], more: object = {}) => viewer.post('/segments/preview', { logicalOperator: 'AND', rules, ...more })
  for (const rule of NAMES) {
    for (const rules of [[rule], [PLAN, { logicalOperator: 'OR', conditions: [rule] }]]) {
      const refused = await ask(rules)
      assert.deepEqual([refused.status, refused.body.code, refused.body.data], [403, 'ROLE_REQUIRED', undefined])
    }
  }
  assert.equal((await ask([PLAN], { excludedSegments: ['Ill'] })).status, 403)
  const allowed = expectStatus(await ask([PLAN]), 200).data
  assert.deepEqual([allowed.count, allowed.sample[0].name, allowed.fewerThan], [1, 'Person 1', undefined])
})

test('C-PROF-08 others are told no person, and nothing of fewer than five', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const ask = async (more: object = {}) => {
    const answer = await editor.post('/segments/preview', { logicalOperator: 'AND', rules: [ILL], ...more })
    const { count, fewerThan, sample } = expectStatus(answer, 200).data
    return [count, fewerThan, sample]
  }
  assert.deepEqual(await ask(), [0, 5, []])
  await people(ws, 1, 4)
  assert.deepEqual(await ask(), [0, 5, []])
  await people(ws, 5, 5)
  assert.deepEqual(await ask(), [5, undefined, []])
})

test('C-PROF-08 viewers see neither who is in such a segment, nor why, nor how few; nor whom what goes by it reaches', async () => {
  const ws = await workspace()
  await people(ws, 1, 2)
  const ill = await segment(ws, 'Ill', [ILL])
  const well = await segment(ws, 'Well', [PLAN], { excludedSegments: ['Ill'] })
  const gold = await segment(ws, 'Gold', [PLAN])
  const campaigns = { ill: await create(ws.admin, { ...CAMPAIGN, segments: ['Ill'] }), gold: await create(ws.admin, CAMPAIGN) }
  const byRule = await makeJourney(ws.admin, {
    steps: [{ type: 'condition', rule: ILL, then: [{ type: 'exit' }], else: [{ type: 'exit' }] }],
  })
  const byEntry = await makeJourney(ws.admin, { trigger: { type: 'segment_entry', segment: 'Ill' }, steps: [{ type: 'exit' }] })
  const viewer = await ws.viewer()
  for (const path of [
    `/segments/${ill}/members`,
    `/segments/${well}/members`,
    `/segments/${ill}/explain?person=U1`,
    `/segments/${well}/explain?person=U1`,
    `/campaigns/${campaigns.ill.id}/explain?userId=U1`,
    `/journeys/${byRule.id}/explain?userId=U1`,
    `/journeys/${byEntry.id}/explain?userId=U1`,
  ]) {
    const refused = await viewer.get(path)
    assert.deepEqual([refused.status, refused.body.code], [403, 'ROLE_REQUIRED'], path)
    expectStatus(await ws.admin.get(path), 200)
  }
  assert.equal((await viewer.post(`/campaigns/${campaigns.ill.id}/preview`)).status, 403)
  expectStatus(await viewer.post(`/campaigns/${campaigns.gold.id}/preview`), 200)
  expectStatus(await viewer.get(`/segments/${gold}/members`), 200)
  const told = async (client: Workspace['admin'], id: string) => {
    const { memberCount, fewerThan } = expectStatus(await client.get(`/segments/${id}`), 200).data
    return [memberCount, fewerThan]
  }
  assert.deepEqual(
    [await told(viewer, ill), await told(ws.admin, ill)],
    [
      [0, 5],
      [2, undefined],
    ],
  )
  assert.deepEqual(await told(viewer, gold), [2, undefined])
})

test('C-PROF-08 a viewer learns what a device gets, not what the rules said of industry data', async () => {
  const ws = await workspace()
  await people(ws, 1, 1)
  await segment(ws, 'Ill', [ILL])
  await ws.block('promo')
  const { id } = await ws.instance('promo', { seg: 'Ill' })
  await identify(ws.app, 'D1', 'U1')
  const viewer = await ws.viewer()
  const why = async (client: Workspace['admin']) =>
    expectStatus(await client.get('/explain/blocks/promo?deviceId=D1'), 200).data.instances[0]
  assert.deepEqual([(await why(viewer)).isDelivered, (await why(viewer)).evidence.segment.now], [true, null])
  assert.equal((await why(ws.admin)).evidence.segment.now.trace.rules[0].held, true)
  const impact = async (client: Workspace['admin']) => {
    const { audience } = expectStatus(await client.get(`/blocks/promo/instances/${id}/impact`), 200).data
    return [audience.devices, audience.fewerThan]
  }
  assert.deepEqual(
    [await impact(viewer), await impact(ws.admin)],
    [
      [0, 5],
      [1, undefined],
    ],
  )
})
