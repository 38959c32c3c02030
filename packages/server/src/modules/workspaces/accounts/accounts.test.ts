import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { clientOf, expectStatus, PASSWORD, patiently, uniqueEmail, type Answer } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, url, ctx, advance } = await startApp()
const root = clientOf(`${url}/api/v1`)

const account = (more: object = {}) => ({ email: uniqueEmail(), password: PASSWORD, name: 'Ada', workspaceName: 'Shop', ...more })
const logIn = (email: string, password = PASSWORD) => patiently(() => root.post('/auth/login', { email, password }))
const plain = ({ status, body }: Answer) => [status, body.success, typeof body.error, 'code' in body]

test('G-02 signing up makes an account that is admin of a new workspace and signed in', async () => {
  const input = account()
  const { data } = expectStatus(await root.post('/auth/signup', input), 201)
  assert.deepEqual(Object.keys(data).sort(), ['expiresAt', 'token', 'user', 'workspace'])
  assert.deepEqual({ ...data.user, userId: '' }, { userId: '', email: input.email, name: 'Ada' })
  assert.ok(typeof data.user.userId === 'string' && data.user.userId !== '')
  assert.equal(data.workspace.name, 'Shop')
  assert.match(data.workspace.id, /^[a-z0-9]{8,32}$/)
  const lifetime = Date.parse(data.expiresAt) - ctx.clock.ms()
  assert.ok(Math.abs(lifetime - 24 * 3_600_000) < 60_000)
  const admin = clientOf(`${url}/api/v1`, { authorization: `Bearer ${data.token}`, 'x-tenant-id': data.workspace.id })
  const { members } = expectStatus(await admin.get('/members'), 200).data
  assert.deepEqual(members, [{ ...data.user, role: 'admin', canApprove: true }])
})

test('G-02 a taken email is 409 in any case of its letters, and no workspace is left behind', async () => {
  const input = account()
  expectStatus(await root.post('/auth/signup', input), 201)
  const count = async () => (await sql<{ n: string }>`select count(*) as n from workspaces`.execute(ctx.db)).rows[0]?.n
  const before = await count()
  for (const email of [input.email, input.email.toUpperCase()])
    assert.deepEqual(plain(await root.post('/auth/signup', { ...input, email })), [409, false, 'string', false])
  assert.equal(await count(), before)
  const twins = account()
  const answers = await Promise.all(Array.from({ length: 4 }, () => patiently(() => root.post('/auth/signup', twins))))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409])
})

test('G-02 what cannot be an account is 400 without a code', async () => {
  for (const wrong of [
    { email: 'no-at-sign' },
    { email: 5 },
    { email: undefined },
    { password: '1234567' },
    { password: undefined },
    { password: null },
    { name: undefined },
    { name: '' },
    { workspaceName: undefined },
    { workspaceName: '' },
    { sourceLocale: '' },
    { sourceLocale: 'e' },
    { sourceLocale: 5 },
  ])
    assert.deepEqual(plain(await root.post('/auth/signup', account(wrong))), [400, false, 'string', false], JSON.stringify(wrong))
  for (const fine of [{ password: '12345678' }, { sourceLocale: null }, { sourceLocale: 'ar-SA' }])
    expectStatus(await root.post('/auth/signup', account(fine)), 201)
})

test('G-02 a signed-in person opens further workspaces and is admin there; without a token it is 401', async () => {
  const ws = await workspace()
  const made = expectStatus(await ws.admin.post('/workspaces', { name: 'Second', sourceLocale: 'ar' }), 201).data
  assert.deepEqual([made.name, /^[a-z0-9]{8,32}$/.test(made.id)], ['Second', true])
  const list = expectStatus(await ws.admin.get('/workspaces'), 200)
  assert.deepEqual(list.data.workspaces, [
    { id: ws.id, name: 'Shop', role: 'admin', calendar: null, canApprove: true, isSandbox: false },
    { id: made.id, name: 'Second', role: 'admin', calendar: null, canApprove: true, isSandbox: false },
  ])
  assert.equal((await ws.admin.get('/members', { headers: { 'x-tenant-id': made.id } })).data.members.length, 1)
  assert.deepEqual(plain(await ws.admin.post('/workspaces', {})), [400, false, 'string', false])
  assert.deepEqual(plain(await root.post('/workspaces', { name: 'Third' })), [401, false, 'string', false])
})

test('G-05 M-AUTH-13 signing in answers the token, its end, the person and every workspace with the role held there', async () => {
  const email = uniqueEmail()
  const [first, second] = [await workspace({ name: 'First' }), await workspace({ name: 'Second' })]
  expectStatus(await first.admin.post('/members', { email, name: 'Bo', password: PASSWORD, role: 'viewer', canApprove: true }), 201)
  expectStatus(await second.admin.post('/members', { email, name: 'Ignored', password: PASSWORD, role: 'editor' }), 201)
  const answer = expectStatus(await logIn(email.toUpperCase()), 200)
  const { token, expiresAt, user, workspaces, ...rest } = answer.data
  assert.deepEqual(rest, {})
  assert.ok(Math.abs(Date.parse(expiresAt) - ctx.clock.ms() - 24 * 3_600_000) < 60_000)
  assert.deepEqual({ ...user, userId: '' }, { userId: '', email, name: 'Bo' })
  assert.deepEqual(workspaces, [
    { id: first.id, name: 'First', role: 'viewer', calendar: null, canApprove: true, isSandbox: false },
    { id: second.id, name: 'Second', role: 'editor', calendar: null, canApprove: false, isSandbox: false },
  ])
  const me = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}` })
  assert.deepEqual(expectStatus(await me.get('/auth/me'), 200).data, { user, workspaces })
  assert.equal((await me.get('/members', { headers: { 'x-tenant-id': second.id } })).status, 200)
  assert.equal((await logIn(email, 'another password')).status, 401)
})

test('G-05 a wrong password and an unknown email get the very same 401, missing members 400', async () => {
  const email = uniqueEmail()
  await workspace({ email })
  const wrong = await logIn(email, 'wrong password')
  const unknown = await logIn(uniqueEmail())
  assert.deepEqual(plain(wrong), [401, false, 'string', false])
  assert.deepEqual([unknown.status, unknown.text], [401, wrong.text])
  for (const body of [{}, { email }, { password: PASSWORD }, { email, password: 5 }, { email: null, password: PASSWORD }])
    assert.deepEqual(plain(await root.post('/auth/login', body)), [400, false, 'string', false], JSON.stringify(body))
  assert.equal((await logIn(email)).status, 200)
})

test('passwords and tokens are stored as hashes only', async () => {
  const { data } = expectStatus(await root.post('/auth/signup', account({ password: 'a very secret password' })), 201)
  const tables = ['accounts', 'sessions']
  for (const table of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(table)} t`.execute(ctx.db)
    assert.ok(rows.length > 0)
    for (const { row } of rows) assert.equal(row.includes('a very secret password') || row.includes(data.token), false)
  }
})

test('ten failed sign-ins for one email close it for five minutes, with Retry-After, and no other', async () => {
  const [email, other] = [uniqueEmail(), uniqueEmail()]
  await workspace({ email })
  await workspace({ email: other })
  for (let i = 0; i < 10; i++) assert.equal((await logIn(email, 'wrong password')).status, 401)
  for (const password of ['wrong password', PASSWORD]) {
    const refused = await logIn(email.toUpperCase(), password)
    assert.deepEqual([refused.status, refused.body.code], [429, 'LOGIN_RATE_LIMITED'])
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }
  assert.equal((await logIn(other)).status, 200)
  await advance(301)
  assert.equal((await logIn(email)).status, 200)
})

test('a crowd of guesses sent at once gets no more tries than one after another', async () => {
  const email = uniqueEmail()
  await workspace({ email })
  const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => logIn(email, `wrong password ${index}`)))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array<number>(10).fill(401), ...Array<number>(15).fill(429)])
})
