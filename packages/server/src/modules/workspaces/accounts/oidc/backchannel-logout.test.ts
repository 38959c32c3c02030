/** A provider tells that somebody signed out: only by a right token, once, and on every process at once. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { CookieBrowser } from '../../../../../test/builders/sign-in/cookie-browser.ts'
import { makeKey, now, openOddProvider } from '../../../../../test/builders/sign-in/odd-provider.ts'
import { expectStatus } from '../../../../../test/builders/builders.ts'
import { startApp, startOn } from '../../../../../test/harness/start-app.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { url, operator, workspace, databaseEnv } = app
const root = `${url}/api/v1`
const odd = await openOddProvider()
after(() => odd.close())
const ws = await workspace()
const save = (id: string, change: Record<string, unknown> = {}) =>
  operator.put(`/operator/identity-providers/${id}`, {
    name: 'Odd',
    issuer: odd.issuer,
    clientId: 'contentflow',
    mapping: [{ group: 'a', workspaceId: ws.id, role: 'viewer' }],
    ...change,
  })
expectStatus(await save('odd'), 200)

async function signIn(claims: Record<string, unknown>): Promise<CookieBrowser> {
  const browser = new CookieBrowser()
  const { headers } = await browser.send(`${root}/auth/oidc/odd/start`)
  const asked = new URL(headers.get('location') ?? '').searchParams
  const [state, nonce, redirectUri] = [asked.get('state') ?? '', asked.get('nonce') ?? '', asked.get('redirect_uri') ?? '']
  odd.tokens = { access_token: 'x', token_type: 'Bearer', id_token: await odd.sign(odd.claims({ nonce, state, redirectUri }, claims)) }
  const back = await browser.send(`${redirectUri}?${new URLSearchParams({ code: 'c', state, iss: odd.issuer }).toString()}`)
  assert.equal(back.headers.get('location'), '/')
  return browser
}
const isSignedIn = async (browser: CookieBrowser, at = root) => {
  // The other process is another port of the same site.
  const cookie = [...browser.cookies.values()].map(({ value }) => `cf_session=${value}`).at(-1) ?? ''
  const { status } = await fetch(`${at}/auth/me`, { headers: { cookie, 'x-cf-dashboard': '1' } })
  return status === 200
}
const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const tokenOf = (more: Record<string, unknown>) => ({
  iss: odd.issuer,
  aud: 'contentflow',
  iat: now(),
  exp: now() + 60,
  jti: randomUUID(),
  events: EVENT,
  ...more,
})
async function tell(token: string, id = 'odd') {
  const body = new URLSearchParams({ logout_token: token })
  const response = await fetch(`${root}/auth/oidc/${id}/backchannel-logout`, { method: 'POST', body })
  return { status: response.status, text: await response.text(), cache: response.headers.get('cache-control') }
}

test('the session that a token names ends, and no other; without one, all of that person', async () => {
  const [one, two, other] = [
    await signIn({ sub: 'ali', sid: 's1', email: 'ali@odd.example' }),
    await signIn({ sub: 'ali', sid: 's2', email: 'ali@odd.example' }),
    await signIn({ sub: 'basma', sid: 's3', email: 'basma@odd.example' }),
  ]
  assert.deepEqual(await tell(await odd.sign(tokenOf({ sid: 's1' }))), { status: 200, text: '', cache: 'no-store' })
  assert.deepEqual([await isSignedIn(one), await isSignedIn(two), await isSignedIn(other)], [false, true, true])
  const again = await signIn({ sub: 'ali', sid: 's4', email: 'ali@odd.example' })
  assert.equal((await tell(await odd.sign(tokenOf({ sub: 'ali' })))).status, 200)
  assert.deepEqual([await isSignedIn(two), await isSignedIn(again), await isSignedIn(other)], [false, false, true])
})

test('a token that is not right ends nothing', async () => {
  const browser = await signIn({ sub: 'carim', sid: 'c1', email: 'carim@odd.example' })
  const stranger = await makeKey()
  const right = tokenOf({ sub: 'carim' })
  const used = await odd.sign(tokenOf({ sub: 'nobody' }))
  assert.equal((await tell(used)).status, 200)
  const wrong: Record<string, string | Promise<string>> = {
    'used before': used,
    'signed by a stranger': odd.sign(right, { kid: odd.key.kid }, stranger),
    'another issuer': odd.sign({ ...right, iss: 'https://evil.example' }),
    'another audience': odd.sign({ ...right, aud: 'another' }),
    'a nonce, as an ID token has': odd.sign({ ...right, nonce: 'n' }),
    'an empty nonce': odd.sign({ ...right, nonce: '' }),
    'no event': odd.sign({ ...right, events: {} }),
    'an event that is no object': odd.sign({ ...right, events: { 'http://schemas.openid.net/event/backchannel-logout': true } }),
    'no id': odd.sign({ ...right, jti: undefined }),
    'no time': odd.sign({ ...right, iat: undefined }),
    'of an hour ago': odd.sign({ ...right, iat: now() - 3600, exp: now() + 60 }),
    'of the next hour': odd.sign({ ...right, iat: now() + 3600, exp: now() + 7200 }),
    over: odd.sign({ ...right, exp: now() - 90 }),
    'nobody named': odd.sign({ ...right, sub: undefined }),
    'a subject that is a number': odd.sign({ ...right, sub: 5 }),
    'no token': 'x',
    empty: '',
  }
  for (const [name, token] of Object.entries(wrong)) assert.equal((await tell(await token)).status, 400, name)
  const twice = await fetch(`${root}/auth/oidc/odd/backchannel-logout`, { method: 'POST', body: 'logout_token=a&logout_token=b' })
  assert.equal(twice.status, 400)
  assert.equal((await fetch(`${root}/auth/oidc/odd/backchannel-logout`, { method: 'POST' })).status, 400)
  assert.equal((await tell(await odd.sign(right), 'nobody')).status, 404)
  assert.equal(await isSignedIn(browser), true)
  assert.equal((await tell(await odd.sign(right))).status, 200)
  assert.equal(await isSignedIn(browser), false)
})

test('while the keys cannot be read, a token is neither right nor wrong', async () => {
  expectStatus(await save('away'), 200)
  odd.instead.set('/keys', 'cut')
  assert.equal((await tell(await odd.sign(tokenOf({ sub: 'dalal' })), 'away')).status, 503)
  odd.instead.delete('/keys')
  assert.equal((await tell(await odd.sign(tokenOf({ sub: 'dalal' })), 'away')).status, 200)
})

test('the other process knows at once', { skip: !process.env['TEST_DATABASE_URL'] }, async () => {
  const other = await startOn(databaseEnv, { CF_SECRET_KEY: process.env['CF_SECRET_KEY'] ?? '' })
  after(() => other.stop())
  const browser = await signIn({ sub: 'emad', sid: 'e1', email: 'emad@odd.example' })
  assert.equal(await isSignedIn(browser, `${other.url}/api/v1`), true)
  assert.equal((await tell(await odd.sign(tokenOf({ sid: 'e1' })))).status, 200)
  assert.equal(await isSignedIn(browser, `${other.url}/api/v1`), false)
})
