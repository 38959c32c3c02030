/** What an application does in the name of the person on the device: sign-ins, industry data, signing out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Answer } from '../../../test/builders/builders.ts'
import { deny, deviceRow, devicesOf, erase, identify, personRow } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, ctx, fault } = await startApp()

const told = ({ status, body }: Answer) => [status, body.success, body.code]
const CATEGORIES = ['banking', 'insurance', 'healthcare', 'travel', 'retail', 'food_delivery', 'fintech']
const profile = (userId: unknown = 'U', more: object = {}) => ({
  deviceId: 'D',
  userId,
  category: 'banking',
  data: { tier: 'gold' },
  ...more,
})
const signIns = (workspaceId: string) =>
  ctx.db.selectFrom('identity_events').select(['type', 'properties']).where('workspace_id', '=', workspaceId).orderBy('id').execute()
const tokens = (workspaceId: string) =>
  ctx.db.selectFrom('push_registrations').select(['device_id', 'token']).where('workspace_id', '=', workspaceId).execute()

// --- POST /logout ---

test('C-OUT-01 C-OUT-05 C-OUT-07 G-18 a sign-out unlinks the user, who stays as they are, until the next identify', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U', { traits: { a: 1 }, name: 'Sara' })
  const before = await personRow(ctx, id, 'U')
  const answer = await app.post('/logout', undefined, { headers: { 'x-cf-device': 'D' } })
  assert.deepEqual([answer.status, answer.body], [200, { success: true, data: { loggedOut: true } }])
  assert.deepEqual(told(await app.post('/profile', profile())), [403, false, 'DEVICE_NOT_IDENTIFIED'])
  assert.deepEqual(await devicesOf(ctx, id, 'U'), [])
  assert.deepEqual(await personRow(ctx, id, 'U'), before)
  const again = await identify(app, 'D', 'U')
  assert.equal(again.data.results.identity.status, 'identified')
  assert.deepEqual(await devicesOf(ctx, id, 'U'), ['D'])
})

test('C-OUT-01 A-42 after a sign-out an identify without a user is an anonymous one, with no trait of the user', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U', { traits: { a: 1 } })
  expectStatus(await app.post('/logout', { deviceId: 'D' }), 200)
  const { data } = await identify(app, 'D')
  assert.deepEqual(data.results.identity, { status: 'anonymous', userId: null })
  assert.deepEqual((await deviceRow(ctx, id, 'D'))?.traits, {})
  assert.deepEqual((await personRow(ctx, id, 'D'))?.traits, {})
})

test('C-OUT-02 a sign-out takes the token off the device', async () => {
  const { id, app } = await workspace()
  for (const device of ['D', 'E']) {
    await identify(app, device, 'U')
    expectStatus(await app.post('/register-push', { deviceId: device, token: `token of ${device}`, platform: 'ios' }), 200)
  }
  expectStatus(await app.post('/logout', { deviceId: 'D' }), 200)
  assert.deepEqual(await tokens(id), [{ device_id: 'E', token: 'token of E' }])
})

test('C-OUT-03 C-ERR-20 a token that cannot be taken off is 207, the user is unlinked, a repeat finishes', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U')
  expectStatus(await app.post('/register-push', { deviceId: 'D', token: 'token', platform: 'ios' }), 200)
  await fault('push_link', true)
  try {
    const answer = await app.post('/logout', { deviceId: 'D' })
    assert.deepEqual(told(answer), [207, false, 'PUSH_LINKAGE_INCOMPLETE'])
    assert.deepEqual(answer.data, { loggedOut: true })
    assert.equal(typeof answer.body.error, 'string')
  } finally {
    await fault('push_link', false)
  }
  assert.deepEqual(await devicesOf(ctx, id, 'U'), [])
  assert.equal((await tokens(id)).length, 1)
  expectStatus(await app.post('/logout', { deviceId: 'D' }), 200)
  assert.deepEqual(await tokens(id), [])
})

test('G-18 signing out nobody is a success', async () => {
  const { app } = await workspace()
  for (const device of ['never seen', 'anonymous']) {
    if (device === 'anonymous') await identify(app, device)
    const answer = await app.post('/logout', { deviceId: device })
    assert.deepEqual([answer.status, answer.data], [200, { loggedOut: true }])
  }
})

test('C-OUT-01 C-DEV-29 C-EVT-01 signing out while nobody is signed in leaves the anonymous person on the device', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', undefined, { traits: { a: 1 } })
  expectStatus(await app.post('/register-push', { deviceId: 'D', token: 'token', platform: 'ios' }), 200)
  const before = await deviceRow(ctx, id, 'D')
  expectStatus(await app.post('/logout', { deviceId: 'D' }), 200)
  assert.deepEqual(await deviceRow(ctx, id, 'D'), before)
  assert.deepEqual(await tokens(id), [])
  const answer = await app.post('/events', { deviceId: 'D', events: [{ type: 'impression' }] })
  assert.deepEqual([answer.status, answer.data], [202, { accepted: 1, dropped: 0, dropReasons: {} }])
})

// --- POST /track-event ---

test('C-TRK-01 C-TRK-02 G-19 a sign-up and a sign-in of a known user are taken', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U')
  for (const body of [{ type: 'sign_up', properties: { via: 'mail' } }, { event: 'sign_in' }, { eventType: 'sign_in', properties: {} }]) {
    const answer = await app.post('/track-event', { deviceId: 'D', ...body })
    assert.deepEqual([answer.status, answer.body], [202, { success: true, data: { accepted: true } }])
  }
  assert.deepEqual(
    (await signIns(id)).map(({ type, properties }) => [type, properties]),
    [
      ['sign_up', { via: 'mail' }],
      ['sign_in', {}],
      ['sign_in', {}],
    ],
  )
})

test('C-TRK-03 G-19 without a user, or without consent, it is not taken, and why is said', async () => {
  const { id, app } = await workspace()
  await identify(app, 'anonymous')
  await identify(app, 'denied', 'U')
  await deny(app, 'denied')
  for (const deviceId of ['anonymous', 'denied', 'never seen']) {
    const { status, body } = await app.post('/track-event', { deviceId, type: 'sign_up' })
    assert.deepEqual([status, body.success, body.data.accepted], [202, true, false], deviceId)
    assert.ok(body.data.message.length > 10)
  }
  assert.deepEqual(await signIns(id), [])
})

test('G-19 any other type belongs to /events', async () => {
  const { app } = await workspace()
  await identify(app, 'D', 'U')
  for (const type of ['impression', 'SIGN_UP', '', 5, null, ['sign_up'], undefined])
    assert.deepEqual(told(await app.post('/track-event', { deviceId: 'D', type })), [400, false, 'ENDPOINT_MISMATCH'], String(type))
  assert.deepEqual(told(await app.post('/track-event', { deviceId: 'D', type: 'sign_up', properties: 'x' })), [400, false, undefined])
})

// --- POST /profile ---

test('C-PROF-01 C-PROF-02 G-20 every category is stored for the user the device is identified as', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U')
  for (const category of CATEGORIES) {
    const answer = await app.post('/profile', profile('U', { category, data: { of: category } }))
    assert.deepEqual([answer.status, answer.body], [200, { success: true, data: { stored: true, category } }])
  }
  assert.deepEqual((await personRow(ctx, id, 'U'))?.industry, Object.fromEntries(CATEGORIES.map((of) => [of, { of }])))
})

test('C-PROF-02 G-20 what cannot be stored is 400 without a code', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U')
  const odd = [
    { category: 'gaming' },
    { category: undefined },
    { category: ['banking'] },
    { category: 'constructor' },
    { data: undefined },
    { data: 'x' },
    { data: [1] },
    { data: null },
    { userId: undefined },
    { userId: '' },
    { userId: 5 },
    { data: { x: 'x'.repeat(65_536) } },
    { data: { x: 'ش'.repeat(32_768) } },
  ]
  for (const more of odd)
    assert.deepEqual(told(await app.post('/profile', profile('U', more))), [400, false, undefined], JSON.stringify(more).slice(0, 40))
  assert.deepEqual((await personRow(ctx, id, 'U'))?.industry, {})
  expectStatus(await app.post('/profile', profile('U', { data: { x: 'x'.repeat(65_536 - 8) } })), 200)
})

test('C-PROF-03 C-PROF-04 C-PROF-09 a post replaces its category and no other; traits do not touch it', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U', { traits: { a: 1 } })
  expectStatus(await app.post('/profile', profile('U', { data: { tier: 'gold', x: 1 } })), 200)
  expectStatus(await app.post('/profile', profile('U', { category: 'travel', data: { class: 'first' } })), 200)
  expectStatus(await app.post('/profile', profile('U', { data: { tier: 'silver' } })), 200)
  await identify(app, 'D', 'U', { traits: { b: 2 } })
  assert.deepEqual((await personRow(ctx, id, 'U'))?.industry, { banking: { tier: 'silver' }, travel: { class: 'first' } })
  await Promise.all(
    CATEGORIES.map(async (category) => expectStatus(await app.post('/profile', profile('U', { category, data: { n: 1 } })), 200)),
  )
  assert.equal(Object.keys((await personRow(ctx, id, 'U'))?.industry ?? {}).length, CATEGORIES.length, 'posts at once lose nothing')
})

test('C-PROF-06 C-ERR-11 G-20 a device that is not identified, anonymous or without consent is refused', async () => {
  const { app } = await workspace()
  assert.deepEqual(told(await app.post('/profile', profile())), [403, false, 'DEVICE_NOT_IDENTIFIED'])
  await identify(app, 'D')
  assert.deepEqual(told(await app.post('/profile', profile())), [403, false, 'DEVICE_NOT_IDENTIFIED'])
  assert.deepEqual(told(await app.post('/profile', profile('D'))), [403, false, 'DEVICE_NOT_IDENTIFIED'])
  await identify(app, 'D', 'U')
  await deny(app, 'D')
  assert.deepEqual(told(await app.post('/profile', profile())), [403, false, 'DEVICE_NOT_IDENTIFIED'])
})

test('C-PROF-07 C-ERR-12 A-17 a device identified as another is refused', async () => {
  const { id, app } = await workspace()
  await identify(app, 'E', 'U2')
  await identify(app, 'D', 'U')
  assert.deepEqual(told(await app.post('/profile', profile('U2'))), [403, false, 'USER_ID_DEVICE_MISMATCH'])
  for (const user of ['U', 'U2']) assert.deepEqual((await personRow(ctx, id, user))?.industry, {})
})

test('C-PROF-08 the data is write-only', async () => {
  const { app } = await workspace()
  await identify(app, 'D', 'U')
  expectStatus(await app.post('/profile', profile('U', { data: { tier: 'write-only-text' } })), 200)
  assert.ok([404, 405].includes((await app.get('/profile', { headers: { 'x-cf-device': 'D' } })).status))
  const answer = await identify(app, 'D', 'U')
  assert.ok(!answer.text.includes('write-only-text'))
})

test('C-FLAG-07 with profile updates switched off a post is a success that stores nothing', async () => {
  const { id, admin, app } = await workspace()
  await identify(app, 'D', 'U')
  expectStatus(await admin.put('/settings/features', { features: { profileUpdates: false } }), 200)
  const answer = await app.post('/profile', profile())
  assert.deepEqual([answer.status, answer.data], [200, { stored: false, reason: 'feature_disabled' }])
  assert.deepEqual((await personRow(ctx, id, 'U'))?.industry, {})
})

test('C-ERASE-09 A-16 after an erasure sign-ins and industry data are refused until the person comes back', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U')
  expectStatus(await erase(app, 'D'), 200)
  assert.deepEqual(told(await app.post('/track-event', { deviceId: 'D', type: 'sign_in' })), [409, false, 'SUBJECT_ERASED'])
  assert.deepEqual(told(await app.post('/profile', profile())), [409, false, 'SUBJECT_ERASED'])
  assert.deepEqual(told(await app.post('/profile', profile('U', { deviceId: 'another' }))), [409, false, 'SUBJECT_ERASED'])
  await deny(app, 'D', { userId: 'U' })
  assert.deepEqual(told(await app.post('/profile', profile())), [409, false, 'SUBJECT_ERASED'], 'a denial is no consent')
  await identify(app, 'D', 'U')
  assert.deepEqual(told(await app.post('/profile', profile())), [200, true, undefined])
  assert.deepEqual(await signIns(id), [])
})
