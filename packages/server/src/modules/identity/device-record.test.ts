import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { deny, deviceRow, identify, personRow } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, ctx, advance } = await startApp()

const HOUR = 3600
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, index]))
const traitsOf = async ({ id }: Workspace, deviceId = 'D') => (await deviceRow(ctx, id, deviceId))?.traits
/** Whether the server still knows who is on the device: the answer to a write in the name of U. */
const isKnown = async (app: Client): Promise<boolean> => {
  const answer = await app.post('/profile', { deviceId: 'D', userId: 'U', category: 'retail', data: {} })
  if (answer.status === 403) assert.equal(answer.body.code, 'DEVICE_NOT_IDENTIFIED')
  else expectStatus(answer, 200)
  return answer.status === 200
}

test('C-DEV-02 C-LIMIT-15 a device record lives 24 hours', async () => {
  const { app } = await workspace()
  await identify(app, 'D', 'U')
  await advance(24 * HOUR - 60)
  assert.equal(await isKnown(app), true)
  await advance(120)
  assert.equal(await isKnown(app), false)
  await identify(app, 'D')
  assert.equal(await isKnown(app), true, 'the link is still there, as the documents let only a sign-out or another user end it')
})

test('C-DEV-03 C-DEV-04 only identify renews it', async () => {
  const { app } = await workspace()
  await identify(app, 'D', 'U')
  await advance(23 * HOUR)
  await identify(app, 'D', 'U')
  await advance(23 * HOUR)
  assert.equal(await isKnown(app), true)
  expectStatus(await app.post('/track-event', { deviceId: 'D', type: 'sign_in' }), 202)
  expectStatus(await app.get('/sync', { headers: { 'x-cf-device': 'D' } }), 200)
  await advance(2 * HOUR)
  assert.equal(await isKnown(app), false)
})

test('C-DEV-05 a device without a decision is unknown; reads and sign-outs make no record', async () => {
  const { id, app } = await workspace()
  expectStatus(await app.post('/register-push', { deviceId: 'D', token: 'token', platform: 'ios' }), 200)
  assert.equal((await deviceRow(ctx, id, 'D'))?.consent, 'unknown')
  expectStatus(await app.get('/sync', { headers: { 'x-cf-device': 'E' } }), 200)
  expectStatus(await app.post('/logout', {}, { headers: { 'x-cf-device': 'E' } }), 200)
  assert.equal(await deviceRow(ctx, id, 'E'), undefined)
  await identify(app, 'D')
  assert.equal((await deviceRow(ctx, id, 'D'))?.consent, 'granted')
  await deny(app, 'D')
  assert.equal((await deviceRow(ctx, id, 'D'))?.consent, 'denied')
})

test('C-DEV-07 consent after a denial writes traits, link and person', async () => {
  const ws = await workspace()
  await deny(ws.app, 'D', { userId: 'U', traits: { a: 1 } })
  assert.deepEqual(await traitsOf(ws), {})
  const { data } = await identify(ws.app, 'D', 'U', { traits: { a: 2 } })
  assert.deepEqual([data.consent, data.results.identity.status], [true, 'identified'])
  assert.deepEqual(await traitsOf(ws), { a: 2 })
  assert.deepEqual((await personRow(ctx, ws.id, 'U'))?.traits, { a: 2 })
})

test('C-DEV-08 C-DEV-11 C-DEV-12 A-04 a denial stores nothing but itself, and leaves what is there as it is', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U', { traits: { a: 1 }, name: 'Sara' })
  const before = await personRow(ctx, id, 'U')
  await deny(app, 'D', { userId: 'U2', traits: { a: 2, b: 1 }, name: 'Mona', email: 'mona@example.com' })
  const { analytics: _was, updated_at: _then, ...kept } = before ?? {}
  const { analytics, updated_at: _now, ...after } = (await personRow(ctx, id, 'U')) ?? {}
  assert.deepEqual(after, kept)
  assert.equal(analytics, false)
  assert.equal(await personRow(ctx, id, 'U2'), undefined)
  const { traits, segments, consent } = (await deviceRow(ctx, id, 'D')) ?? {}
  assert.deepEqual([traits, segments, consent], [{ a: 1 }, [], 'denied'])
  assert.equal(
    (await app.post('/profile', { deviceId: 'D', userId: 'U', category: 'retail', data: { x: 1 } })).body.code,
    'DEVICE_NOT_IDENTIFIED',
  )
  assert.deepEqual((await personRow(ctx, id, 'U'))?.industry, {})
})

test('C-DEV-15..C-DEV-23 C-LIMIT-12 which traits are stored', async () => {
  const ws = await workspace()
  const [long, tooLong] = ['k'.repeat(64), 'k'.repeat(65)]
  const cases: [sent: object, stored: object][] = [
    [
      { a: 1, A_9: 2, [long]: 3 },
      { a: 1, A_9: 2, [long]: 3 },
    ],
    [
      { Plan: 'x', plan: 'y' },
      { Plan: 'x', plan: 'y' },
    ],
    [{ 'a.b': 1, $c: 1, 'd-e': 1, '': 1, [tooLong]: 1, ok: 1 }, { ok: 1 }],
    [many(50), many(50)],
    [many(60), many(50)],
    [{ big: 'x'.repeat(4094) }, { big: 'x'.repeat(4094) }],
    [{ big: 'x'.repeat(5000), ok: 2 }, { ok: 2 }],
    [{ big: 'ش'.repeat(1400) }, { big: 'ش'.repeat(1400) }],
    [{ big: 'ش'.repeat(2100), ok: 3 }, { ok: 3 }],
    [
      { tags: ['a', 'b'], addr: { city: 'R' }, none: null },
      { tags: ['a', 'b'], addr: { city: 'R' }, none: null },
    ],
  ]
  for (const [sent, stored] of cases) {
    await identify(ws.app, 'D', 'U', { traits: sent })
    assert.deepEqual(await traitsOf(ws), stored)
    assert.deepEqual((await personRow(ctx, ws.id, 'U'))?.traits, stored)
  }
})

test('C-DEV-24 a set replaces the stored one whole', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { traits: { a: 1, b: 2 } })
  await identify(ws.app, 'D', 'U', { traits: { a: 3 } })
  assert.deepEqual(await traitsOf(ws), { a: 3 })
})

test('C-DEV-25 C-DEV-26 C-DEV-27 C-DEV-28 A-09 what is no set leaves the stored one', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { traits: { a: 1 } })
  for (const traits of [undefined, {}, null, 'x', 7, true, [1], [{ b: 1 }], { 'a.b': 1 }, { b: 'x'.repeat(5000) }]) {
    await identify(ws.app, 'D', 'U', { traits })
    assert.deepEqual(await traitsOf(ws), { a: 1 }, JSON.stringify(traits)?.slice(0, 40))
  }
})

test('C-DEV-12 traits sent with a denial are not there after a consent without traits', async () => {
  const ws = await workspace()
  await deny(ws.app, 'D', { userId: 'U', traits: { a: 1 } })
  await identify(ws.app, 'D', 'U')
  assert.deepEqual(await traitsOf(ws), {})
})

test('X-INT-45 A-23 each device has its own traits; the person has those of the device identified last', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { traits: { a: 1 } })
  await identify(ws.app, 'D2', 'U', { traits: { b: 2 } })
  assert.deepEqual([await traitsOf(ws), await traitsOf(ws, 'D2')], [{ a: 1 }, { b: 2 }])
  assert.deepEqual((await personRow(ctx, ws.id, 'U'))?.traits, { b: 2 })
  await identify(ws.app, 'D', 'U')
  assert.deepEqual((await personRow(ctx, ws.id, 'U'))?.traits, { a: 1 })
})

test('A-23 a denial on one device does not put back what another device has stored since', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { traits: { a: 1 }, name: 'Sara' })
  await identify(ws.app, 'D2', 'U', { traits: { b: 2 } })
  await Promise.all([deny(ws.app, 'D'), identify(ws.app, 'D2', 'U', { traits: { b: 3 }, name: 'Mona' })])
  const person = await personRow(ctx, ws.id, 'U')
  assert.deepEqual([person?.traits, person?.name], [{ b: 3 }, 'Mona'])
})

test('G-72 what the headers say of the device is stored; odd headers are left out', async () => {
  const { id, app } = await workspace()
  const identified = async (headers: Record<string, string>) => {
    expectStatus(await app.post('/identify', { deviceId: 'D', userId: 'U', consent: true }, { headers }), 200)
    const { platform, sdk_version, locale } = (await deviceRow(ctx, id, 'D')) ?? {}
    return [platform, sdk_version, locale]
  }
  assert.deepEqual(await identified({ 'x-cf-sdk-version': 'swift/2.3.1', 'accept-language': 'ar-SA,en;q=0.5' }), ['ios', '2.3.1', 'ar-SA'])
  assert.equal((await personRow(ctx, id, 'U'))?.language, 'ar')
  assert.deepEqual(await identified({ 'x-cf-sdk-version': 'kotlin/1.0.0', 'accept-language': '*' }), ['android', '1.0.0', 'ar-SA'])
  for (const version of ['', '/', 'x'.repeat(500), 'js', '../../1.0'])
    assert.deepEqual(await identified({ 'x-cf-sdk-version': version }), ['android', '1.0.0', 'ar-SA'], version.slice(0, 20))
})
