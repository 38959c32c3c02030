/** A device belongs to one environment and one workspace (C-SBX, X-INT-23, X-INT-46). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Answer } from '../../../test/builders/builders.ts'
import { deny, deviceRow, devicesOf, erase, identify, personRow } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, ctx, fault, advance } = await startApp()

const told = ({ status, body }: Answer) => [status, body.success, body.code]
const MISMATCH = [409, false, 'DEVICE_ENVIRONMENT_MISMATCH']

test('C-SBX-03 C-IDN-14 C-ERR-15 a device of one environment is refused with the keys of the other, both ways', async () => {
  const { id, app, testApp } = await workspace()
  for (const [own, other, environment] of [
    [testApp, app, 'test'],
    [app, testApp, 'live'],
  ] as const) {
    await identify(own, environment, 'U', { traits: { a: 1 } })
    const before = await deviceRow(ctx, id, environment)
    assert.equal(before?.environment, environment)
    for (const consent of [true, false])
      assert.deepEqual(told(await other.post('/identify', { deviceId: environment, userId: 'U2', consent })), MISMATCH)
    assert.deepEqual(told(await other.post('/logout', { deviceId: environment })), MISMATCH)
    assert.deepEqual(told(await other.post('/track-event', { deviceId: environment, type: 'sign_in' })), MISMATCH)
    const data = { deviceId: environment, userId: 'U', category: 'retail', data: {} }
    assert.deepEqual(told(await other.post('/profile', data)), MISMATCH)
    assert.deepEqual(await deviceRow(ctx, id, environment), before)
    expectStatus(await other.get('/sync', { headers: { 'x-cf-device': environment } }), 200)
  }
})

test('X-INT-23 an erasure with a key of the other environment is refused and erases nothing', async () => {
  const { id, app, testApp } = await workspace()
  await identify(testApp, 'D', 'U', { traits: { a: 1 } })
  assert.deepEqual(told(await erase(app, 'D')), MISMATCH)
  assert.deepEqual((await personRow(ctx, id, 'U', 'test'))?.traits, { a: 1 })
  assert.deepEqual(await devicesOf(ctx, id, 'U', 'test'), ['D'])
  assert.equal((await erase(testApp, 'D')).status, 200)
})

test('X-INT-46 C-SBX-02 the same user in live and in test is two people', async () => {
  const { id, app, testApp } = await workspace()
  await identify(app, 'D', 'U', { name: 'Live', traits: { of: 'live' } })
  await identify(testApp, 'T', 'U', { name: 'Test', traits: { of: 'test' } })
  assert.deepEqual([await devicesOf(ctx, id, 'U', 'live'), await devicesOf(ctx, id, 'U', 'test')], [['D'], ['T']])
  const [live, test_] = [await personRow(ctx, id, 'U', 'live'), await personRow(ctx, id, 'U', 'test')]
  assert.deepEqual([live?.name, live?.traits, test_?.name, test_?.traits], ['Live', { of: 'live' }, 'Test', { of: 'test' }])
  expectStatus(await erase(testApp, 'T'), 200)
  assert.deepEqual(await personRow(ctx, id, 'U', 'live'), live)
  expectStatus(await app.post('/profile', { deviceId: 'D', userId: 'U', category: 'retail', data: {} }), 200)
})

test('C-DEV-02 a record that lapsed in one environment begins anew in the other, and takes nothing along', async () => {
  const { id, app, testApp } = await workspace()
  await identify(testApp, 'D', 'U', { traits: { a: 1 } })
  expectStatus(await testApp.post('/register-push', { deviceId: 'D', token: 'test token', platform: 'ios' }), 200)
  await advance(24 * 3600 + 60)
  const { data } = await identify(app, 'D')
  assert.deepEqual(data.results.identity, { status: 'anonymous', userId: null })
  const row = await deviceRow(ctx, id, 'D')
  assert.deepEqual([row?.environment, row?.traits], ['live', {}])
  const tokens = await ctx.db.selectFrom('push_registrations').select('token').where('workspace_id', '=', id).execute()
  assert.deepEqual(tokens, [], 'a live person gets no test token')
  assert.deepEqual(told(await testApp.post('/identify', { deviceId: 'D', consent: true })), MISMATCH)
  assert.deepEqual((await personRow(ctx, id, 'U', 'test'))?.traits, { a: 1 })
})

test('C-SBX-03 one new device identified in both environments at once ends in one, and leaves no person in the other', async () => {
  const { id, app, testApp } = await workspace()
  for (let round = 0; round < 5; round++) {
    const deviceId = `D${round}`
    const answers = await Promise.all([app, testApp].map((client) => client.post('/identify', { deviceId, consent: true })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    const row = await deviceRow(ctx, id, deviceId)
    const winner = answers[0]?.status === 200 ? 'live' : 'test'
    assert.equal(row?.environment, winner)
    assert.equal(await personRow(ctx, id, deviceId, winner === 'live' ? 'test' : 'live'), undefined)
  }
})

test('C-SBX-08 a test key of a workspace with a sandbox writes into the sandbox', async () => {
  const { id, admin, app, testApp } = await workspace()
  const { workspaceId } = expectStatus(await admin.post('/settings/sandbox', {}), 201).data
  await identify(testApp, 'D', 'U')
  assert.equal(await deviceRow(ctx, id, 'D'), undefined)
  assert.equal((await deviceRow(ctx, workspaceId, 'D'))?.environment, 'test')
  await identify(app, 'D', 'U')
  assert.equal((await deviceRow(ctx, id, 'D'))?.environment, 'live')
  expectStatus(await erase(app, 'D'), 200)
  assert.deepEqual(await devicesOf(ctx, workspaceId, 'U', 'test'), ['D'])
})

test('C-SBX-10 C-SBX-16 with the test environment retired, test keys write nothing and live keys go on', async () => {
  const { id, admin, app, testApp } = await workspace()
  expectStatus(await admin.put('/settings/test-environment', { retired: true }), 200)
  for (const answer of [
    await testApp.post('/identify', { deviceId: 'T', userId: 'U', consent: true }),
    await testApp.post('/logout', { deviceId: 'T' }),
    await erase(testApp, 'T'),
  ])
    assert.deepEqual(told(answer), [409, false, 'SANDBOX_REQUIRED'])
  assert.equal(await deviceRow(ctx, id, 'T'), undefined)
  await identify(app, 'D', 'U')
})

test('C-SBX-11 C-SBX-16 while the route of test traffic cannot be confirmed, test keys are asked to wait and live keys go on', async () => {
  const { app, testApp } = await workspace()
  await fault('sandbox_route', true)
  try {
    const answer = await testApp.post('/identify', { deviceId: 'T', userId: 'U', consent: true })
    assert.deepEqual(told(answer), [503, false, 'SANDBOX_ROUTE_UNAVAILABLE'])
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    await identify(app, 'D', 'U')
  } finally {
    await fault('sandbox_route', false)
  }
  await identify(testApp, 'T', 'U')
})

test('the same device and user ids in two workspaces are strangers', async () => {
  const [a, b] = [await workspace(), await workspace()]
  await identify(a.app, 'D', 'U', { traits: { of: 'a' } })
  await identify(b.app, 'D', 'U', { traits: { of: 'b' } })
  await deny(a.app, 'D')
  expectStatus(await erase(a.app, 'D'), 200)
  assert.deepEqual((await personRow(ctx, b.id, 'U'))?.traits, { of: 'b' })
  assert.equal((await deviceRow(ctx, b.id, 'D'))?.consent, 'granted')
  expectStatus(await b.app.post('/profile', { deviceId: 'D', userId: 'U', category: 'retail', data: {} }), 200)
})
