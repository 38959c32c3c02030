/** What others do to a few people holds at the next request of their installations, though these are known and fresh. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { launch } from '../../../test/builders/campaigns.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, operator } = await startApp()

const segment = async ({ admin }: Workspace, name: string, field: string, value: unknown = 'gold') =>
  expectStatus(await admin.post('/segments', { name, logicalOperator: 'AND', rules: [{ field, operator: 'equals', value }] }), 201).data.id
const campaigns = async ({ app }: Workspace, deviceId: string): Promise<string[]> =>
  expectStatus(await app.post('/campaigns', {}, { headers: { 'x-cf-device': deviceId } }), 200).data.map(({ name }: any) => name)
const messages = async (ws: Workspace, deviceId: string) =>
  (await ws.blocks(deviceId)).filter(({ key }: any) => key === 'journey_message').length

test('A-40 A-41 a flag that a load or another installation sets counts at once', async () => {
  const ws = await workspace()
  const load = async (inApp: boolean) =>
    expectStatus(await ws.admin.post('/users/bulk/contacts', { contacts: [{ userId: 'U', consent: { inApp } }] }), 200)
  for (const device of ['D', 'D2']) await identify(ws.app, device, 'U')
  await load(true)
  await launch(ws, await ws.editor(), { name: 'all', dispatchChannels: ['in_app'] })
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  const shown = async () => [await campaigns(ws, 'D'), await messages(ws, 'D'), await campaigns(ws, 'D2'), await messages(ws, 'D2')]
  assert.deepEqual(await shown(), [['all'], 1, ['all'], 1])
  await load(false)
  assert.deepEqual(await shown(), [[], 0, [], 0])
  await load(true)
  assert.deepEqual(await shown(), [['all'], 1, ['all'], 1])
  expectStatus(await ws.app.post('/consent', { deviceId: 'D', channels: { inApp: false } }), 200)
  assert.deepEqual(await shown(), [[], 0, [], 0])
})

test('A-13 C-CAMP-11 whoever is added to a segment gets its campaigns at the next request, whoever is taken out gets them no more', async () => {
  const ws = await workspace()
  const segmentId = await segment(ws, 'Gold', 'customAttributes.plan')
  await segment(ws, 'Rich', 'enrichment.tier')
  const editor = await ws.editor()
  for (const name of ['Gold', 'Rich']) await launch(ws, editor, { name, segments: [name] })
  await identify(ws.app, 'D', 'U', { traits: { plan: 'silver' } })
  assert.deepEqual(await campaigns(ws, 'D'), [])
  const byHand = async (action: string) =>
    expectStatus(await ws.admin.post('/users/bulk/segments', { segmentId, userIds: ['U'], action }), 200)
  await byHand('add')
  assert.deepEqual(await campaigns(ws, 'D'), ['Gold'])
  await byHand('remove')
  assert.deepEqual(await campaigns(ws, 'D'), [])
  const records = [{ userId: 'U', attributes: { tier: 'gold' } }]
  const { data } = expectStatus(await ws.admin.post('/enrichment/upload', { sourceRef: 'crm', records }), 201)
  assert.deepEqual(await campaigns(ws, 'D'), ['Rich'])
  expectStatus(await ws.admin.delete(`/enrichment/uploads/${data.jobRef}`), 200)
  assert.deepEqual(await campaigns(ws, 'D'), [])
})
