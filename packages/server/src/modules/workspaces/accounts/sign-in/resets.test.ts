import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, request, uniqueEmail, type Answer } from '../../../../../test/builders/builders.ts'
import { addAuthenticator } from '../../../../../test/builders/sign-in/second-factors.ts'
import { openMailServer } from '../../../../../test/builders/providers.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'
import { until } from '../../../../../test/harness/until.ts'

const PUBLIC_URL = 'https://content.example.com'
const server = await openMailServer()
after(() => server.close())
const { workspace, url, advance, operator, ctx } = await startApp({
  CF_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
  CF_MAIL_FROM: 'ContentFlow <no-reply@example.com>',
  CF_PUBLIC_URL: PUBLIC_URL,
  CF_TRUST_PROXY: '1',
})
const root = clientOf(`${url}/api/v1`)
const NEXT = 'a password of one’s own'
const told = ({ status, body }: Answer) => [status, body.code]

/** The text of the mails to an address, with the line breaks of their encoding taken out. */
const mailsTo = (email: string) =>
  server.mails.filter(({ to }) => to.includes(email)).map(({ data }) => data.replace(/=\r\n/g, '').replace(/=3D/g, '='))
const linksTo = (email: string, path: string) =>
  mailsTo(email).flatMap((text) => new RegExp(`${PUBLIC_URL}/${path}#([\\w-]+)`).exec(text)?.[1] ?? [])
async function mailed(email: string, path = 'reset-password', nth = 1): Promise<string> {
  await until(`mail ${nth} to ${email}`, async () => linksTo(email, path).length >= nth)
  return linksTo(email, path)[nth - 1] ?? ''
}
const ask = (email: string, address = '203.0.113.1') =>
  request('POST', `${url}/api/v1/auth/password-reset`, { headers: { 'x-forwarded-for': address }, body: { email } })
const logIn = (email: string, password = PASSWORD) => root.post('/auth/login', { email, password })

test('a link by mail gives a new password once, and ends every session', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  expectStatus(await ask(email.toUpperCase()), 202)
  const token = await mailed(email)
  assert.match(mailsTo(email)[0] ?? '', /^From: ContentFlow <no-reply@example.com>/im)
  for (const next of ['password1', email])
    assert.deepEqual(told(await root.put('/auth/password-reset', { token, next })), [400, 'PASSWORD_WEAK'])
  assert.equal((await root.put('/auth/password-reset', { token, next: 'short' })).status, 400)
  expectStatus(await ws.admin.get('/auth/me'), 200)
  assert.deepEqual(expectStatus(await root.put('/auth/password-reset', { token, next: NEXT }), 200).data, { changed: true })
  assert.equal((await ws.admin.get('/auth/me')).status, 401)
  assert.equal((await logIn(email)).status, 401)
  expectStatus(await logIn(email, NEXT), 200)
  assert.deepEqual(told(await root.put('/auth/password-reset', { token, next: 'yet another one' })), [404, 'LINK_OVER'])
})

test('whoever proves an address first takes the second factors of who opened the account with it; later resets keep their own', async () => {
  const email = uniqueEmail()
  const { admin: opener } = await workspace({ email })
  await addAuthenticator(opener, ctx.clock.ms())
  assert.deepEqual(told(await logIn(email)), [401, 'SECOND_FACTOR_REQUIRED'])
  expectStatus(await ask(email), 202)
  expectStatus(await root.put('/auth/password-reset', { token: await mailed(email), next: NEXT }), 200)
  const { token } = expectStatus(await logIn(email, NEXT), 200).data
  await addAuthenticator(clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}` }), ctx.clock.ms())
  expectStatus(await ask(email), 202)
  const again = 'another one of one’s own'
  expectStatus(await root.put('/auth/password-reset', { token: await mailed(email, undefined, 2), next: again }), 200)
  assert.deepEqual(told(await logIn(email, again)), [401, 'SECOND_FACTOR_REQUIRED'])
})

test('a link ends after half an hour, and with every other use of one', async () => {
  const email = uniqueEmail()
  await workspace({ email })
  expectStatus(await ask(email), 202)
  const first = await mailed(email)
  await advance(1801)
  assert.deepEqual(told(await root.put('/auth/password-reset', { token: first, next: NEXT })), [404, 'LINK_OVER'])
  for (let i = 0; i < 2; i++) expectStatus(await ask(email), 202)
  const [second, third] = [await mailed(email, undefined, 2), await mailed(email, undefined, 3)]
  const answers = await Promise.all([second, third].map((token) => root.put('/auth/password-reset', { token, next: NEXT })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
  for (const token of ['', 'x', first + 'x', 5, null])
    assert.ok([400, 404].includes((await root.put('/auth/password-reset', { token, next: NEXT })).status))
})

test('known and unknown emails get the same answer; a mailbox gets five in an hour, an address asks fifty times', async () => {
  const email = uniqueEmail()
  await workspace({ email })
  const [known, unknown] = [await ask(email, '203.0.113.2'), await ask(uniqueEmail(), '203.0.113.2')]
  assert.deepEqual([known.status, known.text], [202, unknown.text])
  for (let i = 0; i < 48; i++) assert.equal((await ask(email, '203.0.113.2')).status, 202)
  const refused = await ask(email, '203.0.113.2')
  assert.deepEqual([...told(refused), Number(refused.headers.get('retry-after')) > 0], [429, 'LINKS_RATE_LIMITED', true])
  await mailed(email, undefined, 5)
  const other = uniqueEmail()
  await workspace({ email: other })
  expectStatus(await ask(other, '203.0.113.3'), 202)
  await mailed(other)
  assert.equal(linksTo(email, 'reset-password').length, 5)
  assert.equal((await ask('no address', '203.0.113.3')).status, 400)
})

test('whoever proves an address takes the account that somebody else opened with it; what it was made member of stays', async () => {
  const ws = await workspace()
  const email = uniqueEmail()
  expectStatus(await ws.admin.post('/members', { email, name: 'Squatted', password: PASSWORD, role: 'editor' }), 201)
  const squatter = clientOf(`${url}/api/v1`, { authorization: `Bearer ${expectStatus(await logIn(email), 200).data.token}` })
  expectStatus(await squatter.post('/auth/email', { email: uniqueEmail(), password: PASSWORD }), 202)
  const waiting = async () => (await ctx.db.selectFrom('account_links').select('email').where('kind', '=', 'email').execute()).length
  await until('the link to another address', async () => (await waiting()) > 0)
  expectStatus(await ask(email), 202)
  expectStatus(await root.put('/auth/password-reset', { token: await mailed(email), next: NEXT }), 200)
  assert.equal((await squatter.get('/auth/me')).status, 401)
  assert.equal(await waiting(), 0, 'nor is it taken back by a link that was asked for before')
  const { workspaces } = expectStatus(await logIn(email, NEXT), 200).data
  assert.deepEqual(
    workspaces.map(({ id, role }: any) => [id, role]),
    [[ws.id, 'editor']],
  )
  const row = await ctx.db
    .selectFrom('accounts')
    .select(['made_by', 'email_verified_at', 'must_change_password'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  assert.deepEqual([row.made_by, row.email_verified_at instanceof Date, row.must_change_password], [null, true, false])
})

test('an admin makes a link for a member of this workspace and its sandbox alone; editors and other admins do not', async () => {
  const ws = await workspace()
  expectStatus(await ws.admin.post('/settings/sandbox', {}), 201)
  const email = uniqueEmail()
  const { userId } = expectStatus(await ws.admin.post('/members', { email, name: 'Bo', password: PASSWORD, role: 'viewer' }), 201).data
  const path = `/members/${userId}/reset-link`
  assert.deepEqual(told(await (await ws.editor()).post(path)), [403, 'ROLE_REQUIRED'])
  assert.equal((await (await workspace()).admin.post(path)).status, 404)
  assert.equal((await ws.admin.post('/members/nobody/reset-link')).status, 404)
  const made = expectStatus(await ws.admin.post(path), 201).data
  assert.equal(made.link, `${PUBLIC_URL}/reset-password#${made.token}`)
  await until('word of it', async () => mailsTo(email).length === 1)
  assert.deepEqual(linksTo(email, 'reset-password'), [])
  expectStatus(await root.put('/auth/password-reset', { token: made.token, next: NEXT }), 200)
  const theirs = clientOf(`${url}/api/v1`, { authorization: `Bearer ${expectStatus(await logIn(email, NEXT), 200).data.token}` })
  const row = await ctx.db.selectFrom('accounts').select('email_verified_at').where('email', '=', email).executeTakeFirstOrThrow()
  assert.equal(row.email_verified_at, null, 'whoever made the link could have used it')
  expectStatus(await theirs.post('/workspaces', { name: 'Own' }), 201)
  assert.deepEqual(told(await ws.admin.post(path)), [409, 'ACCOUNT_SHARED'])
})

test('nobody makes a link for an account that was only invited', async () => {
  const [ws, email] = [await workspace(), uniqueEmail()]
  const other = await workspace({ email })
  const { userId } = expectStatus(
    await ws.admin.post('/members', { email, name: 'Bo', password: 'a password of the admin', role: 'viewer' }),
    201,
  ).data
  assert.deepEqual(told(await ws.admin.post(`/members/${userId}/reset-link`)), [409, 'ACCOUNT_SHARED'])
  expectStatus(await other.admin.get('/auth/me'), 200)
})

test('the operator makes a link for anybody', async () => {
  const email = uniqueEmail()
  await workspace({ email })
  const made = expectStatus(await operator.post('/operator/accounts/reset-link', { email: email.toUpperCase() }), 201).data
  expectStatus(await root.put('/auth/password-reset', { token: made.token, next: NEXT }), 200)
  expectStatus(await logIn(email, NEXT), 200)
  assert.equal((await operator.post('/operator/accounts/reset-link', { email: uniqueEmail() })).status, 404)
  assert.equal((await root.post('/operator/accounts/reset-link', { email })).status, 401)
})

test('a new address is proved by the link that is mailed to it, and ends the other sessions', async () => {
  const [email, next] = [uniqueEmail(), uniqueEmail()]
  const ws = await workspace({ email })
  const sign = async () => clientOf(`${url}/api/v1`, { authorization: `Bearer ${expectStatus(await logIn(email), 200).data.token}` })
  const [mine, other, stranger] = [await sign(), await sign(), (await workspace()).admin]
  assert.deepEqual(told(await mine.post('/auth/email', { email: next, password: 'wrong password' })), [400, 'PASSWORD_WRONG'])
  assert.equal((await mine.post('/auth/email', { email: next })).status, 400)
  assert.equal((await root.post('/auth/email', { email: next, password: PASSWORD })).status, 401)
  expectStatus(await mine.post('/auth/email', { email: next, password: PASSWORD }), 202)
  const token = await mailed(next, 'confirm-email')
  await until('word to the present address', async () => mailsTo(email).length === 1)
  assert.deepEqual(told(await stranger.put('/auth/email', { token })), [404, 'LINK_OVER'])
  assert.deepEqual(told(await root.put('/auth/password-reset', { token, next: NEXT })), [404, 'LINK_OVER'])
  const { user } = expectStatus(await mine.put('/auth/email', { token }), 200).data
  assert.deepEqual([user.email, user.name], [next, 'Admin'])
  assert.deepEqual([(await other.get('/auth/me')).status, (await ws.admin.get('/auth/me')).status], [401, 401])
  assert.equal(expectStatus(await mine.get('/auth/me'), 200).data.user.email, next)
  assert.equal((await logIn(email)).status, 401)
  expectStatus(await logIn(next), 200)
  assert.deepEqual(told(await mine.put('/auth/email', { token })), [404, 'LINK_OVER'])
})

test('an address that is taken meanwhile, or was before, stays whose it is', async () => {
  const [email, taken] = [uniqueEmail(), uniqueEmail()]
  const [ws, other] = [await workspace({ email }), await workspace({ email: taken })]
  expectStatus(await ws.admin.post('/auth/email', { email: taken, password: PASSWORD }), 202)
  const later = uniqueEmail()
  expectStatus(await ws.admin.post('/auth/email', { email: later, password: PASSWORD }), 202)
  const token = await mailed(later, 'confirm-email')
  assert.deepEqual(linksTo(taken, 'confirm-email'), [])
  await workspace({ email: later })
  assert.equal((await ws.admin.put('/auth/email', { token })).status, 409)
  assert.equal(expectStatus(await ws.admin.get('/auth/me'), 200).data.user.email, email)
  expectStatus(await other.admin.get('/auth/me'), 200)
})

test('without a server of mail nothing is sent: a reset is answered the same, a change of address says so', async () => {
  const without = await startApp()
  const ws = await without.workspace()
  expectStatus(await clientOf(`${without.url}/api/v1`).post('/auth/password-reset', { email: uniqueEmail() }), 202)
  assert.deepEqual(told(await ws.admin.post('/auth/email', { email: uniqueEmail(), password: PASSWORD })), [409, 'MAIL_OFF'])
})
