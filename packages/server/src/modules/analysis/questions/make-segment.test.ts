/** Segments of the people of a step of a funnel. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Client } from '../../../../test/builders/builders.ts'
import { rollUp, track } from '../../../../test/builders/events.ts'
import { identify } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { InjectedFault } from '../../../infra/faults.ts'

const { ctx, workspace, operator } = await startApp()

const STEPS = [{ type: 'view' }, { type: 'buy' }]
async function shop() {
  const ws = await workspace()
  const done = { A: ['view', 'buy'], B: ['view'], C: ['buy', 'view'], D: ['view'] }
  for (const [name, types] of Object.entries(done)) {
    await identify(ws.app, `D${name}`, name === 'D' ? undefined : name)
    await track(
      ws.app,
      `D${name}`,
      types.map((type) => ({ type })),
    )
  }
  await rollUp(operator)
  return ws
}
const make = (client: Client, body: object) => client.post('/analysis/funnel/segment', { steps: STEPS, days: 30, name: 'Made', ...body })
const told = ({ status, body }: { status: number; body: { code?: string; error?: string } }) => [status, body.code ?? body.error]

async function membersOf(admin: Client, id: string): Promise<string[]> {
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'segments' }), 200)
  const { userIds, deviceIds } = expectStatus(await admin.get(`/segments/${id}/members?limit=100`), 200).data
  return [...userIds, ...deviceIds].sort()
}

test('where a rule says exactly who it is, the segment has that rule, and others come into it', async () => {
  const ws = await shop()
  const made = expectStatus(await make(ws.admin, { step: 1, order: 'any_order', withinMinutes: 43_200, dropped: true }), 201).data
  assert.deepEqual([made.way, made.name, made.added], ['rule', 'Made', null])
  assert.deepEqual(await membersOf(ws.admin, made.segmentId), ['B', 'DD'])
  const { rules } = expectStatus(await ws.admin.get(`/segments/${made.segmentId}`), 200).data
  assert.deepEqual(rules[0].conditions, [
    { field: 'events.view', operator: 'did', value: { within: { days: 30 } } },
    { field: 'events.buy', operator: 'did_not', value: { within: { days: 30 } } },
  ])
  await identify(ws.app, 'DE', 'E')
  await track(ws.app, 'DE', [{ type: 'view' }])
  await rollUp(operator)
  assert.deepEqual(await membersOf(ws.admin, made.segmentId), ['B', 'DD', 'E'])
})

test('where no rule does, those who are listed are added by hand, and nobody else is in it', async () => {
  const ws = await shop()
  const made = expectStatus(await make(ws.admin, { step: 1, dropped: true }), 201).data
  assert.deepEqual([made.way, made.added, made.total], ['by_hand', 3, 3])
  assert.deepEqual(await membersOf(ws.admin, made.segmentId), ['B', 'C', 'DD'])
  const converted = expectStatus(await make(ws.admin, { step: 2, name: 'Bought' }), 201).data
  assert.deepEqual(await membersOf(ws.admin, converted.segmentId), ['A'])
})

test('it is refused as the making of a segment is, and nothing is made then', async () => {
  const ws = await shop()
  expectStatus(await make(ws.admin, { step: 1 }), 201)
  assert.equal((await make(ws.admin, { step: 2 })).status, 409, 'the name is taken')
  assert.deepEqual(told(await make(await ws.viewer(), { step: 1, name: 'x' })), [403, 'ROLE_REQUIRED'])
  assert.deepEqual(told(await make(ws.admin, { step: 1, name: ' ' })), [400, 'name must be a string of 1 to 100 characters'])
  assert.deepEqual(told(await make(ws.admin, { step: 3, name: 'x' })), [400, 'step must be a whole number from 1 to 2'])
  const nobody = await ws.admin.post('/analysis/funnel/segment', { steps: [{ type: 'x' }, { type: 'y' }], step: 2, name: 'x' })
  assert.deepEqual(told(nobody), [400, 'Nobody is at this step, so there is nobody to add'])
  const { segments } = expectStatus(await ws.admin.get('/segments'), 200).data
  assert.equal(segments.length, 1)
})

test('when its members cannot be added, there is no segment either, and its name is free', async () => {
  const ws = await shop()
  ctx.faults.watch((point) => {
    if (point === 'segments: members added') throw new InjectedFault('the process ends here')
  })
  try {
    assert.equal((await make(ws.admin, { step: 1, dropped: true })).status, 503)
  } finally {
    ctx.faults.watch(() => {})
  }
  assert.deepEqual(expectStatus(await ws.admin.get('/segments'), 200).data.segments, [])
  const members = await ctx.db.selectFrom('segment_members').select('profile_id').where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(members, [])
  const made = expectStatus(await make(ws.admin, { step: 1, dropped: true }), 201).data
  assert.deepEqual(await membersOf(ws.admin, made.segmentId), ['B', 'C', 'DD'])
})
