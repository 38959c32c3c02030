import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  clientOf,
  expectStatus,
  PASSWORD,
  request,
  uniqueEmail,
  type Answer,
  type Client,
  type Workspace,
} from '../../../../../test/builders/builders.ts'
import { openMailServer } from '../../../../../test/builders/providers.ts'
import { addAuthenticator, codeOf } from '../../../../../test/builders/sign-in/second-factors.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'
import { until } from '../../../../../test/harness/until.ts'

const server = await openMailServer()
after(() => server.close())
const ORIGIN = 'https://flow.example.com'
const { workspace, url, advance, ctx, operator } = await startApp({
  CF_PUBLIC_URL: ORIGIN,
  CF_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
  CF_MAIL_FROM: 'no-reply@example.com',
})
const root = `${url}/api/v1`
const PATH = '/settings/sign-in'
const told = ({ status, body }: Answer) => [status, body.code]
const logIn = (email: string, more: object = {}) => request('POST', `${root}/auth/login`, { body: { email, password: PASSWORD, ...more } })
const as = (token: string, workspaceId = ''): Client =>
  clientOf(root, { authorization: `Bearer ${token}`, ...(workspaceId && { 'x-tenant-id': workspaceId }) })

async function addMember(ws: Workspace, role: string, roleId?: string) {
  const email = uniqueEmail()
  const { userId } = expectStatus(await ws.admin.post('/members', { email, name: 'Bo', password: PASSWORD, role, roleId }), 201).data
  const { token } = expectStatus(await logIn(email), 200).data
  return { email, userId: userId as string, client: as(token, ws.id) }
}

test('a workspace asks for nothing at first; admins alone change what they name', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const plain = { secondFactor: 'off', sessionIdleMinutes: null, ssoRequired: false, breakGlass: [] }
  assert.deepEqual(expectStatus(await editor.get(PATH), 200).data, plain)
  assert.deepEqual(told(await editor.put(PATH, { sessionIdleMinutes: 30 })), [403, 'ROLE_REQUIRED'])
  for (const body of [
    {},
    { secondFactor: 'some' },
    { sessionIdleMinutes: 4 },
    { sessionIdleMinutes: 1441 },
    { sessionIdleMinutes: 5.5 },
    { other: 1 },
  ])
    assert.equal((await ws.admin.put(PATH, body)).status, 400, JSON.stringify(body))
  assert.deepEqual(expectStatus(await ws.admin.put(PATH, { sessionIdleMinutes: 30 }), 200).data, { ...plain, sessionIdleMinutes: 30 })
  assert.deepEqual(told(await ws.admin.put(PATH, { secondFactor: 'all' })), [403, 'SECOND_FACTOR_REQUIRED'], 'nobody shuts themselves out')
  await addAuthenticator(ws.admin, ctx.clock.ms())
  const both = { ...plain, secondFactor: 'all', sessionIdleMinutes: 30 }
  assert.deepEqual(expectStatus(await ws.admin.put(PATH, { secondFactor: 'all' }), 200).data, both)
  assert.deepEqual(expectStatus(await ws.admin.get(PATH), 200).data, both)
  assert.deepEqual(expectStatus(await ws.admin.put(PATH, plain), 200).data, plain)
})

test('whom a workspace asks for a second factor it lets in with one alone; the account itself stays open to add one', async () => {
  const ws = await workspace()
  const [editor, second] = [await addMember(ws, 'editor'), await addMember(ws, 'admin')]
  await addAuthenticator(ws.admin, ctx.clock.ms())
  expectStatus(await ws.admin.put(PATH, { secondFactor: 'admins' }), 200)
  expectStatus(await editor.client.get('/members'), 200)
  const refused = await second.client.get('/members')
  assert.deepEqual([...told(refused), refused.body.signInUrl], [403, 'SECOND_FACTOR_REQUIRED', `${ORIGIN}/login`])
  // A role of the workspace counts by what it holds, not by its name.
  for (const [permission, status] of [
    ['members:manage', 403],
    ['segments:write', 200],
  ] as const) {
    const { id } = expectStatus(await ws.admin.post('/roles', { name: permission, permissions: ['members:read', permission] }), 201).data
    assert.equal((await (await addMember(ws, 'viewer', id)).client.get('/members')).status, status, permission)
  }
  expectStatus(await ws.admin.put(PATH, { secondFactor: 'all' }), 200)
  assert.deepEqual(told(await editor.client.get('/members')), [403, 'SECOND_FACTOR_REQUIRED'])
  assert.deepEqual(told(await editor.client.post('/blocks', { key: 'x' })), [403, 'SECOND_FACTOR_REQUIRED'])
  const seen = async () => expectStatus(await editor.client.get('/auth/me'), 200).data.workspaces.map((each: any) => each.needsSecondFactor)
  assert.deepEqual(await seen(), [true])
  const { secret } = await addAuthenticator(editor.client, ctx.clock.ms())
  expectStatus(await editor.client.get('/members'), 200)
  assert.deepEqual(await seen(), [undefined])
  await advance(30)
  const entered = expectStatus(await logIn(editor.email, { otp: codeOf(secret, ctx.clock.ms()) }), 200).data
  expectStatus(await as(entered.token, ws.id).get('/members'), 200)
  expectStatus(await editor.client.delete('/auth/totp'), 200)
  assert.deepEqual(
    told(await as(entered.token, ws.id).get('/members')),
    [403, 'SECOND_FACTOR_REQUIRED'],
    'what is no more vouches for nothing',
  )
})

test('a linked sandbox asks for what its workspace asks for', async () => {
  const ws = await workspace()
  const editor = await addMember(ws, 'editor')
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data.workspaceId
  await addAuthenticator(ws.admin, ctx.clock.ms())
  expectStatus(await ws.admin.put(PATH, { secondFactor: 'all' }), 200)
  const inSandbox = { headers: { 'x-tenant-id': sandbox } }
  assert.deepEqual(told(await editor.client.get('/members', inSandbox)), [403, 'SECOND_FACTOR_REQUIRED'])
  expectStatus(await ws.admin.get('/members', inSandbox), 200)
})

test('a session that nobody uses ends after the minutes of the most cautious workspace, for whatever it asks', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const other = expectStatus(await ws.admin.post('/workspaces', { name: 'Other' }), 201).data
  expectStatus(await ws.admin.put(PATH, { sessionIdleMinutes: 30 }), 200)
  expectStatus(await ws.admin.put(PATH, { sessionIdleMinutes: 600 }, { headers: { 'x-tenant-id': other.id } }), 200)
  assert.equal(expectStatus(await ws.admin.get('/auth/me'), 200).data.sessionIdleMinutes, 30)
  const open = async () => as(expectStatus(await logIn(email), 200).data.token)
  const [used, unused] = [await open(), await open()]
  const bystander = await workspace()
  for (let minutes = 0; minutes < 40; minutes += 20) {
    await advance(20 * 60)
    expectStatus(await used.get('/auth/me'), 200)
  }
  assert.equal((await unused.get('/auth/me')).status, 401)
  assert.equal((await unused.get('/auth/me')).status, 401)
  await advance(31 * 60 + 1)
  assert.equal((await used.get('/auth/me')).status, 401)
  expectStatus(await bystander.admin.get('/auth/me'), 200)
})

test('for a lost phone an admin takes the factors of a member away, whose account is of this workspace alone', async () => {
  const ws = await workspace()
  const member = await addMember(ws, 'editor')
  await addAuthenticator(member.client, ctx.clock.ms())
  const path = `/members/${member.userId}/second-factor`
  assert.deepEqual(told(await (await ws.editor()).delete(path)), [403, 'ROLE_REQUIRED'])
  assert.equal((await (await workspace()).admin.delete(path)).status, 404)
  expectStatus(await ws.admin.delete(path), 200)
  assert.equal((await member.client.get('/auth/me')).status, 401)
  const { token } = expectStatus(await logIn(member.email), 200).data
  await until('a mail says so', async () =>
    server.mails.some(({ to, data }) => to.includes(member.email) && data.replace(/=\r\n/g, '').includes('removed the authenticator app')),
  )
  expectStatus(await as(token).post('/workspaces', { name: 'Of their own' }), 201)
  assert.deepEqual(told(await ws.admin.delete(path)), [409, 'ACCOUNT_SHARED'])
  await addAuthenticator(as(token), ctx.clock.ms())
  assert.equal((await operator.post('/operator/accounts/second-factor', { email: uniqueEmail() })).status, 404)
  expectStatus(await operator.post('/operator/accounts/second-factor', { email: member.email }), 200)
  expectStatus(await logIn(member.email), 200)
})

test('their own factors an admin takes away with a fresh session alone', async () => {
  const ws = await workspace()
  const { userId } = expectStatus(await ws.admin.get('/auth/me'), 200).data.user
  await advance(601)
  assert.deepEqual(told(await ws.admin.delete(`/members/${userId}/second-factor`)), [403, 'REAUTHENTICATE'])
})
