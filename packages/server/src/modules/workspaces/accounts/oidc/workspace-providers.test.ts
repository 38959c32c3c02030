/** Providers of workspaces: they open their own workspace, and are no key to the installation. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { CookieBrowser, signInAtDirectory } from '../../../../../test/builders/sign-in/cookie-browser.ts'
import { openDirectory, type Directory } from '../../../../../test/builders/sign-in/identity-provider.ts'
import { openNameServer } from '../../../../../test/builders/mails/name-server.ts'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Answer, type Workspace } from '../../../../../test/builders/builders.ts'
import { freshDatabase, startApp, startOn } from '../../../../../test/harness/start-app.ts'

const names = await openNameServer()
after(() => names.close())
const { url, operator, workspace, advance, ctx } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_DNS_SERVERS: names.address })
const root = `${url}/api/v1`
const own = { 'x-cf-dashboard': '1' }
const told = ({ status, body }: Answer) => [status, body?.code]

let made = 0
/** A workspace with a directory of its own, and a domain that is proven. */
async function withDirectory(change: Record<string, unknown> = {}) {
  const ws = await workspace()
  const domain = `d${++made}.example`
  const directory = await openDirectory({ id: `${ws.id}.staff`, url })
  after(() => directory.close())
  const save = (more: Record<string, unknown> = {}) =>
    ws.admin.put('/settings/identity-providers/staff', {
      name: 'Staff',
      issuer: directory.issuer,
      clientId: directory.clientId,
      clientSecret: directory.clientSecret,
      mapping: [{ group: 'a', role: 'editor' }],
      domains: [domain],
      ...change,
      ...more,
    })
  const saved = expectStatus(await save(), 200).data
  names.texts.set(domain, ['v=spf1 -all', saved.domains[0].record])
  return { ws, domain, directory, save }
}
async function signIn({ ws, directory }: { ws: Workspace; directory: Directory }, login: string, person: object) {
  directory.people.set(login, person)
  const browser = new CookieBrowser()
  const visit = await signInAtDirectory(browser, `${root}/auth/oidc/${ws.id}.staff/start`, login)
  const cookie = [...browser.cookies].find(([key]) => key.endsWith(' cf_session'))?.[1].value
  const as = (tenant: string) => clientOf(root, { ...own, cookie: `cf_session=${cookie}`, 'x-tenant-id': tenant })
  return { location: visit.headers.get('location'), as, me: as(ws.id), browser }
}

test('accounts are made for domains that the workspace has proven, and for no others', async () => {
  const made = await withDirectory()
  const { ws, domain, save } = made
  const person = { email: `nour@${domain}`, groups: ['a'] }
  assert.equal((await signIn(made, 'nour', person)).location, '/sign-in?error=domain_not_verified')
  const saved = expectStatus(await save(), 200).data
  assert.match(saved.domains[0].record, /^contentflow-domain-verification=[0-9a-f]{32}$/)
  assert.deepEqual([saved.id, saved.hasSecret, saved.domains[0].isProven], ['staff', true, true])
  assert.equal(saved.redirectUri, `${root}/auth/oidc/${ws.id}.staff/callback`)
  const { location, me } = await signIn(made, 'nour', person)
  assert.equal(location, '/')
  expectStatus(await me.get('/segments'), 200)
  for (const email of ['evil@other.example', `evil@sub.${domain}`, `evil@x${domain}`])
    assert.equal((await signIn(made, email, { email, email_verified: true, groups: ['a'] })).location, '/sign-in?error=domain_not_verified')
})

test('a record that is gone is noticed within a week: new accounts stop, those that are there go on', async () => {
  const made = await withDirectory()
  const { ws, domain, save } = made
  expectStatus(await save(), 200)
  assert.equal((await signIn(made, 'first', { email: `first@${domain}`, groups: ['a'] })).location, '/')
  names.texts.delete(domain)
  await ctx.db
    .updateTable('sign_in_domains')
    .set({ checked_at: new Date(Date.now() - 8 * 86_400_000) })
    .where('workspace_id', '=', ws.id)
    .execute()
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'accounts' }), 200)
  const [provider] = expectStatus(await ws.admin.get('/settings/identity-providers'), 200).data.providers
  assert.equal(provider.domains[0].isProven, false)
  assert.equal((await signIn(made, 'second', { email: `second@${domain}`, groups: ['a'] })).location, '/sign-in?error=domain_not_verified')
  assert.equal((await signIn(made, 'first', { email: `first@${domain}`, groups: ['a'] })).location, '/')
})

test('the sign-in page offers a workspace’s provider to addresses of its proven domain, known or not', async () => {
  const { ws, domain, save } = await withDirectory()
  const offered = async (email?: string) =>
    expectStatus(await clientOf(root).get(`/auth/providers${email ? `?email=${encodeURIComponent(email)}` : ''}`), 200).data.providers
  assert.deepEqual(await offered(`nobody@${domain}`), [])
  expectStatus(await save(), 200)
  assert.deepEqual(await offered(`nobody@${domain}`), [{ id: `${ws.id}.staff`, name: 'Staff' }])
  assert.deepEqual(await offered(`Other@${domain.toUpperCase()}`), [{ id: `${ws.id}.staff`, name: 'Staff' }])
  for (const email of [undefined, 'x', 'a@other.example', `@${domain}.evil.example`]) assert.deepEqual(await offered(email), [])
  expectStatus(await save({ isOn: false }), 200)
  assert.deepEqual(await offered(`nobody@${domain}`), [])
})

test('no address finds an account that exists, and a session opens that workspace and its sandbox alone', async () => {
  const made = await withDirectory({ defaultRole: 'viewer' })
  const { ws, domain, save } = made
  expectStatus(await save(), 200)
  const victim = await workspace({ email: `victim@${domain}` })
  const taken = await signIn(made, 'evil', { email: `victim@${domain}`, email_verified: true, groups: ['a'] })
  assert.equal(taken.location, '/sign-in?error=link_required')
  // Their own, who also belongs elsewhere.
  const email = `hind@${domain}`
  const { me, as, browser } = await signIn(made, 'hind', { email, groups: [] })
  const invited = expectStatus(await victim.admin.post('/members', { email, name: 'H', password: PASSWORD, role: 'editor' }), 201).data
  const joining = await me.post('/workspaces/join', { token: invited.invitation.token })
  assert.deepEqual(told(joining), [403, 'SESSION_OF_WORKSPACE'])
  const { userId } = expectStatus(await me.get('/auth/me'), 200).data.user
  const row = { workspace_id: victim.id, account_id: userId, invitation_hash: null, invitation_expires_at: null }
  await ctx.db.updateTable('members').set(row).where('workspace_id', '=', victim.id).where('account_id', '=', userId).execute()
  const seen = expectStatus(await me.get('/auth/me'), 200).data.workspaces
  assert.deepEqual(
    seen.map((each: any) => [each.id, each.role]),
    [[ws.id, 'viewer']],
  )
  assert.equal(expectStatus(await me.get('/workspaces'), 200).data.workspaces.length, 1)
  assert.deepEqual(told(await as(victim.id).get('/segments')), [403, undefined])
  for (const [method, path, body] of [
    ['post', '/workspaces', { name: 'x' }],
    ['put', '/auth/me', { name: 'x' }],
    ['post', '/auth/email', { email: uniqueEmail(), password: 'x' }],
    ['post', '/auth/link', {}],
    ['post', '/auth/me/restore', {}],
  ] as const)
    assert.deepEqual(told(await me[method](path, body)), [403, 'SESSION_OF_WORKSPACE'], path)
  assert.deepEqual(told(await me.delete('/auth/session?everywhere=true')), [403, 'SESSION_OF_WORKSPACE'])
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  expectStatus(await as(sandbox.workspaceId).get('/segments'), 200)
  const out = await browser.send(`${root}/auth/session`, { method: 'DELETE', headers: own })
  assert.equal(out.status, 200)
})

test('whoever saves a provider holds all that it gives: rows that are sent, rows that stand in it, the default role', async () => {
  const { ws, save } = await withDirectory({ mapping: [{ group: 'a', role: 'admin' }] })
  const { id } = expectStatus(
    await ws.admin.post('/roles', { name: 'Sign-ins', permissions: ['settings:manage', 'strings:read'] }),
    201,
  ).data
  const email = uniqueEmail()
  expectStatus(await ws.admin.post('/members', { email, name: 'Bo', password: PASSWORD, role: 'viewer', roleId: id }), 201)
  const { token } = expectStatus(await clientOf(root).post('/auth/login', { email, password: PASSWORD }), 200).data
  const me = clientOf(root, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
  const put = (more: object) => me.put('/settings/identity-providers/staff', { name: 'Staff', ...more })
  const issuer = 'https://elsewhere.example'
  const wide = [
    {},
    { issuer },
    { mapping: [{ group: 'a', role: 'viewer' }] },
    { mapping: [{ group: 'a', role: 'editor' }] },
    { mapping: [], defaultRole: 'editor' },
  ]
  for (const more of wide) assert.deepEqual(told(await put(more)), [403, 'GRANT_TOO_WIDE'], JSON.stringify(more))
  const kept = expectStatus(await ws.admin.get('/settings/identity-providers'), 200).data.providers[0]
  assert.deepEqual([kept.issuer === issuer, kept.mapping[0].role, kept.defaultRole], [false, 'admin', null])
  const given = expectStatus(await put({ mapping: [{ group: 'a', roleId: id }] }), 200).data
  assert.equal(given.mapping[0].roleId, id)
  expectStatus(await put({ isOn: false }), 200)
  expectStatus(await save({ isOn: true }), 200)
})

test('a provider that is taken away ends its sessions; its members stay, and are members made by hand', async () => {
  const made = await withDirectory()
  const { ws, domain, save } = made
  expectStatus(await save(), 200)
  const { me } = await signIn(made, 'gone', { email: `gone@${domain}`, groups: ['a'] })
  const { userId } = expectStatus(await me.get('/auth/me'), 200).data.user
  expectStatus(await ws.admin.delete('/settings/identity-providers/staff'), 200)
  assert.equal((await me.get('/auth/me')).status, 401)
  assert.equal((await ws.admin.delete('/settings/identity-providers/staff')).status, 404)
  const changed = expectStatus(await ws.admin.put(`/members/${userId}`, { role: 'viewer' }), 200).data
  assert.equal('source' in changed, false)
})

test('a required provider keeps everybody else out, but for named admins with a passkey; the operator lets them in again', async () => {
  const made = await withDirectory({ mapping: [{ group: 'admins', role: 'admin' }] })
  const { ws, domain, save } = made
  expectStatus(await save(), 200)
  const unset = { ssoRequired: false, breakGlass: [], secondFactor: 'off', sessionIdleMinutes: null }
  assert.deepEqual(expectStatus(await ws.admin.get('/settings/sign-in'), 200).data, unset)
  assert.deepEqual(told(await ws.admin.put('/settings/sign-in', { ssoRequired: true })), [409, 'SSO_NOT_USED'])
  const { me } = await signIn(made, 'boss', { email: `boss@${domain}`, groups: ['admins'] })
  const { userId } = expectStatus(await ws.admin.get('/auth/me'), 200).data.user
  const viewer = await ws.viewer()
  const { userId: viewerId } = expectStatus(await viewer.get('/auth/me'), 200).data.user
  for (const breakGlass of [[viewerId], ['nobody'], [userId, userId, userId], 5])
    assert.equal((await me.put('/settings/sign-in', { breakGlass })).status, 400, String(breakGlass))
  const wanted = { ssoRequired: true, breakGlass: [userId] }
  assert.deepEqual(expectStatus(await me.put('/settings/sign-in', wanted), 200).data, { ...unset, ...wanted })
  const refused = await ws.admin.get('/segments')
  assert.deepEqual([...told(refused), refused.body.signInUrl], [403, 'SSO_REQUIRED', `/api/v1/auth/oidc/${ws.id}.staff/start`])
  expectStatus(await me.get('/segments'), 200)
  assert.notEqual((await ws.write.post('/cards/sync', { blocks: [] })).status, 403)
  // With a passkey, as the session of one says.
  await ctx.db
    .updateTable('sessions')
    .set({ amr: ['webauthn'] })
    .where('account_id', 'in', [userId, viewerId])
    .execute()
  expectStatus(await ws.admin.get('/segments'), 200)
  assert.deepEqual(told(await viewer.get('/segments')), [403, 'SSO_REQUIRED'])
  expectStatus(await operator.delete(`/operator/workspaces/${ws.id}/sign-in`), 200)
  expectStatus(await viewer.get('/segments'), 200)
  assert.equal((await operator.delete('/operator/workspaces/nowhere/sign-in')).status, 404)
  await advance(601)
  assert.deepEqual(told(await me.put('/settings/sign-in', { ssoRequired: true })), [409, 'SSO_NOT_USED'])
})

test('what is wrong of a provider is said, and nothing is kept; what is left out stays; a secret is told to nobody else', async () => {
  const ws = await workspace()
  const put = (body: object, id = 'p') => ws.admin.put(`/settings/identity-providers/${id}`, body)
  const right = { name: 'P', issuer: 'https://login.example/realms/a', clientId: 'c', clientSecret: 's', groupsClaim: 'roles', isOn: false }
  for (const [wrong, text] of [
    [{ issuer: 'http://login.example' }, /^issuer must begin with https/],
    [{ issuer: 'https://login.example?a=b' }, /^issuer /],
    [{ issuer: 'https://login.microsoftonline.com/common/v2.0' }, /^issuer must be of one tenant/],
    [{ issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' }, /^issuer /],
    [{ issuer: 'x' }, /^issuer /],
    [{ issuer: undefined }, /^issuer is missing/],
    [{ clientId: undefined }, /^clientId is missing/],
    [{ scopes: ['email'] }, /^scopes must have openid/],
    [{ domains: ['nodot'] }, /^domains must be names/],
    [{ domains: Array.from({ length: 21 }, (_, i) => `d${i}.example`) }, /^domains /],
    [{ mapping: [{ group: 'g', role: 'owner' }] }, /^mapping.0.role /],
    [{ mapping: [{ group: 'g', role: 'editor', workspaceId: 'another' }] }, /^mapping names another workspace/],
    [{ mapping: Array.from({ length: 201 }, () => ({ group: 'g', role: 'editor' })) }, /^mapping /],
    [{ defaultRole: 'x' }, /^defaultRole /],
    [{ name: '' }, /^name /],
  ] as const) {
    const answer = await put({ ...right, ...wrong })
    assert.equal(answer.status, 400, JSON.stringify(wrong))
    assert.match(answer.body.error, text)
  }
  for (const id of ['A', 'a.b', '-a', 'x'.repeat(41)]) assert.equal((await put(right, id)).status, 400, id)
  assert.deepEqual(expectStatus(await ws.admin.get('/settings/identity-providers'), 200).data.providers, [])
  const first = expectStatus(await put(right), 200).data
  assert.doesNotMatch(JSON.stringify(first), /"s"/)
  const second = expectStatus(await put({ name: 'Q' }), 200).data
  assert.deepEqual(second, { ...first, name: 'Q' })
  assert.equal(expectStatus(await put({ name: 'Q', issuer: 'https://elsewhere.example' }), 200).data.hasSecret, false)
  for (let i = 1; i < 20; i++) expectStatus(await put(right, `p${i}`), 200)
  assert.deepEqual(told(await put(right, 'more')), [409, 'PROVIDER_LIMIT'])
  const editor = await ws.editor()
  assert.deepEqual(told(await editor.get('/settings/identity-providers')), [403, 'ROLE_REQUIRED'])
})

test('a secret that an earlier key sealed is sealed with the present one, and read all the same', async () => {
  const [before, after_] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'))
  const database = await freshDatabase()
  const first = await startOn(database.env, { CF_SECRET_KEY: before ?? '' })
  const provider = { name: 'P', issuer: 'https://login.example', clientId: 'c', clientSecret: 's' }
  expectStatus(await first.operator.put('/operator/identity-providers/p', provider), 200)
  await first.stop()
  const second = await startOn(database.env, { CF_SECRET_KEY: `${after_},${before}` })
  expectStatus(await second.operator.post('/test-hooks/jobs', { job: 'accounts' }), 200)
  await second.stop()
  const third = await startOn(database.env, { CF_SECRET_KEY: after_ ?? '' })
  after(async () => {
    await third.stop()
    await database.remove()
  })
  assert.equal(expectStatus(await third.operator.get('/operator/identity-providers'), 200).data.providers[0].hasSecret, true)
})
