import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { ctx, workspace, advance } = await startApp()

const STORE = { name: 'Store', latitude: 24.7136, longitude: 46.6753, radiusMeters: 200 }
const INSIDE = { latitude: STORE.latitude, longitude: STORE.longitude }
const OUTSIDE = { latitude: STORE.latitude + 0.1, longitude: STORE.longitude }

const makeFence = async (ws: Workspace, body: object = {}): Promise<string> =>
  expectStatus(await ws.admin.post('/geofences', { ...STORE, ...body }), 201).data.id
const identify = async (ws: Workspace, deviceId = 'd', userId: string | null = 'U') =>
  expectStatus(await ws.app.post('/identify', { deviceId, userId, consent: true }), 200)
const send = async (ws: Workspace, body: object, deviceId = 'd') =>
  expectStatus(await ws.app.post('/location', { deviceId, ...body }), 202).data
const crossings = async (ws: Workspace) => {
  const events = await ctx.db
    .selectFrom('geofence_events')
    .selectAll()
    .where('workspace_id', '=', ws.id)
    .orderBy('at')
    .orderBy('id')
    .execute()
  return events.map(({ type, source }) => `${type} ${source}`)
}

test('G-67 geofences are made, read, changed and deleted', async () => {
  const ws = await workspace()
  const made = expectStatus(await ws.admin.post('/geofences', STORE), 201).data
  const { id, createdAt, updatedAt, ...rest } = made
  assert.deepEqual([rest, typeof id, Date.parse(createdAt) > 0, updatedAt], [STORE, 'string', true, createdAt])
  assert.deepEqual((await ws.admin.get(`/geofences/${id}`)).data, made)
  await advance(1)
  const changed = expectStatus(await ws.admin.put(`/geofences/${id}`, { radiusMeters: 50 }), 200).data
  assert.deepEqual([changed.name, changed.radiusMeters, changed.updatedAt > updatedAt], ['Store', 50, true])
  assert.equal(expectStatus(await ws.admin.put(`/geofences/${id}`, {}), 200).data.radiusMeters, 50)
  assert.deepEqual(expectStatus(await ws.admin.delete(`/geofences/${id}`), 200).data, { deleted: true })
  for (const answer of [await ws.admin.get(`/geofences/${id}`), await ws.admin.put(`/geofences/${id}`, { name: 7 })])
    assert.deepEqual([answer.status, answer.body.code], [404, undefined])
  expectStatus(await ws.admin.delete(`/geofences/${id}`), 404)
})

test('G-67 a list comes in pages, oldest first', async () => {
  const ws = await workspace()
  const names = ['a', 'b', 'c', 'd', 'e']
  for (const name of names) await makeFence(ws, { name })
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = expectStatus(await ws.admin.get(`/geofences?limit=2${cursor && `&cursor=${cursor}`}`), 200)
    seen.push(...answer.data.geofences.map(({ name }: { name: string }) => name))
    assert.equal(answer.body.metadata.total, 5)
    cursor = answer.body.metadata.nextCursor
  }
  assert.deepEqual(seen, names)
})

test('G-67 whatever is wrong with a geofence is 400 without a code', async () => {
  const ws = await workspace()
  const id = await makeFence(ws)
  const wrong: object[] = [
    ...['', ' ', 'x'.repeat(101), 7, null].map((name) => ({ name })),
    ...[49.9, 50_001, '200', null].map((radiusMeters) => ({ radiusMeters })),
    ...[90.1, -91, '1', null].map((latitude) => ({ latitude })),
    ...[180.1, -181, true].map((longitude) => ({ longitude })),
  ]
  for (const body of wrong) {
    for (const answer of [await ws.admin.post('/geofences', { ...STORE, ...body }), await ws.admin.put(`/geofences/${id}`, body)])
      assert.deepEqual([answer.status, answer.body.code], [400, undefined], JSON.stringify(body))
  }
  for (const name of Object.keys(STORE)) expectStatus(await ws.admin.post('/geofences', { ...STORE, [name]: undefined }), 400)
  for (const radiusMeters of [50, 50_000]) await makeFence(ws, { radiusMeters })
})

test('G-67 editors write geofences, viewers read them', async () => {
  const ws = await workspace()
  const [editor, viewer] = [await ws.editor(), await ws.viewer()]
  const { id } = expectStatus(await editor.post('/geofences', STORE), 201).data
  expectStatus(await viewer.get('/geofences'), 200)
  expectStatus(await viewer.get(`/geofences/${id}`), 200)
  const refused = [
    await viewer.post('/geofences', STORE),
    await viewer.put(`/geofences/${id}`, { name: 'x' }),
    await viewer.delete(`/geofences/${id}`),
  ]
  for (const { status, body } of refused) assert.deepEqual([status, body.code], [403, 'ROLE_REQUIRED'])
})

test('C-LOC-07 a crossing the device reports is stored with source device', async () => {
  const ws = await workspace()
  await identify(ws)
  const fenceId = await makeFence(ws)
  const timestamp = ctx.clock.now().toISOString()
  const events = ['enter', 'dwell', 'exit'].map((type) => ({ fenceId, type, timestamp }))
  assert.deepEqual(await send(ws, { points: [OUTSIDE], geofenceEvents: [events[0]] }), { accepted: 1, dropped: 0, geofenceEvents: 1 })
  assert.deepEqual(await send(ws, { geofenceEvents: events.slice(1) }), { accepted: 0, dropped: 0, geofenceEvents: 2 })
  const rows = await ctx.db.selectFrom('geofence_events').selectAll().where('workspace_id', '=', ws.id).orderBy('id').execute()
  assert.deepEqual(
    rows.map(({ type, source, fence_id, device_id, at }) => [type, source, fence_id, device_id, at.toISOString()]),
    ['enter', 'dwell', 'exit'].map((type) => [type, 'device', fenceId, 'd', timestamp]),
  )
})

test('a crossing of an unknown fence is dropped and counted', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  await identify(ws)
  const foreign = await makeFence(other)
  for (const fenceId of ['nothing', foreign])
    assert.deepEqual(await send(ws, { points: [INSIDE], geofenceEvents: [{ fenceId, type: 'enter' }] }), {
      accepted: 1,
      dropped: 1,
      geofenceEvents: 0,
    })
  assert.deepEqual(await crossings(ws), [])
})

test('movement through a fence makes its crossings, over as many requests as it takes', async () => {
  const ws = await workspace()
  await identify(ws)
  await makeFence(ws)
  await makeFence(ws, { name: 'elsewhere', latitude: -30 })
  await send(ws, { points: [OUTSIDE] })
  await send(ws, { points: [INSIDE] })
  await send(ws, { points: [INSIDE, INSIDE] })
  assert.deepEqual(await crossings(ws), ['enter server'])
  await send(ws, { points: [OUTSIDE, INSIDE, OUTSIDE] })
  assert.deepEqual(await crossings(ws), ['enter server', 'exit server', 'enter server', 'exit server'])
  await send(ws, { points: [{ ...INSIDE, timestamp: '2026-01-01T00:00:00Z' }] })
  assert.equal((await crossings(ws)).length, 4, 'a point from long ago is no movement')
})

test('one crossing is one event, whoever notices it first', async () => {
  const ws = await workspace()
  await identify(ws)
  const fenceId = await makeFence(ws)
  const enter = { fenceId, type: 'enter', timestamp: ctx.clock.ms() }
  await send(ws, { points: [{ ...INSIDE, timestamp: enter.timestamp - 30_000 }] })
  assert.deepEqual(await crossings(ws), ['enter server'])
  assert.deepEqual(await send(ws, { geofenceEvents: [enter] }), { accepted: 0, dropped: 0, geofenceEvents: 1 })
  await send(ws, { geofenceEvents: [enter] })
  assert.deepEqual(await crossings(ws), ['enter device'])

  await advance(3600)
  await send(ws, { points: [], geofenceEvents: [{ fenceId, type: 'exit' }] })
  await send(ws, { points: [OUTSIDE] })
  assert.deepEqual(await crossings(ws), ['enter device', 'exit device'])

  await advance(3600)
  const both = { points: [OUTSIDE, INSIDE], geofenceEvents: [{ fenceId, type: 'enter' }] }
  await Promise.all([send(ws, both), send(ws, { points: [INSIDE] }), send(ws, { points: [INSIDE] })])
  assert.deepEqual(await crossings(ws), ['enter device', 'exit device', 'enter device'])
})

test('each device of a person crosses for itself', async () => {
  const ws = await workspace()
  await identify(ws, 'phone')
  await identify(ws, 'watch')
  await makeFence(ws)
  for (const device of ['phone', 'watch', 'phone']) await send(ws, { points: [INSIDE] }, device)
  assert.deepEqual(await crossings(ws), ['enter server', 'enter server'])
})

test('an anonymous person who signs in inside a fence does not enter it again', async () => {
  const ws = await workspace()
  await makeFence(ws)
  await identify(ws, 'd', null)
  await send(ws, { points: [INSIDE] })
  await identify(ws)
  await send(ws, { points: [INSIDE] })
  assert.deepEqual(await crossings(ws), ['enter server'])

  await identify(ws, 'e', null)
  await send(ws, { points: [INSIDE] }, 'e')
  await identify(ws, 'e', 'V')
  await send(ws, { points: [OUTSIDE] }, 'e')
  assert.deepEqual(await crossings(ws), ['enter server', 'enter server', 'exit server'])
})

test('a fence across the pole or the date line is met from both sides', async () => {
  const ws = await workspace()
  await identify(ws)
  await makeFence(ws, { latitude: 10, longitude: 180, radiusMeters: 2_000 })
  await makeFence(ws, { latitude: 90, longitude: 0, radiusMeters: 2_000 })
  for (const longitude of [179.99, -179.99]) await send(ws, { points: [{ latitude: 10, longitude }] })
  assert.deepEqual(await crossings(ws), ['enter server'])
  await send(ws, { points: [{ latitude: 89.99, longitude: 120 }] })
  assert.deepEqual((await crossings(ws)).sort(), ['enter server', 'enter server', 'exit server'])
})

test('with geofences off points are stored, and crossings are taken and not stored', async () => {
  const ws = await workspace()
  await identify(ws)
  const fenceId = await makeFence(ws)
  expectStatus(await ws.admin.put('/settings/features', { features: { geofences: false } }), 200)
  assert.deepEqual(await send(ws, { points: [INSIDE], geofenceEvents: [{ fenceId, type: 'enter' }] }), {
    accepted: 1,
    dropped: 1,
    geofenceEvents: 0,
  })
  assert.deepEqual(await crossings(ws), [])
  const stored = await ctx.db.selectFrom('location_points').select('id').where('workspace_id', '=', ws.id).execute()
  assert.equal(stored.length, 1)
})
