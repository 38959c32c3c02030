import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { ctx, workspace, advance } = await startApp()

const D = { headers: { 'x-cf-device': 'd' } }
const RIYADH = { latitude: 24.7136, longitude: 46.6753 }
const JEDDAH = { latitude: 21.5433, longitude: 39.1728 }

const identify = async (ws: Workspace, { consent = true, userId = 'U' }: { consent?: boolean; userId?: string | null } = {}) =>
  expectStatus(await ws.app.post('/identify', { userId, consent }, D), 200)
const send = (ws: Workspace, body: unknown) => ws.app.post('/location', body, D)
const many = (count: number, item: object) => Array.from({ length: count }, () => item)
const points = (ws: Workspace) => ctx.db.selectFrom('location_points').selectAll().where('workspace_id', '=', ws.id).orderBy('id').execute()
const position = async (ws: Workspace): Promise<any> =>
  (await ctx.db.selectFrom('profiles').select('current_location').where('workspace_id', '=', ws.id).executeTakeFirstOrThrow())
    .current_location

test('C-LOC-01 points of a consenting device are stored', async () => {
  const ws = await workspace()
  await identify(ws)
  const full = { ...RIYADH, accuracy: 12.5, altitude: 612, speed: -1, timestamp: '2026-01-05T10:00:00Z' }
  const answer = expectStatus(await send(ws, { points: [full, { lat: 1, lng: -2.5, timestamp: 1_767_700_000_000 }] }), 202)
  assert.deepEqual(answer.body, { success: true, data: { accepted: 2, dropped: 0, geofenceEvents: 0 } })
  const [first, second] = await points(ws)
  assert.deepEqual(
    [first?.latitude, first?.longitude, first?.accuracy, first?.altitude, first?.speed, first?.at.toISOString(), first?.device_id],
    [RIYADH.latitude, RIYADH.longitude, 12.5, 612, -1, '2026-01-05T10:00:00.000Z', 'd'],
  )
  assert.deepEqual([second?.latitude, second?.longitude, second?.at.getTime()], [1, -2.5, 1_767_700_000_000])
  assert.equal(expectStatus(await send(ws, { points: [] }), 202).data.accepted, 0)
})

test('an anonymous person who consented is located too', async () => {
  const ws = await workspace()
  await identify(ws, { userId: null })
  assert.equal(expectStatus(await send(ws, { points: [RIYADH] }), 202).data.accepted, 1)
  assert.equal((await position(ws)).latitude, RIYADH.latitude)
})

test('C-LOC-02 a request takes a hundred points and a hundred crossings', async () => {
  const ws = await workspace()
  await identify(ws)
  const crossing = { fenceId: 'f', type: 'enter' }
  for (const body of [{ points: many(101, RIYADH) }, { points: [RIYADH], geofenceEvents: many(101, crossing) }]) {
    const answer = await send(ws, body)
    assert.deepEqual([answer.status, answer.body.code], [400, 'MAX_BATCH_SIZE'])
  }
  assert.deepEqual(await points(ws), [])
  assert.equal(expectStatus(await send(ws, { points: many(100, RIYADH) }), 202).data.accepted, 100)
  assert.equal((await points(ws)).length, 100)
})

test('C-LOC-03 the last point is where the person is, unless something newer is known', async () => {
  const ws = await workspace()
  await identify(ws)
  const at = '2026-01-05T10:00:00.000Z'
  expectStatus(await send(ws, { points: [JEDDAH, RIYADH].map((point) => ({ ...point, timestamp: at })) }), 202)
  assert.deepEqual(await position(ws), { ...RIYADH, at })
  expectStatus(await send(ws, { points: [{ ...JEDDAH, timestamp: '2026-01-05T09:59:59Z' }] }), 202)
  assert.deepEqual(await position(ws), { ...RIYADH, at })
  expectStatus(await send(ws, { points: [JEDDAH] }), 202)
  assert.equal((await position(ws)).latitude, JEDDAH.latitude)
  expectStatus(await send(ws, { points: [{ ...JEDDAH, timestamp: ctx.clock.ms() + 1e9 }] }), 202)
  expectStatus(await send(ws, { points: [RIYADH] }), 202)
  assert.equal((await position(ws)).latitude, RIYADH.latitude, 'a clock that is ahead does not hold the position')
})

test('C-LOC-04 C-ENV-07 without consent nothing is stored', async () => {
  const ws = await workspace()
  await identify(ws)
  await identify(ws, { consent: false })
  const { status, body } = await send(ws, { points: [RIYADH] })
  assert.deepEqual([status, body.success, body.code, typeof body.error], [202, false, 'LOCATION_CONSENT_REQUIRED', 'string'])
  assert.deepEqual([await points(ws), await position(ws)], [[], null])
})

test('C-LOC-05 C-LOC-06 a device that is not identified, or no longer, is refused', async () => {
  const ws = await workspace()
  const refused = async () => {
    const { status, body } = await send(ws, { points: [RIYADH] })
    assert.deepEqual([status, body.success, body.code], [202, false, 'DEVICE_NOT_IDENTIFIED'])
  }
  await refused()
  expectStatus(await ws.app.post('/register-push', { token: 't', platform: 'ios' }, D), 200)
  await refused()
  await identify(ws)
  await advance(86_401)
  await refused()
  await identify(ws)
  expectStatus(await ws.app.post('/logout', {}, D), 200)
  await refused()
  assert.deepEqual(await points(ws), [])
})

test('C-LOC-09 a request without a device id is refused', async () => {
  const ws = await workspace()
  const { status, body } = await ws.app.post('/location', { points: [RIYADH] })
  assert.deepEqual([status, body], [400, { success: false, error: 'device identification required' }])
})

test('bodies that cannot be read are 400 without a code, and nothing of them is stored', async () => {
  const ws = await workspace()
  await identify(ws)
  const odd = [91, -91, '24', null, undefined, {}].map((latitude) => ({ ...RIYADH, latitude }))
  const far = [{ ...RIYADH, longitude: 180.1 }, { latitude: 1 }, {}, null, 7, []]
  const times = ['yesterday', -1, true, {}, '2026-02-30T00:00:00Z'].map((timestamp) => ({ ...RIYADH, timestamp }))
  const numbers = ['accuracy', 'altitude', 'speed'].map((name) => ({ ...RIYADH, [name]: '5' }))
  const bad = [...odd, ...far, ...times, ...numbers].map((point) => ({ points: [RIYADH, point] }))
  const crossings = [{ fenceId: 'f' }, { fenceId: '', type: 'enter' }, { fenceId: 'f', type: 'leave' }, { type: 'exit' }, 'f'].map(
    (event) => ({
      points: [RIYADH],
      geofenceEvents: [event],
    }),
  )
  for (const body of [...bad, ...crossings, {}, { points: {} }, { points: null }, { points: [RIYADH], geofenceEvents: {} }, [], 'x']) {
    const answer = await send(ws, body)
    assert.deepEqual([answer.status, answer.body.code], [400, undefined], JSON.stringify(body))
  }
  assert.deepEqual([await points(ws), await position(ws)], [[], null])
})

test('A-10 a live device of the other environment is 409', async () => {
  const ws = await workspace()
  await identify(ws)
  const answer = await ws.testApp.post('/location', { points: [RIYADH] }, D)
  assert.deepEqual([answer.status, answer.body.code], [409, 'DEVICE_ENVIRONMENT_MISMATCH'])
})

test('of one person the newest thousand points are kept', async () => {
  const ws = await workspace()
  await identify(ws)
  for (let batch = 0; batch < 11; batch++)
    expectStatus(await send(ws, { points: Array.from({ length: 100 }, (_, index) => ({ ...RIYADH, altitude: batch * 100 + index })) }), 202)
  const altitudes = (await points(ws)).map(({ altitude }) => altitude)
  assert.deepEqual([altitudes.length, altitudes[0], altitudes.at(-1)], [1000, 100, 1099])
})

test('C-FLAG-05 with location off a batch is a success that stores nothing', async () => {
  const ws = await workspace()
  await identify(ws)
  expectStatus(await ws.admin.put('/settings/features', { features: { location: false } }), 200)
  const answer = expectStatus(await send(ws, { points: [RIYADH, JEDDAH] }), 202)
  assert.deepEqual(answer.body, { success: true, data: { accepted: 0, dropped: 2, reason: 'feature_disabled' } })
  assert.deepEqual([await points(ws), await position(ws)], [[], null])
  expectStatus(await ws.app.post('/location', { points: [RIYADH] }), 400)
})
