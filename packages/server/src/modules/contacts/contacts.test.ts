import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { erase, identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, operator, ctx } = await startApp()

const load = async (ws: Workspace, contacts: unknown[], more: object = {}) =>
  expectStatus(await ws.admin.post('/users/bulk/contacts', { contacts, ...more }), 200).data
const person = async (ws: Workspace, userId: string) => expectStatus(await ws.admin.get(`/users/${userId}`), 200).data

test('M-BULK-01 M-BULK-04 M-BULK-05 M-BULK-08 M-BULK-12 new people are made, known ones get only what is sent', async () => {
  const ws = await workspace()
  const first = await load(ws, [
    { userId: 'U', email: 'u@example.com', phone: '+966512345678', country: 'SA', consent: { push: true } },
    { userId: 'U2' },
  ])
  assert.deepEqual(first, { received: 2, processed: 2, created: 2, updated: 0, errorCount: 0, errors: [] })
  expectStatus(await ws.read.get('/read/users/U/segments'), 200)
  const second = await load(ws, [{ userId: 'U', email: 'new@example.com', country: 'ae', consent: { sms: false } }])
  assert.deepEqual([second.created, second.updated], [0, 1])
  const { email, phone, country, channels } = await person(ws, 'U')
  assert.deepEqual([email, phone, country, channels], ['new@example.com', '+966512345678', 'AE', { push: true, sms: false }])
})

test('M-BULK-06 G-72 a token that is loaded for another person is theirs alone, with its installation, until an app registers it', async () => {
  const ws = await workspace()
  const tokens = async (userId: string) =>
    expectStatus(await ws.read.get(`/read/users/${userId}/devices`), 200).data.devices.map(({ pushRegistered }: any) => pushRegistered)
  for (const userId of ['first', 'second', 'first']) {
    await load(ws, [{ userId, deviceToken: 'token', platform: 'android', consent: { push: true } }])
    const other = userId === 'first' ? 'second' : 'first'
    assert.deepEqual(await tokens(userId), [true])
    if (await ws.read.get(`/read/users/${other}`).then(({ status }) => status === 200)) assert.deepEqual(await tokens(other), [])
  }
  expectStatus(await ws.admin.delete('/users/second'), 200)
  assert.deepEqual(await tokens('first'), [true])
  await identify(ws.app, 'D', 'third')
  expectStatus(await ws.app.post('/register-push', { deviceId: 'D', token: 'token', platform: 'android' }), 200)
  assert.deepEqual([await tokens('first'), await tokens('third')], [[false], [true]])
})

test('M-BULK-02 M-BULK-03 M-LIMIT-01 one to 5,000 contacts in an array', async () => {
  const ws = await workspace()
  const people = Array.from({ length: 5_001 }, (_, i) => ({ userId: `user-${i}`, consent: { push: i % 2 === 0 } }))
  for (const bad of [
    {},
    { contacts: [] },
    { contacts: 'x' },
    { contacts: {} },
    { contacts: people },
    [],
    { contacts: [{ userId: 'a' }], defaultCountry: 1 },
  ]) {
    const answer = await ws.admin.post('/users/bulk/contacts', bad)
    assert.deepEqual([answer.status, answer.body.success, answer.body.code], [400, false, undefined])
  }
  const report = await load(ws, people.slice(0, 5_000))
  assert.deepEqual([report.created, report.errorCount], [5_000, 0])
  assert.deepEqual((await person(ws, 'user-4999')).channels, { push: false })
})

test('M-BULK-06 M-BULK-07 every field of a row is stored, and its token reaches the person', async () => {
  const ws = await workspace()
  const consent = { push: true, sms: false, whatsapp: true, email: false, inApp: true, marketing: false, locationTracking: true }
  await load(ws, [
    { userId: 'U', email: 'u@example.com', phone: '0512345678', deviceToken: 'token', platform: 'ios', country: 'SA', consent },
  ])
  const { email, phone, country, channels, devices } = await person(ws, 'U')
  assert.deepEqual([email, phone, country, channels], ['u@example.com', '+966512345678', 'SA', consent])
  assert.deepEqual([devices.length, devices[0].platform, devices[0].provider, devices[0].pushRegistered], [1, 'ios', 'apns', true])
  const rows = await ctx.db.selectFrom('push_registrations').selectAll().where('workspace_id', '=', ws.id).execute()
  assert.deepEqual([rows.length, rows[0]?.token], [1, 'token'])
})

test('M-BULK-09 M-BULK-10 G-44 a bad field is left out of its row, a row without a user is left out', async () => {
  const ws = await workspace()
  const report = await load(ws, [
    { userId: 'U', email: 'x', country: 'SA' },
    { email: 'a@example.com' },
    'no object',
    { userId: 'U2', phone: 'call me', consent: { push: 'yes', sms: true } },
    { userId: 'U3', country: 'Saudi' },
    { userId: 'U4', deviceToken: 't' },
    { userId: '' },
    { userId: 'U5', email: ' b@example.com ' },
  ])
  assert.deepEqual([report.received, report.processed, report.created, report.errorCount], [8, 5, 5, 8])
  assert.deepEqual(
    report.errors.map(({ index, userId, field }: any) => [index, userId, field]),
    [
      [0, 'U', 'email'],
      [1, null, 'userId'],
      [2, null, 'userId'],
      [3, 'U2', 'consent.push'],
      [3, 'U2', 'phone'],
      [4, 'U3', 'country'],
      [5, 'U4', 'platform'],
      [6, '', 'userId'],
    ],
  )
  assert.deepEqual([(await person(ws, 'U')).country, (await person(ws, 'U')).email], ['SA', null])
  assert.deepEqual((await person(ws, 'U2')).channels, { sms: true })
  assert.equal((await person(ws, 'U5')).email, 'b@example.com')
})

test('M-BULK-11 the first fifty errors are shown and all are counted', async () => {
  const ws = await workspace()
  const report = await load(
    ws,
    Array.from({ length: 60 }, (_, i) => ({ userId: `U${i}`, email: 'x' })),
  )
  assert.deepEqual([report.errors.length, report.errorCount, report.errors[49].index], [50, 60, 49])
})

test('M-BULK-13 the default country is for new people who have none', async () => {
  const ws = await workspace()
  await load(ws, [{ userId: 'known' }])
  await load(ws, [{ userId: 'known' }, { userId: 'new' }, { userId: 'own', country: 'EG' }], { defaultCountry: 'sa' })
  assert.deepEqual(await Promise.all(['known', 'new', 'own'].map(async (id) => (await person(ws, id)).country)), [null, 'SA', 'EG'])
})

test('G-44 rows of one person count one after the other', async () => {
  const ws = await workspace()
  const report = await load(ws, [
    { userId: 'U', email: 'a@example.com', consent: { push: true } },
    { userId: 'U', phone: '+201001234567', consent: { push: false } },
  ])
  assert.deepEqual([report.processed, report.created, report.updated], [2, 1, 1])
  const { email, phone, channels } = await person(ws, 'U')
  assert.deepEqual([email, phone, channels], ['a@example.com', '+201001234567', { push: false }])
})

test('M-BULK-14 M-BULK-15 G-68 X-INT-47 A-58 new people beyond the plan are refused together; known ones and identify are not', async () => {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { customerLimit: 2 }), 200)
  const over = expectStatus(await ws.admin.post('/users/bulk/contacts', { contacts: ['a', 'b', 'c'].map((userId) => ({ userId })) }), 200)
  assert.deepEqual(over.body, { success: false, error: over.body.error, code: 'UPGRADE_REQUIRED' })
  assert.equal((await ws.admin.get('/users/a')).status, 404)
  await load(ws, [{ userId: 'a' }, { userId: 'b' }])
  assert.deepEqual((await load(ws, [{ userId: 'a', country: 'SA' }])).updated, 1)
  await identify(ws.app, 'D', 'c')
  const two = await Promise.all(['x', 'y'].map((userId) => ws.admin.post('/users/bulk/contacts', { contacts: [{ userId }] })))
  assert.deepEqual(
    two.map(({ body }) => body.code),
    ['UPGRADE_REQUIRED', 'UPGRADE_REQUIRED'],
  )
})

test('two loads at the same time keep to the plan together, and make a person once', async () => {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { customerLimit: 3 }), 200)
  const requests = Array.from({ length: 6 }, (_, i) => ({ contacts: [{ userId: 'same' }, { userId: `own-${i}` }] }))
  const answers = await Promise.all(requests.map((body) => ws.admin.post('/users/bulk/contacts', body)))
  assert.equal(answers.filter(({ body }) => body.success).length, 2)
  const { total } = expectStatus(await ws.admin.get('/users'), 200).body.metadata
  assert.equal(total, 3)
})

test('M-BULK-16 segments on consent, platform and country follow a load', async () => {
  const ws = await workspace()
  for (const [name, field, value] of [
    ['Push', 'consent.push', true],
    ['Apple', 'device.platform', 'ios'],
    ['Saudi', 'demographic.country', 'SA'],
  ]) {
    const rules = [{ field, operator: 'equals', value }]
    expectStatus(await ws.admin.post('/segments', { name, logicalOperator: 'AND', rules }), 201)
  }
  await load(ws, [
    { userId: 'U', country: 'SA', platform: 'ios', consent: { push: true } },
    { userId: 'U2', country: 'AE' },
  ])
  const names = async (id: string) => expectStatus(await ws.read.get(`/read/users/${id}/segments`), 200).data.segmentNames
  assert.deepEqual(await names('U'), ['Apple', 'Push', 'Saudi'])
  assert.deepEqual(await names('U2'), [])
})

test('A-16 an erased person is not brought back by a load', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  expectStatus(await erase(ws.app, 'D'), 200)
  const report = await load(ws, [{ userId: 'U', email: 'u@example.com' }, { userId: 'U2' }])
  assert.deepEqual([report.processed, report.created, report.errorCount, report.errors[0].field], [1, 1, 1, 'userId'])
  assert.equal((await ws.admin.get('/users/U')).status, 404)
})

test('M-ROLE-01 M-BULK-25 admins and editors may load with their token, viewers may not', async () => {
  const ws = await workspace()
  const body = { contacts: [{ userId: 'U' }] }
  const refused = await (await ws.viewer()).post('/users/bulk/contacts', body)
  assert.deepEqual([refused.status, refused.body.code], [403, 'ROLE_REQUIRED'])
  assert.equal((await ws.admin.get('/users/U')).status, 404)
  expectStatus(await (await ws.editor()).post('/users/bulk/contacts', body), 200)
  expectStatus(await ws.admin.post('/users/bulk/contacts', body), 200)
})
