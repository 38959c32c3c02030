import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, request, uniqueEmail, type Answer, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, url, advance, anyone } = await startApp()
const root = `${url}/api/v1`

/** Refused with this status and no code. */
function expectRefused(answer: Answer, status: number): void {
  assert.deepEqual(
    [answer.status, answer.body.success, 'code' in answer.body, typeof answer.body.error],
    [status, false, false, 'string'],
    answer.text,
  )
}

/** A member's own token and id in a workspace. */
async function join(ws: Workspace, role: string) {
  const email = uniqueEmail()
  const { userId } = expectStatus(await ws.admin.post('/members', { email, name: role, password: PASSWORD, role }), 201).data
  const { token } = expectStatus(await clientOf(root).post('/auth/login', { email, password: PASSWORD }), 200).data
  return { userId: String(userId), token: String(token) }
}

test('M-AUTH-02 M-AUTH-04 a missing write key names its header, an invalid one says "invalid write key", both without a code', async () => {
  for (const path of ['/cards/register', '/cards/sync']) {
    for (const base of [`${url}/api/v1`, `${url}/sdk/v1`, `${url}/api/v1/sdk`]) {
      const missing = await request('POST', base + path, { body: { key: 'promo' } })
      expectRefused(missing, 401)
      assert.match(missing.body.error, /X-CF-Write-Key/)
      for (const key of ['wk_live_bad', `wk_live_${'0'.repeat(40)}`, 'x']) {
        const invalid = await request('POST', base + path, { body: { key: 'promo' }, headers: { 'x-cf-write-key': key } })
        assert.deepEqual([invalid.status, invalid.body], [401, { success: false, error: 'invalid write key' }])
      }
    }
  }
})

test('M-AUTH-03 an application key alone is no write key', async () => {
  const ws = await workspace()
  for (const header of ['x-cf-key', 'x-api-key'])
    expectRefused(await request('POST', `${root}/cards/register`, { body: { key: 'promo' }, headers: { [header]: ws.live } }), 401)
})

test('M-AUTH-05 M-AUTH-06 the write key alone names the workspace, and no other is touched, whatever X-Tenant-Id says', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const headers = { 'x-tenant-id': other.id }
  expectStatus(await ws.write.post('/cards/register', { key: 'plain', seedInstance: false }), 201)
  expectStatus(await ws.write.post('/cards/register', { key: 'named', seedInstance: false }, { headers }), 201)
  for (const key of ['plain', 'named']) {
    assert.equal((await ws.app.get(`/blocks/${key}`)).status, 200)
    assert.equal((await other.app.get(`/blocks/${key}`)).status, 404)
  }
})

test('M-AUTH-10 M-AUTH-11 management routes need a token and X-Tenant-Id; application, write and read keys do not open them', async () => {
  const ws = await workspace()
  const { token } = await join(ws, 'admin')
  const authorization = `Bearer ${token}`
  for (const path of ['/members', '/settings/features', '/settings/sdk-keys', '/blocks']) {
    const get = (headers: Record<string, string>) => request('GET', root + path, { headers })
    assert.equal((await get({ authorization, 'x-tenant-id': ws.id })).status, 200)
    expectRefused(await get({ 'x-tenant-id': ws.id }), 401)
    expectRefused(await get({ authorization: `Bearer ${'x'.repeat(43)}`, 'x-tenant-id': ws.id }), 401)
    expectRefused(await get({ authorization }), 400)
    for (const headers of [
      { 'x-cf-key': ws.live },
      { 'x-cf-key': `${ws.id}_app` },
      { 'x-cf-write-key': ws.writeKey },
      { 'x-cf-read-key': ws.readKey },
      { authorization: `Bearer ${ws.live}` },
      { authorization: `Bearer ${ws.writeKey}` },
      { authorization: `Bearer ${ws.readKey}` },
    ] as Record<string, string>[])
      expectRefused(await get({ 'x-tenant-id': ws.id, ...headers }), 401)
  }
})

test('M-AUTH-12 M-ROLE-18 a person is refused in a workspace of others, and has in each their own the role they have there', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const email = uniqueEmail()
  const add = (where: Workspace, role: string) => where.admin.post('/members', { email, name: 'P', password: PASSWORD, role })
  expectStatus(await add(ws, 'viewer'), 201)
  const { token } = expectStatus(await clientOf(root).post('/auth/login', { email, password: PASSWORD }), 200).data
  const inside = (id: string) => clientOf(root, { authorization: `Bearer ${token}`, 'x-tenant-id': id })
  expectRefused(await inside(other.id).get('/members'), 403)
  expectRefused(await inside('nosuchws').get('/members'), 403)
  expectStatus(await add(other, 'admin'), 201)
  expectStatus(await inside(other.id).put('/settings/features', { features: { strings: false } }), 200)
  const refused = await inside(ws.id).put('/settings/features', { features: { strings: false } })
  assert.deepEqual([refused.status, refused.body.code], [403, 'ROLE_REQUIRED'])
  assert.equal((await ws.admin.get('/settings/features')).data.features.strings, true)
  assert.equal((await inside(ws.id).get('/settings/features')).status, 200)
})

test('M-AUTH-13..15 a token opens management routes for one day or until sign-out, which ends that one only', async () => {
  const ws = await workspace()
  const email = uniqueEmail()
  expectStatus(await ws.admin.post('/members', { email, name: 'P', password: PASSWORD, role: 'viewer' }), 201)
  const logIn = async () => expectStatus(await clientOf(root).post('/auth/login', { email, password: PASSWORD }), 200).data
  const [first, second] = [await logIn(), await logIn()]
  assert.notEqual(first.token, second.token)
  const as = (token: string) => clientOf(root, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
  assert.equal((await as(first.token).get('/members')).status, 200)
  assert.deepEqual(expectStatus(await as(first.token).post('/auth/logout'), 200).data, { signedOut: true })
  expectRefused(await as(first.token).get('/members'), 401)
  expectRefused(await as(first.token).get('/auth/me'), 401)
  expectRefused(await as(first.token).post('/auth/logout'), 401)
  assert.equal((await as(second.token).get('/members')).status, 200)
  await advance(23 * 3600)
  assert.equal((await as(second.token).get('/members')).status, 200)
  await advance(3600 + 60)
  expectRefused(await as(second.token).get('/members'), 401)
  expectRefused(await as(second.token).get('/auth/me'), 401)
})

test('M-ROLE-14 M-ROLE-17 a viewer changes nothing, an editor content and keys, an admin everything; refusals leave all as it was', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'before' } })
  const clients = { viewer: await ws.viewer(), editor: await ws.editor(), admin: ws.admin }
  const rank = { viewer: 0, editor: 1, admin: 2 }
  const { userId } = await join(ws, 'viewer')
  const before = JSON.stringify(await everything(ws))
  const calls: [least: 'editor' | 'admin', method: 'post' | 'put' | 'patch' | 'delete', path: string, body?: object][] = [
    ['admin', 'put', '/settings/features', { features: {} }],
    ['admin', 'put', '/settings/sdk-key-policy', { derivedKeysEnabled: true }],
    ['admin', 'put', '/settings/test-environment', { retired: false }],
    ['admin', 'put', `/members/${userId}`, { role: 'viewer' }],
    ['editor', 'put', `/blocks/promo/instances/${id}`, { values: { '#title': 'after' } }],
    ['editor', 'put', `/blocks/promo/instances/${id}`, { values: { '#title': 'before' } }],
    ['admin', 'post', '/settings/sandbox', {}],
    ['admin', 'delete', '/settings/sandbox'],
    ['admin', 'post', '/members', { email: uniqueEmail(), name: 'N', password: PASSWORD, role: 'viewer' }],
    ['editor', 'post', '/settings/sdk-keys', { kind: 'publishable', environment: 'live' }],
    ['editor', 'post', '/settings/write-keys', {}],
    ['editor', 'post', '/settings/read-keys', {}],
    ['editor', 'post', '/blocks', { key: 'by_role', name: 'By role', fields: [] }],
    ['admin', 'delete', `/members/${userId}`],
  ]
  for (const role of ['viewer', 'editor', 'admin'] as const) {
    for (const [least, method, path, body] of calls) {
      if (role !== 'viewer' && rank[role] < rank[least]) {
        const untouched = JSON.stringify(await everything(ws))
        expectRole(await clients[role][method](path, body))
        assert.equal(JSON.stringify(await everything(ws)), untouched, `${role} ${method} ${path}`)
      } else if (role === 'viewer') expectRole(await clients.viewer[method](path, body))
      else if (role === least) assert.ok((await clients[role][method](path, body)).status < 300, `${role} ${method} ${path}`)
    }
    if (role === 'viewer') assert.equal(JSON.stringify(await everything(ws)), before)
  }
})

function expectRole(answer: Answer): void {
  assert.deepEqual([answer.status, answer.body.success, answer.body.code], [403, false, 'ROLE_REQUIRED'], answer.text)
}

/** What the dashboard shows of a workspace. */
async function everything(ws: Workspace): Promise<unknown[]> {
  const paths = ['/members', '/settings/sdk-keys', '/settings/write-keys', '/settings/read-keys', '/settings/features', '/settings/sandbox']
  const rest = ['/settings/sdk-key-policy', '/settings/test-environment', '/blocks', '/blocks/promo/instances']
  return Promise.all([...paths, ...rest].map(async (path) => expectStatus(await ws.admin.get(path), 200).data))
}

test('G-04 refusals come in the order token, tenant header, membership, role, existence, body, state', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const viewer = await ws.viewer()
  const put = (client: typeof viewer, path: string, raw: string, headers = {}) => client.put(path, undefined, { raw, headers })
  const bad = '{"role":5}'
  expectRefused(await request('PUT', `${root}/members/none`, { raw: bad }), 401)
  expectRefused(await put(viewer, '/members/none', bad, { 'x-tenant-id': '' }), 400)
  expectRefused(await put(viewer, '/members/none', bad, { 'x-tenant-id': other.id }), 403)
  expectRole(await put(viewer, '/members/none', bad))
  expectRefused(await put(ws.admin, '/members/none', bad), 404)
  const { userId } = (await ws.admin.get('/members')).data.members.find((member: any) => member.role === 'admin')
  expectRefused(await put(ws.admin, `/members/${userId}`, bad), 400)
  expectRefused(await put(ws.admin, `/members/${userId}`, '{"role":"viewer"}'), 409)
  // /auth and /workspaces need no tenant header.
  assert.equal((await anyone.post('/api/v1/auth/login', {})).status, 400)
  assert.equal((await ws.admin.get('/workspaces', { headers: { 'x-tenant-id': '' } })).status, 200)
  assert.equal((await ws.admin.get('/auth/me', { headers: { 'x-tenant-id': '' } })).status, 200)
})
