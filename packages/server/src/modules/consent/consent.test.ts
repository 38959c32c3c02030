import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, advance, ctx } = await startApp()

const FLAGS = ['push', 'sms', 'whatsapp', 'email', 'inApp', 'marketing', 'locationTracking']

const onDevice = (device: string) => ({ headers: { 'x-cf-device': device } })

async function identified(ws: Workspace, device: string, userId?: string): Promise<void> {
  expectStatus(await ws.app.post('/identify', { deviceId: device, consent: true, ...(userId && { userId }) }), 200)
}

const give = (ws: Workspace, device: string, channels: object, userId?: string) =>
  ws.app.post('/consent', { channels, ...(userId && { userId }) }, onDevice(device))

const person = async (ws: Workspace, userId: string) => expectStatus(await ws.admin.get(`/users/${userId}`), 200).data

function refused(answer: { status: number; body: any }, status: number, code: string | undefined): void {
  assert.deepEqual([answer.status, answer.body.success, answer.body.code], [status, false, code])
}

test('C-CONS-01 C-CONS-02 C-CONS-03 each flag can be given and withdrawn alone, and one left out is not changed', async () => {
  const ws = await workspace()
  await identified(ws, 'D', 'U')
  const given = expectStatus(await give(ws, 'D', { push: true }, 'U'), 200)
  assert.deepEqual(given.body, {
    success: true,
    data: { deviceId: 'D', userId: 'U', channels: { push: true }, personalOptOut: false },
  })
  assert.deepEqual(expectStatus(await give(ws, 'D', { sms: false }, 'U'), 200).data.channels, { push: true, sms: false })
  assert.deepEqual((await person(ws, 'U')).channels, { push: true, sms: false })
  for (const [index, flag] of FLAGS.entries()) {
    await identified(ws, `D${index}`, `U${index}`)
    for (const value of [true, false]) {
      expectStatus(await give(ws, `D${index}`, { [flag]: value }), 200)
      assert.deepEqual((await person(ws, `U${index}`)).channels, { [flag]: value })
    }
  }
})

test('C-CONS-06 C-CONS-07 C-CONS-08 C-CONS-22 C-ERR-04 C-ERR-05 flags must stand in channels, and a device must be named', async () => {
  const ws = await workspace()
  await identified(ws, 'D', 'U')
  for (const body of [
    { deviceId: 'D', push: true },
    { deviceId: 'D' },
    { deviceId: 'D', channels: null },
    { deviceId: 'D', channels: [] },
    { deviceId: 'D', channels: { sms: true }, push: true },
  ])
    for (const path of ['/consent', '/consent/full']) refused(await ws.app.post(path, body), 400, 'CHANNELS_REQUIRED')
  refused(await ws.app.post('/consent', { userId: 'U', channels: { push: true } }), 400, 'DEVICE_REQUIRED')
  const nobody = await ws.app.post('/consent', { channels: { push: true } })
  assert.deepEqual([nobody.status, nobody.body], [400, { success: false, error: 'device identification required' }])
  for (const channels of [{ push: 'yes' }, { push: 1 }, { push: null }]) refused(await give(ws, 'D', channels, 'U'), 400, undefined)
  assert.deepEqual((await person(ws, 'U')).channels, {})
})

test('C-CONS-09 C-CONS-10 C-ERR-11 C-ERR-12 a user is named only by the device that is signed in as that user', async () => {
  const ws = await workspace()
  await identified(ws, 'D', 'U')
  await identified(ws, 'D2', 'U2')
  await identified(ws, 'nobody')
  refused(await give(ws, 'fresh', { push: true }, 'U'), 403, 'DEVICE_NOT_IDENTIFIED')
  refused(await give(ws, 'nobody', { push: true }, 'U'), 403, 'DEVICE_NOT_IDENTIFIED')
  refused(await give(ws, 'D', { push: true }, 'U2'), 403, 'USER_MISMATCH')
  assert.deepEqual((await person(ws, 'U2')).channels, {})
  await advance(86_401)
  refused(await give(ws, 'D', { push: true }, 'U'), 403, 'DEVICE_NOT_IDENTIFIED')
})

test('C-CONS-11 C-DEV-33 a device decides for itself until it has a person, who then takes over what they had not decided', async () => {
  const ws = await workspace()
  const alone = expectStatus(await give(ws, 'D', { push: true, sms: true }), 200).data
  assert.deepEqual(alone, { deviceId: 'D', userId: null, channels: { push: true, sms: true }, personalOptOut: false })
  await identified(ws, 'D2', 'U')
  expectStatus(await give(ws, 'D2', { push: false }, 'U'), 200)
  await identified(ws, 'D', 'U')
  assert.deepEqual((await person(ws, 'U')).channels, { push: false, sms: true })
})

test('C-CONS-12 C-CONS-13 C-CONS-14 C-CONS-15 C-LIMIT-10 C-ERR-23 ten changes an hour for a user over both routes', async () => {
  const ws = await workspace()
  await identified(ws, 'D', 'U')
  await identified(ws, 'D2', 'U2')
  for (let i = 0; i < 10; i++) {
    const path = i % 2 ? '/consent' : '/consent/full'
    expectStatus(await ws.app.post(path, { userId: 'U', channels: { push: i % 4 < 2 } }, onDevice('D')), 200)
  }
  for (const path of ['/consent', '/consent/full']) {
    const eleventh = await ws.app.post(path, { channels: { push: true } }, onDevice('D'))
    refused(eleventh, 429, 'USER_RATE_LIMITED')
    assert.match(eleventh.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal(typeof eleventh.body.error, 'string')
  }
  expectStatus(await give(ws, 'D2', { push: true }, 'U2'), 200)
  await advance(3_601)
  expectStatus(await give(ws, 'D', { push: true }, 'U'), 200)
})

test('A-38 of calls at the same time exactly ten pass, and each that passed counts', async () => {
  const ws = await workspace()
  await identified(ws, 'D', 'U')
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => give(ws, 'D', { [FLAGS[i % 7]!]: true }, 'U')))
  const counts = Map.groupBy(answers, ({ status }) => status)
  assert.deepEqual([counts.get(200)?.length, counts.get(429)?.length], [10, 10])
})

test('C-CONS-16 C-ERR-15 a device of the other environment is refused', async () => {
  const ws = await workspace()
  expectStatus(await ws.testApp.post('/identify', { deviceId: 'D', userId: 'U', consent: true }), 200)
  refused(await give(ws, 'D', { push: true }, 'U'), 409, 'DEVICE_ENVIRONMENT_MISMATCH')
  refused(await give(ws, 'D', { push: true }), 409, 'DEVICE_ENVIRONMENT_MISMATCH')
})

test('C-CONS-17 the full form keeps answers to a preset and the opt-out, and the ledger says which words were shown', async () => {
  const ws = await workspace()
  await identified(ws, 'D', 'U')
  const body = {
    userId: 'U',
    channels: { marketing: true },
    preset: 'banking_ksa',
    topics: { security: true },
    requiredConsents: { data_processing: true },
    personalOptOut: true,
  }
  const sent = { headers: { 'x-cf-device': 'D', 'accept-language': 'ar-SA,en;q=0.5' } }
  const given = expectStatus(await ws.app.post('/consent/full', body, sent), 200).data
  assert.deepEqual([given.channels, given.personalOptOut], [{ marketing: true }, true])
  const { consents } = expectStatus(await ws.admin.get('/users/U/consents'), 200).data
  const shown = consents.filter((entry: any) => entry.source === 'consent_full')
  assert.deepEqual(shown.map((entry: any) => entry.channel).sort(), [
    'marketing',
    'personalOptOut',
    'required:data_processing',
    'topic:security',
  ])
  for (const entry of shown) {
    assert.deepEqual([entry.preset, entry.locale, entry.newValue], ['banking_ksa', 'ar-SA', true])
    assert.match(entry.textHash, /^[0-9a-f]{64}$/)
  }
  for (const bad of [
    { preset: 'nope' },
    { topics: [] },
    { topics: { a: 'x' } },
    { requiredConsents: { 'a b': true } },
    { personalOptOut: 1 },
  ])
    refused(await ws.app.post('/consent/full', { ...body, ...bad }, sent), 400, undefined)
})

test('C-CONS-18 C-CONS-19 C-CONS-20 presets come whole, in two languages, without a device; an unknown one is 404', async () => {
  const ws = await workspace()
  for (const name of ['banking_ksa', 'insurance_ksa', 'healthcare_ksa', 'retail_ksa', 'travel_ksa', 'general_ksa', 'general_eu']) {
    const preset = expectStatus(await ws.app.get(`/consent/config/${name}`), 200).data
    assert.equal(preset.preset, name)
    for (const entry of [...preset.requiredConsents, ...preset.topics]) {
      assert.ok(entry.id && entry.label.en && /[\u0600-\u06ff]/.test(entry.label.ar), entry.id)
    }
    assert.ok(preset.requiredConsents.some((entry: any) => entry.required) && preset.topics.length > 0)
    assert.deepEqual(Object.keys(preset.legalFramework).sort(), ['country', 'name', 'version'])
  }
  const unknown = await ws.app.get('/consent/config/nope')
  assert.deepEqual([unknown.status, unknown.body], [404, { success: false, error: 'unknown preset' }])
  assert.equal((await ws.app.get('/consent/config/constructor')).status, 404)
})

test('G-69 an opt-out is set and lifted by a member, and a viewer may not', async () => {
  const ws = await workspace()
  await identified(ws, 'D', 'U')
  refused(await (await ws.viewer()).put('/users/U/opt-out', { optedOut: true }), 403, 'ROLE_REQUIRED')
  for (const optedOut of [true, false]) {
    expectStatus(await (await ws.editor()).put('/users/U/opt-out', { optedOut }), 200)
    assert.equal((await person(ws, 'U')).personalOptOut, optedOut)
  }
  assert.equal((await ws.admin.put('/users/nobody/opt-out', { optedOut: true })).status, 404)
  assert.equal((await ws.admin.put('/users/U/opt-out', { optedOut: 'yes' })).status, 400)
})

test('X-INT-24 signing out takes the token, not the consent', async () => {
  const ws = await workspace()
  await identified(ws, 'D', 'U')
  expectStatus(await give(ws, 'D', { push: true }, 'U'), 200)
  expectStatus(await ws.app.post('/register-push', { token: 't', platform: 'ios' }, onDevice('D')), 200)
  expectStatus(await ws.app.post('/logout', {}, onDevice('D')), 200)
  assert.deepEqual((await person(ws, 'U')).channels, { push: true })
})

test('the ledger refuses every update, deletion and truncation', async () => {
  const ws = await workspace()
  await identified(ws, 'D', 'U')
  for (const statement of [
    sql`update consent_ledger set new_value = false where workspace_id = ${ws.id}`,
    sql`delete from consent_ledger where workspace_id = ${ws.id}`,
    sql`truncate consent_ledger`,
  ])
    await assert.rejects(statement.execute(ctx.db), /append-only/)
})

test('what is stored of every person can be rebuilt from the ledger', async () => {
  const ws = await workspace()
  const users = ['a', 'b', 'c']
  for (const user of users) await identified(ws, `device-${user}`, user)
  let seed = 20_261_121
  const pick = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let step = 0; step < 60; step++) {
    const user = users[pick(3)]!
    const action = pick(6)
    if (action < 3) await give(ws, `device-${user}`, { [FLAGS[pick(7)]!]: pick(2) === 1 }, user)
    else if (action === 3) await ws.admin.post('/users/bulk/suppress', { userIds: [user] })
    else if (action === 4) await ws.admin.post('/users/bulk/unsuppress', { userIds: [user] })
    else await ws.admin.put(`/users/${user}/opt-out`, { optedOut: pick(2) === 1 })
    if (step % 9 === 8) await advance(3_601)
  }
  for (const user of users) {
    const { consents } = expectStatus(await ws.admin.get(`/users/${user}/consents?limit=200`), 200).data
    const rebuilt = new Map<string, boolean>()
    for (const { channel, oldValue, newValue } of consents.toReversed()) {
      assert.equal(rebuilt.get(channel) ?? (channel === 'personalOptOut' ? false : null), oldValue, `${user} ${channel}`)
      if (newValue === null) rebuilt.delete(channel)
      else rebuilt.set(channel, newValue)
    }
    const { channels, personalOptOut } = await person(ws, user)
    const flags = Object.fromEntries([...rebuilt].filter(([channel]) => FLAGS.includes(channel)))
    assert.deepEqual(flags, channels)
    assert.equal(rebuilt.get('personalOptOut') ?? false, personalOptOut)
  }
})
