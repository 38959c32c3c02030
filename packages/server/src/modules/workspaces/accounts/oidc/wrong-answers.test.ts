/** A provider, or whoever pretends to be one, answers wrong: nobody is signed in, and nothing is written. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { UnsecuredJWT, SignJWT } from 'jose'
import { CookieBrowser } from '../../../../../test/builders/sign-in/cookie-browser.ts'
import { makeKey, now, openOddProvider, type Asked } from '../../../../../test/builders/sign-in/odd-provider.ts'
import { expectStatus, uniqueEmail } from '../../../../../test/builders/builders.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'
import { hashTables } from '../../../../../test/harness/tables.ts'

const { url, ctx, operator, workspace } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const root = `${url}/api/v1`
const odd = await openOddProvider()
after(() => odd.close())
const ws = await workspace()
const SECRET = 'a secret that both know, and that is long enough'
const save = (id: string, change: Record<string, unknown> = {}) =>
  operator.put(`/operator/identity-providers/${id}`, {
    name: 'Odd',
    issuer: odd.issuer,
    clientId: 'contentflow',
    clientSecret: SECRET,
    mapping: [{ group: 'a', workspaceId: ws.id, role: 'viewer' }],
    ...change,
  })
expectStatus(await save('odd'), 200)

async function begin(browser: CookieBrowser, id = 'odd'): Promise<Asked> {
  const { headers } = await browser.send(`${root}/auth/oidc/${id}/start?returnTo=/in`)
  const asked = new URL(headers.get('location') ?? '', root)
  const of = (name: string) => asked.searchParams.get(name) ?? ''
  return { nonce: of('nonce'), state: of('state'), redirectUri: of('redirect_uri') }
}
type Answered = { token?: string; query?: Record<string, string>; tokens?: Record<string, unknown> }
/** Comes back with what the provider is made to say; where that leads. */
async function come(browser: CookieBrowser, { redirectUri, state }: Asked, { token, query, tokens }: Answered): Promise<string> {
  odd.tokens = tokens ?? { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: token }
  const sent = query ?? { code: 'c', state, iss: odd.issuer }
  const visit = await browser.send(`${redirectUri}?${new URLSearchParams(sent).toString()}`)
  assert.equal(visit.status, 303, visit.text)
  return visit.headers.get('location') ?? ''
}
async function signIn(make: (asked: Asked) => Promise<Answered> | Answered, id = 'odd'): Promise<string> {
  const browser = new CookieBrowser()
  const asked = await begin(browser, id)
  return come(browser, asked, await make(asked))
}
const right = async (asked: Asked, more: Record<string, unknown> = {}) => ({ token: await odd.sign(odd.claims(asked, more)) })
const FAILED = '/sign-in?error=sso_failed'

test('a right answer signs somebody in, whichever of the allowed ways it is signed; the clocks may differ by a minute', async () => {
  assert.equal(await signIn((asked) => right(asked)), '/in')
  for (const alg of ['PS256', 'ES256', 'EdDSA']) {
    const key = await makeKey(alg)
    odd.keys.push(key)
    assert.equal(await signIn(async (asked) => ({ token: await odd.sign(odd.claims(asked), {}, key) })), '/in', alg)
  }
  for (const claims of [
    { iat: now() + 45 },
    { exp: now() - 45 },
    { aud: ['contentflow'] },
    { aud: ['contentflow', 'b'], azp: 'contentflow' },
  ])
    assert.equal(await signIn((asked) => right(asked, claims)), '/in', JSON.stringify(claims))
})

const without = (claims: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
const stranger = await makeKey()
const strangeCurve = await makeKey('ES512')

const WRONG: Record<string, (asked: Asked) => Promise<Answered> | Answered> = {
  'signed by a stranger': async (asked) => ({ token: await odd.sign(odd.claims(asked), { kid: odd.key.kid }, stranger) }),
  'signed by a stranger with a key of their own': async (asked) => ({ token: await odd.sign(odd.claims(asked), {}, stranger) }),
  'a key in the token itself': async (asked) => ({ token: await odd.sign(odd.claims(asked), { jwk: stranger.jwk }, stranger) }),
  'not signed': (asked) => ({ token: new UnsecuredJWT(odd.claims(asked)).encode() }),
  'signed with the shared secret': async (asked) => ({
    token: await new SignJWT(odd.claims(asked)).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET)),
  }),
  'signed in a way that is not allowed': async (asked) => ({ token: await odd.sign(odd.claims(asked), {}, strangeCurve) }),
  'signature cut off': async (asked) => ({ token: (await right(asked)).token.replace(/\.[^.]*$/, '.') }),
  'claims changed': async (asked) => {
    const [header, , signature] = (await right(asked)).token.split('.')
    const claims = Buffer.from(JSON.stringify(odd.claims(asked, { sub: 'another' }))).toString('base64url')
    return { token: [header, claims, signature].join('.') }
  },
  'no token at all': () => ({ tokens: { access_token: 'x', token_type: 'Bearer' } }),
  'a token that is none': () => ({ token: 'x.y.z' }),
  'a token that is a number': () => ({ tokens: { access_token: 'x', token_type: 'Bearer', id_token: 5 } }),
  'no access token': async (asked) => ({ tokens: { token_type: 'Bearer', id_token: (await right(asked)).token } }),
  'another nonce': (asked) => right(asked, { nonce: 'another' }),
  'no nonce': async (asked) => ({ token: await odd.sign(without(odd.claims(asked), 'nonce')) }),
  'another issuer in the token': (asked) => right(asked, { iss: 'https://evil.example' }),
  'issuer with a slash more': (asked) => right(asked, { iss: `${odd.issuer}/` }),
  'no issuer in the token': async (asked) => ({ token: await odd.sign(without(odd.claims(asked), 'iss')) }),
  'another audience': (asked) => right(asked, { aud: 'another' }),
  'no audience': async (asked) => ({ token: await odd.sign(without(odd.claims(asked), 'aud')) }),
  'several audiences without azp': (asked) => right(asked, { aud: ['contentflow', 'b'] }),
  'several audiences, azp of another': (asked) => right(asked, { aud: ['contentflow', 'b'], azp: 'b' }),
  'one audience, azp of another': (asked) => right(asked, { azp: 'b' }),
  'over for longer than a minute': (asked) => right(asked, { exp: now() - 90 }),
  'no end': async (asked) => ({ token: await odd.sign(without(odd.claims(asked), 'exp')) }),
  'an end that is text': (asked) => right(asked, { exp: '2099' }),
  'made in ten minutes': (asked) => right(asked, { iat: now() + 600 }),
  'no time': async (asked) => ({ token: await odd.sign(without(odd.claims(asked), 'iat')) }),
  'not before tomorrow': (asked) => right(asked, { nbf: now() + 86_400 }),
  'no subject': async (asked) => ({ token: await odd.sign(without(odd.claims(asked), 'sub')) }),
  'an empty subject': (asked) => right(asked, { sub: '' }),
  'a subject that is a number': (asked) => right(asked, { sub: 5 }),
  'a subject without end': (asked) => right(asked, { sub: 'x'.repeat(300) }),
  'a subject with a NUL': (asked) => right(asked, { sub: 'a\0b' }),
  'no address': async (asked) => ({ token: await odd.sign({ ...without(odd.claims(asked), 'email'), sub: 'unknown' }) }),
  'an address that is none': (asked) => right(asked, { sub: 'unknown', email: 'x' }),
  'another state': async (asked) => ({ ...(await right(asked)), query: { code: 'c', state: 'another', iss: odd.issuer } }),
  'no state': async (asked) => ({ ...(await right(asked)), query: { code: 'c', iss: odd.issuer } }),
  'another issuer beside the code': async (asked) => ({
    ...(await right(asked)),
    query: { code: 'c', state: asked.state, iss: 'https://evil.example' },
  }),
  'no issuer beside the code': async (asked) => ({ ...(await right(asked)), query: { code: 'c', state: asked.state } }),
  'no code': async (asked) => ({ ...(await right(asked)), query: { state: asked.state, iss: odd.issuer } }),
  'the provider says no': ({ state }) => ({ query: { error: 'access_denied', state, iss: odd.issuer } }),
  'an answer that is no JSON': () => ({ tokens: 'x' as never }),
}

test('forty wrong answers, one after another: each leads back to the sign-in page, and writes nothing', async () => {
  assert.ok(Object.keys(WRONG).length >= 40, String(Object.keys(WRONG).length))
  // That a state was used is kept.
  const hashed = () => hashTables(ctx.db, { except: ['provider_nonces'] })
  const before = await hashed()
  for (const [name, make] of Object.entries(WRONG)) assert.equal(await signIn(make), FAILED, name)
  assert.equal(await hashed(), before)
  assert.equal(await signIn((asked) => right(asked)), '/in')
})

test('groups that the provider leaves out are too many, never none', async () => {
  for (const claims of [
    { groups: undefined, _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example' } } },
    { groups: undefined, hasgroups: true },
  ])
    assert.equal(await signIn((asked) => right(asked, claims)), '/sign-in?error=too_many_groups')
  assert.equal(await signIn((asked) => right(asked, { groups: [], sub: 'new', email: uniqueEmail() })), '/sign-in?error=not_assigned')
})

test('keys that change while somebody signs in are looked for again; a provider that is away is said to be, and its last keys go on', async () => {
  const browser = new CookieBrowser()
  const asked = await begin(browser)
  await odd.rotate()
  assert.equal(await come(browser, asked, await right(asked)), '/in')
  odd.instead.set('/keys', 'cut')
  assert.equal(await signIn((at) => right(at)), '/in')
  // One that nobody knows may be right, and nobody can say.
  await odd.rotate()
  assert.equal(await signIn((at) => right(at)), '/sign-in?error=sso_away')
  odd.instead.delete('/keys')
  for (const [instead, fault] of [
    ['cut', 'sso_away'],
    [{ status: 503, body: '{}' }, 'sso_away'],
    [{ body: `{"access_token":"${'x'.repeat(3_000_000)}"}` }, 'sso_failed'],
    [{ body: '<html>' }, 'sso_failed'],
    [{ status: 400, body: '{"error":"invalid_grant"}' }, 'sso_failed'],
    [{ status: 302, body: '', headers: { location: 'https://evil.example' } }, 'sso_failed'],
  ] as const) {
    odd.instead.set('/token', instead)
    assert.equal(await signIn((at) => right(at)), `/sign-in?error=${fault}`, JSON.stringify(instead).slice(0, 60))
  }
  odd.instead.delete('/token')
  assert.equal(await signIn((at) => right(at)), '/in')
})

test('a provider that cannot be found, or calls itself otherwise, begins no sign-in', async () => {
  const CONFIGURATION = '/.well-known/openid-configuration'
  const startOf = async (id: string) => (await new CookieBrowser().send(`${root}/auth/oidc/${id}/start`)).headers.get('location')
  const cases = [
    ['cut', 'sso_away'],
    [{ status: 500, body: '' }, 'sso_away'],
    [{ status: 404, body: '' }, 'sso_failed'],
    [{ body: JSON.stringify({ issuer: 'https://evil.example' }) }, 'sso_failed'],
    [{ body: JSON.stringify({ issuer: `${odd.issuer}/{tenantid}` }) }, 'sso_failed'],
    [{ body: '{' }, 'sso_failed'],
    [{ body: ' '.repeat(3_000_000) }, 'sso_failed'],
  ] as const
  for (const [index, [instead, fault]] of cases.entries()) {
    expectStatus(await save(`odd-${index}`), 200)
    odd.instead.set(CONFIGURATION, instead)
    assert.equal(await startOf(`odd-${index}`), `/sign-in?error=${fault}`, JSON.stringify(instead).slice(0, 60))
  }
  odd.instead.delete(CONFIGURATION)
  assert.equal((await startOf('odd-0'))?.startsWith(`${odd.issuer}/authorize`), true)
  assert.equal((await new CookieBrowser().send(`${root}/auth/oidc/nobody/start`)).status, 404)
})

test('two providers with one subject are two people, and a sign-in begun with one is not ended with the other', async () => {
  const other = await openOddProvider()
  after(() => other.close())
  expectStatus(await save('other', { issuer: other.issuer }), 200)
  const sub = 'the same'
  const [one, two] = [uniqueEmail(), uniqueEmail()]
  assert.equal(await signIn((asked) => right(asked, { sub, email: one })), '/in')
  const browser = new CookieBrowser()
  const asked = await begin(browser, 'other')
  other.tokens = { access_token: 'x', token_type: 'Bearer', id_token: await other.sign(other.claims(asked, { sub, email: two })) }
  // Mixed up: the state of the other provider does not open this one's callback.
  const mixed = `${root}/auth/oidc/odd/callback?${new URLSearchParams({ code: 'c', state: asked.state, iss: other.issuer }).toString()}`
  assert.equal((await browser.send(mixed)).headers.get('location'), FAILED)
  const back = await browser.send(
    `${asked.redirectUri}?${new URLSearchParams({ code: 'c', state: asked.state, iss: other.issuer }).toString()}`,
  )
  assert.equal(back.headers.get('location'), '/in')
  const rows = await ctx.db.selectFrom('account_identities').select(['provider_id', 'account_id']).where('subject', '=', sub).execute()
  assert.deepEqual([rows.length, new Set(rows.map((row) => row.account_id)).size], [2, 2])
})
