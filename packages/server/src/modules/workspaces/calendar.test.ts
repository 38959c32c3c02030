import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, url } = await startApp()

const RIYADH = { timeZone: 'Asia/Riyadh', firstDayOfWeek: 0, weekend: [5, 6], hijri: true }
const UNSET = { timeZone: 'UTC', firstDayOfWeek: 1, weekend: [0, 6], hijri: false, isSet: false }
const PATH = '/settings/calendar'

test('G-83 the calendar of a workspace is UTC and ISO weeks until an admin says otherwise; every member reads it', async () => {
  const ws = await workspace()
  assert.deepEqual(expectStatus(await ws.admin.get(PATH), 200).data, UNSET)
  assert.deepEqual(expectStatus(await ws.admin.put(PATH, { ...RIYADH, weekend: [6, 5] }), 200).data, { ...RIYADH, isSet: true })
  for (const member of [await ws.viewer(), await ws.editor()]) {
    assert.deepEqual(expectStatus(await member.get(PATH), 200).data, { ...RIYADH, isSet: true })
    assert.equal(expectStatus(await member.put(PATH, RIYADH), 403).body.code, 'ROLE_REQUIRED')
  }
  const me = expectStatus(await ws.admin.get('/auth/me'), 200).data
  assert.deepEqual(me.workspaces.find(({ id }: { id: string }) => id === ws.id).calendar, RIYADH)
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox'), 201).data
  const inside = { headers: { 'x-tenant-id': sandbox.workspaceId } }
  assert.deepEqual(expectStatus(await ws.admin.get(PATH, inside), 200).data, { ...RIYADH, isSet: true })
})

test('G-83 what is no zone, no day or no whole setting is refused and changes nothing', async () => {
  const ws = await workspace()
  for (const timeZone of ['Asia/Nowhere', '+03:00', ''])
    assert.equal(expectStatus(await ws.admin.put(PATH, { ...RIYADH, timeZone }), 400).body.code, 'TIME_ZONE_UNKNOWN', timeZone)
  for (const wrong of [{ firstDayOfWeek: 7 }, { firstDayOfWeek: -1 }, { weekend: [7] }, { weekend: [5, 5] }, { weekend: 5 }, { hijri: 1 }])
    expectStatus(await ws.admin.put(PATH, { ...RIYADH, ...wrong }), 400)
  for (const name of Object.keys(RIYADH)) expectStatus(await ws.admin.put(PATH, { ...RIYADH, [name]: undefined }), 400)
  assert.deepEqual(expectStatus(await ws.admin.get(PATH), 200).data, UNSET)
})

test('G-83 a workspace may begin with a calendar', async () => {
  const root = clientOf(`${url}/api/v1`)
  const account = { email: uniqueEmail(), password: PASSWORD, name: 'Admin', workspaceName: 'First' }
  expectStatus(await root.post('/auth/signup', { ...account, calendar: { ...RIYADH, timeZone: 'Nowhere' } }), 400)
  const { token, workspace: first } = expectStatus(await root.post('/auth/signup', { ...account, calendar: RIYADH }), 201).data
  const person = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}` })
  const { id } = expectStatus(await person.post('/workspaces', { name: 'Second', calendar: { ...RIYADH, hijri: false } }), 201).data
  const { workspaces } = expectStatus(await person.get('/auth/me'), 200).data
  const calendarOf = (wanted: string) => workspaces.find((each: { id: string }) => each.id === wanted).calendar
  assert.deepEqual([calendarOf(first.id), calendarOf(id)], [RIYADH, { ...RIYADH, hijri: false }])
})
