import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { deny, identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { ctx, workspace, advance } = await startApp()

async function shop(): Promise<Workspace> {
  const ws = await workspace()
  await ws.block('promo')
  for (const name of ['Gold', 'Silver']) {
    const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: name }]
    expectStatus(await ws.admin.post('/segments', { name, logicalOperator: 'AND', rules }), 201)
  }
  return ws
}

const explain = async (ws: Workspace, deviceId?: string, more = '') =>
  expectStatus(await ws.admin.get(`/explain/blocks/promo?${deviceId === undefined ? '' : `deviceId=${deviceId}&`}${more}`), 200).data

async function reasonFor(ws: Workspace, deviceId?: string, more = ''): Promise<string> {
  const { instances } = await explain(ws, deviceId, more)
  return instances[0].reason
}

test('each thing that keeps a targeted instance from a device is named', async () => {
  const ws = await shop()
  await ws.instance('promo', { seg: 'Gold' })
  assert.equal(await reasonFor(ws), 'no_device')
  assert.equal(await reasonFor(ws, 'never-seen'), 'device_unknown')
  expectStatus(await ws.app.post('/register-push', { token: 't', platform: 'ios' }, { headers: { 'x-cf-device': 'pushed' } }), 200)
  assert.equal(await reasonFor(ws, 'pushed'), 'consent_unknown')
  await deny(ws.app, 'denied')
  assert.equal(await reasonFor(ws, 'denied'), 'consent_denied')
  await identify(ws.testApp, 'tester', 'T', { traits: { plan: 'Gold' } })
  assert.equal(await reasonFor(ws, 'tester'), 'device_of_other_environment')
  assert.equal(await reasonFor(ws, 'tester', 'environment=test'), 'delivered')
  await identify(ws.app, 'D', 'U', { traits: { plan: 'Gold' } })
  assert.equal(await reasonFor(ws, 'D'), 'delivered')
  // The admin's own token lapses with the record; a member who signs in half a day later can still ask.
  await advance(43_200)
  const viewer = await ws.viewer()
  await advance(43_300)
  const late = expectStatus(await viewer.get('/explain/blocks/promo?deviceId=D'), 200).data
  assert.deepEqual([late.instances[0].reason, late.device.bar], ['record_lapsed', 'record_lapsed'])
})

test('publication and schedule are named before the segment', async () => {
  const ws = await shop()
  await identify(ws.app, 'D', 'U')
  const { id } = await ws.instance('promo', { seg: 'Gold', schedule: { startTime: '2100-01-01T00:00:00Z' } }, { publish: false })
  assert.equal(await reasonFor(ws, 'D'), 'not_published')
  expectStatus(await ws.admin.post(`/blocks/promo/instances/${id}/publish`, { target: 'test' }), 200)
  assert.equal(await reasonFor(ws, 'D'), 'not_published')
  expectStatus(await ws.admin.post(`/blocks/promo/instances/${id}/publish`, {}), 200)
  assert.equal(await reasonFor(ws, 'D'), 'schedule_not_started')
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { schedule: { endTime: '2020-01-01T00:00:00Z' } }), 200)
  assert.equal(await reasonFor(ws, 'D'), 'schedule_ended')
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { schedule: null }), 200)
  assert.equal(await reasonFor(ws, 'D'), 'not_in_segment')
})

test('a segment is traced leaf by leaf, with what was found', async () => {
  const ws = await shop()
  await ws.instance('promo', { seg: 'Gold' })
  await identify(ws.app, 'D', 'U', { traits: { plan: 'Silver' } })
  const { instances, device } = await explain(ws, 'D')
  const { reason, evidence } = instances[0]
  assert.deepEqual([reason, device.segments, device.userId, device.bar], ['not_in_segment', ['Silver'], 'U', null])
  assert.deepEqual([evidence.segment.name, evidence.segment.isInSnapshot, evidence.segment.now.isMember], ['Gold', false, false])
  const leaf = evidence.segment.now.trace.rules[0]
  assert.deepEqual([leaf.field, leaf.found, leaf.held, leaf.isSkipped], ['customAttributes.plan', 'Silver', false, false])
  await ws.instance('promo', { seg: 'No such segment' })
  assert.equal((await explain(ws, 'D')).instances[1].evidence.segment.now, null)
})

test('the variant is told with its bucket, and a switched-off feature for every instance', async () => {
  const ws = await shop()
  const variants = ['x', 'y'].map((id) => ({ id, weight: 50, values: { '#title': id } }))
  await ws.instance('promo', { variants, values: { '#title': 'base' } })
  for (const device of ['one', 'two', 'three', 'four']) {
    const { variant } = (await explain(ws, device)).instances[0].evidence
    const [block] = await ws.blocks(device)
    assert.equal(variant.id, block.values['#title'])
    assert.equal(variant.id, variant.bucket < 50 ? 'x' : 'y')
  }
  expectStatus(await ws.admin.put('/settings/features', { features: { contentSync: false } }), 200)
  assert.equal(await reasonFor(ws, 'one'), 'feature_disabled')
})

test('what a collection leaves out is named child by child', async () => {
  const ws = await shop()
  const fields = [
    { id: 'f_title', tag: '#title', type: 'text' },
    { id: 'f_items', tag: '#items', type: 'collection', allowedBlockKeys: ['promo'] },
  ]
  await ws.block('list', { fields })
  const [open, gold] = [await ws.instance('promo'), await ws.instance('promo', { seg: 'Gold' })]
  const draft = await ws.instance('promo', {}, { publish: false })
  await ws.instance('list', { values: { '#items': [open.id, gold.id, draft.id] } })
  await identify(ws.app, 'D', 'U')
  const { instances } = expectStatus(await ws.admin.get('/explain/blocks/list?deviceId=D'), 200).data
  assert.deepEqual(
    instances[0].evidence.children.map(({ instanceId, reason }: any) => [instanceId, reason]),
    [
      [open.id, 'delivered'],
      [gold.id, 'not_in_segment'],
      [draft.id, 'not_published'],
    ],
  )
})

test('any member may ask; an unknown block type is 404', async () => {
  const ws = await shop()
  await ws.instance('promo')
  expectStatus(await (await ws.viewer()).get('/explain/blocks/promo'), 200)
  assert.equal((await ws.admin.get('/explain/blocks/nothing')).status, 404)
})

const SEED = Number(process.env['CF_TEST_SEED'] ?? Date.now() % 1_000_000) + 1

test(`explain and /sync never disagree: 100 devices and 100 instances at random, seed ${SEED}`, async () => {
  const ws = await shop()
  let state = SEED
  const pick = <T>(of: readonly T[]): T => of[(state = (state * 48_271) % 2_147_483_647) % of.length]!
  const segs = [null, 'Gold', 'Silver', 'All users', 'gold', 'No such segment']
  const times = [undefined, '2020-01-01T00:00:00Z', '2100-01-01T00:00:00Z']
  for (let i = 0; i < 100; i++) {
    const [startTime, endTime] = [pick(times), pick(times)]
    const isOrdered = !startTime || !endTime || startTime < endTime
    const schedule = isOrdered ? { ...(startTime && { startTime }), ...(endTime && { endTime }) } : null
    await ws.instance('promo', { seg: pick(segs), schedule }, { publish: pick(['live', 'live', 'test', false] as const) })
  }
  for (let i = 0; i < 100; i++) {
    const device = `device-${i}`
    const app = pick([ws.app, ws.app, ws.testApp])
    const act = pick(['identify', 'identify', 'anonymous', 'deny', 'nothing'])
    if (act === 'identify') await identify(app, device, `user-${i % 40}`, { traits: { plan: pick(['Gold', 'Silver', 'none']) } })
    if (act === 'anonymous') await identify(app, device, undefined, { traits: { plan: pick(['Gold', 'Silver']) } })
    if (act === 'deny') await deny(app, device)
    const environment = pick(['live', 'test'] as const)
    const key = environment === 'live' ? ws.live : ws.test
    const sent = new Set((await ws.blocks(device, { key })).map((block) => block.instanceId))
    const { instances } = await explain(ws, device, `environment=${environment}`)
    assert.equal(instances.length, 100)
    for (const { instanceId, isDelivered, reason } of instances) {
      assert.equal(isDelivered, sent.has(instanceId), `${device} ${act} ${environment}: ${reason}`)
      assert.equal(isDelivered, reason === 'delivered')
    }
  }
})

test('a segment that many instances are for is evaluated once in a request', async () => {
  const ws = await shop()
  await identify(ws.app, 'D', 'U', { traits: { plan: 'Gold' } })
  for (let i = 0; i < 8; i++) await ws.instance('promo', { seg: 'Gold', values: { '#title': `t${i}` } })
  const statements = await countStatements(() => explain(ws, 'D'))
  for (let i = 0; i < 8; i++) await ws.instance('promo', { seg: 'Gold', values: { '#title': `u${i}` } })
  assert.equal(await countStatements(() => explain(ws, 'D')), statements)
})

/** Those that ask for what was added by hand. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const select = ctx.db.selectFrom.bind(ctx.db)
  let count = 0
  ctx.db.selectFrom = ((table: string) => {
    if (table === 'segment_members') count++
    return select(table as 'segment_members')
  }) as unknown as typeof ctx.db.selectFrom
  await work().finally(() => (ctx.db.selectFrom = select))
  return count
}
