import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Answer } from '../../../test/builders/builders.ts'
import { track } from '../../../test/builders/events.ts'
import { fillStores } from '../../../test/builders/every-store.ts'
import { deny, deviceRow, devicesOf, erase, identify, personRow, rowsOfPerson } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, ctx, fault, operator, advance } = await startApp()

const told = ({ status, body }: Answer) => [status, body.success, body.code]
const PARTS = [
  'device',
  'location_history',
  'geofence_events',
  'kyc',
  'enrichment',
  'analytics_events',
  'popup_frequency',
  'once_ever',
  'profile',
]
const CAPABLE = 'erasure-partial-v1'

/** Runs `work` while no part of any erasure can be erased. */
async function withFault<T>(work: () => Promise<T>): Promise<T> {
  await fault('erase_part', true)
  try {
    return await work()
  } finally {
    await fault('erase_part', false)
  }
}

test('C-ERASE-02 C-ERASE-03 C-ERASE-04 G-17 all parts erased: the device may wipe itself, and device and person are gone', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U', { traits: { a: 1 } })
  const answer = await erase(app, 'D')
  const { erasureId, ...data } = answer.data
  assert.deepEqual([answer.status, answer.body.success, data], [200, true, { localWipeSafe: true, erased: PARTS }])
  assert.equal(typeof erasureId, 'string')
  assert.equal(await deviceRow(ctx, id, 'D'), undefined)
  assert.equal(await personRow(ctx, id, 'U'), undefined)
})

test('C-ERASE-01 the device is taken from the header only', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U')
  const answer = await app.delete('/identify', { body: { deviceId: 'D' } })
  assert.deepEqual([answer.status, answer.body], [400, { success: false, error: 'device identification required' }])
  assert.deepEqual(await devicesOf(ctx, id, 'U'), ['D'])
  expectStatus(await app.delete('/identify', { body: { deviceId: 'D' }, headers: { 'x-cf-device': 'E' } }), 200)
  assert.deepEqual(await devicesOf(ctx, id, 'U'), ['D'])
})

test('C-ERASE-05 C-ERASE-06 C-ERASE-19 every store of the person is emptied, and of nobody else', async () => {
  const ws = await workspace()
  const profiles: string[] = []
  for (const [device, user] of [
    ['D', 'U'],
    ['E', 'U2'],
  ] as const) {
    await identify(ws.app, device, user)
    expectStatus(await ws.app.post('/register-push', { deviceId: device, token: device, platform: 'ios', userId: user }), 200)
    expectStatus(await ws.app.post('/track-event', { deviceId: device, type: 'sign_in' }), 202)
    await track(ws.app, device, [{ type: 'impression' }])
    await fillStores(ctx, ws, user, device)
    profiles.push((await personRow(ctx, ws.id, user))?.id ?? '')
  }
  const [own = '', other = ''] = profiles
  const [before, others, otherPerson] = [
    await rowsOfPerson(ctx, ws.id, own),
    await rowsOfPerson(ctx, ws.id, other),
    await personRow(ctx, ws.id, 'U2'),
  ]
  const empty = Object.keys(before).filter((table) => before[table] === 0)
  assert.deepEqual(
    empty,
    ['absorbed_profiles', 'erasures', 'segment_members'],
    'a new table about people must be filled here, so that its erasure is proven',
  )
  expectStatus(await erase(ws.app, 'D'), 200)
  assert.deepEqual(
    Object.values(await rowsOfPerson(ctx, ws.id, own)).filter((count) => count > 0),
    [],
  )
  assert.deepEqual(await rowsOfPerson(ctx, ws.id, other), others)
  assert.deepEqual(await personRow(ctx, ws.id, 'U2'), otherPerson)
  assert.deepEqual(await devicesOf(ctx, ws.id, 'U2'), ['E'])
})

test('the receipt says how much of each part went, and names nobody', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'D2', 'U')
  await fillStores(ctx, ws, 'U', 'D')
  const { erasureId } = expectStatus(await erase(ws.app, 'D'), 200).data
  const { data, text } = expectStatus(await ws.admin.get(`/erasures/${erasureId}`), 200)
  const { parts, requestedBy, requestedAt, completedAt, ...rest } = data
  assert.deepEqual(rest, { id: erasureId, environment: 'live', status: 'complete' })
  assert.ok(requestedBy && Date.parse(requestedAt) <= Date.parse(completedAt))
  assert.deepEqual(
    parts.map(({ part, status, count }: any) => [part, status, count]),
    PARTS.map((part) => [
      part,
      'erased',
      { device: 2, location_history: 1, geofence_events: 2, kyc: 1, enrichment: 2, analytics_events: 1, profile: 1 }[part] ?? 0,
    ]),
  )
  assert.doesNotMatch(text, /"U"|"D"/)
  const row = await ctx.db.selectFrom('erasures').selectAll().where('workspace_id', '=', ws.id).executeTakeFirstOrThrow()
  assert.deepEqual([row.profile_id, row.user_id, row.device_ids], [null, null, null])
  const list = expectStatus(await (await ws.viewer()).get('/erasures'), 200)
  assert.deepEqual([list.data.erasures, list.body.metadata], [[data], { total: 1, nextCursor: null }])
  assert.equal((await ws.admin.get('/erasures/none')).status, 404)
})

test('X-INT-21 the person goes once for all their devices', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', undefined, { name: 'N' })
  await identify(app, 'D', 'U')
  await identify(app, 'D2', 'U')
  await identify(app, 'E', 'U2')
  expectStatus(await erase(app, 'D'), 200)
  for (const device of ['D', 'D2']) assert.equal(await deviceRow(ctx, id, device), undefined)
  assert.equal(await personRow(ctx, id, 'U'), undefined)
  assert.deepEqual(await devicesOf(ctx, id, 'U2'), ['E'])
  for (const device of ['D', 'D2']) {
    const answer = await app.post('/profile', { deviceId: device, userId: 'U', category: 'retail', data: {} })
    assert.deepEqual(told(answer), [409, false, 'SUBJECT_ERASED'])
  }
})

test('an anonymous person is erased by its device, also after a sign-out', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', undefined, { name: 'N' })
  expectStatus(await app.post('/logout', { deviceId: 'D' }), 200)
  assert.equal((await personRow(ctx, id, 'D'))?.name, 'N')
  expectStatus(await erase(app, 'D'), 200)
  assert.equal(await personRow(ctx, id, 'D'), undefined)
})

test('C-ERASE-20 G-17 a device that was never seen has nothing to erase; one without a person goes', async () => {
  const { id, app } = await workspace()
  const answer = await erase(app, 'never seen')
  assert.deepEqual([answer.status, answer.data], [200, { localWipeSafe: true, erased: [], erasureId: null }])
  await deny(app, 'D')
  assert.deepEqual((await erase(app, 'D')).data.erased, PARTS)
  assert.equal(await deviceRow(ctx, id, 'D'), undefined)
  const again = await erase(app, 'D')
  assert.deepEqual([again.status, again.data.localWipeSafe], [200, true])
})

test('C-ERASE-09 C-ERR-18 industry data of an erased person is 409 SUBJECT_ERASED', async () => {
  const { app } = await workspace()
  await identify(app, 'D', 'U')
  expectStatus(await erase(app, 'D'), 200)
  const answer = await app.post('/profile', { deviceId: 'D', userId: 'U', category: 'retail', data: {} })
  assert.deepEqual(told(answer), [409, false, 'SUBJECT_ERASED'])
})

test('C-ERASE-10 A-16 who comes back is a new, empty person with every channel undecided', async () => {
  const { id, app } = await workspace()
  await identify(app, 'D', 'U', { traits: { a: 1 }, name: 'Sara' })
  const before = await personRow(ctx, id, 'U')
  await ctx.db.updateTable('profiles').set({ channels: '{"push":true}' }).where('workspace_id', '=', id).execute()
  expectStatus(await erase(app, 'D'), 200)
  await identify(app, 'another', 'U')
  const after = await personRow(ctx, id, 'U')
  assert.notEqual(after?.id, before?.id)
  assert.deepEqual([after?.name, after?.traits, after?.channels], [null, {}, {}])
  const ledger = await ctx.db
    .selectFrom('consent_ledger')
    .select(['channel', 'old_value', 'new_value'])
    .where('workspace_id', '=', id)
    .where('source', '=', 'erase')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    ledger.map((row) => Object.values(row)),
    [
      ['analytics', true, null],
      ['push', true, null],
    ],
  )
})

test('C-ERASE-11 C-ERASE-13 C-ERASE-16 what remains is 207 for a client that can read it', async () => {
  const { app } = await workspace()
  await identify(app, 'D', 'U')
  await withFault(async () => {
    for (const capabilities of [CAPABLE, `frequency-v1, ${CAPABLE}`, `${CAPABLE},x`]) {
      const answer = await erase(app, 'D', capabilities)
      assert.deepEqual(told(answer), [207, false, 'ERASURE_PENDING'], capabilities)
      assert.equal(answer.body.error, 'erasure incomplete')
      assert.deepEqual([answer.data.localWipeSafe, answer.data.remaining], [false, PARTS])
    }
  })
})

test('C-ERASE-12 C-ERASE-16 for any other client it is 502', async () => {
  const { app } = await workspace()
  await identify(app, 'D', 'U')
  await withFault(async () => {
    for (const capabilities of [undefined, 'frequency-v1', 'erasure-partial-v10', '']) {
      const answer = await erase(app, 'D', capabilities)
      assert.deepEqual([...told(answer), answer.body.retryable], [502, false, 'UPSTREAM_UNAVAILABLE', true])
      assert.equal(answer.headers.get('retry-after'), '5')
      assert.doesNotMatch(answer.text, /localWipeSafe/)
    }
  })
})

test('C-IDN-13 C-ERR-17 C-ERASE-14 C-ERASE-15 while it is unfinished identify waits, and the next DELETE finishes it', async () => {
  const ws = await workspace()
  const { id, app, admin } = ws
  for (const device of ['D', 'D2']) await identify(app, device, 'U', { traits: { a: 1 } })
  await identify(app, 'E', 'U2')
  await withFault(async () => {
    assert.equal((await erase(app, 'D', CAPABLE)).status, 207)
    for (const body of [
      { deviceId: 'D' },
      { deviceId: 'D2', userId: 'U' },
      { deviceId: 'new', userId: 'U' },
      { deviceId: 'D', userId: 'U2' },
    ])
      for (const consent of [true, false])
        assert.deepEqual(told(await app.post('/identify', { consent, ...body })), [409, false, 'ERASURE_PENDING'], JSON.stringify(body))
    await identify(app, 'E', 'U2')
  })
  const answer = await erase(app, 'D')
  assert.deepEqual([answer.status, answer.data.localWipeSafe, answer.data.erased], [200, true, PARTS])
  await identify(app, 'D', 'U')
  assert.deepEqual((await personRow(ctx, id, 'U'))?.traits, {})
  assert.equal((await admin.get('/erasures')).body.metadata.total, 1, 'repeating is the same erasure')
})

const pass = async () => expectStatus(await operator.post('/test-hooks/jobs', { job: 'erasure' }), 200)

test('G-17 an unfinished erasure is tried again by the next pass, and then every minute', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'E', 'U2')
  const [tried, untried] = await withFault(async () => {
    const first = (await erase(ws.app, 'D', CAPABLE)).data.erasureId
    await pass()
    return [first, (await erase(ws.app, 'E', CAPABLE)).data.erasureId]
  })
  const status = async (id: string) => (await ws.admin.get(`/erasures/${id}`)).data.status
  await pass()
  assert.deepEqual([await status(tried), await status(untried)], ['pending', 'complete'])
  await advance(60)
  assert.equal(await status(tried), 'complete')
  assert.equal(await personRow(ctx, ws.id, 'U'), undefined)
  assert.deepEqual((await erase(ws.app, 'D')).data.erased, [])
})

test('C-ERASE-15 two erasures of one device at once are one, and neither says it is done before it is', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  const answers = await Promise.all(Array.from({ length: 6 }, () => erase(ws.app, 'D')))
  for (const answer of answers) assert.deepEqual([answer.status, answer.data.localWipeSafe], [200, true])
  const { data } = await ws.admin.get('/erasures')
  assert.deepEqual(
    data.erasures.map((erasure: any) => erasure.status),
    data.erasures.map(() => 'complete'),
  )
  assert.equal(await personRow(ctx, ws.id, 'U'), undefined)
})

test('identifies and erasures of one person from many devices at once: no error of the server, and nothing of before comes back', async () => {
  const { id, app } = await workspace()
  const devices = Array.from({ length: 6 }, (_, index) => `D${index}`)
  for (let round = 0; round < 5; round++) {
    for (const device of devices) await identify(app, device, 'U', { traits: { round, old: true } })
    const answers = await Promise.all([
      ...devices.slice(0, 3).map((device) => erase(app, device, CAPABLE)),
      ...devices.map((deviceId) => app.post('/identify', { deviceId, userId: 'U', consent: true })),
      app.post('/identify', { deviceId: 'new', userId: 'U', consent: true }),
    ])
    for (const answer of answers) assert.ok([200, 409].includes(answer.status), answer.text)
    for (const device of devices) expectStatus(await erase(app, device), 200)
    expectStatus(await erase(app, 'new'), 200)
    assert.equal(await personRow(ctx, id, 'U'), undefined)
    const left = await ctx.db.selectFrom('devices').select('device_id').where('workspace_id', '=', id).where('traits', '!=', '{}').execute()
    assert.deepEqual(left, [])
  }
})

test('a member erases a person, or an anonymous device, by hand', async () => {
  const { id, admin, app, testApp, editor, viewer } = await workspace()
  await identify(app, 'D', 'U')
  await identify(testApp, 'T', 'U')
  await identify(app, 'A')
  for (const client of [await editor(), await viewer()])
    assert.deepEqual(told(await client.delete('/users/U')), [403, false, 'ROLE_REQUIRED'])
  const answer = await admin.delete('/users/U')
  assert.deepEqual([answer.status, answer.data.status, answer.data.environment], [200, 'complete', 'live'])
  assert.equal(await personRow(ctx, id, 'U'), undefined)
  assert.equal(await deviceRow(ctx, id, 'D'), undefined)
  assert.deepEqual(await devicesOf(ctx, id, 'U', 'test'), ['T'])
  assert.equal((await admin.delete('/users/U')).status, 404)
  expectStatus(await admin.delete('/users/U?environment=test'), 200)
  assert.deepEqual(await devicesOf(ctx, id, 'U', 'test'), [])
  expectStatus(await admin.delete('/users/A'), 200)
  assert.equal(await personRow(ctx, id, 'A'), undefined)
  assert.deepEqual(told(await app.post('/track-event', { deviceId: 'D', type: 'sign_in' })), [409, false, 'SUBJECT_ERASED'])
  assert.equal((await admin.delete('/users/U?environment=other')).status, 400)
})

test('an erasure by hand that cannot finish is 202, and the same one when asked for again', async () => {
  const { admin, app } = await workspace()
  await identify(app, 'D', 'U')
  const first = await withFault(async () => {
    const answer = await admin.delete('/users/U')
    assert.deepEqual([answer.status, answer.data.status], [202, 'pending'])
    assert.equal((await admin.delete('/users/U')).data.id, answer.data.id)
    return answer.data.id
  })
  const last = await admin.delete('/users/U')
  assert.deepEqual([last.status, last.data.id, last.data.status], [200, first, 'complete'])
})

test('a device that came to the erased person after the erasure was asked for goes with them', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await withFault(async () => erase(ws.app, 'D'))
  const person = await personRow(ctx, ws.id, 'U')
  await identify(ws.app, 'late', undefined, { traits: { a: 1 } })
  await ctx.db
    .updateTable('devices')
    .set({ profile_id: person?.id ?? '', segments: ['Gold'] })
    .where('workspace_id', '=', ws.id)
    .where('device_id', '=', 'late')
    .execute()
  expectStatus(await erase(ws.app, 'D'), 200)
  assert.equal(await deviceRow(ctx, ws.id, 'late'), undefined)
})
