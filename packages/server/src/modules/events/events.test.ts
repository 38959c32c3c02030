import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Answer, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { deny, identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { ctx, workspace, advance, fault } = await startApp()

const impression = { type: 'impression', blockKey: 'promo' }
const send = (app: Client, deviceId: string | undefined, events: unknown, more: object = {}) =>
  app.post('/events', { events, ...(deviceId !== undefined && { deviceId }), ...more })
const repeat = (count: number, event: object = impression) => Array.from({ length: count }, () => event)
const stored = ({ id }: Workspace) => ctx.db.selectFrom('events').selectAll().where('workspace_id', '=', id).orderBy('type').execute()
const countOf = async (ws: Workspace) => (await stored(ws)).length

/** Every answer of a processed batch adds up (C-EVT-03). */
function taken(answer: Answer, sent: number): { accepted: number; dropped: number; dropReasons: Record<string, number> } {
  const { accepted, dropped, dropReasons } = expectStatus(answer, 202).data
  assert.equal(answer.body.success, true)
  assert.equal(accepted + dropped, sent)
  assert.equal(
    Object.values(dropReasons as Record<string, number>).reduce((sum, count) => sum + count, 0),
    dropped,
  )
  return answer.data
}

test('C-EVT-01 C-EVT-04 C-EVT-05 C-EVT-22 a batch of an identified device is stored as its own, with what it says', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  const full = {
    type: 'purchase',
    blockKey: 'promo',
    instanceId: 'i1',
    campaignId: 'c1',
    screen: 'home',
    value: 12.5,
    currency: 'SAR',
    fenceId: 'f1',
    properties: { cart: [1, 2] },
    timestamp: new Date(ctx.clock.ms() - 5_000).toISOString(),
  }
  const context = { sessionId: 's1', platform: 'ios' }
  assert.deepEqual(taken(await send(ws.app, 'D', [full], { context }), 1), { accepted: 1, dropped: 0, dropReasons: {} })
  const header = await ws.app.post('/events', { events: [{ type: 'video_play' }] }, { headers: { 'x-cf-device': 'D' } })
  assert.equal(taken(header, 1).accepted, 1)
  const [purchase, video] = await stored(ws)
  assert.ok(purchase && video)
  assert.deepEqual(purchase, {
    ...purchase,
    environment: 'live',
    device_id: 'D',
    type: 'purchase',
    block_key: 'promo',
    instance_id: 'i1',
    campaign_id: 'c1',
    screen: 'home',
    string_key: null,
    session_id: 's1',
    platform: 'ios',
    occurred_at: new Date(full.timestamp),
    value: 12.5,
    currency: 'SAR',
    fence_id: 'f1',
    properties: { cart: [1, 2] },
  })
  assert.deepEqual([video.type, video.device_id, video.session_id, video.block_key], ['video_play', 'D', null, null])
})

test('C-EVT-06 C-EVT-07 C-DEV-03 known and unknown types are taken', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  const types = ['impression', 'purchase', 'cta_click', 'dismiss', 'video_play']
  const answer = await send(
    ws.app,
    'D',
    types.map((type) => ({ type })),
  )
  assert.equal(taken(answer, 5).accepted, 5)
})

test('C-EVT-02 C-EVT-11 C-EVT-12 C-CONS-21 a device that was never identified has its events dropped, with 202', async () => {
  const ws = await workspace()
  assert.deepEqual(taken(await send(ws.app, 'fresh', repeat(3)), 3).dropReasons, { device_not_identified: 3 })
  assert.equal((await ws.app.post('/identify', { deviceId: 'failed', consent: 'yes' })).status, 400)
  assert.deepEqual(taken(await send(ws.app, 'failed', repeat(2)), 2).dropReasons, { device_not_identified: 2 })
  expectStatus(await ws.app.post('/consent', { deviceId: 'flags', channels: { push: true, email: true } }), 200)
  assert.deepEqual(taken(await send(ws.app, 'flags', repeat(1)), 1).dropReasons, { device_not_identified: 1 })
  assert.equal(await countOf(ws), 0)
})

test('C-EVT-11 C-OUT-01 X-INT-30 after a logout the choice of the installation stands: its events count, for no person', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  expectStatus(await ws.app.post('/logout', { deviceId: 'D' }), 200)
  assert.deepEqual(taken(await send(ws.app, 'D', repeat(2)), 2), { accepted: 2, dropped: 0, dropReasons: {} })
  await identify(ws.app, 'D2', 'U')
  const eventsOf = async (who: string) => expectStatus(await ws.admin.get(`/${who}/events`), 200).data.events as unknown[]
  assert.deepEqual([(await eventsOf('devices/D')).length, (await eventsOf('users/U')).length], [2, 0])
  await deny(ws.app, 'D')
  assert.deepEqual(taken(await send(ws.app, 'D', repeat(1)), 1).dropReasons, { consent_not_granted: 1 })
  expectStatus(await ws.app.delete('/identify', { headers: { 'x-cf-device': 'D' } }), 200)
  assert.equal(await countOf(ws), 0)
})

test('C-EVT-13 C-DEV-02 C-DEV-03 C-DEV-04 the record of a device lives 24 hours after its last identify', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  await identify(ws.app, 'renewed')
  await advance(23 * 3_600)
  await identify(ws.app, 'renewed')
  assert.equal(taken(await send(ws.app, 'D', repeat(1)), 1).accepted, 1)
  await advance(3_660)
  assert.deepEqual(taken(await send(ws.app, 'D', repeat(1)), 1).dropReasons, { device_not_identified: 1 })
  await advance(21 * 3_600)
  assert.equal(taken(await send(ws.app, 'renewed', repeat(1)), 1).accepted, 1)
})

test('C-EVT-14 C-DEV-10 C-DEV-14 without consent nothing is stored', async () => {
  const ws = await workspace()
  await deny(ws.app, 'D')
  assert.deepEqual(taken(await send(ws.app, 'D', repeat(2)), 2).dropReasons, { consent_not_granted: 2 })
  await identify(ws.app, 'D')
  assert.equal(taken(await send(ws.app, 'D', repeat(2)), 2).accepted, 2)
  await deny(ws.app, 'D')
  assert.deepEqual(taken(await send(ws.app, 'D', repeat(2)), 2).dropReasons, { consent_not_granted: 2 })
  assert.equal(await countOf(ws), 2)
})

test('C-EVT-15 C-EVT-16 C-EVT-17 C-EVT-19 M-STRS-26 X-INT-08 string signals are taken for enabled sensors only, each by itself, at once', async () => {
  const ws = await workspace()
  // As long as a key can be: characters are counted, not the units they are stored in.
  const longest = '😀'.repeat(200)
  const rows = ['on', 'off', 'hidden', longest].map((key) => ({ key, sourceText: key }))
  expectStatus(await ws.write.post('/strings/sync', { strings: rows }), 200)
  for (const key of ['on', 'hidden']) expectStatus(await ws.admin.put(`/strings/${key}/sensor`, { enabled: true }), 200)
  expectStatus(await ws.admin.put('/strings/hidden', { hidden: true }), 200)
  await identify(ws.app, 'D')
  const events = [
    impression,
    { type: 'string_impression', stringKey: 'on' },
    { type: 'string_interaction', key: 'on' },
    { type: 'string_impression', stringKey: 'off' },
    { type: 'string_impression', stringKey: 'hidden' },
    { type: 'string_impression', stringKey: 'unknown' },
    { type: 'string_interaction' },
    { type: 'string_interaction', stringKey: '' },
    { type: 'string_interaction', stringKey: 7 },
    { type: 'string_interaction', stringKey: 'x'.repeat(201) },
    { type: 'string_interaction', stringKey: `${longest}x` },
    { type: 'string_interaction', stringKey: longest },
    { type: 'video_play', stringKey: 'off' },
  ]
  const answer = taken(await send(ws.app, 'D', events), events.length)
  assert.deepEqual(answer, { accepted: 4, dropped: 9, dropReasons: { sensor_not_enabled: 4, invalid_string_signal: 5 } })
  assert.deepEqual((await stored(ws)).map((row) => row.string_key).sort(), [null, null, 'on', 'on'])
  expectStatus(await ws.write.post('/strings/disable', { keys: ['on'] }), 200)
  assert.deepEqual(taken(await send(ws.app, 'D', [{ type: 'string_impression', stringKey: 'on' }]), 1).dropReasons, {
    sensor_not_enabled: 1,
  })
  // What the device is comes before what the event says.
  assert.deepEqual(taken(await send(ws.app, 'fresh', [{ type: 'string_interaction' }]), 1).dropReasons, { device_not_identified: 1 })
})

test('C-EVT-08 C-EVT-09 C-LIMIT-11 C-LIMIT-20 up to 100 events, however much they carry; 101 store nothing', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  const large = { ...impression, properties: { text: 'x'.repeat(2_048) } }
  assert.equal(taken(await send(ws.app, 'D', repeat(100, large)), 100).accepted, 100)
  const refused = expectStatus(await send(ws.app, 'D', repeat(101)), 400)
  assert.equal(refused.body.code, 'MAX_BATCH_SIZE')
  assert.equal(await countOf(ws), 100)
})

test('G-96 properties beyond the bounds drop their event, behind every documented reason; the others of the batch are stored', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, index]))
  const of = (bytes: number) => 'x'.repeat(bytes - 2)
  const within = [
    names(32),
    { 'اسم المنتج': 'ثوب', '': 1, ['n'.repeat(64)]: null },
    { a: of(4_096) },
    { a: 'ث'.repeat(2_047) },
    { a: of(4_096), b: of(4_096), c: of(4_096), d: of(4_075) },
    { nested: { any: ['depth', { is: 'fine' }] } },
  ]
  const beyond = [
    names(33),
    { ['n'.repeat(65)]: 1 },
    { 'a\nb': 1 },
    { a: of(4_097) },
    { a: 'ث'.repeat(2_048) },
    { a: of(4_096), b: of(4_096), c: of(4_096), d: of(4_076) },
    { list: Array.from({ length: 3_000 }, () => 1) },
  ]
  const events = [...beyond, ...within].map((properties) => ({ ...impression, properties }))
  const outcome = taken(await send(ws.app, 'D', events), events.length)
  assert.deepEqual(outcome, { accepted: within.length, dropped: beyond.length, dropReasons: { properties_too_large: beyond.length } })
  assert.equal(await countOf(ws), within.length)
  const signal = { type: 'string_impression', stringKey: 'none', properties: names(33) }
  assert.deepEqual(taken(await send(ws.app, 'D', [signal]), 1).dropReasons, { sensor_not_enabled: 1 })
  assert.deepEqual(taken(await send(ws.app, 'unknown', events.slice(0, 1)), 1).dropReasons, { device_not_identified: 1 })
  const signUp = (properties: object) => ws.app.post('/track-event', { deviceId: 'D', type: 'sign_up', properties })
  assert.equal(expectStatus(await signUp(names(33)), 202).data.accepted, false)
  assert.match((await signUp({ a: of(4_097) })).data.message, /^properties/)
  assert.equal(expectStatus(await signUp(names(32)), 202).data.accepted, true)
})

test('C-EVT-10 C-TRK-04 X-INT-07 sign_up and sign_in refuse the batch, from any device, before anything is judged', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  for (const type of ['sign_up', 'sign_in'])
    for (const device of ['D', 'unknown']) {
      const refused = expectStatus(await send(ws.app, device, [impression, { type }]), 400)
      assert.equal(refused.body.code, 'ENDPOINT_MISMATCH')
    }
  assert.equal(expectStatus(await send(ws.app, 'unknown', repeat(101, { type: 'sign_in' })), 400).body.code, 'MAX_BATCH_SIZE')
  assert.equal(await countOf(ws), 0)
})

test('C-EVT-18 X-INT-06 with the feature off every event is dropped, and the answer is a success', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  expectStatus(await ws.admin.put('/settings/features', { features: { analyticsEvents: false } }), 200)
  assert.deepEqual(taken(await send(ws.app, 'D', repeat(4)), 4), { accepted: 0, dropped: 4, dropReasons: { feature_disabled: 4 } })
  assert.deepEqual(taken(await send(ws.app, 'fresh', repeat(1)), 1).dropReasons, { feature_disabled: 1 })
  assert.equal((await send(ws.app, 'D', [{ type: 'sign_in' }])).body.code, 'ENDPOINT_MISMATCH')
  assert.equal(await countOf(ws), 0)
})

test('C-EVT-23 C-EVT-24 refusals come in order: device, environment, shape, size, kind', async () => {
  const ws = await workspace()
  await identify(ws.testApp, 'D')
  const nobody = expectStatus(await send(ws.app, undefined, 'no list'), 400)
  assert.deepEqual(nobody.body, { success: false, error: 'device identification required' })
  for (const events of [[impression], 'no list', repeat(101), [{ type: 'sign_in' }]])
    assert.equal(expectStatus(await send(ws.app, 'D', events), 409).body.code, 'DEVICE_ENVIRONMENT_MISMATCH')
  assert.equal(taken(await send(ws.testApp, 'D', repeat(1)), 1).accepted, 1)
  assert.deepEqual(
    (await stored(ws)).map((row) => row.environment),
    ['test'],
  )
})

test('G-21 a list that cannot be read stores nothing; an empty one is taken', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  const long = 'x'.repeat(201)
  const bad = [
    undefined,
    null,
    {},
    'x',
    [null],
    [1],
    [[]],
    [{}],
    [{ type: 7 }],
    [{ type: '' }],
    [{ type: long }],
    [{ type: 'a', eventId: 7 }],
    [{ type: 'a', eventId: '' }],
  ]
  for (const events of bad) {
    const refused = expectStatus(await send(ws.app, 'D', Array.isArray(events) ? [impression, ...events] : events), 400)
    assert.equal(refused.body.code, undefined, refused.text)
    assert.match(refused.body.error, /^events/)
  }
  for (const body of [[], 'x', 7, null]) {
    const refused = await ws.app.post('/events', body, { headers: { 'x-cf-device': 'D' } })
    assert.equal(refused.status, 400, JSON.stringify(body))
  }
  assert.deepEqual(taken(await send(ws.app, 'D', []), 0), { accepted: 0, dropped: 0, dropReasons: {} })
  assert.equal(await countOf(ws), 0)
})

test('C-EVT-20 what an event says of its workspace, environment, person or time is not believed', async () => {
  const ws = await workspace()
  await identify(ws.testApp, 'D', 'U')
  const claims = { workspaceId: 'other', environment: 'live', userId: 'V', test: false, receivedAt: '1970-01-01', deviceId: 'E' }
  const times = ['1970-01-01T00:00:00Z', '2100-01-01T00:00:00Z', 'abc', -1, 1e300, {}, true, [5]]
  const events = times.map((timestamp) => ({ ...impression, ...claims, timestamp, blockKey: { a: 1 }, value: '5', properties: 'x' }))
  assert.equal(taken(await send(ws.testApp, 'D', events), events.length).accepted, events.length)
  const now = ctx.clock.ms()
  for (const row of await stored(ws)) {
    assert.deepEqual([row.environment, row.device_id, row.block_key, row.value, row.properties], ['test', 'D', null, null, null])
    assert.equal(row.occurred_at, null)
    assert.ok(Math.abs(row.received_at.getTime() - now) < 60_000)
  }
})

test('an event arriving on a later day is stored on that day', async () => {
  const ws = await workspace()
  for (let day = 0; day < 4; day++) {
    await advance(86_400)
    await identify(ws.app, 'D')
    assert.equal(taken(await send(ws.app, 'D', repeat(2)), 2).accepted, 2)
  }
  assert.equal(new Set((await stored(ws)).map((row) => row.received_at.toISOString().slice(0, 10))).size, 4)
})

test('C-ERASE-03 X-INT-30 what is dropped has no effect, also after an erasure', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  expectStatus(await ws.app.delete('/identify', { headers: { 'x-cf-device': 'D' } }), 200)
  assert.deepEqual(taken(await send(ws.app, 'D', repeat(2)), 2).dropReasons, { device_not_identified: 2 })
})

test('many devices at once: each gets its own answer, and one that is refused refuses no other', async () => {
  const ws = await workspace()
  await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 4 === 3 ? identify(ws.testApp, `D${i}`) : identify(ws.app, `D${i}`))))
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => send(ws.app, `D${i % 30}`, repeat((i % 7) + 1))))
  for (const [i, answer] of answers.entries()) {
    const sent = (i % 7) + 1
    if (i % 30 >= 20) assert.deepEqual(taken(answer, sent).dropReasons, { device_not_identified: sent })
    else if ((i % 30) % 4 === 3) assert.equal(expectStatus(answer, 409).body.code, 'DEVICE_ENVIRONMENT_MISMATCH')
    else assert.equal(taken(answer, sent).accepted, sent)
  }
  const accepted = answers.reduce((sum, { status, data }) => sum + (status === 202 ? (data.accepted as number) : 0), 0)
  assert.equal(await countOf(ws), accepted)
})

test('events that cannot be stored are refused with 503 and Retry-After, and none of them is there', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  await fault('upstream', true)
  try {
    const refused = await Promise.all(Array.from({ length: 5 }, () => send(ws.app, 'D', repeat(2))))
    for (const answer of refused) {
      assert.deepEqual([answer.status, answer.body.code], [503, 'UPSTREAM_UNAVAILABLE'])
      assert.ok(Number(answer.headers.get('retry-after')) >= 1)
    }
  } finally {
    await fault('upstream', false)
  }
  assert.equal(await countOf(ws), 0)
  assert.equal(taken(await send(ws.app, 'D', repeat(2)), 2).accepted, 2)
})
