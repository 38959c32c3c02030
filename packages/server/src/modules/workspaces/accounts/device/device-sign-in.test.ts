/** Signing in a program by a browser: the code, who may answer, for how long, and what the session is. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CookieBrowser, signInAtDirectory } from '../../../../../test/builders/sign-in/cookie-browser.ts'
import { openNameServer } from '../../../../../test/builders/mails/name-server.ts'
import { openDirectory } from '../../../../../test/builders/sign-in/identity-provider.ts'
import { addAuthenticator } from '../../../../../test/builders/sign-in/second-factors.ts'
import { clientOf, expectStatus, PASSWORD, request, uniqueEmail, type Answer, type Client } from '../../../../../test/builders/builders.ts'
import { startApp, startOn } from '../../../../../test/harness/start-app.ts'

const names = await openNameServer()
after(() => names.close())
const ENV = { CF_TRUST_PROXY: '1', CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_DNS_SERVERS: names.address }
const first = await startApp(ENV)
const { workspace, url, ctx } = first
// The embedded database has no second process.
const second = process.env['TEST_DATABASE_URL'] ? await startOn(first.databaseEnv, ENV) : first
if (second !== first) after(() => second.stop())

const root = `${url}/api/v1`
const told = ({ status, body }: Answer) => [status, body.code]
function advance(seconds: number): void {
  for (const app of new Set([first, second])) app.ctx.clock.advance(seconds)
}

let nth = 0
/** Each from an address of its own: those of one are counted together. */
const nextAddress = () => `203.0.113.${(nth++ % 250) + 1}`
async function begin(host = 'build-7', address = nextAddress(), at = root) {
  const headers = { 'x-forwarded-for': address, 'user-agent': 'contentflow/0.1.0' }
  return request('POST', `${at}/auth/device`, { headers, body: { host } })
}
const begun = async (...given: Parameters<typeof begin>) => expectStatus(await begin(...given), 201).data
const take = async (deviceCode: string, at = root) => clientOf(at).post('/auth/device/token', { deviceCode })
const answer = async (client: Client, code: string, allow: boolean) => client.put(`/auth/device/${code}`, { allow })
const bearer = (token: string) => clientOf(root, { authorization: `Bearer ${token}` })

test('a program is signed in once its person has compared the code and confirmed it, on whatever process', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email, name: 'Souq' })
  const { deviceCode, userCode, ...shown } = await begun('build-7', '203.0.113.250')
  assert.match(userCode, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  assert.deepEqual(
    [shown.verificationUrl, shown.verificationUrlComplete, shown.intervalSeconds],
    [`${url}/device`, `${url}/device?code=${userCode}`, 5],
  )
  for (const at of [root, `${second.url}/api/v1`]) assert.deepEqual(told(await take(deviceCode, at)), [400, 'SIGN_IN_PENDING'])
  const asked = expectStatus(await ws.admin.get(`/auth/device/${userCode.toLowerCase().replace('-', '')}`), 200).data
  assert.deepEqual([asked.code, asked.host, asked.address, asked.userAgent], [userCode, 'build-7', '203.0.113.250', 'contentflow/0.1.0'])
  assert.equal(Date.parse(asked.expiresAt) - Date.parse(asked.askedAt), 600_000)
  assert.ok(!JSON.stringify(asked).includes(deviceCode))
  assert.deepEqual(expectStatus(await answer(ws.admin, userCode, true), 200).data, { allowed: true })
  const entered = expectStatus(await take(deviceCode, `${second.url}/api/v1`), 200).data
  assert.deepEqual([entered.user.email, entered.workspaces.map(({ id }: any) => id)], [email, [ws.id]])
  expectStatus(await bearer(entered.token).get('/auth/me'), 200)
  for (const again of [await take(deviceCode), await answer(ws.admin, userCode, true)])
    assert.ok(again.status === 401 || again.status === 404, again.text)
  const sessions = expectStatus(await ws.admin.get('/auth/sessions'), 200).data.sessions
  const [own, made] = [sessions.find((each: any) => each.isThis), sessions.find((each: any) => !each.isThis)]
  assert.deepEqual([made.createdAt, made.expiresAt, made.methods], [own.createdAt, own.expiresAt, own.methods], 'as old as what allowed it')
  const log = expectStatus(await ws.admin.get('/audit?limit=200'), 200).data.entries
  const actions = log.map(({ action }: any) => action)
  for (const action of ['decideDeviceSignIn', 'openDeviceSession']) assert.ok(actions.includes(action), `${action} of ${actions}`)
})

test('what is refused is told to the program once, and what nobody answers is over in ten minutes', async () => {
  const ws = await workspace()
  const refused = await begun()
  expectStatus(await answer(ws.admin, refused.userCode, false), 200)
  assert.deepEqual(told(await answer(ws.admin, refused.userCode, true)), [404, 'DEVICE_CODE_UNKNOWN'])
  assert.deepEqual(told(await take(refused.deviceCode)), [403, 'SIGN_IN_REFUSED'])
  assert.deepEqual(told(await take(refused.deviceCode)), [401, 'SIGN_IN_OVER'])
  const [late, allowed] = [await begun(), await begun()]
  expectStatus(await answer(ws.admin, allowed.userCode, true), 200)
  advance(61)
  assert.deepEqual(told(await take(allowed.deviceCode)), [401, 'SIGN_IN_OVER'], 'an allowed one is taken within a minute')
  advance(540)
  assert.deepEqual(told(await take(late.deviceCode)), [401, 'SIGN_IN_OVER'])
  assert.deepEqual(told(await ws.admin.get(`/auth/device/${late.userCode}`)), [404, 'DEVICE_CODE_UNKNOWN'])
})

test('many who take, and many who answer, side by side are one', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const { deviceCode, userCode } = await begun()
  const answers = await Promise.all([true, false, true, false].map((allow) => answer(ws.admin, userCode, allow)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const isAllowed = answers.find(({ status }) => status === 200)?.body.data.allowed
  const taken = await Promise.all(Array.from({ length: 6 }, (_, n) => take(deviceCode, n % 2 ? root : `${second.url}/api/v1`)))
  assert.equal(taken.filter(({ status }) => status === (isAllowed ? 200 : 403)).length, 1)
  assert.equal(taken.filter(({ body }) => body.code === 'SIGN_IN_OVER').length, 5)
})

test('confirming takes a sign-in of the last ten minutes, refusing does not; a session that ended meanwhile gives nothing', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  advance(601)
  const [old, refused] = [await begun(), await begun()]
  assert.deepEqual(told(await answer(ws.admin, old.userCode, true)), [403, 'REAUTHENTICATE'])
  assert.deepEqual(told(await take(old.deviceCode)), [400, 'SIGN_IN_PENDING'])
  expectStatus(await answer(ws.admin, refused.userCode, false), 200)
  const { token } = expectStatus(await clientOf(root).post('/auth/login', { email, password: PASSWORD }), 200).data
  expectStatus(await answer(bearer(token), old.userCode, true), 200)
  expectStatus(await bearer(token).post('/auth/logout'), 200)
  assert.deepEqual(told(await take(old.deviceCode)), [401, 'SIGN_IN_OVER'])
  assert.deepEqual(told(await clientOf(root).get(`/auth/device/${old.userCode}`)), [401, undefined])
  const { id } = expectStatus(await bearer((await login(email)).token).get('/auth/me'), 200).data.workspaces[0]
  assert.equal(id, ws.id)
})
const login = async (email: string, more: object = {}) =>
  expectStatus(await clientOf(root).post('/auth/login', { email, password: PASSWORD, ...more }), 200).data

test('wrong codes are counted for each account, and sign-ins that are asked for and questions for a session as well', async () => {
  const ws = await workspace()
  const { userCode, deviceCode } = await begun()
  for (let n = 0; n < 5; n++) expectStatus(await ws.admin.get(`/auth/device/${userCode}`), 200)
  for (let n = 0; n < 10; n++)
    assert.deepEqual(told(await ws.admin.get(`/auth/device/${n % 2 ? 'BBBB-BBBB' : 'no-code'}`)), [404, 'DEVICE_CODE_UNKNOWN'])
  for (const code of [userCode, 'CCCC-CCCC'])
    assert.deepEqual(told(await ws.admin.get(`/auth/device/${code}`)), [429, 'LOGIN_RATE_LIMITED'])
  assert.deepEqual(told(await answer(ws.admin, userCode, true)), [429, 'LOGIN_RATE_LIMITED'])
  const other = await workspace()
  expectStatus(await other.admin.get(`/auth/device/${userCode}`), 200)
  const polls = []
  for (let n = 0; n < 25; n++) polls.push((await take(deviceCode)).body.code)
  assert.deepEqual([polls[0], polls.at(-1)], ['SIGN_IN_PENDING', 'LOGIN_RATE_LIMITED'])
  const statuses = await Promise.all(Array.from({ length: 55 }, async () => (await begin('x', '198.51.100.77')).status))
  assert.deepEqual([statuses.filter((each) => each === 201).length, statuses.filter((each) => each === 429).length], [50, 5])
})

test('the session proves what the one proved that allowed it: a second factor, and the workspace of its provider', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  await addAuthenticator(ws.admin, ctx.clock.ms())
  expectStatus(await ws.admin.put('/settings/sign-in', { secondFactor: 'all' }), 200)
  const { deviceCode, userCode } = await begun()
  expectStatus(await answer(ws.admin, userCode, true), 200)
  const { token } = expectStatus(await take(deviceCode), 200).data
  const inside = clientOf(root, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
  expectStatus(await inside.get('/segments'), 200)
})

test('allowed by a session of a workspace’s own provider, the session opens that workspace alone', async () => {
  const [home, other] = [await workspace(), await workspace()]
  const directory = await openDirectory({ id: `${home.id}.staff`, url })
  after(() => directory.close())
  const { issuer, clientId, clientSecret } = directory
  const provider = { name: 'Staff', issuer, clientId, clientSecret, mapping: [{ group: 'a', role: 'editor' }], domains: ['home.example'] }
  const save = async () => expectStatus(await home.admin.put('/settings/identity-providers/staff', provider), 200).data
  names.texts.set('home.example', [(await save()).domains[0].record])
  await save()
  const email = 'nour@home.example'
  directory.people.set('nour', { email, groups: ['a'] })
  const browser = new CookieBrowser()
  await signInAtDirectory(browser, `${root}/auth/oidc/${home.id}.staff/start`, 'nour')
  const cookie = [...browser.cookies].find(([key]) => key.endsWith(' cf_session'))?.[1].value
  const page = clientOf(root, { 'x-cf-dashboard': '1', cookie: `cf_session=${cookie}` })
  expectStatus(await other.admin.post('/members', { email, name: 'Nour', password: PASSWORD, role: 'viewer' }), 201)
  const { deviceCode, userCode } = await begun()
  expectStatus(await answer(page, userCode, true), 200)
  const { token, workspaces } = expectStatus(await take(deviceCode), 200).data
  assert.deepEqual(
    workspaces.map(({ id }: any) => id),
    [home.id],
  )
  const statuses = [home, other].map(async ({ id }) => {
    const client = clientOf(root, { authorization: `Bearer ${token}`, 'x-tenant-id': id })
    return (await client.get('/segments')).status
  })
  assert.deepEqual(await Promise.all(statuses), [200, 403])
  assert.deepEqual(told(await bearer(token).put('/auth/me', { name: 'N' })), [403, 'SESSION_OF_WORKSPACE'])
})
