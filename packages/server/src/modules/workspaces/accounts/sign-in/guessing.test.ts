import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, PASSWORD, patiently, request, uniqueEmail } from '../../../../../test/builders/builders.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'

const { workspace, url, ctx } = await startApp({ CF_TRUST_PROXY: '1' })

/** Whoever calls from an address; `cookie` as a page of this server. */
function caller(address: string, cookie?: string) {
  const headers = { 'x-forwarded-for': address, ...(cookie && { 'x-cf-dashboard': '1', cookie }) }
  const post = (path: string, body: unknown) => request('POST', `${url}/api/v1${path}`, { headers, body })
  return {
    logIn: (email: string, password = PASSWORD) => patiently(() => post(cookie ? '/auth/session' : '/auth/login', { email, password })),
    logInOnce: (email: string, password = PASSWORD) => post('/auth/login', { email, password }),
    signUp: (email: string) => patiently(() => post('/auth/signup', { email, password: PASSWORD, name: 'A', workspaceName: 'W' })),
  }
}

async function owner() {
  const email = uniqueEmail()
  await workspace({ email })
  return email
}

const repeat = <T>(times: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, index) => work(index)))
const tally = (answers: { status: number }[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, all]) => [status, all?.length]))

test("a stranger's wrong guesses close the account to the stranger, not to its owner", async () => {
  const email = await owner()
  const stranger = caller('203.0.113.1')
  assert.deepEqual(tally(await repeat(12, (index) => stranger.logIn(email, `wrong password ${index}`))), { 401: 10, 429: 2 })
  const refused = await stranger.logIn(email.toUpperCase())
  assert.deepEqual([refused.status, refused.body.code], [429, 'LOGIN_RATE_LIMITED'])
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  expectStatus(await caller('203.0.113.2').logIn(email), 200)
  expectStatus(await stranger.logIn(await owner()), 200)
})

test('a browser in which the account was signed in to before is let through while many addresses guess', async () => {
  const [email, other] = [await owner(), await owner()]
  const first = expectStatus(await caller('198.51.100.1', 'none=1').logIn(email), 200)
  const device = first.headers.getSetCookie().find((cookie) => cookie.startsWith('cf_device=')) ?? ''
  assert.match(device, /^cf_device=[\w-]{43}; Max-Age=31536000; Path=\/api\/v1; HttpOnly; SameSite=Strict$/)
  const known = caller('198.51.100.2', device.split(';', 1)[0])
  for (let address = 0; address < 5; address++) {
    const guesses = await repeat(10, (index) => caller(`192.0.2.${address}`).logIn(email, `wrong password ${index}`))
    assert.deepEqual(tally(guesses), { 401: 10 })
  }
  assert.equal((await caller('198.51.100.3').logIn(email)).status, 429, 'all strangers together have had their guesses')
  assert.equal((await caller('198.51.100.3', 'cf_device=' + 'x'.repeat(43)).logIn(email)).status, 429, 'a made-up browser is a stranger')
  expectStatus(await known.logIn(email), 200)
  assert.deepEqual(tally(await repeat(12, () => known.logIn(email, 'wrong password'))), { 401: 10, 429: 2 })
  assert.equal((await known.logIn(email)).status, 429, 'a stolen browser has no more guesses than an address')
  expectStatus(await known.logIn(other), 200)
})

test('guesses of one address over many emails come to an end, and keep nobody out whom nobody guessed at', async () => {
  const guesser = caller('203.0.113.7')
  const guesses = await repeat(53, () => guesser.logIn(uniqueEmail(), 'wrong password'))
  assert.deepEqual(tally(guesses), { 401: 50, 429: 3 })
  const [email, attacked] = [await owner(), await owner()]
  for (let i = 0; i < 3; i++) expectStatus(await guesser.logIn(email), 200)
  const wrong = await guesser.logIn(attacked, 'wrong password')
  const unknown = await guesser.logIn(uniqueEmail(), 'wrong password')
  assert.deepEqual([wrong.status, wrong.body.code], [429, 'LOGIN_RATE_LIMITED'])
  assert.deepEqual([unknown.status, unknown.text], [429, wrong.text], 'an account is not told from an email without one')
  assert.equal((await guesser.logIn(attacked)).status, 429, 'whom this address guessed at waits')
  expectStatus(await caller('203.0.113.8').logIn(attacked), 200)
  const crowd = await repeat(12, (index) => guesser.logIn(email, `wrong password ${index}`))
  assert.deepEqual(tally(crowd), { 429: 12 })
})

test('an account that was guessed at from elsewhere waits behind an address that guesses at many', async () => {
  const [email, guesser] = [await owner(), caller('203.0.113.9')]
  assert.equal((await caller('203.0.113.10').logIn(email, 'wrong password')).status, 401)
  assert.deepEqual(tally(await repeat(50, () => guesser.logIn(uniqueEmail(), 'wrong password'))), { 401: 50 })
  assert.equal((await guesser.logIn(email)).status, 429)
  expectStatus(await caller('203.0.113.10').logIn(email), 200)
})

test('a crowd from one address waits for its own turns, is refused beyond a bound, and holds nobody else up', async () => {
  const email = await owner()
  const crowd = repeat(120, (index) => caller('203.0.113.20').logInOnce(`${index}-${uniqueEmail()}`, 'wrong password'))
  const single = caller('203.0.113.21').logIn(email)
  const answers = await crowd
  for (const { status, body, headers } of answers) {
    // A fast machine comes to the last guess of an address.
    assert.ok([401, 429, 503].includes(status), String(status))
    if (status === 503) assert.deepEqual([body.code, headers.get('retry-after')], ['SIGN_IN_BUSY', '2'])
  }
  assert.ok(answers.some(({ status }) => status === 401) && answers.some(({ status }) => status === 503))
  expectStatus(await single, 200)
})

test('signing up has a rate for each email and each address', async () => {
  const email = await owner()
  const stranger = caller('203.0.113.30')
  assert.deepEqual(tally(await repeat(12, () => stranger.signUp(email))), { 409: 9, 429: 3 })
  const taken = await Promise.all(Array.from({ length: 40 }, (_, index) => seedAccount(`taken-${index}@example.com`)))
  const flood = await Promise.all(taken.map((each) => repeat(10, () => caller('203.0.113.31').signUp(each))))
  assert.deepEqual(tally(flood.flat()), { 409: 400 })
  const refused = await caller('203.0.113.31').signUp(uniqueEmail())
  assert.deepEqual([refused.status, refused.body.code], [429, 'SIGNUP_RATE_LIMITED'])
  expectStatus(await caller('203.0.113.32').signUp(uniqueEmail()), 201)
})

async function seedAccount(email: string): Promise<string> {
  const account = { id: email, email, email_folded: email, name: 'A', password_hash: '', created_at: ctx.clock.now() }
  await ctx.db.insertInto('accounts').values(account).execute()
  return email
}
