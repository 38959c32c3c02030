/** Groups of the directory and the roles that the mapping gives them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, type Answer, type Workspace } from '../../../test/builders/builders.ts'
import { provisionedWorkspace, SETTINGS } from '../../../test/builders/sign-in/provisioned-workspace.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const app = await startApp(SETTINGS)
const make = () => provisionedWorkspace(app)

const memberOf = async ({ admin }: Workspace, email: string) =>
  expectStatus(await admin.get('/members'), 200).data.members.find((each: any) => each.email === email)
const told = ({ status, body }: Answer) => [status, body?.scimType]
const operation = (op: string, path: string, value?: unknown) => ({ Operations: [{ op, path, ...(value !== undefined && { value }) }] })

test('a member has the role of their groups, at once, and the directory wins over the groups of a token', async () => {
  const { ws, scim, domain, signIn } = await make()
  const email = `nora@${domain}`
  const user = expectStatus(await scim.post('/Users', { userName: email, externalId: 'nora' }), 201).body
  const group = expectStatus(await scim.post('/Groups', { displayName: 'Writers', members: [{ value: user.id }] }), 201).body
  const { me } = await signIn('nora', { email, groups: ['Admins'] })
  assert.equal((await memberOf(ws, email)).role, 'editor')
  expectStatus(await scim.patch(`/Groups/${group.id}`, operation('Remove', 'members', [{ value: user.id }])), 204)
  assert.equal((await memberOf(ws, email)).role, 'viewer')
  // The session goes on: they are a member still.
  expectStatus(await me.get('/segments'), 200)
  expectStatus(await scim.patch(`/Groups/${group.id}`, operation('Add', 'members', [{ value: user.id }])), 204)
  assert.equal((await memberOf(ws, email)).role, 'editor')
  expectStatus(await scim.patch(`/Groups/${group.id}`, operation('Replace', 'displayName', 'Nobody')), 204)
  assert.equal((await memberOf(ws, email)).role, 'viewer')
  expectStatus(await scim.put(`/Groups/${group.id}`, { displayName: 'Else', externalId: 'Admins' }), 200)
  assert.equal((await memberOf(ws, email)).role, 'admin')
  expectStatus(await scim.delete(`/Users/${user.id}`), 204)
  const after = expectStatus(await scim.get(`/Groups/${group.id}`), 200).body
  assert.deepEqual([after.members, after.meta.version], [[], 'W/"6"'])
})

test('without a group and without a default role nobody is a member, and their sessions end', async () => {
  const { ws, scim, domain, signIn, save } = await make()
  await save({ defaultRole: null })
  const email = `hala@${domain}`
  const user = expectStatus(await scim.post('/Users', { userName: email, externalId: 'hala' }), 201).body
  const group = expectStatus(await scim.post('/Groups', { displayName: 'Writers' }), 201).body
  assert.equal((await signIn('hala', { email, groups: ['Writers'] })).location, '/sign-in?error=not_assigned')
  expectStatus(await scim.patch(`/Groups/${group.id}`, operation('add', 'members', [{ value: user.id }])), 204)
  const { me, location } = await signIn('hala', { email })
  assert.equal(location, '/')
  assert.equal((await memberOf(ws, email)).role, 'editor')
  expectStatus(await scim.delete(`/Groups/${group.id}`), 204)
  // It was the last group that was sent: nothing is said of groups any more, and what was given stays.
  assert.equal((await memberOf(ws, email)).role, 'editor')
  const other = expectStatus(await scim.post('/Groups', { displayName: 'Writers', members: [{ value: user.id }] }), 201).body
  expectStatus(await scim.post('/Groups', { displayName: 'Readers' }), 201)
  expectStatus(await scim.patch(`/Groups/${other.id}`, operation('replace', 'members', [])), 204)
  assert.equal(await memberOf(ws, email), undefined)
  assert.equal((await me.get('/auth/me')).status, 401)
})

test('a group may give a role that the workspace made; it is given by who holds it, and not deleted while it is given', async () => {
  const { ws, scim, domain, signIn, save } = await make()
  const role = expectStatus(
    await ws.admin.post('/roles', { name: 'Translators', permissions: ['strings:read', 'strings:write'] }),
    201,
  ).data
  await save({ mapping: [{ group: 'T', roleId: role.id }] })
  const [saved] = expectStatus(await ws.admin.get('/settings/identity-providers'), 200).data.providers
  assert.deepEqual(saved.mapping, [{ group: 'T', workspaceId: ws.id, role: 'viewer', roleId: role.id, canApprove: false }])
  const email = `t@${domain}`
  const user = expectStatus(await scim.post('/Users', { userName: email, externalId: 't' }), 201).body
  await signIn('t', { email, groups: ['T'] })
  assert.deepEqual([(await memberOf(ws, email)).role, (await memberOf(ws, email)).roleId], ['viewer', role.id])
  const group = expectStatus(await scim.post('/Groups', { displayName: 'T', members: [{ value: user.id }] }), 201).body
  assert.equal((await memberOf(ws, email)).roleId, role.id)
  assert.equal((await ws.admin.delete(`/roles/${role.id}`)).body.code, 'ROLE_IN_USE')
  expectStatus(await scim.delete(`/Groups/${group.id}`), 204)
  expectStatus(await scim.delete(`/Users/${user.id}`), 204)
  assert.equal((await ws.admin.delete(`/roles/${role.id}`)).body.code, 'ROLE_IN_USE')
  const put = (mapping: object[]) => ws.admin.put('/settings/identity-providers/staff', { name: 'Staff', mapping })
  assert.equal((await put([{ group: 'T', roleId: 'nope' }])).status, 400)
  assert.equal((await put([{ group: 'T', roleId: role.id, role: 'admin' }])).status, 400)
  assert.equal((await put([{ group: 'T' }])).status, 400)
  expectStatus(await put([]), 200)
  expectStatus(await ws.admin.delete(`/roles/${role.id}`), 200)
})

test('a changed version is 412, one that is right is taken, and what changes nothing keeps its version', async () => {
  const { scim } = await make()
  const group = expectStatus(await scim.post('/Groups', { displayName: 'V' }), 201)
  const path = `/Groups/${group.body.id}`
  assert.equal(group.headers.get('etag'), 'W/"1"')
  const rename = (name: string, version: string) =>
    scim.patch(path, operation('replace', 'displayName', name), { headers: { 'if-match': version } })
  assert.deepEqual(told(await rename('W', 'W/"2"')), [412, undefined])
  assert.equal((await rename('W', 'W/"1"')).headers.get('etag'), 'W/"2"')
  assert.equal((await rename('W', 'W/"2"')).headers.get('etag'), 'W/"2"')
  assert.equal((await scim.delete(path, { headers: { 'if-match': 'W/"1"' } })).status, 412)
  const user = expectStatus(await scim.post('/Users', { userName: 'v' }), 201).body
  const put = await scim.put(`/Users/${user.id}`, { userName: 'v', active: true }, { headers: { 'if-match': 'W/"1"' } })
  assert.equal(put.headers.get('etag'), 'W/"1"')
  assert.equal((await scim.put(`/Users/${user.id}`, { userName: 'w' }, { headers: { 'if-match': 'W/"7"' } })).status, 412)
})

test('admins see what the directory sends and what became of it', async () => {
  const { ws, scim, domain, signIn } = await make()
  const at = (name: string) => `${name}@${domain}`
  for (const name of ['waits', 'comes', 'left']) expectStatus(await scim.post('/Users', { userName: at(name), externalId: name }), 201)
  await signIn('comes', { email: at('comes') })
  await signIn('left', { email: at('left') })
  const [left] = expectStatus(await scim.get(`/Users?filter=${encodeURIComponent(`userName eq "${at('left')}"`)}`), 200).body.Resources
  expectStatus(await scim.patch(`/Users/${left.id}`, operation('replace', 'active', false)), 200)
  expectStatus(await scim.post('/Groups', { displayName: 'G' }), 201)
  const seen = expectStatus(await ws.admin.get('/settings/scim'), 200).data
  assert.deepEqual(seen.users, { total: 3, waiting: 1, member: 1, noRole: 0, inactive: 1, stays: 0 })
  assert.deepEqual([seen.groups, seen.address], [1, `${app.url}/scim/v2`])
  const { users } = expectStatus(await ws.admin.get('/settings/scim/users?limit=2'), 200).data
  assert.deepEqual(
    users.map(({ userName, state }: any) => [userName, state]),
    [
      [at('comes'), 'member'],
      [at('left'), 'inactive'],
    ],
  )
  assert.equal((await (await ws.editor()).get('/settings/scim')).status, 403)
})

test('a sandbox follows its workspace', async () => {
  const { ws, scim, domain, signIn } = await make()
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data.workspaceId
  const email = `s@${domain}`
  const user = expectStatus(await scim.post('/Users', { userName: email, externalId: 's' }), 201).body
  const { me } = await signIn('s', { email })
  const inSandbox = () => me.get('/segments', { headers: { 'x-tenant-id': sandbox } })
  expectStatus(await inSandbox(), 200)
  expectStatus(await scim.patch(`/Users/${user.id}`, operation('replace', 'active', 'False')), 200)
  assert.equal((await inSandbox()).status, 401)
  const headers = { 'x-tenant-id': sandbox }
  assert.equal(
    expectStatus(await ws.admin.get('/members', { headers }), 200).data.members.some((each: any) => each.email === email),
    false,
  )
})

test('service accounts of somebody who left have no owner, and stop after two weeks', async () => {
  const { ws, scim, domain, signIn } = await make()
  const email = `owner@${domain}`
  const user = expectStatus(await scim.post('/Users', { userName: email, externalId: 'owner' }), 201).body
  await signIn('owner', { email, groups: ['Admins'] })
  const { userId } = await memberOf(ws, email)
  const service = expectStatus(await ws.admin.post('/service-accounts', { name: 'Bot', role: 'viewer', ownerId: userId }), 201).data
  const { token } = expectStatus(await ws.admin.post(`/service-accounts/${service.id}/tokens`, {}), 201).data
  const bot = clientOf(`${app.url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
  expectStatus(await scim.patch(`/Users/${user.id}`, operation('replace', 'active', false)), 200)
  expectStatus(await bot.get('/segments'), 200)
  const { serviceAccounts } = expectStatus(await ws.admin.get('/service-accounts'), 200).data
  assert.equal(serviceAccounts.find((each: any) => each.id === service.id).ownerName, null)
  await app.advance(14 * 86_400 + 1)
  assert.equal((await bot.get('/segments')).status, 401)
})
