/** Channel consent where time, erasure or another decision comes in between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Answer, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { deviceRow, erase, identify, personRow } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, advance, fault, ctx } = await startApp()

const DAY = 86_401
const onDevice = (device: string) => ({ headers: { 'x-cf-device': device } })
const give = (app: Client, device: string, channels: object, userId?: string) =>
  app.post('/consent', { channels, ...(userId && { userId }) }, onDevice(device))
const told = ({ status, body }: Answer) => [status, body.code]
const channelsOf = async (ws: Workspace, id: string) => (await personRow(ctx, ws.id, id))?.channels

test('C-DEV-05 agreeing to be sent something is not agreeing to be recognised, nor the other way round', async () => {
  const ws = await workspace()
  const all = { push: true, sms: true, whatsapp: true, email: true, inApp: true, marketing: true, locationTracking: true }
  expectStatus(await give(ws.app, 'D', all), 200)
  assert.equal((await deviceRow(ctx, ws.id, 'D'))?.consent, 'unknown')
  assert.equal(await personRow(ctx, ws.id, 'D'), undefined)
  assert.equal(
    (await ws.app.post('/location', { deviceId: 'D', points: [{ latitude: 1, longitude: 1 }] })).body.code,
    'DEVICE_NOT_IDENTIFIED',
  )
  await identify(ws.app, 'E', 'U')
  assert.deepEqual(await channelsOf(ws, 'U'), {})
})

test('C-CONS-02 a segment on a flag follows every decision, and targeted content the next identify', async () => {
  const ws = await workspace()
  const rules = [{ field: 'consent.email', operator: 'equals', value: true }]
  expectStatus(await ws.admin.post('/segments', { name: 'Readers', logicalOperator: 'AND', rules }), 201)
  await identify(ws.app, 'D', 'U')
  const names = async () => expectStatus(await ws.read.get('/read/users/U/segments'), 200).data.segmentNames
  for (const email of [true, false, true]) {
    expectStatus(await give(ws.app, 'D', { email }, 'U'), 200)
    assert.deepEqual(await names(), email ? ['Readers'] : [])
    assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments, email ? ['Readers'] : [])
  }
})

test('C-CONS-15 C-LIMIT-10 each change frees its place an hour after it was made, and Retry-After says when', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  const change = (push: boolean) => give(ws.app, 'D', { push })
  expectStatus(await change(true), 200)
  await advance(1_800)
  for (let count = 0; count < 9; count++) expectStatus(await change(count % 2 === 0), 200)
  const eleventh = await change(true)
  assert.deepEqual(told(eleventh), [429, 'USER_RATE_LIMITED'])
  const wait = Number(eleventh.headers.get('retry-after'))
  assert.ok(wait > 1_200 && wait <= 1_800, `${wait}`)
  await advance(wait)
  expectStatus(await change(true), 200)
  assert.deepEqual(told(await change(false)), [429, 'USER_RATE_LIMITED'])
})

test('A-38 refused calls and calls of devices without a user do not count', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  for (let count = 0; count < 12; count++) {
    assert.equal((await give(ws.app, 'D', { push: 'yes' }, 'U')).status, 400)
    assert.equal((await give(ws.app, 'D', { push: true }, 'U2')).status, 403)
    expectStatus(await give(ws.app, 'alone', { push: true }), 200)
  }
  for (let count = 0; count < 10; count++) expectStatus(await give(ws.app, 'D', { push: true }, 'U'), 200)
})

test('C-CONS-11 the anonymous person of a device is reached also after its record lapsed or it signed out', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  expectStatus(await give(ws.app, 'D', { push: true }), 200)
  await advance(DAY)
  const given = expectStatus(await give(ws.app, 'D', { push: false }), 200).data
  assert.deepEqual([given.userId, given.channels], [null, { push: false }])
  expectStatus(await ws.app.post('/logout', {}, onDevice('D')), 200)
  assert.deepEqual(expectStatus(await give(ws.app, 'D', { sms: false }), 200).data.channels, { push: false, sms: false })
  await identify(ws.app, 'D')
  assert.deepEqual(await channelsOf(ws, 'D'), { push: false, sms: false })
})

test('C-DEV-33 what a device decided while its record had lapsed goes to its user, where the user had not decided', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  expectStatus(await give(ws.app, 'D', { push: true }), 200)
  await advance(DAY)
  assert.deepEqual(expectStatus(await give(ws.app, 'D', { push: false, sms: false }), 200).data.userId, null)
  assert.deepEqual(await channelsOf(ws, 'U'), { push: true })
  await identify(ws.app, 'D', 'U')
  assert.deepEqual(await channelsOf(ws, 'U'), { push: true, sms: false })
  assert.deepEqual((await deviceRow(ctx, ws.id, 'D'))?.channels, {})
})

test('C-ERASE-10 A-16 nothing decides for whom is being erased; who comes back starts with every channel off', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  expectStatus(await give(ws.app, 'D', { push: true }, 'U'), 200)
  await fault('erase_part', true)
  try {
    assert.equal((await erase(ws.app, 'D', 'erasure-partial-v1')).status, 207)
    for (const userId of ['U', undefined]) assert.deepEqual(told(await give(ws.app, 'D', { sms: true }, userId)), [409, 'SUBJECT_ERASED'])
    const suppressed = expectStatus(await ws.admin.post('/users/bulk/suppress', { userIds: ['U'] }), 200).data
    assert.deepEqual([suppressed.suppressed, suppressed.notFound], [0, 1])
    assert.deepEqual(told(await ws.admin.put('/users/U/opt-out', { optedOut: true })), [409, 'SUBJECT_ERASED'])
  } finally {
    await fault('erase_part', false)
  }
  assert.equal((await erase(ws.app, 'D')).status, 200)
  assert.deepEqual(told(await give(ws.app, 'D', { push: true }, 'U')), [403, 'DEVICE_NOT_IDENTIFIED'])
  await identify(ws.app, 'D', 'U')
  assert.deepEqual(await channelsOf(ws, 'U'), {})
  expectStatus(await give(ws.app, 'D', { push: true }, 'U'), 200)
  assert.deepEqual(await channelsOf(ws, 'U'), { push: true })
})

test('C-CONS-11 C-ERASE-10 C-ERASE-18 an erased device decides about channels like one that was never seen, and that is fresh consent', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  expectStatus(await give(ws.app, 'D', { push: true, email: true }, 'U'), 200)
  expectStatus(await erase(ws.app, 'D'), 200)
  const given = expectStatus(await give(ws.app, 'D', { sms: true, email: false }), 200).data
  assert.deepEqual([given.userId, given.channels], [null, { sms: true, email: false }])
  const refused = await ws.app.post('/profile', { deviceId: 'D', userId: 'U', category: 'retail', data: {} })
  assert.deepEqual(told(refused), [409, 'SUBJECT_ERASED'], 'the person is no less erased')
  await identify(ws.app, 'D', 'U')
  assert.deepEqual(await channelsOf(ws, 'U'), { sms: true, email: false })
})

test('G-23 ever new topics do not grow a person without end', async () => {
  const ws = await workspace()
  const full = (from: number, count: number, value = true) =>
    ws.app.post(
      '/consent/full',
      { channels: {}, topics: Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${from + i}`, value])) },
      onDevice('D'),
    )
  assert.equal((await full(0, 101)).status, 400)
  expectStatus(await full(0, 100), 200)
  assert.equal((await full(100, 1)).status, 400)
  expectStatus(await full(0, 100, false), 200)
  const topics = (await deviceRow(ctx, ws.id, 'D'))?.consent_topics as object
  assert.equal(Object.keys(topics).length, 100)
})

test('C-CONS-17 all that one decision changed has one moment', async () => {
  const ws = await workspace()
  const topics = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`t${i}`, true]))
  await identify(ws.app, 'D', 'U')
  expectStatus(await ws.app.post('/consent/full', { userId: 'U', channels: { push: true, sms: false }, topics }, onDevice('D')), 200)
  const { consents } = expectStatus(await ws.admin.get('/users/U/consents?limit=200'), 200).data
  assert.deepEqual(Object.keys(Object.groupBy(consents as { source: string }[], ({ source }) => source)), ['consent_full', 'identify'])
  // Finer than the milliseconds that are shown.
  const { rows } =
    await sql`select distinct recorded_at from consent_ledger where workspace_id = ${ws.id} and source = 'consent_full'`.execute(ctx.db)
  assert.equal(rows.length, 1)
})
