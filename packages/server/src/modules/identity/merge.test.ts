/** What becomes of an anonymous person, or of a device's own decisions, when the user becomes known (C-DEV-29 to C-DEV-36). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { deviceRow, devicesOf, identify, personRow } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, ctx } = await startApp()

/** Flags and answers as the consent routes store them. */
async function decide(
  { id }: Workspace,
  personId: string,
  change: { channels?: object; topics?: object; optOut?: boolean; saved?: object },
) {
  const person = await personRow(ctx, id, personId)
  await ctx.db
    .updateTable('profiles')
    .set({
      ...(change.channels && { channels: JSON.stringify(change.channels) }),
      ...(change.topics && { consent_topics: JSON.stringify(change.topics) }),
      ...(change.saved && { saved_channels: JSON.stringify(change.saved) }),
      ...(change.optOut !== undefined && { personal_opt_out: change.optOut }),
    })
    .where('workspace_id', '=', id)
    .where('id', '=', person?.id ?? '')
    .execute()
}

test('C-DEV-29 a consenting device without a user has a person of its own, which a second consent finds again', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', undefined, { name: 'Sara', traits: { a: 1 } })
  const anonymous = await personRow(ctx, id, 'D')
  assert.deepEqual([anonymous?.user_id, anonymous?.device_id, anonymous?.name], [null, 'D', 'Sara'])
  await identify(app, 'D')
  assert.equal((await personRow(ctx, id, 'D'))?.id, anonymous?.id)
  await identify(app, 'E')
  assert.notEqual((await personRow(ctx, id, 'E'))?.id, anonymous?.id)
})

test('C-DEV-30 C-DEV-31 C-DEV-36 empty fields are filled, the known value wins, the anonymous person is gone', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', undefined, { name: 'N', email: 'n@example.com', traits: { a: 1 } })
  await identify(app, 'D', 'New')
  const made = await personRow(ctx, id, 'New')
  assert.deepEqual([made?.name, made?.email, made?.traits], ['N', 'n@example.com', { a: 1 }])
  assert.equal(await personRow(ctx, id, 'D'), undefined)

  await identify(app, 'E', 'Known', { name: 'A' })
  await identify(app, 'D2', undefined, { name: 'B', email: 'b@example.com' })
  await identify(app, 'D2', 'Known')
  const known = await personRow(ctx, id, 'Known')
  assert.deepEqual([known?.name, known?.email], ['A', 'b@example.com'])
  assert.deepEqual(await devicesOf(ctx, id, 'Known'), ['D2', 'E'])
  assert.equal(await personRow(ctx, id, 'D2'), undefined)
})

test('C-DEV-31 a name that the merging identify itself says is newer than both', async () => {
  const { id, app } = await workspace()
  await identify(app, 'E', 'U', { name: 'A' })
  await identify(app, 'D', undefined, { name: 'B' })
  await identify(app, 'D', 'U', { name: 'C' })
  assert.equal((await personRow(ctx, id, 'U'))?.name, 'C')
})

test('C-DEV-33 flags and answers come over only where the user had not decided, and the ledger says so', async () => {
  const ws = await workspace()
  const { id, app } = ws
  await identify(app, 'E', 'U')
  await decide(ws, 'U', { channels: { push: false }, topics: { news: false } })
  await identify(app, 'D')
  await decide(ws, 'D', { channels: { push: true, sms: true }, topics: { news: true, sale: true }, optOut: true })
  await identify(app, 'D', 'U')
  const person = await personRow(ctx, id, 'U')
  assert.deepEqual(person?.channels, { push: false, sms: true })
  assert.deepEqual(person?.consent_topics, { news: false, sale: true })
  assert.equal(person?.personal_opt_out, true)
  const ledger = await ctx.db
    .selectFrom('consent_ledger')
    .select(['channel', 'old_value', 'new_value'])
    .where('workspace_id', '=', id)
    .where('source', '=', 'merge')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    ledger.map(({ channel, old_value, new_value }) => [channel, old_value, new_value]),
    [
      ['sms', null, true],
      ['topic:sale', null, true],
      ['personalOptOut', false, true],
      // The device itself has decided nothing any more.
      ['push', true, null],
      ['sms', true, null],
      ['topic:news', true, null],
      ['topic:sale', true, null],
      ['personalOptOut', true, null],
    ],
  )
})

test('C-DEV-33 a new user takes over every flag of the anonymous person', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  await decide(ws, 'D', { channels: { push: true, sms: false } })
  await identify(ws.app, 'D', 'U')
  assert.deepEqual((await personRow(ctx, ws.id, 'U'))?.channels, { push: true, sms: false })
})

test('C-DEV-33 A-29 what comes over to a suppressed user waits for the end of the suppression', async () => {
  const ws = await workspace()
  await identify(ws.app, 'E', 'U')
  await decide(ws, 'U', { channels: { push: false, sms: false, email: false, whatsapp: false, marketing: false }, saved: { push: true } })
  await identify(ws.app, 'D')
  await decide(ws, 'D', { channels: { sms: true, push: false, inApp: true } })
  await identify(ws.app, 'D', 'U')
  const person = await personRow(ctx, ws.id, 'U')
  assert.deepEqual(person?.channels, { push: false, sms: false, email: false, whatsapp: false, marketing: false, inApp: true })
  assert.deepEqual(person?.saved_channels, { push: true, sms: true })
})

test('C-DEV-33 decisions of a device that had no person become the person’s, once', async () => {
  const { id, app } = await workspace()
  await identify(app, 'E', 'U')
  expectStatus(await app.post('/logout', { deviceId: 'D' }), 200)
  expectStatus(await app.post('/register-push', { deviceId: 'D', token: 'token', platform: 'ios' }), 200)
  await ctx.db
    .updateTable('devices')
    .set({ channels: JSON.stringify({ push: true }) })
    .where('workspace_id', '=', id)
    .where('device_id', '=', 'D')
    .execute()
  await identify(app, 'D', 'U')
  assert.deepEqual((await personRow(ctx, id, 'U'))?.channels, { push: true })
  assert.deepEqual((await deviceRow(ctx, id, 'D'))?.channels, {})
  await identify(app, 'D', 'U2')
  assert.deepEqual((await personRow(ctx, id, 'U2'))?.channels, {})
})

test('C-DEV-34 one email is no reason to merge', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U', { email: 'shared@example.com', name: 'A' })
  await identify(app, 'D2', 'U2', { email: 'shared@example.com', name: 'B' })
  await identify(app, 'D3', undefined, { email: 'shared@example.com', name: 'C' })
  const people = [await personRow(ctx, id, 'U'), await personRow(ctx, id, 'U2'), await personRow(ctx, id, 'D3')]
  assert.deepEqual(
    people.map((person) => person?.name),
    ['A', 'B', 'C'],
  )
  assert.equal(new Set(people.map((person) => person?.id)).size, 3)
})

test('A-43 from one user to another nothing goes over, traits included', async () => {
  const ws = await workspace()
  const { id, app } = ws
  await identify(app, 'D', 'U', { name: 'A', email: 'a@example.com', traits: { a: 1 } })
  await decide(ws, 'U', { channels: { push: true } })
  await identify(app, 'D', 'U2')
  const person = await personRow(ctx, id, 'U2')
  assert.deepEqual([person?.name, person?.email, person?.traits, person?.channels], [null, null, {}, {}])
  assert.deepEqual((await deviceRow(ctx, id, 'D'))?.traits, {})
  assert.equal((await personRow(ctx, id, 'U'))?.name, 'A')
})

test('C-DEV-36 sign-ins, places and the token of the anonymous person become the user’s', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', undefined, { traits: { a: 1 } })
  expectStatus(await app.post('/register-push', { deviceId: 'D', token: 'token', platform: 'ios' }), 200)
  const anonymous = await personRow(ctx, id, 'D')
  const at = ctx.clock.now()
  const point = { workspace_id: id, profile_id: anonymous?.id ?? '', id: 'p', device_id: 'D', latitude: 24, longitude: 46, at }
  await ctx.db.insertInto('location_points').values(point).execute()
  await ctx.db
    .updateTable('profiles')
    .set({ current_location: JSON.stringify({ latitude: 24, longitude: 46, at: at.toISOString() }) })
    .where('workspace_id', '=', id)
    .where('id', '=', anonymous?.id ?? '')
    .execute()
  await identify(app, 'D', 'U')
  const person = await personRow(ctx, id, 'U')
  assert.deepEqual(person?.current_location, { latitude: 24, longitude: 46, at: at.toISOString() })
  assert.deepEqual(person?.traits, { a: 1 })
  for (const table of ['location_points', 'push_registrations'] as const) {
    const rows = await ctx.db.selectFrom(table).select('profile_id').where('workspace_id', '=', id).execute()
    assert.deepEqual(rows, [{ profile_id: person?.id }], table)
  }
})

test('C-DEV-36 C-IDN-15 one anonymous device that names its user many times at once is merged once', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', undefined, { name: 'N' })
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.post('/identify', { deviceId: 'D', userId: 'U', consent: true })))
  for (const { status, body } of answers) assert.ok(status === 200 || body.code === 'DEVICE_STATE_CHANGED')
  const people = await ctx.db.selectFrom('profiles').select(['user_id', 'name']).where('workspace_id', '=', id).execute()
  assert.deepEqual(people, [{ user_id: 'U', name: 'N' }])
})

test('C-DEV-30 C-LOC-03 C-PUSH-20 C-DEV-32 what is written of an anonymous person while they sign in is theirs, or is refused to be sent again', async () => {
  const ws = await workspace()
  const rules = [{ field: 'customAttributes.never', operator: 'exists' }]
  const segmentId = expectStatus(await ws.admin.post('/segments', { name: 'By hand', logicalOperator: 'AND', rules }), 201).data.id
  for (let i = 0; i < 12; i++) {
    const [D, U] = [`race-${i}`, `racer-${i}`]
    await identify(ws.app, D)
    if (i % 3 === 2) await identify(ws.app, `other-${i}`, U)
    const headers = { 'x-cf-device': D }
    const [signedIn, located, preferred, added] = await Promise.all([
      ws.app.post('/identify', { deviceId: D, userId: U, consent: true }),
      ws.app.post('/location', { points: [{ latitude: 5, longitude: 5 }] }, { headers }),
      ws.app.patch('/push/preferences', { urgentOnly: true }, { headers }),
      ws.admin.post('/users/bulk/segments', { segmentId, userIds: [D] }),
    ])
    for (const { status, body, text } of [signedIn, located, preferred])
      assert.ok(status < 300 || body.code === 'DEVICE_STATE_CHANGED', text)
    const person = (await personRow(ctx, ws.id, U))!
    assert.equal(await personRow(ctx, ws.id, D), undefined)
    assert.deepEqual(located.data, { accepted: 1, dropped: 0, geofenceEvents: 0 })
    assert.equal((person.current_location as { latitude?: number } | null)?.latitude, 5, `place ${i}`)
    assert.deepEqual(person.push_preferences, preferred.status === 200 ? { urgentOnly: true } : {}, `preference ${i}`)
    const { segmentNames } = expectStatus(await ws.read.get(`/read/users/${U}/segments`), 200).data
    assert.equal(segmentNames.length, expectStatus(added, 200).data.modified, `segment ${i}: ${added.text}`)
  }
})
