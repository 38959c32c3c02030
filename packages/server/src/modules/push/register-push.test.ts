import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Answer, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { listPushTargets } from './index.ts'

const { ctx, workspace, advance, fault } = await startApp()

const IOS = { token: 't1', platform: 'ios' }
const register = (ws: Workspace, deviceId: string, body: object = {}) => ws.app.post('/register-push', { ...IOS, ...body, deviceId })
const registered = async (ws: Workspace, deviceId: string, token: string) =>
  expectStatus(await register(ws, deviceId, { token }), 200).data.linkage.status
const identify = async (ws: Workspace, deviceId: string, userId: string, consent = true) =>
  expectStatus(await ws.app.post('/identify', { deviceId, userId, consent }), 200)
const rowOf = (ws: Workspace, deviceId: string) =>
  ctx.db.selectFrom('push_registrations').selectAll().where('workspace_id', '=', ws.id).where('device_id', '=', deviceId).executeTakeFirst()
async function during(name: string, work: () => Promise<Answer>): Promise<Answer> {
  await fault(name, true)
  try {
    return await work()
  } finally {
    await fault(name, false)
  }
}
/** Tokens that a send to this user would go to, newest first. */
async function targets(ws: Workspace, userId: string): Promise<string[]> {
  const person = await ctx.db
    .selectFrom('profiles')
    .select('id')
    .where('workspace_id', '=', ws.id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return person ? (await listPushTargets(ctx.db, ws.id, person.id)).map(({ token }) => token) : []
}

test('C-PUSH-01 C-PUSH-09 C-DEV-05 a token is registered for a device that was never seen, and sits on it', async () => {
  const ws = await workspace()
  const answer = expectStatus(await ws.app.post('/register-push', IOS, { headers: { 'x-cf-device': 'd1' } }), 200)
  assert.deepEqual(answer.body, { success: true, data: { registered: true, linkage: { status: 'anonymous' } } })
  const device = await ctx.db.selectFrom('devices').selectAll().where('workspace_id', '=', ws.id).executeTakeFirstOrThrow()
  assert.deepEqual([device.device_id, device.environment, device.consent, device.profile_id], ['d1', 'live', 'unknown', null])
  assert.equal(device.expires_at.getTime() - device.first_seen_at.getTime(), 86_400_000)
})

test('C-PUSH-02 an empty token is 400 without a code', async () => {
  const ws = await workspace()
  for (const body of [{ platform: 'ios' }, { ...IOS, token: '' }, { ...IOS, token: '  ' }, { ...IOS, token: null }, { ...IOS, token: 7 }]) {
    const { status, body: refusal } = await ws.app.post('/register-push', { ...body, deviceId: 'd' })
    assert.deepEqual([status, refusal], [400, { success: false, error: 'token is required' }])
  }
  expectStatus(await register(ws, 'd', { token: 'x'.repeat(4097) }), 400)
  const odd = `\\x${'ü"\\'.repeat(1000)}`
  expectStatus(await register(ws, 'd', { token: odd }), 200)
  assert.equal((await rowOf(ws, 'd'))?.token, odd)
})

test('C-PUSH-03 C-PUSH-04 unknown platforms and providers are refused with their code', async () => {
  const ws = await workspace()
  for (const platform of ['ios', 'android', 'web']) expectStatus(await register(ws, 'd', { platform }), 200)
  for (const platform of ['windows', '', null, 3, ['ios'], undefined]) {
    const answer = await register(ws, 'd', { platform })
    assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_PUSH_PLATFORM'])
  }
  for (const provider of ['apns', 'fcm', 'web_push']) expectStatus(await register(ws, 'd', { provider }), 200)
  for (const provider of ['gcm', '', 0, {}]) {
    const answer = await register(ws, 'd', { provider })
    assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_PUSH_PROVIDER'])
  }
})

test('C-PUSH-05 the provider follows from the platform when it is left out', async () => {
  const ws = await workspace()
  for (const [platform, provider] of Object.entries({ web: 'web_push', ios: 'apns', android: 'fcm' })) {
    expectStatus(await register(ws, 'd', { platform, provider: null }), 200)
    assert.equal((await rowOf(ws, 'd'))?.provider, provider)
  }
})

test('C-PUSH-06 a Huawei token needs its app id', async () => {
  const ws = await workspace()
  const hms = { platform: 'android', provider: 'hms' }
  for (const hmsConfig of [undefined, null, {}, { appId: '' }, { appId: 7 }, 'x']) {
    const answer = await register(ws, 'd', { ...hms, hmsConfig })
    assert.deepEqual([answer.status, answer.body.code], [400, undefined])
  }
  expectStatus(await register(ws, 'd', { ...hms, hmsConfig: { appId: '1001' } }), 200)
  assert.equal((await rowOf(ws, 'd'))?.hms_app_id, '1001')
})

test('C-PUSH-07 a named user must be the one the device is identified as', async () => {
  const ws = await workspace()
  await identify(ws, 'd', 'U')
  const other = await register(ws, 'd', { userId: 'U2' })
  assert.deepEqual([other.status, other.body.code], [403, 'USER_ID_DEVICE_MISMATCH'])
  const fresh = await register(ws, 'fresh', { userId: 'U' })
  assert.deepEqual([fresh.status, fresh.body.code], [403, 'DEVICE_NOT_IDENTIFIED'])
  assert.equal(await rowOf(ws, 'fresh'), undefined)
  expectStatus(await register(ws, 'd', { userId: '' }), 400)
  expectStatus(await register(ws, 'd', { userId: 'U' }), 200)
  expectStatus(await register(ws, 'd', { userId: null }), 200)
  await advance(86_401)
  const lapsed = await register(ws, 'd', { userId: 'U' })
  assert.deepEqual([lapsed.status, lapsed.body.code], [403, 'DEVICE_NOT_IDENTIFIED'])
})

test('C-PUSH-08 a token of an identified device reaches the person', async () => {
  const ws = await workspace()
  await identify(ws, 'd', 'U')
  assert.equal(await registered(ws, 'd', 't'), 'identified')
  assert.deepEqual(await targets(ws, 'U'), ['t'])
  expectStatus(await ws.app.post('/identify', { deviceId: 'a', consent: true }), 200)
  assert.equal(await registered(ws, 'a', 't2'), 'anonymous')
  assert.notEqual((await rowOf(ws, 'a'))?.profile_id, null, 'an anonymous person is a person to send to')
})

test('C-PUSH-10 a token has one owner, the device that registered it last', async () => {
  const ws = await workspace()
  await identify(ws, 'd1', 'U')
  await identify(ws, 'd2', 'V')
  await registered(ws, 'd1', 't')
  await registered(ws, 'd2', 't')
  assert.deepEqual([await targets(ws, 'U'), await targets(ws, 'V')], [[], ['t']])
  expectStatus(await ws.testApp.post('/register-push', { ...IOS, token: 't', deviceId: 'test-build' }), 200)
  assert.deepEqual(await targets(ws, 'V'), ['t'], 'test and live are apart')
})

test('C-PUSH-10 one token registered by many at once, and tokens exchanged at once: never a failure, one owner', async () => {
  const ws = await workspace()
  const devices = Array.from({ length: 8 }, (_, index) => `d${index}`)
  const answers = await Promise.all(devices.flatMap((device) => [register(ws, device), register(ws, device)]))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const holders = await ctx.db.selectFrom('push_registrations').select('device_id').where('workspace_id', '=', ws.id).execute()
  assert.equal(holders.length, 1)

  for (let round = 0; round < 5; round++) {
    const [a, b] = round % 2 === 0 ? ['x', 'y'] : ['y', 'x']
    const swapped = await Promise.all([register(ws, 'd1', { token: a }), register(ws, 'd2', { token: b })])
    assert.deepEqual(
      swapped.map(({ status }) => status),
      [200, 200],
    )
  }
  const rows = await ctx.db.selectFrom('push_registrations').select('token').where('workspace_id', '=', ws.id).execute()
  assert.equal(new Set(rows.map(({ token }) => token)).size, rows.length)
})

test('C-PUSH-11 C-PUSH-12 the token stays with the device until a consenting identify, and then follows its person', async () => {
  const ws = await workspace()
  await registered(ws, 'd', 't')
  await identify(ws, 'd', 'U', false)
  assert.deepEqual(await targets(ws, 'U'), [])
  assert.equal((await rowOf(ws, 'd'))?.profile_id, null)
  await identify(ws, 'd', 'U')
  assert.deepEqual(await targets(ws, 'U'), ['t'])
  await identify(ws, 'd', 'U2')
  assert.deepEqual([await targets(ws, 'U'), await targets(ws, 'U2')], [[], ['t']])
})

test('C-PUSH-13 registering decides nothing about consent', async () => {
  const ws = await workspace()
  await identify(ws, 'd', 'U')
  await registered(ws, 'd', 't')
  await registered(ws, 'other', 't2')
  const people = await ctx.db.selectFrom('profiles').select('channels').where('workspace_id', '=', ws.id).execute()
  const devices = await ctx.db.selectFrom('devices').select('channels').where('workspace_id', '=', ws.id).execute()
  for (const { channels } of [...people, ...devices]) assert.deepEqual(channels, {})
})

test('C-PUSH-15 a link that cannot be written is 207, stores nothing, and a retry finishes it', async () => {
  const ws = await workspace()
  await identify(ws, 'd', 'U')
  await registered(ws, 'other', 't')
  const answer = await during('profile_write', () => register(ws, 'd', { token: 't' }))
  assert.equal(answer.status, 207)
  assert.deepEqual(
    [answer.body.success, answer.body.code, answer.data, typeof answer.body.error],
    [false, 'PUSH_LINKAGE_INCOMPLETE', { registered: false }, 'string'],
  )
  assert.equal((await rowOf(ws, 'other'))?.token, 't', 'the token was not taken from whoever has it')
  assert.equal(await registered(ws, 'd', 't'), 'identified')
  assert.deepEqual(await targets(ws, 'U'), ['t'])
  assert.equal(await rowOf(ws, 'other'), undefined)
})

test('C-PUSH-16 C-PUSH-17 C-PUSH-18 a user gets three new push devices in 24 hours', async () => {
  const ws = await workspace()
  for (const device of ['d1', 'd2', 'd3', 'd4']) await identify(ws, device, 'U')
  for (const device of ['d1', 'd2', 'd3']) assert.equal(await registered(ws, device, `t-${device}`), 'identified')
  const refused = await register(ws, 'd4', { token: 't4' })
  assert.deepEqual([refused.status, refused.body.code, typeof refused.body.error], [429, 'USER_RATE_LIMITED', 'string'])
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.ok(Number(refused.headers.get('retry-after')) <= 86_400)
  assert.equal(await rowOf(ws, 'd4'), undefined)

  await registered(ws, 'd1', 'renewed')
  expectStatus(await ws.app.delete('/register-push', { headers: { 'x-cf-device': 'd2' } }), 200)
  await registered(ws, 'd2', 't-d2')
  expectStatus(await register(ws, 'nobody', { token: 'free' }), 200)

  await advance(86_400)
  await identify(ws, 'd4', 'U')
  assert.equal(await registered(ws, 'd4', 't4'), 'identified')
})

test('C-PUSH-16 of registrations at once exactly three pass', async () => {
  const ws = await workspace()
  const devices = Array.from({ length: 8 }, (_, index) => `d${index}`)
  for (const device of devices) await identify(ws, device, 'U')
  const answers = await Promise.all(devices.map((device) => register(ws, device, { token: device })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 429, 429, 429, 429, 429])
  assert.equal((await targets(ws, 'U')).length, 3)
})

test('C-PUSH-25 X-INT-26 twelve devices become one person without a limit, and a send goes to the ten newest', async () => {
  const ws = await workspace()
  const tokens = Array.from({ length: 12 }, (_, index) => `t${index}`)
  for (const token of tokens) {
    await registered(ws, `device of ${token}`, token)
    await identify(ws, `device of ${token}`, 'U')
    // Registrations of one millisecond have no order.
    await advance(1)
  }
  assert.deepEqual(await targets(ws, 'U'), tokens.slice(2).toReversed())
  for (const token of tokens) assert.equal(await registered(ws, `device of ${token}`, `${token} renewed`), 'identified')
})

test('C-PUSH-19 X-INT-24 DELETE and logout take the token of this device only, and leave consent as it is', async () => {
  const ws = await workspace()
  for (const device of ['d1', 'd2', 'd3']) {
    await identify(ws, device, 'U')
    await registered(ws, device, `t-${device}`)
  }
  await ctx.db.updateTable('profiles').set({ channels: '{"push":true}' }).where('workspace_id', '=', ws.id).execute()
  const remove = () => ws.app.delete('/register-push', { headers: { 'x-cf-device': 'd1' } })
  assert.deepEqual(expectStatus(await remove(), 200).data, { removed: true })
  assert.deepEqual(expectStatus(await remove(), 200).data, { removed: false })
  assert.deepEqual((await targets(ws, 'U')).sort(), ['t-d2', 't-d3'])
  expectStatus(await ws.app.post('/logout', {}, { headers: { 'x-cf-device': 'd2' } }), 200)
  assert.deepEqual(await targets(ws, 'U'), ['t-d3'])
  const { channels } = await ctx.db.selectFrom('profiles').select('channels').where('workspace_id', '=', ws.id).executeTakeFirstOrThrow()
  assert.deepEqual(channels, { push: true })
})

test('C-PUSH-26 without a device id all writes of push are refused', async () => {
  const ws = await workspace()
  const answers = [
    await ws.app.post('/register-push', IOS),
    await ws.app.delete('/register-push'),
    await ws.app.patch('/push/preferences', {}),
    await ws.app.post('/push/topics', { topic: 'news' }),
    await ws.app.delete('/push/topics/news'),
    await ws.app.get('/push/topics'),
  ]
  for (const { status, body } of answers)
    assert.deepEqual([status, body], [400, { success: false, error: 'device identification required' }])
})

test('C-IDN-11 C-IDN-12 an identify whose token cannot be linked stands, and the next one links it', async () => {
  const ws = await workspace()
  await registered(ws, 'd', 't')
  const answer = await during('push_link', () => ws.app.post('/identify', { deviceId: 'd', userId: 'U', consent: true }))
  assert.deepEqual([answer.status, answer.body.success, answer.body.code], [207, false, 'PUSH_LINKAGE_INCOMPLETE'])
  assert.deepEqual(await targets(ws, 'U'), [])
  await identify(ws, 'd', 'U')
  assert.deepEqual(await targets(ws, 'U'), ['t'])
})

test('a token that comes while its device identifies is linked, whichever is first', async () => {
  const ws = await workspace()
  for (let round = 0; round < 10; round++) {
    await Promise.all([register(ws, `d${round}`, { token: `t${round}` }), identify(ws, `d${round}`, `U${round}`)])
    assert.deepEqual(await targets(ws, `U${round}`), [`t${round}`])
  }
})

test('a live record of the other environment is 409; one that lapsed there begins anew', async () => {
  const ws = await workspace()
  await identify(ws, 'd', 'U')
  await registered(ws, 'd', 't')
  const other = () => ws.testApp.post('/register-push', { ...IOS, token: 't', deviceId: 'd' })
  const refused = await other()
  assert.deepEqual([refused.status, refused.body.code], [409, 'DEVICE_ENVIRONMENT_MISMATCH'])
  await advance(86_401)
  assert.equal(await registered(ws, 'd', 'renewed'), 'identified', 'a lapsed device goes on reaching the person it reached')
  assert.equal(expectStatus(await other(), 200).data.linkage.status, 'anonymous')
  assert.deepEqual(await targets(ws, 'U'), [])
  assert.equal((await rowOf(ws, 'd'))?.environment, 'test')
  await advance(86_401)
  await identify(ws, 'd', 'U')
  assert.deepEqual(await targets(ws, 'U'), [], 'a token of the test build reaches nobody live')
})
