import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, request, uniqueEmail, type Answer, type Client } from '../../../../../test/builders/builders.ts'
import { addAuthenticator, codeOf } from '../../../../../test/builders/sign-in/second-factors.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'

const { workspace, url, advance, ctx } = await startApp()
const root = `${url}/api/v1`
const told = ({ status, body }: Answer) => [status, body.code]
const OWN = { 'x-cf-dashboard': '1' }
const post = (path: string, body: object, headers = {}) => request('POST', `${root}${path}`, { headers, body })
const logIn = (email: string, more: object = {}) => post('/auth/login', { email, password: PASSWORD, ...more })
const as = (token: string): Client => clientOf(root, { authorization: `Bearer ${token}` })
const now = (secret: string) => codeOf(secret, ctx.clock.ms())
/** The next code: a step is taken once. */
const next = async (secret: string) => {
  await advance(30)
  return now(secret)
}

async function guarded() {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  return { email, ws, ...(await addAuthenticator(ws.admin, ctx.clock.ms())) }
}

test('an authenticator app counts once a code of it came back, and gives ten recovery codes', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const told0 = expectStatus(await ws.admin.get('/auth/second-factor'), 200).data
  assert.deepEqual(told0, { authenticator: false, passkeys: 0, recoveryCodesLeft: 0 })
  assert.deepEqual(told(await ws.admin.put('/auth/totp', { code: '123456' })), [409, 'AUTHENTICATOR_NOT_BEGUN'])
  const { secret, uri } = expectStatus(await ws.admin.post('/auth/totp'), 200).data
  assert.equal(uri, `otpauth://totp/ContentFlow:${encodeURIComponent(email)}?secret=${secret}&issuer=ContentFlow`)
  assert.match(secret, /^[A-Z2-7]{32}$/)
  expectStatus(await logIn(email), 200)
  assert.deepEqual(told(await ws.admin.put('/auth/totp', { code: codeOf(secret, ctx.clock.ms() + 300_000) })), [401, 'OTP_WRONG'])
  assert.deepEqual(told(await ws.admin.put('/auth/totp', { code: 'abc' })), [401, 'OTP_WRONG'])
  const { recoveryCodes } = expectStatus(await ws.admin.put('/auth/totp', { code: now(secret) }), 200).data
  assert.equal(new Set(recoveryCodes).size, 10)
  for (const code of recoveryCodes) assert.match(code, /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
  const told1 = expectStatus(await ws.admin.get('/auth/second-factor'), 200).data
  assert.deepEqual(told1, { authenticator: true, passkeys: 0, recoveryCodesLeft: 10 })
  const stored = await ctx.db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  assert.ok(!JSON.stringify(stored).includes(secret), 'the secret is sealed')
})

test('the password alone opens nothing then: a program sends the code at once, and each code opens one session', async () => {
  const { email, secret } = await guarded()
  const refused = await logIn(email)
  assert.deepEqual(told(refused), [401, 'SECOND_FACTOR_REQUIRED'])
  assert.deepEqual(Object.keys(refused.body).sort(), ['authenticator', 'challenge', 'code', 'error', 'expiresAt', 'success'].sort())
  assert.deepEqual(told(await logIn(email, { otp: now(secret) })), [401, 'OTP_WRONG'], 'this step confirmed the app')
  const otp = await next(secret)
  const { token } = expectStatus(await logIn(email, { otp }), 200).data
  const [session] = expectStatus(await as(token).get('/auth/sessions'), 200).data.sessions
  assert.deepEqual(session.methods, ['pwd', 'otp'])
  assert.deepEqual(told(await logIn(email, { otp })), [401, 'OTP_WRONG'])
  assert.deepEqual((await post('/auth/login', { email, password: 'wrong password', otp: await next(secret) })).status, 401)
  expectStatus(await logIn(email, { otp: now(secret) }), 200)
})

test('of many who bring the same code at once, one gets in', async () => {
  const { email, secret } = await guarded()
  const otp = await next(secret)
  const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await logIn(email, { otp })).status))
  assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join())
})

test('a recovery code opens the account once, however it is typed', async () => {
  const { email, recoveryCodes, ws } = await guarded()
  const [first = '', second = ''] = recoveryCodes
  expectStatus(await logIn(email, { otp: first.toLowerCase().replaceAll('-', ' ') }), 200)
  assert.deepEqual(told(await logIn(email, { otp: first })), [401, 'OTP_WRONG'])
  const renewed = expectStatus(await ws.admin.post('/auth/recovery-codes'), 200).data.recoveryCodes
  assert.deepEqual(told(await logIn(email, { otp: second })), [401, 'OTP_WRONG'], 'the new ones take the place of the old')
  expectStatus(await logIn(email, { otp: renewed[0] }), 200)
  assert.equal((await ws.admin.get('/auth/second-factor')).data.recoveryCodesLeft, 9)
})

test('the second step answers the challenge of the first, once, within five minutes', async () => {
  const { email, secret } = await guarded()
  const { challenge } = (await logIn(email)).body
  const second = (body: object, headers = {}) => post('/auth/login/second', body, headers)
  for (const wrong of ['', 'x', `${challenge}x`, challenge.split('.')[0], `${'A'.repeat(75)}.${challenge.split('.')[1]}`])
    assert.deepEqual(told(await second({ challenge: wrong, otp: now(secret) })), [401, 'SIGN_IN_OVER'], wrong)
  assert.equal((await second({ challenge })).status, 400)
  assert.deepEqual(told(await second({ challenge, otp: '000000' })), [401, 'OTP_WRONG'])
  const entered = expectStatus(await second({ challenge, otp: await next(secret) }), 200).data
  assert.deepEqual(Object.keys(entered).sort(), ['expiresAt', 'token', 'user', 'workspaces'])
  expectStatus(await as(entered.token).get('/auth/me'), 200)
  assert.deepEqual(told(await second({ challenge, otp: await next(secret) })), [401, 'SIGN_IN_OVER'])
  const late = (await logIn(email)).body.challenge
  await advance(300)
  assert.deepEqual(told(await second({ challenge: late, otp: now(secret) })), [401, 'SIGN_IN_OVER'])
  const other = await guarded()
  const [head] = (await logIn(email)).body.challenge.split('.')
  const [, whose] = (await logIn(other.email)).body.challenge.split('.')
  assert.deepEqual(told(await second({ challenge: `${head}.${whose}`, otp: await next(other.secret) })), [401, 'SIGN_IN_OVER'])
})

test('a page of this server signs in in two steps, and gets its cookies with the second', async () => {
  const { email, secret, recoveryCodes } = await guarded()
  const first = await post('/auth/session', { email, password: PASSWORD }, OWN)
  assert.deepEqual([...told(first), first.headers.getSetCookie()], [401, 'SECOND_FACTOR_REQUIRED', []])
  const second = expectStatus(await post('/auth/login/second', { challenge: first.body.challenge, otp: await next(secret) }, OWN), 200)
  assert.deepEqual(Object.keys(second.data).sort(), ['expiresAt', 'user', 'workspaces'])
  const cookies = second.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '')
  assert.deepEqual(
    cookies.map((cookie) => cookie.split('=', 1)[0]),
    ['cf_session', 'cf_device'],
  )
  const sent = { ...OWN, cookie: cookies.join('; ') }
  expectStatus(await request('GET', `${root}/auth/me`, { headers: sent }), 200)
  const again = expectStatus(await post('/auth/session', { email, password: PASSWORD, otp: recoveryCodes[0] }, sent), 200)
  assert.equal((await request('GET', `${root}/auth/me`, { headers: sent })).status, 401, 'the session it had is replaced')
  const [cookie = ''] = again.headers.getSetCookie()
  expectStatus(await request('GET', `${root}/auth/me`, { headers: { ...OWN, cookie: cookie.split(';', 1)[0] ?? '' } }), 200)
})

test('a new password makes a challenge worthless that was given for the old one', async () => {
  const { email, secret, ws } = await guarded()
  const { challenge } = (await logIn(email)).body
  expectStatus(await ws.admin.put('/auth/password', { current: PASSWORD, next: 'another long password' }), 200)
  assert.deepEqual(told(await post('/auth/login/second', { challenge, otp: await next(secret) })), [401, 'SIGN_IN_OVER'])
})

test('after ten wrong codes nobody tries another one for five minutes, and right ones are not counted', async () => {
  const { email, secret, recoveryCodes } = await guarded()
  for (const otp of recoveryCodes.slice(0, 2)) expectStatus(await logIn(email, { otp }), 200)
  const { challenge } = (await logIn(email)).body
  for (let i = 0; i < 10; i++) {
    const wrong = i % 2 ? await logIn(email, { otp: `00000${i}` }) : await post('/auth/login/second', { challenge, otp: 'nothing' })
    assert.deepEqual(told(wrong), [401, 'OTP_WRONG'])
  }
  const held = await logIn(email, { otp: recoveryCodes[5] })
  assert.deepEqual(told(held), [429, 'LOGIN_RATE_LIMITED'])
  assert.ok(Number(held.headers.get('retry-after')) > 0)
  await advance(300)
  expectStatus(await logIn(email, { otp: now(secret) }), 200)
})

test('what a stolen session must not do takes one that is younger than ten minutes', async () => {
  const { email, secret, ws } = await guarded()
  await advance(601)
  for (const [method, path] of [
    ['post', '/auth/totp'],
    ['delete', '/auth/totp'],
    ['post', '/auth/recovery-codes'],
    ['post', '/auth/passkeys/options'],
    ['delete', '/auth/passkeys/x'],
  ] as const)
    assert.deepEqual(told(await ws.admin[method](path)), [403, 'REAUTHENTICATE'], path)
  assert.deepEqual(told(await ws.admin.put('/auth/totp', { code: '123456' })), [403, 'REAUTHENTICATE'])
  const { token } = expectStatus(await logIn(email, { otp: now(secret) }), 200).data
  expectStatus(await as(token).delete('/auth/totp'), 200)
  assert.deepEqual(
    expectStatus(await as(token).get('/auth/second-factor'), 200).data,
    { authenticator: false, passkeys: 0, recoveryCodesLeft: 0 },
    'with the last one the codes go',
  )
  assert.deepEqual(told(await as(token).post('/auth/recovery-codes')), [409, 'SECOND_FACTOR_OFF'])
  assert.equal((await as(token).delete('/auth/totp')).status, 404)
  expectStatus(await logIn(email), 200)
})

test('with the first second factor every other session ends, which never proved one', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const { token } = expectStatus(await logIn(email), 200).data
  await addAuthenticator(ws.admin, ctx.clock.ms())
  assert.equal((await as(token).get('/auth/me')).status, 401)
  expectStatus(await ws.admin.get('/auth/me'), 200)
})
