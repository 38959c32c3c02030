import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { ctx, workspace, advance } = await startApp()

const D = { headers: { 'x-cf-device': 'd' } }
const patch = (ws: Workspace, body: unknown) => ws.app.patch('/push/preferences', body, D)
const identify = async (ws: Workspace, userId = 'U', consent = true) =>
  expectStatus(await ws.app.post('/identify', { userId, consent }, D), 200)
const stored = async (ws: Workspace) =>
  (await ctx.db.selectFrom('profiles').select('push_preferences').where('workspace_id', '=', ws.id).executeTakeFirstOrThrow())
    .push_preferences

const HOURS = { start: '22:00', end: '07:00', timezone: 'Asia/Riyadh' }

test('C-PUSH-20 C-PUSH-22 preferences are stored on the person; what is not sent stays, null clears one', async () => {
  const ws = await workspace()
  await identify(ws)
  const all = { quietHours: HOURS, respectPrayerTimes: true, urgentOnly: false, digest: 'daily' }
  assert.deepEqual(expectStatus(await patch(ws, { ...all, unknown: 1 }), 200).data, { stored: true, preferences: all })
  assert.deepEqual(await stored(ws), all)
  assert.deepEqual((await patch(ws, { digest: 'weekly' })).data.preferences, { ...all, digest: 'weekly' })
  const { urgentOnly: _, ...rest } = all
  assert.deepEqual((await patch(ws, { urgentOnly: null, digest: 'off' })).data.preferences, { ...rest, digest: 'off' })
  assert.deepEqual((await patch(ws, {})).data.preferences, { ...rest, digest: 'off' })
  await Promise.all([patch(ws, { quietHours: null }), patch(ws, { respectPrayerTimes: false })])
  assert.deepEqual(await stored(ws), { respectPrayerTimes: false, digest: 'off' })
})

test('wrong preferences are 400 without a code and change nothing', async () => {
  const ws = await workspace()
  await identify(ws)
  for (const body of [{ digest: 'hourly' }, { urgentOnly: 'no', digest: 'off' }, { quietHours: { start: '9', end: '10:00' } }, [], 'x']) {
    const answer = await patch(ws, body)
    assert.deepEqual([answer.status, answer.body.code], [400, undefined])
  }
  assert.deepEqual(await stored(ws), {})
})

test('G-26 a device that is not identified with consent is refused', async () => {
  const ws = await workspace()
  const refused = async () => {
    const answer = await patch(ws, { urgentOnly: true })
    assert.deepEqual([answer.status, answer.body.code], [403, 'DEVICE_NOT_IDENTIFIED'])
  }
  await refused()
  await identify(ws, 'U', false)
  await refused()
  await identify(ws)
  expectStatus(await patch(ws, { urgentOnly: true }), 200)
  await advance(86_401)
  await refused()
  await identify(ws)
  assert.deepEqual([(await ws.testApp.patch('/push/preferences', {}, D)).body.code], ['DEVICE_ENVIRONMENT_MISMATCH'])
})

test('A-16 the preferences of an erased person are refused until a new consent', async () => {
  const ws = await workspace()
  await identify(ws)
  expectStatus(await ws.app.delete('/identify', D), 200)
  const answer = await patch(ws, { urgentOnly: true })
  assert.deepEqual([answer.status, answer.body.code], [409, 'SUBJECT_ERASED'])
  expectStatus(await ws.app.post('/register-push', { token: 't', platform: 'ios' }, D), 200)
  assert.equal((await patch(ws, { urgentOnly: true })).status, 409, 'a token alone brings nobody back')
  await identify(ws)
  assert.deepEqual((await patch(ws, { urgentOnly: true })).data.preferences, { urgentOnly: true })
})

test('C-FLAG-06 with pushPreferences off a change is a success that stores nothing', async () => {
  const ws = await workspace()
  await identify(ws)
  await patch(ws, { digest: 'daily' })
  expectStatus(await ws.admin.put('/settings/features', { features: { pushPreferences: false } }), 200)
  const answer = expectStatus(await patch(ws, { digest: 'off' }), 200)
  assert.deepEqual(answer.body, { success: true, data: { stored: false, reason: 'feature_disabled' } })
  assert.deepEqual(await stored(ws), { digest: 'daily' })
})

test('C-PUSH-23 topics are kept with the device, each once, in the order they came', async () => {
  const ws = await workspace()
  const topics = async () => expectStatus(await ws.app.get('/push/topics', D), 200).data.topics
  assert.deepEqual(await topics(), [])
  for (const topic of ['news', 'Sale_1', 'news'])
    assert.ok(expectStatus(await ws.app.post('/push/topics', { topic }, D), 200).data.topics.includes(topic))
  assert.deepEqual(await topics(), ['news', 'Sale_1'])
  await Promise.all(['a', 'b', 'c'].map((topic) => ws.app.post('/push/topics', { topic }, D)))
  assert.deepEqual((await topics()).sort(), ['Sale_1', 'a', 'b', 'c', 'news'])
  assert.deepEqual(expectStatus(await ws.app.delete('/push/topics/news', D), 200).data.topics.length, 4)
  expectStatus(await ws.app.delete('/push/topics/news', D), 200)
  assert.ok(!(await topics()).includes('news'))
  assert.deepEqual((await ws.app.get('/push/topics', { headers: { 'x-cf-device': 'other' } })).data.topics, [])
  await identify(ws)
  assert.equal((await topics()).length, 4, 'they stay when the device identifies')
})

test('a topic is a word of 64 letters, and a device has at most a hundred', async () => {
  const ws = await workspace()
  for (const topic of ['', 'a b', 'ü', 'x'.repeat(65), null, 5, ['a'], undefined])
    expectStatus(await ws.app.post('/push/topics', { topic }, D), 400)
  expectStatus(await ws.app.delete('/push/topics/a%20b', D), 400)
  expectStatus(await ws.app.post('/push/topics', { topic: 'x'.repeat(64) }, D), 200)
  const many = Array.from({ length: 100 }, (_, index) => `t${index}`)
  await ctx.db.updateTable('devices').set({ push_topics: many }).where('workspace_id', '=', ws.id).execute()
  expectStatus(await ws.app.post('/push/topics', { topic: 'one-more' }, D), 400)
  expectStatus(await ws.app.post('/push/topics', { topic: 't99' }, D), 200)
})
