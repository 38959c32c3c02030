import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CookieBrowser, signInAtDirectory } from '../../../../../test/builders/sign-in/cookie-browser.ts'
import { openDirectory } from '../../../../../test/builders/sign-in/identity-provider.ts'
import { clientOf, expectStatus, PASSWORD, uniqueEmail } from '../../../../../test/builders/builders.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'
import { until } from '../../../../../test/harness/until.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { url, operator, workspace } = app
const root = `${url}/api/v1`
const ID = 'staff'
const directory = await openDirectory({ id: ID, url })
after(() => directory.close())

type Change = Record<string, unknown>
const save = (change: Change = {}, id = ID) =>
  operator.put(`/operator/identity-providers/${id}`, {
    name: 'Staff',
    issuer: directory.issuer,
    clientId: directory.clientId,
    clientSecret: directory.clientSecret,
    ...change,
  })
const start = (id = ID, returnTo = '/w/home') => `${root}/auth/oidc/${id}/start?returnTo=${encodeURIComponent(returnTo)}`
const own = { 'x-cf-dashboard': '1' }
async function me(browser: CookieBrowser) {
  const visit = await browser.send(`${root}/auth/me`, { headers: own })
  return { status: visit.status, data: visit.status === 200 ? JSON.parse(visit.text).data : undefined }
}
async function signIn(login: string, browser = new CookieBrowser()) {
  const visit = await signInAtDirectory(browser, start(), login)
  assert.equal(visit.status, 303, visit.text)
  return { browser, location: visit.headers.get('location') ?? '' }
}

test('somebody of a group signs in: an account is made, with the role of the group, and the session opens its workspace', async () => {
  const ws = await workspace()
  expectStatus(await save({ mapping: [{ group: 'editors', workspaceId: ws.id, role: 'editor' }] }), 200)
  const email = uniqueEmail()
  directory.people.set('amal', { email, email_verified: true, name: 'Amal', groups: ['editors', 'others'] })
  const { browser, location } = await signIn('amal')
  assert.equal(location, '/w/home')
  const { data } = await me(browser)
  assert.deepEqual([data.user.email, data.user.name], [email, 'Amal'])
  assert.deepEqual(
    data.workspaces.map((each: any) => [each.id, each.role]),
    [[ws.id, 'editor']],
  )
  const members = expectStatus(await ws.admin.get('/members'), 200).data.members
  const member = members.find((each: any) => each.email === email)
  assert.equal(member.source, 'oidc')
  const refused = await ws.admin.put(`/members/${member.userId}`, { role: 'viewer' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'MEMBER_MANAGED'])
  assert.equal((await ws.admin.delete(`/members/${member.userId}`)).body.code, 'MEMBER_MANAGED')
  assert.equal((await clientOf(root).post('/auth/login', { email, password: PASSWORD })).status, 401)
})

test('the way there asks for S256, a state and a nonce; the cookie is of the provider’s routes, for ten minutes', async () => {
  expectStatus(await save(), 200)
  const { status, headers } = await new CookieBrowser().send(start())
  const asked = new URL(headers.get('location') ?? '')
  assert.deepEqual([status, asked.origin, asked.searchParams.get('code_challenge_method')], [303, directory.issuer, 'S256'])
  assert.equal(asked.searchParams.get('redirect_uri'), `${root}/auth/oidc/${ID}/callback`)
  for (const name of ['state', 'nonce', 'code_challenge']) assert.match(asked.searchParams.get(name) ?? '', /^[\w-]{43}$/)
  const [cookie = ''] = headers.getSetCookie()
  assert.match(cookie, /^cf_oidc_\w+=v1\.\S+; Max-Age=600; Path=\/api\/v1\/auth\/oidc\/staff; HttpOnly; SameSite=Lax$/)
  for (const [odd, kept] of [
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/api/v1/auth/logout', '/'],
    ['/w/a?b=//c', '/w/a?b=//c'],
  ] as const) {
    directory.people.set('goes-on', { email: 'goes-on@example.com', groups: ['x'] })
    const ws = await workspace()
    expectStatus(await save({ mapping: [{ group: 'x', workspaceId: ws.id, role: 'viewer' }] }), 200)
    const visit = await signInAtDirectory(new CookieBrowser(), start(ID, odd), 'goes-on')
    assert.equal(visit.headers.get('location'), kept, odd)
  }
})

test('groups are read at each sign-in: a role changes, and goes; the last admin stays', async () => {
  const [one, two] = [await workspace(), await workspace()]
  const mapping = [
    { group: 'a', workspaceId: one.id, role: 'editor', canApprove: true },
    { group: 'b', workspaceId: one.id, role: 'viewer' },
    { group: 'b', workspaceId: two.id, role: 'viewer' },
  ]
  expectStatus(await save({ mapping }), 200)
  const email = uniqueEmail()
  const rolesAfter = async (groups: string[]) => {
    directory.people.set('badr', { email, groups })
    const { browser, location } = await signIn('badr')
    const { data } = await me(browser)
    return data ? data.workspaces.map((each: any) => [each.id, each.role, each.canApprove]) : location
  }
  assert.deepEqual(await rolesAfter(['b', 'a']), [
    [one.id, 'editor', true],
    [two.id, 'viewer', false],
  ])
  assert.deepEqual(await rolesAfter(['b']), [
    [one.id, 'viewer', false],
    [two.id, 'viewer', false],
  ])
  assert.deepEqual(await rolesAfter(['a']), [[one.id, 'editor', true]])
  assert.equal(await rolesAfter([]), '/sign-in?error=not_assigned')
  assert.equal(expectStatus(await one.admin.get('/members'), 200).data.members.length, 1)
  // The admin of a workspace, by hand, is in a group that gives less.
  const { email: adminEmail } = expectStatus(await one.admin.get('/auth/me'), 200).data.user
  expectStatus(await save({ mapping, domains: ['example.com'] }), 200)
  directory.people.set('admin', { email: adminEmail, email_verified: true, groups: ['b'] })
  const { browser } = await signIn('admin')
  const { data } = await me(browser)
  assert.deepEqual(
    data.workspaces.map((each: any) => [each.id, each.role]),
    [
      [one.id, 'admin'],
      [two.id, 'viewer'],
    ],
  )
})

test('an account that exists is linked by a verified address of the provider’s domains; otherwise after a sign-in of its own', async () => {
  const ws = await workspace()
  const email = uniqueEmail()
  expectStatus(await ws.admin.post('/members', { email, name: 'Dina', password: PASSWORD, role: 'viewer' }), 201)
  const mapping = [{ group: 'a', workspaceId: ws.id, role: 'editor' }]
  expectStatus(await save({ mapping, domains: ['other.example'] }), 200)
  directory.people.set('dina', { email: email.toUpperCase(), email_verified: true, groups: ['a'] })
  const { browser, location } = await signIn('dina')
  assert.equal(location, '/sign-in?error=link_required')
  assert.equal((await me(browser)).status, 401)
  const link = () => browser.send(`${root}/auth/link`, { method: 'POST', json: {}, headers: own })
  assert.equal((await link()).status, 401)
  const signedIn = await browser.send(`${root}/auth/session`, {
    method: 'POST',
    json: { email, password: PASSWORD, next: 'another long password' },
    headers: own,
  })
  assert.equal(signedIn.status, 200, signedIn.text)
  const waiting = JSON.parse((await browser.send(`${root}/auth/link`, { headers: own })).text).data.waiting
  assert.deepEqual(waiting, { provider: { id: ID, name: 'Staff' }, email: email.toUpperCase() })
  assert.equal((await link()).status, 200)
  const again = JSON.parse((await link()).text)
  assert.equal(again.code, 'LINK_NOT_WAITING')
  const known = await signIn('dina')
  assert.equal(known.location, '/w/home')
  assert.equal((await me(known.browser)).data.user.email, email)
  // Another address at the provider leads to the same account; nobody else becomes it.
  directory.people.set('dina', { email: uniqueEmail(), groups: ['a'] })
  assert.equal((await me((await signIn('dina')).browser)).data.user.email, email)
})

test('whoever opened an account with an address that a provider vouches for loses it to whoever has the address', async () => {
  const squatter = await workspace()
  const { email } = expectStatus(await squatter.admin.get('/auth/me'), 200).data.user
  const ws = await workspace()
  expectStatus(await save({ mapping: [{ group: 'a', workspaceId: ws.id, role: 'editor' }], domains: ['example.com'] }), 200)
  directory.people.set('victim', { email, email_verified: false, groups: ['a'] })
  assert.equal((await signIn('victim')).location, '/sign-in?error=link_required')
  directory.people.set('victim', { email, email_verified: true, groups: ['a'] })
  assert.equal((await me((await signIn('victim')).browser)).data.user.email, email)
  assert.equal((await squatter.admin.get('/auth/me')).status, 401)
  // The directory gives the address to a new colleague.
  directory.people.set('successor', { email, email_verified: true, groups: ['a'] })
  assert.equal((await signIn('successor')).location, '/sign-in?error=link_required')
  assert.equal((await clientOf(root).post('/auth/login', { email, password: PASSWORD })).status, 401)
})

test('two tabs each come back to their own page; an answer is taken once, and in its browser alone', async () => {
  const ws = await workspace()
  expectStatus(await save({ mapping: [{ group: 'a', workspaceId: ws.id, role: 'editor' }] }), 200)
  directory.people.set('tabs', { email: uniqueEmail(), groups: ['a'] })
  const browser = new CookieBrowser()
  const isBack = (to: string) => to.startsWith(`${root}/auth/oidc/${ID}/callback`)
  await signInAtDirectory(browser, start(ID, '/w/first'), 'tabs')
  // Signed in there, so both come back at once.
  const [one, two] = [await browser.go(start(ID, '/w/one'), {}, isBack), await browser.go(start(ID, '/w/two'), {}, isBack)]
  const kept = new Map(browser.cookies)
  assert.equal((await browser.send(one.url)).headers.get('location'), '/w/one')
  assert.equal((await browser.send(two.url)).headers.get('location'), '/w/two')
  assert.equal((await browser.send(two.url)).headers.get('location'), '/sign-in?error=sso_failed')
  for (const [key, cookie] of kept) browser.cookies.set(key, cookie)
  assert.equal((await browser.send(two.url)).headers.get('location'), '/sign-in?error=sso_failed')
  const three = await browser.go(start(), {}, isBack)
  const elsewhere = new CookieBrowser()
  assert.equal((await elsewhere.send(three.url)).headers.get('location'), '/sign-in?error=sso_failed')
  // As many tabs as somebody likes: the headers stay small enough to be taken.
  for (let i = 0; i < 30; i++) await browser.send(start())
  assert.equal((await browser.go(start(), {}, isBack)).url.startsWith(root), true)
})

test('a trial shows what a provider that is off says of whoever tries it, and signs nobody in', async () => {
  const ws = await workspace()
  expectStatus(await save({ isOn: false, mapping: [{ group: 'a', workspaceId: ws.id, role: 'editor' }] }), 200)
  assert.equal((await new CookieBrowser().send(start())).status, 404)
  const email = uniqueEmail()
  directory.people.set('tries', { email, name: 'T', groups: ['a'] })
  const browser = new CookieBrowser()
  const visit = await signInAtDirectory(browser, `${start()}&try=true`, 'tries')
  const [page, told = ''] = (visit.headers.get('location') ?? '').split('#')
  assert.equal(page, '/sign-in/tried')
  assert.deepEqual(JSON.parse(Buffer.from(told, 'base64url').toString()), {
    provider: { id: ID, name: 'Staff' },
    subject: 'tries',
    email,
    isEmailVerified: false,
    name: 'T',
    groups: ['a'],
    granted: [{ workspaceId: ws.id, role: 'editor', canApprove: false }],
  })
  assert.equal((await me(browser)).status, 401)
  expectStatus(await save(), 200)
})

test('signing out ends the session here first, and leads to the provider’s own page', async () => {
  const ws = await workspace()
  expectStatus(await save({ isOn: true, mapping: [{ group: 'a', workspaceId: ws.id, role: 'editor' }] }), 200)
  directory.people.set('leaves', { email: uniqueEmail(), groups: ['a'] })
  const { browser } = await signIn('leaves')
  const out = await browser.send(`${root}/auth/session`, { method: 'DELETE', headers: own })
  const { signedOut, signOutUrl } = JSON.parse(out.text).data
  const at = new URL(signOutUrl)
  assert.deepEqual([signedOut, at.origin, at.searchParams.get('post_logout_redirect_uri')], [true, directory.issuer, `${url}/sign-in`])
  assert.match(at.searchParams.get('id_token_hint') ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/)
  assert.equal((await me(browser)).status, 401)
  // A session by password is ended as before.
  const plain = new CookieBrowser()
  const { email } = expectStatus(await ws.admin.get('/auth/me'), 200).data.user
  await plain.send(`${root}/auth/session`, { method: 'POST', json: { email, password: PASSWORD }, headers: own })
  const ended = await plain.send(`${root}/auth/session`, { method: 'DELETE', headers: own })
  assert.equal(ended.text, '{"success":true,"data":{"signedOut":true}}')
})

test('a sign-out at the provider ends the sessions that came from there', async () => {
  const ws = await workspace()
  expectStatus(await save({ mapping: [{ group: 'a', workspaceId: ws.id, role: 'editor' }] }), 200)
  directory.people.set('everywhere', { email: uniqueEmail(), groups: ['a'] })
  const { browser } = await signIn('everywhere')
  assert.equal((await me(browser)).status, 200)
  // The provider's own page asks, and then tells all of its applications.
  const page = await browser.go(`${directory.issuer}/session/end`)
  const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  await browser.go(new URL(action, page.url).href, { method: 'POST', form: { xsrf, logout: 'yes' } }, (to) => to.startsWith(url))
  await until('the session has ended', async () => (await me(browser)).status === 401)
})
