/** People as a directory sends them: nobody is a member before they sign in, and nobody is one who left. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Answer, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { provisionedWorkspace, SETTINGS } from '../../../test/builders/sign-in/provisioned-workspace.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const app = await startApp(SETTINGS)
const make = () => provisionedWorkspace(app)

const membersOf = async ({ admin }: Workspace) => expectStatus(await admin.get('/members'), 200).data.members as any[]
const memberOf = async (ws: Workspace, email: string) => (await membersOf(ws)).find((each) => each.email === email)
const told = ({ status, body }: Answer) => [status, body?.scimType]
const replace = (value: object) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', value }],
})
const send = async (scim: Client, user: object) => expectStatus(await scim.post('/Users', user), 201).body

test('a user is sent, waits, signs in, is deactivated and comes back; sessions end with the membership', async () => {
  const { ws, scim, domain, signIn } = await make()
  const email = `amal@${domain}`
  const user = await send(scim, { userName: email, externalId: 'amal', displayName: 'Amal', password: 'x', groups: [], title: 'y' })
  const { meta, id, ...rest } = user
  assert.deepEqual(rest, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    active: true,
    userName: email,
    externalId: 'amal',
    displayName: 'Amal',
  })
  assert.deepEqual([meta.resourceType, meta.version, new URL(meta.location).pathname], ['User', 'W/"1"', `/scim/v2/Users/${id}`])
  assert.equal(await memberOf(ws, email), undefined)
  const first = await signIn('amal', { email })
  assert.equal(first.location, '/')
  expectStatus(await first.me.get('/segments'), 200)
  assert.deepEqual([(await memberOf(ws, email)).role, (await memberOf(ws, email)).source], ['viewer', 'scim'])
  const { userId } = await memberOf(ws, email)
  assert.equal((await ws.admin.delete(`/members/${userId}`)).body.code, 'MEMBER_MANAGED')

  const off = expectStatus(await scim.patch(`/Users/${id}`, replace({ active: false })), 200)
  assert.deepEqual([off.body.active, off.headers.get('etag')], [false, 'W/"2"'])
  assert.equal(await memberOf(ws, email), undefined)
  assert.equal((await first.me.get('/auth/me')).status, 401)
  assert.equal((await signIn('amal', { email })).location, '/sign-in?error=not_assigned')

  expectStatus(await scim.patch(`/Users/${id}`, replace({ active: true })), 200)
  assert.equal((await memberOf(ws, email)).role, 'viewer')
  assert.equal((await first.me.get('/auth/me')).status, 401)
  assert.equal((await signIn('amal', { email })).location, '/')
  assert.equal((await scim.delete(`/Users/${id}`)).status, 204)
  assert.equal(await memberOf(ws, email), undefined)
  assert.deepEqual(told(await scim.get(`/Users/${id}`)), [404, undefined])
})

test('without an external id somebody is known by an address of a proven domain, and by no other', async () => {
  const { ws, scim, domain, signIn, save } = await make()
  const [email, other] = [`sara@${domain}`, 'sara@elsewhere.example']
  const user = await send(scim, { userName: 'sara', emails: [{ value: email.toUpperCase(), type: 'work', primary: true }] })
  const foreign = await send(scim, { userName: other, active: false })
  expectStatus(await (await signIn('s1', { email })).me.get('/segments'), 200)
  assert.equal((await memberOf(ws, email)).source, 'scim')
  await save({ domains: [] })
  assert.equal((await signIn('s2', { email: other })).location, '/sign-in?error=domain_not_verified')
  expectStatus(await scim.delete(`/Users/${user.id}`), 204)
  expectStatus(await scim.delete(`/Users/${foreign.id}`), 204)
})

test('who signed in before the directory sent them follows it from then on', async () => {
  const { ws, scim, domain, signIn } = await make()
  const email = `omar@${domain}`
  const { me } = await signIn('omar', { email, groups: ['Writers'] })
  assert.deepEqual([(await memberOf(ws, email)).role, (await memberOf(ws, email)).source], ['editor', 'oidc'])
  const user = await send(scim, { userName: email, externalId: 'omar' })
  // Nothing was said of groups: what the token gave stays.
  assert.equal((await memberOf(ws, email)).role, 'editor')
  expectStatus(await scim.put(`/Users/${user.id}`, { userName: email, externalId: 'omar', active: false }), 200)
  assert.equal(await memberOf(ws, email), undefined)
  assert.equal((await me.get('/auth/me')).status, 401)
})

test('who left is removed while their provider is switched off too', async () => {
  const { ws, scim, domain, signIn, save } = await make()
  const email = `off@${domain}`
  const user = await send(scim, { userName: email, externalId: 'off' })
  const { me } = await signIn('off', { email })
  await save({ isOn: false })
  expectStatus(await scim.patch(`/Users/${user.id}`, replace({ active: false })), 200)
  assert.equal(await memberOf(ws, email), undefined)
  assert.equal((await me.get('/auth/me')).status, 401)
})

test('the last admin stays, the log says so, and somebody else may then remove them', async () => {
  const { ws, scim, domain, signIn } = await make()
  const email = `boss@${domain}`
  const user = await send(scim, { userName: email, externalId: 'boss' })
  const { me } = await signIn('boss', { email, groups: ['Admins'] })
  const before = (await membersOf(ws)).find((each) => each.email !== email)
  expectStatus(await me.delete(`/members/${before.userId}`), 200)
  expectStatus(await scim.patch(`/Users/${user.id}`, replace({ active: false })), 200)
  assert.equal((await me.get('/auth/me')).status, 401)
  const again = await signIn('boss', { email, groups: ['Admins'] })
  assert.equal(again.location, '/')
  const { entries } = expectStatus(await again.me.get('/audit?limit=50'), 200).data
  const kept = entries.find((each: any) => each.object?.kind === 'member' && each.members?.includes('isLastAdmin'))
  assert.deepEqual([kept?.actor.kind, kept?.action], ['service', 'changeScimUser'])
  // The operator's way in and a second admin: the one who was kept is removed by hand.
  const second = await signIn('second', { email: `second@${domain}`, groups: ['Admins'] })
  const { userId } = expectStatus(await second.me.get('/members'), 200).data.members.find((each: any) => each.email === email)
  expectStatus(await second.me.delete(`/members/${userId}`), 200)
})

test('a token of another workspace sees and changes nothing, and no other credential opens anything', async () => {
  const [a, b] = [await make(), await make()]
  const user = await send(a.scim, { userName: `x@${a.domain}` })
  const group = expectStatus(await a.scim.post('/Groups', { displayName: 'G', members: [{ value: user.id }] }), 201).body
  for (const path of [`/Users/${user.id}`, `/Groups/${group.id}`]) {
    for (const answer of [await b.scim.get(path), await b.scim.put(path, { userName: 'x', displayName: 'x' }), await b.scim.delete(path)])
      assert.deepEqual(told(answer), [404, undefined])
    assert.equal((await b.scim.patch(path, replace({ active: false }))).status, 404)
  }
  for (const path of ['/Users', '/Groups', '/Users?filter=userName eq "x"']) assert.equal((await b.scim.get(path)).body.totalResults, 0)
  const theirs = expectStatus(await b.scim.post('/Groups', { displayName: 'G', members: [{ value: user.id }] }), 201).body
  assert.deepEqual(theirs.members, [])
  const headers = { authorization: `Bearer ${a.token}`, 'x-tenant-id': b.ws.id }
  const mixed = await a.scim.get('/Users', { headers })
  assert.deepEqual([mixed.status, mixed.body.status], [403, '403'])
  assert.equal((await a.scim.get('/Users', { headers: { ...headers, 'x-tenant-id': a.ws.id } })).status, 200)
  for (const authorization of [`Bearer ${a.ws.token}`, `Bearer ${a.token.slice(0, -1)}x`, 'Basic eA==', '']) {
    const answer = await a.scim.get('/Users', { headers: { authorization, 'x-tenant-id': a.ws.id } })
    assert.deepEqual([answer.status, answer.body.schemas], [401, ['urn:ietf:params:scim:api:messages:2.0:Error']], authorization)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/scim\+json/)
  }
  const service = expectStatus(await a.ws.admin.post('/service-accounts', { name: 'Reader', role: 'editor' }), 201).data.id
  const { token } = expectStatus(await a.ws.admin.post(`/service-accounts/${service}/tokens`, {}), 201).data
  assert.equal((await a.scim.get('/Users', { headers: { authorization: `Bearer ${token}` } })).status, 403)
})
