import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { deny, identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, ctx, advance } = await startApp()

async function find({ admin }: Workspace, search: string, more = ''): Promise<string[]> {
  const { data, body } = expectStatus(await admin.get(`/users?search=${encodeURIComponent(search)}${more}`), 200)
  assert.equal(body.metadata.total, data.users.length)
  return data.users.map(({ userId, deviceId }: any) => userId ?? deviceId).sort()
}

test('people are found by user id, device id, email and phone, and by nothing of another workspace or environment', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  await identify(ws.app, 'phone-1', 'Sara_1', { name: 'Sara', email: 'Sara@Example.com' })
  await identify(ws.app, 'phone-2', 'Sara_1')
  await identify(ws.app, 'phone-3', 'omar', { name: 'سارة' })
  await identify(ws.app, 'anonymous-phone')
  await identify(ws.testApp, 'test-phone', 'Sara_1')
  await identify(other.app, 'phone-1', 'sara_of_other', { email: 'sara@example.com' })
  const contacts = [{ userId: 'Sara_1', phone: '0501234567' }]
  expectStatus(await ws.admin.post('/users/bulk/contacts', { contacts }), 200)
  for (const [search, people] of [
    ['Sara_1', ['Sara_1']],
    ['SARA', ['Sara_1', 'omar']],
    ['سار', ['Sara_1', 'omar']],
    ['sara@example.com', ['Sara_1']],
    ['sara@', ['Sara_1']],
    ['example.com', []],
    ['phone-2', ['Sara_1']],
    ['phone-', []],
    ['Phone-2', []],
    ['anonymous-phone', ['anonymous-phone']],
    ['test-phone', []],
    ['+966501234567', ['Sara_1']],
    ['966501234567', ['Sara_1']],
    ['050 123 4567', ['Sara_1']],
    ['٠٥٠١٢٣٤٥٦٧', ['Sara_1']],
    ['0501234568', []],
    ['Sara%1', []],
    ['sara_of', []],
    ['', ['Sara_1', 'anonymous-phone', 'omar']],
  ] as const)
    assert.deepEqual(await find(ws, search), people, search)
  assert.deepEqual(await find(ws, 'test-phone', '&environment=test'), ['Sara_1'])
  const [sara] = (await ws.admin.get('/users?search=sara_1')).data.users
  assert.deepEqual([sara.phone, sara.email], ['+966501234567', 'Sara@Example.com'])
})

test('people are found by any word of their name, in Latin or Arabic letters', async () => {
  const ws = await workspace()
  for (const [id, name] of [
    ['a', 'Mohammed Al-Harbi'],
    ['b', 'محمد القحطاني'],
    ['c', 'Sarah Khaled'],
    ['d', 'أحمد بن خالد'],
    ['e', 'Fatimah Al Qahtani'],
  ] as const)
    await identify(ws.app, `phone-${id}`, id, { name })
  for (const [search, people] of [
    ['harb', ['a']],
    ['mohammed h', ['a']],
    ['الحربي', ['a']],
    ['محمد', ['a', 'b']],
    ['Mohammad', ['b']],
    ['qahtani', ['b', 'e']],
    ['خالد', ['c', 'd']],
    ['khaled', ['c', 'd']],
    ['احمد', ['d']],
    ['fatima', ['e']],
    ['فاطمة القحطاني', ['e']],
    ['zzz', []],
    ["' | & !", []],
  ] as const)
    assert.deepEqual(await find(ws, search), people, search)
})

test('a name that is written in one word or in two is found by either', async () => {
  const ws = await workspace()
  for (const [id, name] of [
    ['a', 'عبدالله الحربي'],
    ['b', 'عبد الله القحطاني'],
    ['c', 'Abdullah Nasser'],
    ['d', 'عبد الرحمن بن سعد'],
    ['e', 'عبدالرحمن أبوبكر'],
    ['f', 'عبدة أحمد'],
  ] as const)
    await identify(ws.app, `phone-${id}`, id, { name })
  for (const [search, people] of [
    ['عبدالله', ['a', 'b', 'c']],
    ['عبد الله', ['a', 'b', 'c']],
    ['عبد الله ال', ['a', 'b']],
    ['عبد الله القحطاني', ['b']],
    ['عبدالله القحطاني', ['b']],
    ['عبدالرحمن', ['d', 'e']],
    ['عبد الرحمن', ['d', 'e']],
    ['أبو بكر', ['e']],
    ['ابوبكر', ['e']],
    ['عبد', ['a', 'b', 'c', 'd', 'e', 'f']],
  ] as const)
    assert.deepEqual(await find(ws, search), people, search)
})

test('a search among many people goes by indexes, one for each thing people are found by', async () => {
  const ws = await workspace()
  await sql`
    insert into profiles (workspace_id, id, environment, user_id, email, name, created_at, updated_at)
    select ${ws.id}, 'p' || n, 'live', 'user-' || n, 'e' || n || '@example.com', 'name ' || n, now(), now() from generate_series(1, 20000) n`.execute(
    ctx.db,
  )
  await sql`analyze profiles`.execute(ctx.db)
  assert.deepEqual(await find(ws, 'e777@example.com'), ['user-777'])
  const { metadata } = expectStatus(await ws.admin.get('/users?search=user-'), 200).body
  assert.deepEqual([metadata.total, typeof metadata.nextCursor], [1_000, 'string'], 'so many and no more are looked at')
  for (const column of ['user_id', 'email', 'name']) {
    const { rows } = await sql<
      Record<string, string>
    >`explain select id from profiles where workspace_id = ${ws.id} and environment = 'live'
      and ${sql.ref(column)} is not null and lower(${sql.ref(column)}) ~>=~ lower('x') and lower(${sql.ref(column)}) ~<~ (lower('x') || 'z')`.execute(
      ctx.db,
    )
    assert.match(rows.map((row) => Object.values(row).join()).join('\n'), new RegExp(`profiles_find_${column.replace('_id', '')}`))
  }
})

test('a member sees of a device who is on it, what was agreed to, which segments it has and whether it can be pushed to', async () => {
  const ws = await workspace()
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  expectStatus(await ws.admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules }), 201)
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' }, platform: 'ios', name: 'Sara' })
  expectStatus(await ws.app.post('/register-push', { deviceId: 'D', userId: 'U', token: 'secret-token', platform: 'ios' }), 200)
  expectStatus(await ws.app.post('/consent', { deviceId: 'D', userId: 'U', channels: { push: true, sms: false } }), 200)
  const answer = expectStatus(await (await ws.viewer()).get('/devices/D'), 200)
  assert.ok(!answer.text.includes('secret-token'))
  const { firstSeenAt, lastSeenAt, expiresAt, evaluatedAt, pushRegisteredAt, profile, ...device } = answer.data
  for (const time of [firstSeenAt, lastSeenAt, expiresAt, evaluatedAt, pushRegisteredAt]) assert.match(time, /^\d{4}-.*Z$/)
  assert.deepEqual(device, {
    deviceId: 'D',
    environment: 'live',
    userId: 'U',
    consent: 'granted',
    segments: ['Gold'],
    platform: 'ios',
    provider: 'apns',
    pushRegistered: true,
    isLapsed: false,
    locale: null,
    sdkVersion: null,
    pushTopics: [],
    channels: { push: true, sms: false },
    personalOptOut: false,
    suppressed: false,
    topics: {},
    requiredConsents: {},
    person: { userId: 'U', deviceId: null },
    segmentNames: ['Gold'],
  })
  assert.deepEqual([profile.userId, profile.name, profile.customAttributes], ['U', 'Sara', { plan: 'gold' }])
})

test('a device without consent shows no profile; anonymous, denying and unidentified ones are found, of their own environment only', async () => {
  const ws = await workspace()
  await identify(ws.app, 'anonymous')
  await identify(ws.app, 'D', 'U')
  await deny(ws.app, 'D')
  expectStatus(await ws.app.post('/register-push', { token: 't', platform: 'android' }, { headers: { 'x-cf-device': 'pushed' } }), 200)
  expectStatus(await ws.app.post('/consent', { deviceId: 'pushed', channels: { push: true } }), 200)
  await identify(ws.testApp, 'tester', 'U')
  const read = async (id: string, query = '') => expectStatus(await ws.admin.get(`/devices/${id}${query}`), 200).data
  const anonymous = await read('anonymous')
  assert.deepEqual(
    [anonymous.person, anonymous.profile.deviceId, anonymous.userId],
    [{ userId: null, deviceId: 'anonymous' }, 'anonymous', null],
  )
  const denied = await read('D')
  assert.deepEqual([denied.consent, denied.profile, denied.segments], ['denied', null, []])
  const pushed = await read('pushed')
  assert.deepEqual([pushed.consent, pushed.person, pushed.profile, pushed.channels], ['unknown', null, null, { push: true }])
  assert.equal((await read('tester', '?environment=test')).environment, 'test')
  for (const path of ['/devices/tester', '/devices/D?environment=test', '/devices/never-seen'])
    assert.equal((await ws.admin.get(path)).status, 404, path)
  assert.equal((await ws.admin.get('/devices/D?environment=both')).status, 400)
  await advance(12 * 3600)
  const viewer = await ws.viewer()
  const isLapsed = async () => expectStatus(await viewer.get('/devices/anonymous'), 200).data.isLapsed
  assert.equal(await isLapsed(), false)
  await advance(12 * 3600 + 60)
  assert.equal(await isLapsed(), true)
})
