import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { clientOf, expectStatus, type Answer } from '../../../test/builders/builders.ts'
import { deny, deviceRow, devicesOf, identify, personRow } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, ctx, url, fault } = await startApp()

const told = ({ status, body }: Answer) => [status, body.success, body.code]
const NO_DEVICE = { success: false, error: 'device identification required' }

test('C-IDN-01 C-IDN-02 C-IDN-03 G-16 a person is linked, and the answer says so', async () => {
  const { app } = await workspace()
  const body = { deviceId: 'D', userId: 'U', consent: true, traits: { a: 1 }, name: 'Sara', email: 'sara@example.com' }
  const answer = expectStatus(await app.post('/identify', body), 200)
  const data = { deviceId: 'D', consent: true, results: { identity: { status: 'identified', userId: 'U' } }, segments: [] }
  assert.deepEqual(answer.body, { success: true, data })
})

test('C-IDN-02 C-IDN-04 C-IDN-08 without a user the device is anonymous', async () => {
  const { app } = await workspace()
  const granted = await identify(app, 'D')
  assert.deepEqual(granted.data.results.identity, { status: 'anonymous', userId: null })
  assert.equal(granted.data.consent, true)
  const nobody = await identify(app, 'D2', undefined, { userId: null })
  assert.deepEqual(nobody.data.results.identity, { status: 'anonymous', userId: null })
})

test('C-IDN-02 C-IDN-05 C-DEV-08 C-DEV-11 consent false echoes false, links nobody and makes no person', async () => {
  const { id, app } = await workspace()
  const { data } = await deny(app, 'D', { userId: 'U', traits: { a: 1 }, name: 'Sara', email: 'sara@example.com' })
  assert.deepEqual(data, { deviceId: 'D', consent: false, results: { identity: { status: 'anonymous', userId: null } }, segments: [] })
  assert.equal(await personRow(ctx, id, 'U'), undefined)
  assert.equal(await personRow(ctx, id, 'D'), undefined)
  const profile = await app.post('/profile', { deviceId: 'D', userId: 'U', category: 'retail', data: {} })
  assert.deepEqual(told(profile), [403, false, 'DEVICE_NOT_IDENTIFIED'])
})

test('C-IDN-06 C-HDR-03 C-HDR-04 C-ERR-03 G-16 the device comes from the header or the body; the header wins', async () => {
  const { id, app } = await workspace()
  const header = (device: string) => ({ headers: { 'x-cf-device': device } })
  assert.equal((await app.post('/identify', { consent: true }, header('H'))).data.deviceId, 'H')
  assert.equal((await app.post('/identify', { consent: true, deviceId: 'B' })).data.deviceId, 'B')
  assert.equal((await app.post('/identify', { consent: true, deviceId: 'B2' }, header('H2'))).data.deviceId, 'H2')
  assert.equal(await deviceRow(ctx, id, 'B2'), undefined)
  for (const body of [{ consent: true }, { consent: true, deviceId: '' }, { consent: true, deviceId: null }, {}]) {
    const answer = await app.post('/identify', body)
    assert.deepEqual([answer.status, answer.body], [400, NO_DEVICE])
  }
})

test('C-ERR-03 C-OUT-06 C-TRK-06 C-ERASE-01 every route about a device says the same without one', async () => {
  const { app } = await workspace()
  const answers = [
    await app.post('/logout', {}),
    await app.post('/logout'),
    await app.post('/track-event', { type: 'sign_up' }),
    await app.post('/profile', { userId: 'U', category: 'retail', data: {} }),
    await app.delete('/identify'),
    await app.delete('/identify', { body: { deviceId: 'D' } }),
  ]
  for (const answer of answers) assert.deepEqual([answer.status, answer.body], [400, NO_DEVICE])
})

test('G-16 a device id has 1 to 128 characters, a user id 1 to 256, on both roots', async () => {
  const { app, live } = await workspace()
  const legacy = clientOf(`${url}/api/v1/sdk`, { 'x-cf-key': live })
  for (const client of [app, legacy]) {
    for (const [body, status] of [
      [{ deviceId: 'd'.repeat(128) }, 200],
      [{ deviceId: 'd'.repeat(129) }, 400],
      [{ deviceId: 5 }, 400],
      [{ deviceId: ['D'] }, 400],
      [{ deviceId: 'D', userId: 'u'.repeat(256) }, 200],
      [{ deviceId: 'D', userId: 'u'.repeat(257) }, 400],
      [{ deviceId: 'D', userId: '' }, 400],
      [{ deviceId: 'D', userId: 5 }, 400],
      [{ deviceId: 'D', userId: {} }, 400],
    ] as const) {
      const answer = await client.post('/identify', { consent: true, ...body })
      assert.equal(answer.status, status, JSON.stringify(body).slice(0, 60))
      if (status === 400) assert.equal(answer.body.code, undefined)
    }
  }
})

test('C-IDN-07 C-DEV-07 name and email are stored with consent; what is no name or email is left out silently', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U', { name: 'Sara', email: 'sara@example.com' })
  const stored = async () => {
    const person = await personRow(ctx, id, 'U')
    return [person?.name, person?.email]
  }
  assert.deepEqual(await stored(), ['Sara', 'sara@example.com'])
  for (const odd of [
    { name: '', email: 'no email' },
    { name: 5, email: ['a@b.co'] },
    { name: null, email: null },
    { name: 'x'.repeat(400) },
    {},
  ]) {
    await identify(app, 'D', 'U', odd)
    assert.deepEqual(await stored(), ['Sara', 'sara@example.com'], JSON.stringify(odd).slice(0, 60))
  }
  await identify(app, 'D', 'U', { name: 'سارة', email: 'sara@مثال.السعودية' })
  assert.deepEqual(await stored(), ['سارة', 'sara@مثال.السعودية'])
})

test('C-IDN-11 C-IDN-12 C-ERR-20 a token that cannot follow is 207, the identity stands, a repeat completes it', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D')
  expectStatus(await app.post('/register-push', { deviceId: 'D', token: 'token', platform: 'ios' }), 200)
  await fault('push_link', true)
  try {
    const answer = await app.post('/identify', { deviceId: 'D', userId: 'U', consent: true })
    assert.deepEqual(told(answer), [207, false, 'PUSH_LINKAGE_INCOMPLETE'])
    assert.deepEqual(answer.data.results.identity, { status: 'identified', userId: 'U' })
  } finally {
    await fault('push_link', false)
  }
  const stored = await app.post('/profile', { deviceId: 'D', userId: 'U', category: 'retail', data: {} })
  assert.deepEqual(told(stored), [200, true, undefined])
  const owner = async () =>
    (await ctx.db.selectFrom('push_registrations').select('profile_id').where('workspace_id', '=', id).executeTakeFirst())?.profile_id
  assert.equal(await owner(), null)
  await identify(app, 'D', 'U')
  assert.equal(await owner(), (await personRow(ctx, id, 'U'))?.id)
})

test('C-IDN-15 C-ERR-16 many identifies of one device at once: 200 or DEVICE_STATE_CHANGED, one person at the end, a retry works', async () => {
  const { id, app } = await workspace()
  const users = Array.from({ length: 20 }, (_, index) => `U${index}`)
  const answers = await Promise.all(
    users.map((userId) => app.post('/identify', { deviceId: 'D', userId, consent: true, traits: { userId } })),
  )
  for (const answer of answers) {
    if (answer.status === 200) assert.equal(answer.data.results.identity.status, 'identified')
    else assert.deepEqual(told(answer), [409, false, 'DEVICE_STATE_CHANGED'])
  }
  assert.ok(answers.some(({ status }) => status === 200))
  const people = await ctx.db.selectFrom('profiles').select('id').where('workspace_id', '=', id).execute()
  assert.equal(people.length, answers.filter(({ status }) => status === 200).length, 'who lost the race for the device made no person')
  const row = await deviceRow(ctx, id, 'D')
  const linked = await ctx.db
    .selectFrom('profiles')
    .selectAll()
    .where('workspace_id', '=', id)
    .where('id', '=', row?.profile_id ?? '')
    .executeTakeFirstOrThrow()
  assert.deepEqual(row?.traits, { userId: linked.user_id }, 'user and traits are of one identify')
  await identify(app, 'D', 'again')
  assert.deepEqual(await devicesOf(ctx, id, 'again'), ['D'])
})

test('C-IDN-15 many devices name one new user at once: one person with all devices', async () => {
  const { id, app } = await workspace()
  const devices = Array.from({ length: 12 }, (_, index) => `D${String(index).padStart(2, '0')}`)
  await Promise.all(devices.map((device) => identify(app, device, 'U', { traits: { device } })))
  assert.deepEqual(await devicesOf(ctx, id, 'U'), devices)
  const people = await ctx.db.selectFrom('profiles').select('user_id').where('workspace_id', '=', id).execute()
  assert.deepEqual(people, [{ user_id: 'U' }])
  for (const device of devices) assert.deepEqual((await deviceRow(ctx, id, device))?.traits, { device })
})

test('C-IDN-16 C-DEV-01 identify as another user moves the device, which stays one', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U')
  await identify(app, 'D', 'U')
  assert.deepEqual(await devicesOf(ctx, id, 'U'), ['D'])
  const { data } = await identify(app, 'D', 'U2')
  assert.deepEqual(data.results.identity, { status: 'identified', userId: 'U2' })
  assert.deepEqual([await devicesOf(ctx, id, 'U'), await devicesOf(ctx, id, 'U2')], [[], ['D']])
})

test('C-IDN-16 A-42 without a user id the link stays', async () => {
  const { app } = await workspace()
  await identify(app, 'D', 'U')
  assert.deepEqual((await identify(app, 'D')).data.results.identity, { status: 'identified', userId: 'U' })
  await deny(app, 'D')
  assert.deepEqual((await identify(app, 'D', undefined, { userId: null })).data.results.identity, { status: 'identified', userId: 'U' })
})

test('C-IDN-19 A-03 consent is a required boolean', async () => {
  const { id, app } = await workspace()
  for (const consent of [undefined, 'yes', 'true', 1, null, {}]) {
    const answer = await app.post('/identify', { deviceId: 'D', userId: 'U', consent })
    assert.deepEqual([answer.status, answer.body], [400, { success: false, error: 'consent must be a boolean' }], JSON.stringify(consent))
  }
  assert.equal(await deviceRow(ctx, id, 'D'), undefined)
})

test('C-IDN-20 every kind of application key may identify', async () => {
  const ws = await workspace()
  const secret = (await ws.key('secret', 'live')).key
  for (const key of [ws.live, `${ws.id}_app`, secret]) await identify(ws.sdk({ 'x-cf-key': key }), randomUUID(), 'U')
  assert.equal((await devicesOf(ctx, ws.id, 'U')).length, 3)
})

test('X-INT-44 G-15 the older root is the same identify', async () => {
  const { id, app, live } = await workspace()
  const legacy = clientOf(`${url}/api/v1/sdk`, { 'x-cf-key': live })
  const answers = [await identify(app, 'D', 'U', { traits: { a: 1 } }), await identify(legacy, 'D', 'U', { traits: { a: 1 } })]
  assert.deepEqual(answers[1]?.body, answers[0]?.body)
  assert.deepEqual(await devicesOf(ctx, id, 'U'), ['D'])
  const refused = await legacy.post('/identify', { consent: true })
  assert.deepEqual([refused.status, refused.body], [400, NO_DEVICE])
})

test('C-ERR-30 no refusal shows what was sent or what is inside', async () => {
  const { app, live } = await workspace()
  const bodies = [{ consent: 'x' }, { deviceId: 'D', consent: true, userId: '' }, { deviceId: 'x'.repeat(200), consent: true }]
  for (const body of bodies) {
    const { status, text } = await app.post('/identify', body)
    assert.equal(status, 400)
    assert.doesNotMatch(text, /\.ts|node_modules|select |stack/i)
    assert.ok(!text.includes(live))
  }
})
