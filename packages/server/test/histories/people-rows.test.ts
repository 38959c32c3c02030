/** Rules of delivery, keys and headers that need people. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../builders/builders.ts'
import { erase, identify, titlesFor } from '../builders/people.ts'
import { startApp } from '../harness/start-app.ts'

const { workspace, advance, fault, anyone } = await startApp()

const segment = async (ws: Workspace, name: string, rule: object) =>
  expectStatus(await ws.admin.post('/segments', { name, logicalOperator: 'AND', rules: [rule] }), 201)

async function shop(...segs: string[]): Promise<Workspace> {
  const ws = await workspace()
  await ws.block('promo')
  for (const seg of segs) await ws.instance('promo', { seg, values: { '#title': seg } })
  return ws
}

test('C-SYNC-24 C-LIMIT-16 a segment made after the identify reaches the device in the background, within a minute and an answer more', async () => {
  const ws = await shop('Gold')
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  assert.deepEqual(await titlesFor(ws, 'D'), [])
  await segment(ws, 'Gold', { field: 'customAttributes.plan', operator: 'equals', value: 'gold' })
  await advance(61)
  let titles: string[] = []
  for (let i = 0; i < 200 && titles.length === 0; i++) titles = await titlesFor(ws, 'D')
  assert.deepEqual(titles, ['Gold'])
})

test('C-SYNC-26 C-SYNC-27 C-SEG-37 rules on a radius and on in-app consent count for the stored membership, not for blocks', async () => {
  const ws = await shop('Near', 'In app')
  const circle = { latitude: 24.7, longitude: 46.7, radiusMeters: 1_000 }
  await segment(ws, 'Near', { field: 'currentLocation', operator: 'geo_radius', value: circle })
  await segment(ws, 'In app', { field: 'consent.inApp', operator: 'equals', value: true })
  await identify(ws.app, 'D', 'U')
  const device = { headers: { 'x-cf-device': 'D' } }
  expectStatus(await ws.app.post('/location', { points: [{ latitude: 24.7, longitude: 46.7 }] }, device), 202)
  expectStatus(await ws.app.post('/consent', { userId: 'U', channels: { inApp: true } }, device), 200)
  await identify(ws.app, 'D', 'U')
  const { segmentNames } = expectStatus(await ws.read.get('/read/users/U/segments'), 200).data
  assert.deepEqual(segmentNames, ['In app', 'Near'])
  assert.deepEqual(await titlesFor(ws, 'D'), [])
})

test('C-SEG-01 C-SEG-11 an instance names one segment as a text, and everybody is in All users', async () => {
  const ws = await shop('All users')
  const { id } = await ws.instance('promo', { values: { '#title': 'other' } })
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { seg: 'Gold' }), 200)
  for (const seg of [['Gold'], { name: 'Gold' }, 1, true])
    assert.equal((await ws.admin.put(`/blocks/promo/instances/${id}`, { seg })).status, 400)
  await identify(ws.app, 'D', 'U')
  for (const device of [undefined, 'D', 'never-seen']) assert.deepEqual(await titlesFor(ws, device), ['All users'])
})

test('C-VER-07 of the capabilities only erasure-partial-v1 changes an answer, and only that of a partial erasure', async () => {
  const ws = await workspace()
  const all = 'frequency-v1, erasure-partial-v1, sponsored-surface-v1'
  const headers = (capabilities: string) => ({ headers: { 'x-cf-sdk-capabilities': capabilities, 'x-cf-device': 'D' } })
  const plain = await ws.app.get('/sync')
  for (const capabilities of [all, 'frequency-v1', 'nonsense'])
    assert.equal((await ws.app.get('/sync', headers(capabilities))).text, plain.text)
  await identify(ws.app, 'D', 'U')
  await fault('erase_part', true)
  const statuses = []
  for (const capabilities of ['frequency-v1', 'sponsored-surface-v1', all]) statuses.push((await erase(ws.app, 'D', capabilities)).status)
  await fault('erase_part', false)
  assert.deepEqual(statuses, [502, 502, 207])
  assert.equal((await erase(ws.app, 'D', 'erasure-partial-v1')).status, 200)
})

test('C-AUTH-25 presets need a key too', async () => {
  const ws = await workspace()
  const refused = await anyone.get('/sdk/v1/consent/config/banking_ksa')
  assert.deepEqual([refused.status, refused.body.code], [401, 'MISSING_SDK_KEY'])
  expectStatus(await ws.app.get('/consent/config/banking_ksa'), 200)
})

test('M-KEY-07 the old text of a rotated read key opens nothing, at once', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  const path = '/api/v1/read/users/U/segments'
  const read = async (key: string) => (await anyone.get(path, { headers: { 'x-cf-read-key': key } })).status
  assert.equal(await read(ws.readKey), 200)
  const [{ id }] = expectStatus(await ws.admin.get('/settings/read-keys'), 200).data.keys
  const { key } = expectStatus(await ws.admin.post(`/settings/read-keys/${id}/rotate`), 200).data
  assert.deepEqual([await read(ws.readKey), await read(key)], [401, 200])
})
