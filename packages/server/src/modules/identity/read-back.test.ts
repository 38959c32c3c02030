/** What a back end reads of people right after the application spoke for them (C-IDN-10). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { deny, erase, identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace } = await startApp()

const deviceIds = async ({ read }: Workspace, userId: string): Promise<string[]> =>
  expectStatus(await read.get(`/read/users/${userId}/devices`), 200)
    .data.devices.map((device: any) => device.deviceId)
    .sort()
const statusOf = async ({ read }: Workspace, path: string) => (await read.get(path)).status

test('C-IDN-07 C-IDN-10 C-DEV-07 a read right after identify sees person, device and segments', async () => {
  const ws = await workspace()
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  expectStatus(await ws.admin.post('/segments', { name: 'S', logicalOperator: 'AND', rules }), 201)
  await deny(ws.app, 'D')
  await identify(ws.app, 'D', 'U', { name: 'Sara', email: 'sara@example.com', traits: { plan: 'gold' } })
  assert.deepEqual((await ws.read.get('/read/users/U/segments')).data, { userId: 'U', segmentNames: ['S'] })
  const { device, profile } = expectStatus(await ws.read.get('/read/devices/D'), 200).data
  assert.deepEqual([device.userId, device.consent, device.environment], ['U', 'granted', 'live'])
  assert.deepEqual([profile.name, profile.email, profile.customAttributes], ['Sara', 'sara@example.com', { plan: 'gold' }])
})

test('C-DEV-01 C-IDN-16 two identifies are one device, which another user takes along', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'D', 'U')
  assert.deepEqual(await deviceIds(ws, 'U'), ['D'])
  await identify(ws.app, 'D', 'U2')
  assert.deepEqual([await deviceIds(ws, 'U'), await deviceIds(ws, 'U2')], [[], ['D']])
})

test('C-DEV-05 C-DEV-08 C-DEV-11 without consent a device has no person', async () => {
  const ws = await workspace()
  await deny(ws.app, 'D', { userId: 'U' })
  expectStatus(await ws.app.post('/register-push', { deviceId: 'E', token: 'token', platform: 'ios' }), 200)
  const read = async (id: string) => {
    const { device, profile } = expectStatus(await ws.read.get(`/read/devices/${id}`), 200).data
    return [device.consent, device.userId, profile]
  }
  assert.deepEqual(
    [await read('D'), await read('E')],
    [
      ['denied', null, null],
      ['unknown', null, null],
    ],
  )
  assert.equal(await statusOf(ws, '/read/users/U/segments'), 404)
})

test('C-DEV-29 C-DEV-30 C-DEV-36 an anonymous person answers by the device id until they become a user', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', undefined, { name: 'N' })
  assert.equal(await statusOf(ws, '/read/users/D/segments'), 200)
  await identify(ws.app, 'D', 'U')
  assert.equal(await statusOf(ws, '/read/users/D/segments'), 404)
  assert.equal((await ws.admin.get('/users/U')).data.name, 'N')
})

test('C-DEV-35 one phone is no reason to merge', async () => {
  const ws = await workspace()
  const contacts = ['U', 'U2'].map((userId) => ({ userId, phone: '+966501234567' }))
  expectStatus(await ws.admin.post('/users/bulk/contacts', { contacts }), 200)
  await identify(ws.app, 'D', 'U', { name: 'A' })
  await identify(ws.app, 'D2', 'U2', { name: 'B' })
  const names = await Promise.all(['U', 'U2'].map(async (id) => (await ws.admin.get(`/users/${id}`)).data.name))
  assert.deepEqual(names, ['A', 'B'])
})

test('C-OUT-05 a signed-out person is still read', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  expectStatus(await ws.app.post('/logout', { deviceId: 'D' }), 200)
  assert.equal(await statusOf(ws, '/read/users/U/segments'), 200)
  assert.deepEqual(await deviceIds(ws, 'U'), [])
})

test('C-ERASE-03 C-ERASE-04 C-ERASE-19 X-INT-21 an erased person and their devices are unknown, others are not', async () => {
  const ws = await workspace()
  for (const device of ['D', 'D2']) await identify(ws.app, device, 'U')
  await identify(ws.app, 'E', 'U2')
  expectStatus(await erase(ws.app, 'D'), 200)
  for (const path of ['devices/D', 'devices/D2', 'users/U/segments']) assert.equal(await statusOf(ws, `/read/${path}`), 404, path)
  for (const path of ['devices/E', 'users/U2/segments']) assert.equal(await statusOf(ws, `/read/${path}`), 200, path)
})

test('C-ERASE-10 A-16 contacts of an erased user are refused until the person comes back', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  expectStatus(await erase(ws.app, 'D'), 200)
  const load = async () =>
    (await ws.admin.post('/users/bulk/contacts', { contacts: [{ userId: 'U', consent: { push: true } }] })).data.processed
  assert.equal(await load(), 0)
  await identify(ws.app, 'new', 'U')
  assert.deepEqual((await ws.admin.get('/users/U')).data.channels, {})
  assert.equal(await load(), 1)
})

test('C-PROF-08 no read shows industry data', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  const data = { tier: 'write-only-text' }
  expectStatus(await ws.app.post('/profile', { deviceId: 'D', userId: 'U', category: 'banking', data }), 200)
  const answers = [
    ...(await Promise.all(['/read/devices/D', '/read/users/U/devices', '/read/users/U/segments'].map((path) => ws.read.get(path)))),
    ...(await Promise.all(['/users', '/users/U'].map((path) => ws.admin.get(path)))),
  ]
  for (const answer of answers) assert.doesNotMatch(expectStatus(answer, 200).text, /write-only-text/)
})

test('X-INT-46 the read API shows the live person only', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await identify(ws.testApp, 'T', 'U')
  assert.deepEqual(await deviceIds(ws, 'U'), ['D'])
  assert.equal(await statusOf(ws, '/read/devices/T'), 404)
})
