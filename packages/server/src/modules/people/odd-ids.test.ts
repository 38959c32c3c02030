/** Ids that no path can carry, ids with blanks around them, and ids that an app with a fault sends for everybody. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { load, reasonsOf, users, valuesOf } from '../../../test/builders/imports.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace } = await startApp()

const DOTS = ['.', '..']
const protect = async ({ admin }: Workspace, isOn: boolean) =>
  expectStatus(await admin.put('/settings/protections', { protections: { refusePlaceholderIds: isOn } }), 200)
const named = async ({ admin }: Workspace) => expectStatus(await admin.get('/contacts/placeholder-ids'), 200).data

test('a person and a device whose ids are dots are opened, read and erased by the query', async () => {
  const ws = await workspace()
  for (const id of DOTS) await identify(ws.app, id, id)
  for (const id of DOTS) {
    const of = `userId=${encodeURIComponent(id)}`
    const person = expectStatus(await ws.admin.get(`/users/_?${of}`), 200).data
    assert.deepEqual([person.userId, person.devices.map(({ deviceId }: any) => deviceId)], [id, [id]])
    assert.equal(expectStatus(await ws.read.get(`/read/users/_/segments?${of}`), 200).data.userId, id)
    for (const path of ['events', 'consents', 'journeys', 'enrichment']) expectStatus(await ws.admin.get(`/users/_/${path}?${of}`), 200)
    expectStatus(await ws.admin.put(`/users/_/opt-out?${of}`, { optedOut: true }), 200)
    const device = `deviceId=${encodeURIComponent(id)}`
    assert.equal(expectStatus(await ws.admin.get(`/devices/_?${device}`), 200).data.deviceId, id)
    assert.equal(expectStatus(await ws.read.get(`/read/devices/_?${device}`), 200).data.device.deviceId, id)
    for (const path of [`/devices/_/events?${device}`, `/explain/devices/_?${device}`]) expectStatus(await ws.admin.get(path), 200)
  }
  expectStatus(await ws.admin.delete('/users/_?userId=..'), 200)
  assert.equal((await ws.admin.get('/users/_?userId=..')).status, 404)
  assert.equal(expectStatus(await ws.admin.get('/users/_?userId=.'), 200).data.userId, '.')
})

test('somebody whose id is _ is found by it, and the query stands for no other id', async () => {
  const ws = await workspace()
  await users(ws, '_', 'sara')
  assert.equal(expectStatus(await ws.admin.get('/users/_'), 200).data.userId, '_')
  assert.equal(expectStatus(await ws.admin.get('/users/_?userId='), 200).data.userId, '_')
  assert.equal(expectStatus(await ws.admin.get('/users/sara?userId=_'), 200).data.userId, 'sara')
})

test('an import finds somebody whose id has blanks around it as it is written, else without them', async () => {
  const ws = await workspace()
  await users(ws, ' sara', 'sara', 'omar')
  await load(
    ws.admin,
    [
      [' sara', 'with'],
      ['sara', 'without'],
      ['\tomar ', 'trimmed'],
    ],
    { names: { a: 'string' } },
  )
  const value = async (userId: string) => (await valuesOf(ws, userId))['a']
  assert.deepEqual(await Promise.all([encodeURIComponent(' sara'), 'sara', 'omar'].map(value)), ['with', 'without', 'trimmed'])
})

test('an id that twenty devices share and that is the text of a missing value is told of, and refused where that is asked for', async () => {
  const ws = await workspace()
  for (let n = 0; n < 20; n++) await identify(ws.app, `d${n}`, n === 19 ? 'real' : 'undefined')
  await identify(ws.app, 'x', '  ')
  assert.deepEqual(await named(ws), { refused: false, ids: [] })
  await identify(ws.app, 'd20', 'undefined')
  for (let n = 0; n < 21; n++) await identify(ws.app, `b${n}`, '  ')
  const ids = [
    { userId: '  ', devices: 22 },
    { userId: 'undefined', devices: 20 },
  ]
  assert.deepEqual(await named(ws), { refused: false, ids })

  await protect(ws, true)
  assert.deepEqual(await named(ws), { refused: true, ids })
  for (const userId of ['undefined', 'NULL', '[object Object]', 'NaN', '   ']) {
    const { status, body } = await ws.app.post('/identify', { deviceId: 'new', userId, consent: true })
    assert.deepEqual([status, body.code], [400, 'PLACEHOLDER_USER_ID'], userId)
  }
  await identify(ws.app, 'new', 'undefined-7')
  const bulk = { contacts: [{ userId: 'null' }, { userId: 'noura' }] }
  const { processed, errors } = expectStatus(await ws.admin.post('/users/bulk/contacts', bulk), 200).data
  assert.deepEqual([processed, errors.map(({ index, field }: any) => [index, field])], [1, [[0, 'userId']]])
  const { rejectReasons } = await reasonsOf(ws, [
    ['null', '1'],
    ['noura', '2'],
  ])
  assert.deepEqual(rejectReasons, { invalid_user_id: 1 })
  await protect(ws, false)
  await identify(ws.app, 'new-too', 'undefined')
})
