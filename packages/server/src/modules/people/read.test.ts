import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, anyone } = await startApp()

const segment = async (ws: Workspace, name: string, plan: string) => {
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: plan }]
  expectStatus(await ws.admin.post('/segments', { name, logicalOperator: 'AND', rules }), 201)
}

test('M-READ-01 M-READ-02 M-READ-03 M-READ-04 the segments of a user, or of an anonymous device that consented', async () => {
  const ws = await workspace()
  await segment(ws, 'Gold', 'gold')
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  await identify(ws.app, 'D2', 'U2')
  await identify(ws.app, 'anonymous', undefined, { traits: { plan: 'gold' } })
  const read = async (id: string) => expectStatus(await ws.read.get(`/read/users/${id}/segments`), 200).data
  assert.deepEqual(await read('U'), { userId: 'U', segmentNames: ['Gold'] })
  assert.deepEqual(await read('U2'), { userId: 'U2', segmentNames: [] })
  assert.deepEqual(await read('anonymous'), { userId: 'anonymous', segmentNames: ['Gold'] })
  const unknown = await ws.read.get('/read/users/nobody/segments')
  assert.deepEqual([unknown.status, unknown.body.success, unknown.body.code], [404, false, undefined])
})

test('M-READ-05 C-DEV-11 a device without consent is no person', async () => {
  const ws = await workspace()
  expectStatus(await ws.app.post('/identify', { deviceId: 'D', consent: false }), 200)
  assert.equal((await ws.read.get('/read/users/D/segments')).status, 404)
  await identify(ws.app, 'D2')
  expectStatus(await ws.app.post('/identify', { deviceId: 'D2', consent: false }), 200)
  assert.equal((await ws.read.get('/read/users/D2/segments')).status, 404)
})

test('M-READ-06 M-READ-07 M-READ-08 M-READ-09 M-READ-10 G-72 devices and profiles are shown whole, and never a token', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { name: 'Sara', email: 'sara@example.com', traits: { plan: 'gold' } })
  await identify(ws.app, 'D2', 'U')
  for (const id of ['D', 'only-push']) {
    const sent = { headers: { 'x-cf-device': id } }
    expectStatus(await ws.app.post('/register-push', { token: `secret-token-${id}`, platform: 'android' }, sent), 200)
  }
  const devices = expectStatus(await ws.read.get('/read/users/U/devices'), 200)
  assert.deepEqual(devices.data.devices.map(({ deviceId }: any) => deviceId).sort(), ['D', 'D2'])
  const both = expectStatus(await ws.read.get('/read/devices/D'), 200)
  const { device, profile } = both.data
  assert.deepEqual(
    [device.deviceId, device.environment, device.userId, device.consent, device.platform, device.provider, device.pushRegistered],
    ['D', 'live', 'U', 'granted', 'android', 'fcm', true],
  )
  assert.deepEqual(
    [profile.userId, profile.deviceId, profile.name, profile.email, profile.customAttributes, profile.channels, profile.lifecycle],
    ['U', null, 'Sara', 'sara@example.com', { plan: 'gold' }, {}, 'new'],
  )
  const bare = expectStatus(await ws.read.get('/read/devices/only-push'), 200)
  assert.deepEqual([bare.data.device.consent, bare.data.device.pushRegistered, bare.data.profile], ['unknown', true, null])
  assert.equal((await ws.read.get('/read/devices/never-seen')).status, 404)
  assert.equal((await ws.read.get('/read/users/nobody/devices')).status, 404)
  for (const answer of [devices, both, bare]) assert.ok(!answer.text.includes('secret-token'))
})

test('C-PROF-08 industry data is shown nowhere', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  const body = { deviceId: 'D', userId: 'U', category: 'banking', data: { tier: 'write-only-text' } }
  expectStatus(await ws.app.post('/profile', body), 200)
  for (const answer of [await ws.read.get('/read/devices/D'), await ws.read.get('/read/users/U/devices'), await ws.admin.get('/users/U')]) {
    assert.equal(answer.status, 200)
    assert.ok(!answer.text.includes('write-only-text'))
  }
  assert.ok([404, 405].includes((await ws.app.get('/profile')).status))
})

test('M-READ-11 M-READ-12 M-AUTH-07 M-AUTH-08 M-AUTH-09 M-AUTH-11 a read key reads its own workspace, and opens nothing else', async () => {
  const [a, b] = [await workspace(), await workspace()]
  await identify(a.app, 'D', 'U')
  for (const path of ['/read/users/U/segments', '/read/users/U/devices', '/read/devices/D']) {
    assert.equal((await a.read.get(path)).status, 200)
    assert.equal((await b.read.get(path)).status, 404)
    for (const key of [undefined, `rk_live_${'0'.repeat(24)}`, a.writeKey, a.live, '']) {
      const refused = await anyone.get(`/api/v1${path}`, key === undefined ? {} : { headers: { 'x-cf-read-key': key } })
      assert.deepEqual([refused.status, refused.body.code], [401, undefined], String(key))
    }
    for (const method of ['post', 'put'] as const) assert.ok([404, 405].includes((await a.read[method](path, {})).status))
    assert.ok([404, 405].includes((await a.read.delete(path)).status))
  }
  assert.equal((await a.sdk({ 'x-cf-write-key': a.readKey }).post('/cards/sync', { blocks: [] })).status, 401)
  assert.equal((await anyone.get('/api/v1/users', { headers: { 'x-cf-read-key': a.readKey, 'x-tenant-id': a.id } })).status, 401)
})

test('X-INT-46 live people and live devices only', async () => {
  const ws = await workspace()
  await identify(ws.app, 'live-device', 'U')
  await identify(ws.testApp, 'test-device', 'U')
  const { devices } = expectStatus(await ws.read.get('/read/users/U/devices'), 200).data
  assert.deepEqual(
    devices.map(({ deviceId }: any) => deviceId),
    ['live-device'],
  )
  assert.equal((await ws.read.get('/read/devices/test-device')).status, 404)
})

test('members find people by the beginning of what is known of them, page by page', async () => {
  const ws = await workspace()
  for (const [user, name] of [
    ['sara', 'Sara'],
    ['salem', 'Omar'],
    ['omar', 'Omar'],
  ] as const)
    await identify(ws.app, `device-of-${user}`, user, { name })
  await identify(ws.testApp, 'test-device', 'sabah')
  const find = async (query: string) => {
    const { data, body } = expectStatus(await ws.admin.get(`/users${query}`), 200)
    return { ids: data.users.map(({ userId }: any) => userId), ...body.metadata }
  }
  assert.deepEqual(await find('?search=SA'), { ids: ['salem', 'sara'], total: 2, nextCursor: null })
  assert.deepEqual((await find('?search=omar')).ids, ['omar', 'salem'])
  assert.deepEqual((await find('?search=nobody')).ids, [])
  assert.deepEqual((await find('?environment=test')).ids, ['sabah'])
  const first = await find('?limit=2')
  const second = await find(`?limit=2&cursor=${first.nextCursor}`)
  assert.deepEqual([...first.ids, ...second.ids], ['omar', 'salem', 'sara'])
  assert.equal(second.nextCursor, null)
  assert.equal((await ws.admin.get('/users/nobody')).status, 404)
})
