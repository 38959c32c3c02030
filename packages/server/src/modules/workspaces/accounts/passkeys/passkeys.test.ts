import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, request, uniqueEmail, type Answer, type Client } from '../../../../../test/builders/builders.ts'
import { addAuthenticator, codeOf, SoftPasskey } from '../../../../../test/builders/sign-in/second-factors.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'

const ORIGIN = 'https://flow.example.com'
const { workspace, url, advance, ctx } = await startApp({ CF_PUBLIC_URL: ORIGIN })
const root = `${url}/api/v1`
const told = ({ status, body }: Answer) => [status, body.code]
const post = (path: string, body: object = {}) => request('POST', `${root}${path}`, { body })
const as = (token: string): Client => clientOf(root, { authorization: `Bearer ${token}` })
const options = async (client: Client) => expectStatus(await client.post('/auth/passkeys/options'), 200).data
const toSignIn = async () => expectStatus(await post('/auth/passkeys/sign-in/options'), 200).data
const signIn = (credential: object) => post('/auth/passkeys/sign-in', { credential })

async function withPasskey(count = 0) {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const key = new SoftPasskey(ORIGIN, count)
  const added = await ws.admin.post('/auth/passkeys', { credential: key.create(await options(ws.admin)), name: 'Phone' })
  return { email, ws, key, ...expectStatus(added, 201).data }
}

test('a passkey is added, signs in without a name, and is both factors', async () => {
  const { email, ws, key, passkey, recoveryCodes } = await withPasskey()
  assert.deepEqual([passkey.name, passkey.isBackedUp, passkey.lastUsedAt, recoveryCodes.length], ['Phone', false, null, 10])
  const asked = await toSignIn()
  assert.deepEqual([asked.rpId, asked.userVerification, asked.allowCredentials], ['flow.example.com', 'required', []])
  const entered = expectStatus(await signIn(key.use(asked)), 200).data
  assert.deepEqual([entered.user.email, entered.workspaces.map(({ id }: any) => id)], [email, [ws.id]])
  const { sessions } = expectStatus(await as(entered.token).get('/auth/sessions'), 200).data
  assert.deepEqual(sessions.find((each: any) => each.isThis).methods, ['webauthn'])
  assert.deepEqual(sessions.find((each: any) => !each.isThis).methods, ['pwd', 'webauthn'], 'the session that made it proved it too')
  const [kept] = expectStatus(await ws.admin.get('/auth/passkeys'), 200).data.passkeys
  assert.ok(kept.lastUsedAt)
})

test('what is asked for is named by a host, verified, resident, and tells nobody whose it is', async () => {
  const { ws, passkey } = await withPasskey()
  const asked = await options(ws.admin)
  assert.deepEqual(asked.rp, { id: 'flow.example.com', name: 'ContentFlow' })
  assert.deepEqual(asked.authenticatorSelection, { residentKey: 'required', requireResidentKey: true, userVerification: 'required' })
  assert.equal(asked.attestation, 'none')
  assert.equal(Buffer.from(asked.user.id, 'base64url').length, 32)
  assert.equal(asked.excludeCredentials.length, 1)
  assert.equal((await options(ws.admin)).user.id, asked.user.id)
  assert.ok(!JSON.stringify(passkey).includes(asked.user.id))
})

test('a wrong answer of a new passkey is refused, whatever is wrong with it', async () => {
  const ws = await workspace()
  const other = await workspace()
  const asked = await options(ws.admin)
  const made = (overrides: object, given: any = asked) => new SoftPasskey(ORIGIN).create(given, overrides)
  const wrong: Record<string, object> = {
    'another origin': made({ origin: 'https://flow.example.com.evil.example' }),
    'another host': made({ rpId: 'evil.example' }),
    'nobody was verified': made({ flags: 0x01 }),
    'nobody was there': made({ flags: 0x04 }),
    'of a sign-in': made({ type: 'webauthn.get' }),
    'no challenge of ours': made({}, { ...asked, challenge: Buffer.alloc(56).toString('base64url') }),
    'the challenge of somebody else': made({}, await options(other.admin)),
    'the challenge of a sign-in': made({}, { ...asked, ...(await toSignIn()) }),
    'certificates, whose addresses would be called': made({ fmt: 'packed', certificate: Buffer.alloc(300, 0x30) }),
    'another kind of statement': made({ fmt: 'fido-u2f' }),
    'no CBOR': { ...made({}), response: { ...made({}).response, attestationObject: 'AAAA' } },
    'no JSON': { ...made({}), response: { ...made({}).response, clientDataJSON: 'AAAA' } },
    'another id': { ...made({}), id: 'AAAA' },
  }
  for (const [name, credential] of Object.entries(wrong))
    assert.deepEqual(told(await ws.admin.post('/auth/passkeys', { credential, name: 'n' })), [401, 'PASSKEY_REFUSED'], name)
  for (const credential of [{}, { ...made({}), type: 'other' }, { ...made({}), rawId: 5 }, { ...made({}), id: 'not base64!' }])
    assert.equal((await ws.admin.post('/auth/passkeys', { credential, name: 'n' })).status, 400)
  const late = made({})
  await advance(300)
  assert.deepEqual(told(await ws.admin.post('/auth/passkeys', { credential: late, name: 'n' })), [401, 'PASSKEY_REFUSED'])
  assert.deepEqual(expectStatus(await ws.admin.get('/auth/passkeys'), 200).data.passkeys, [])
})

test('an answer is taken once, and a passkey is of one account', async () => {
  const ws = await workspace()
  const other = await workspace()
  const key = new SoftPasskey(ORIGIN)
  const credential = key.create(await options(ws.admin))
  expectStatus(await ws.admin.post('/auth/passkeys', { credential, name: 'n' }), 201)
  assert.deepEqual(told(await ws.admin.post('/auth/passkeys', { credential, name: 'n' })), [409, 'PASSKEY_KNOWN'])
  const again = key.create(await options(other.admin))
  assert.deepEqual(told(await other.admin.post('/auth/passkeys', { credential: again, name: 'n' })), [409, 'PASSKEY_KNOWN'])
})

test('a wrong answer at sign-in is refused, whatever is wrong with it', async () => {
  const { key } = await withPasskey()
  const { key: foreign } = await withPasskey()
  const asked = await toSignIn()
  const right = key.use(asked)
  const wrong: Record<string, object> = {
    'another origin': key.use(asked, { origin: 'https://evil.example' }),
    'another host': key.use(asked, { rpId: 'evil.example' }),
    'nobody was verified': key.use(asked, { flags: 0x01 }),
    'of a new passkey': key.use(asked, { type: 'webauthn.create' }),
    'no challenge of ours': key.use({ ...asked, challenge: Buffer.alloc(56).toString('base64url') }),
    'the name of another account': key.use(asked, { userHandle: foreign.create(await options((await workspace()).admin)).id }),
    'a signature of another passkey': { ...right, response: foreign.use(asked).response },
    'nobody knows it': new SoftPasskey(ORIGIN).use(asked, { userHandle: null }),
    'a signature that was cut': { ...right, response: { ...right.response, signature: right.response.signature.slice(0, 40) } },
    'no data': { ...right, response: { ...right.response, authenticatorData: 'AAAA' } },
  }
  for (const [name, credential] of Object.entries(wrong)) assert.deepEqual(told(await signIn(credential)), [401, 'PASSKEY_REFUSED'], name)
  expectStatus(await signIn(right), 200)
  assert.deepEqual(told(await signIn(right)), [401, 'SIGN_IN_OVER'], 'an answer opens one session')
  const late = key.use(await toSignIn())
  await advance(300)
  assert.deepEqual(told(await signIn(late)), [401, 'PASSKEY_REFUSED'])
})

test('a counter that does not grow is of a copy; one that is synced counts nothing', async () => {
  const { key } = await withPasskey(5)
  expectStatus(await signIn(key.use(await toSignIn())), 200)
  expectStatus(await signIn(key.use(await toSignIn())), 200)
  for (const back of [3, 7, 0]) {
    key.countsFrom(back)
    assert.deepEqual(told(await signIn(key.use(await toSignIn()))), [401, 'PASSKEY_REFUSED'], String(back))
  }
  key.countsFrom(100)
  expectStatus(await signIn(key.use(await toSignIn())), 200)
  const { key: synced } = await withPasskey()
  for (let i = 0; i < 3; i++) expectStatus(await signIn(synced.use(await toSignIn())), 200)
})

test('after the password a passkey is the second step, and the code of an app is too', async () => {
  const { email, ws, key } = await withPasskey()
  const { secret } = await addAuthenticator(ws.admin, ctx.clock.ms())
  const { key: foreign } = await withPasskey()
  const first = async () => (await post('/auth/login', { email, password: PASSWORD })).body
  const { challenge, passkey, authenticator, code } = await first()
  assert.deepEqual(
    [code, authenticator, passkey.allowCredentials.map(({ id }: any) => id)],
    ['SECOND_FACTOR_REQUIRED', true, [key.id.toString('base64url')]],
  )
  const second = (body: object) => post('/auth/login/second', body)
  assert.deepEqual(told(await second({ challenge, credential: foreign.use(passkey) })), [401, 'PASSKEY_REFUSED'])
  assert.deepEqual(told(await second({ challenge, credential: key.use(await toSignIn()) })), [401, 'PASSKEY_REFUSED'])
  assert.equal((await second({ challenge, credential: key.use(passkey), otp: '123456' })).status, 400)
  const { token } = expectStatus(await second({ challenge, credential: key.use(passkey) }), 200).data
  assert.deepEqual((await as(token).get('/auth/sessions')).data.sessions.find((each: any) => each.isThis).methods, ['pwd', 'webauthn'])
  assert.deepEqual(told(await second({ challenge, credential: key.use(passkey) })), [401, 'SIGN_IN_OVER'])
  await advance(30)
  expectStatus(await second({ challenge: (await first()).challenge, otp: codeOf(secret, ctx.clock.ms()) }), 200)
})

test('passkeys are named anew and removed by their person alone; the last one takes the recovery codes along', async () => {
  const { email, ws, key, passkey } = await withPasskey()
  const stranger = (await workspace()).admin
  for (const answer of [
    await stranger.put(`/auth/passkeys/${passkey.id}`, { name: 'x' }),
    await stranger.delete(`/auth/passkeys/${passkey.id}`),
  ])
    assert.equal(answer.status, 404)
  assert.equal(expectStatus(await ws.admin.put(`/auth/passkeys/${passkey.id}`, { name: 'Work phone' }), 200).data.name, 'Work phone')
  assert.equal((await ws.admin.put(`/auth/passkeys/${passkey.id}`, { name: '' })).status, 400)
  expectStatus(await ws.admin.delete(`/auth/passkeys/${passkey.id}`), 200)
  assert.equal((await ws.admin.delete(`/auth/passkeys/${passkey.id}`)).status, 404)
  assert.deepEqual(told(await signIn(key.use(await toSignIn()))), [401, 'PASSKEY_REFUSED'])
  assert.equal((await ws.admin.get('/auth/second-factor')).data.recoveryCodesLeft, 0)
  expectStatus(await post('/auth/login', { email, password: PASSWORD }), 200)
})

test('an account has at most twenty passkeys', async () => {
  const ws = await workspace()
  const asked = await Promise.all(Array.from({ length: 21 }, () => options(ws.admin)))
  const add = (given: any) => ws.admin.post('/auth/passkeys', { credential: new SoftPasskey(ORIGIN).create(given), name: 'n' })
  for (const given of asked.slice(0, 19)) expectStatus(await add(given), 201)
  const last = await Promise.all(asked.slice(19).map(add))
  assert.deepEqual(last.map(({ status }) => status).sort(), [201, 409])
  assert.deepEqual(told(await ws.admin.post('/auth/passkeys/options')), [409, 'PASSKEY_LIMIT'])
})

test('passkeys are offered at a name over https, and on the own machine; nowhere else', async () => {
  const offered = async (env: Record<string, string>, host?: string) => {
    const app = await startApp(env)
    const at = host ? app.url.replace('127.0.0.1', host) : app.url
    const { hasPasskeys = false } = expectStatus(await request('GET', `${at}/api/v1/auth/installation`), 200).data
    const { status, body } = await request('POST', `${at}/api/v1/auth/passkeys/sign-in/options`)
    assert.deepEqual([status, body.code], hasPasskeys ? [200, undefined] : [409, 'PASSKEYS_OFF'])
    return hasPasskeys
  }
  assert.equal(await offered({}), false)
  assert.equal(await offered({}, 'localhost'), true)
  assert.equal(await offered({ CF_PUBLIC_URL: 'http://flow.example.com' }), false)
  assert.equal(await offered({ CF_PUBLIC_URL: 'https://192.0.2.1' }), false)
})
