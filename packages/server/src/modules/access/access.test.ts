import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  clientOf,
  expectStatus,
  PASSWORD,
  request,
  uniqueEmail,
  type Answer,
  type Client,
  type Workspace,
} from '../../../test/builders/builders.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, url, advance } = await startApp({ CF_TRUST_PROXY: '1' })
const API = `${url}/api/v1`
const told = ({ status, body }: Answer) => [status, body.code]

async function member(ws: Workspace, more: object): Promise<{ client: Client; userId: string }> {
  const email = uniqueEmail()
  const { userId } = expectStatus(
    await ws.admin.post('/members', { email, name: 'Bo', password: PASSWORD, role: 'viewer', ...more }),
    201,
  ).data
  const { token } = expectStatus(await clientOf(API).post('/auth/login', { email, password: PASSWORD }), 200).data
  return { userId, client: clientOf(API, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id }) }
}

async function role(ws: Workspace, permissions: string[], limits: object = {}): Promise<any> {
  return expectStatus(await ws.admin.post('/roles', { name: `Role ${Math.random()}`, permissions, limits }), 201).data
}

async function service(ws: Workspace, body: object, token: object = {}): Promise<{ id: string; client: Client; token: any }> {
  const { id } = expectStatus(await ws.admin.post('/service-accounts', { name: `Pipeline ${Math.random()}`, ...body }), 201).data
  const made = expectStatus(await ws.admin.post(`/service-accounts/${id}/tokens`, token), 201).data
  return { id, token: made, client: bearer(made.token, ws.id) }
}
const bearer = (token: string, workspaceId: string) => clientOf(API, { authorization: `Bearer ${token}`, 'x-tenant-id': workspaceId })

test('a token opens its workspace with the role of its account, and nothing else', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const { client, token, id } = await service(ws, { role: 'editor' })
  assert.match(token.token, new RegExp(`^cft_${ws.id}_[\\w-]{43}[0-9A-Za-z]{6}$`))
  expectStatus(await client.get('/blocks'), 200)
  expectStatus(await client.post('/locales', { code: 'ar' }), 201)
  const refused = await client.put('/settings/features', {})
  assert.deepEqual([...told(refused), refused.body.required], [403, 'ROLE_REQUIRED', { permission: 'settings:manage' }])
  assert.equal((await request('GET', `${API}/blocks`, { headers: { authorization: `Bearer ${token.token}` } })).status, 400)
  assert.equal((await bearer(token.token, other.id).get('/blocks')).status, 403)
  for (const [method, path] of [
    ['GET', '/auth/me'],
    ['POST', '/workspaces'],
    ['GET', '/auth/sessions'],
  ] as const)
    assert.equal((await request(method, API + path, { headers: { authorization: `Bearer ${token.token}` } })).status, 403, path)
  const swapped = token.token.slice(0, -1) + (token.token.endsWith('0') ? '1' : '0')
  for (const wrong of [swapped, `${token.token}0`, token.token.replace(ws.id, other.id), 'cft_x'.padEnd(60, '0')])
    assert.equal((await bearer(wrong, ws.id).get('/blocks')).status, 401, wrong)
  const listed = expectStatus(await ws.admin.get(`/service-accounts/${id}/tokens`), 200).data.tokens
  assert.deepEqual(
    [listed.length, 'token' in listed[0], listed[0].hint, typeof listed[0].lastUsedAt],
    [1, false, token.token.slice(-4), 'string'],
  )
  expectStatus(await ws.admin.delete(`/service-accounts/${id}/tokens/${token.id}`), 200)
  assert.equal((await client.get('/blocks')).status, 401)
})

test('a token ends with its days, its account, or the overlap after it was replaced', async () => {
  const ws = await workspace()
  const path = (id: string, token: string) => `/service-accounts/${id}/tokens/${token}`
  const { id, token, client } = await service(ws, { role: 'viewer' }, { expiresInDays: 1 })
  const next = expectStatus(await ws.admin.post(`${path(id, token.id)}/rotate`, { overlapHours: 2, expiresInDays: 300 }), 201).data
  const renewed = bearer(next.token, ws.id)
  for (const each of [client, renewed]) expectStatus(await each.get('/blocks'), 200)
  await advance(2 * 3_600 + 1)
  assert.deepEqual([(await client.get('/blocks')).status, (await renewed.get('/blocks')).status], [401, 200])
  assert.equal((await ws.admin.post(`${path(id, token.id)}/rotate`, {})).status, 409)
  const last = expectStatus(await ws.admin.post(`${path(id, next.id)}/rotate`, { overlapHours: 0 }), 201).data
  assert.deepEqual([(await renewed.get('/blocks')).status, (await bearer(last.token, ws.id).get('/blocks')).status], [401, 200])
  const made = [last]
  while (made.length < 5) made.push(expectStatus(await ws.admin.post(`/service-accounts/${id}/tokens`, {}), 201).data)
  assert.deepEqual(told(await ws.admin.post(`/service-accounts/${id}/tokens`, {})), [409, 'TOKEN_LIMIT'])
  for (const body of [
    { expiresInDays: 0 },
    { expiresInDays: 367 },
    { allowedCidrs: ['x'] },
    { allowedCidrs: ['10.0.0.0/33'] },
    { allowedCidrs: 5 },
  ])
    assert.equal((await ws.admin.put(path(id, last.id), body)).status, 400, JSON.stringify(body))
  expectStatus(await ws.admin.delete(`/service-accounts/${id}`), 200)
  assert.equal((await bearer(last.token, ws.id).get('/blocks')).status, 401)
})

test('a token with networks is refused from elsewhere', async () => {
  const ws = await workspace()
  const { token } = await service(ws, { role: 'viewer' }, { allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'] })
  const from = (address: string) =>
    request('GET', `${API}/blocks`, {
      headers: { authorization: `Bearer ${token.token}`, 'x-tenant-id': ws.id, 'x-forwarded-for': address },
    })
  for (const address of ['203.0.113.7', '2001:db8::7', '::ffff:203.0.113.9']) expectStatus(await from(address), 200)
  for (const address of ['203.0.114.7', '2001:db9::7', 'nonsense'])
    assert.deepEqual(told(await from(address)), [403, 'TOKEN_NOT_ALLOWED_HERE'], address)
})

test('a service account never approves, and what it submits its owner cannot approve', async () => {
  const ws = await workspace()
  expectStatus(await ws.admin.put('/settings/publishing', { approval: true }), 200)
  await ws.block('promo')
  const { client } = await service(ws, { role: 'admin' })
  const { id } = expectStatus(await client.post('/blocks/promo/instances', { values: { '#title': 'x' } }), 201).data
  const asked = expectStatus(await client.post(`/blocks/promo/instances/${id}/publish`, { targets: ['live'] }), 202).data
  const me = (await ws.admin.get('/auth/me')).data.user.userId
  const [review] = expectStatus(await ws.admin.get('/reviews'), 200).data.reviews
  assert.deepEqual([review.id, review.requestedBy], [asked.requestId, me])
  assert.deepEqual(told(await ws.admin.post(`/reviews/${asked.requestId}/approve`, {})), [403, 'SELF_APPROVAL_NOT_ALLOWED'])
  assert.deepEqual(told(await client.post(`/reviews/${asked.requestId}/approve`, {})), [403, 'ROLE_REQUIRED'])
  const more = { email: uniqueEmail(), name: 'Bo', password: PASSWORD }
  for (const body of [{ role: 'admin' }, { role: 'viewer', canApprove: true }])
    assert.deepEqual(told(await client.post('/members', { ...more, ...body })), [403, 'GRANT_TOO_WIDE'], JSON.stringify(body))
  const second = await member(ws, { canApprove: true })
  expectStatus(await second.client.post(`/reviews/${asked.requestId}/approve`, {}), 200)
})

test('an own role counts instead of the documented one, and nobody gives what they do not hold', async () => {
  const ws = await workspace()
  const helper = await role(ws, ['members:manage', 'members:read', 'strings:read'])
  const { client, userId } = await member(ws, { roleId: helper.id })
  expectStatus(await client.get('/strings'), 200)
  const refused = await client.get('/blocks')
  assert.deepEqual([...told(refused), refused.body.required], [403, 'ROLE_REQUIRED', { permission: 'types:read' }])
  const wide = { name: 'Wide', permissions: ['types:read'] }
  const me = (await ws.admin.get('/auth/me')).data.user.userId
  for (const answer of [
    await client.post('/roles', wide),
    await client.put(`/roles/${helper.id}`, wide),
    await client.post('/service-accounts', { name: 'x', role: 'viewer' }),
    await client.put(`/members/${userId}`, { role: 'admin' }),
    await client.post('/members', { email: uniqueEmail(), name: 'Bo', password: PASSWORD, role: 'viewer' }),
    await client.post(`/members/${me}/reset-link`, {}),
    await client.delete(`/members/${me}`),
  ])
    assert.ok(answer.status === 409 || told(answer).join() === '403,GRANT_TOO_WIDE', JSON.stringify(answer.body))
  expectStatus(await client.post('/roles', { name: 'Narrow', permissions: ['strings:read'] }), 201)
  assert.deepEqual(told(await ws.admin.delete(`/roles/${helper.id}`)), [409, 'ROLE_IN_USE'])
  const raised = expectStatus(await ws.admin.put(`/members/${userId}`, { role: 'editor' }), 200).data
  assert.deepEqual([raised.role, 'roleId' in raised], ['editor', false])
  expectStatus(await client.get('/blocks'), 200)
  expectStatus(await ws.admin.delete(`/roles/${helper.id}`), 200)
})

test('a role is refused with a clear text for what is no permission or limit, and kept by its version', async () => {
  const ws = await workspace()
  for (const body of [
    { name: 'x', permissions: ['content:fly'] },
    { name: 'x', permissions: 'content:read' },
    { name: ' ', permissions: [] },
    { name: 'x', permissions: [], limits: { planets: ['earth'] } },
    { name: 'x', permissions: [], limits: { environments: ['staging'] } },
    { name: 'x', permissions: [], limits: { locales: 'ar' } },
    { name: 'x', permissions: [], limits: [] },
  ])
    assert.equal((await ws.admin.post('/roles', body)).status, 400, JSON.stringify(body))
  const made = await role(ws, ['strings:read'])
  const put = (version: number) =>
    ws.admin.put(`/roles/${made.id}`, { name: made.name, permissions: [] }, { headers: { 'if-match': `"${version}"` } })
  assert.equal(expectStatus(await put(1), 200).data.version, 2)
  assert.deepEqual(told(await put(1)), [412, 'VERSION_CHANGED'])
  assert.deepEqual(told(await ws.admin.post('/roles', { name: made.name.toUpperCase(), permissions: [] })), [409, 'NAME_TAKEN'])
  for (const answer of [
    await ws.admin.get('/roles/none'),
    await ws.admin.put('/roles/none', { name: 'x', permissions: [] }),
    await ws.admin.delete('/roles/none'),
  ])
    assert.equal(answer.status, 404)
})

test('the tokens of somebody who left stop after two weeks, unless another member answers for them', async () => {
  const ws = await workspace()
  const owner = await member(ws, { role: 'admin' })
  const [kept, left] = [
    await service(ws, { role: 'viewer', ownerId: owner.userId }),
    await service(ws, { role: 'viewer', ownerId: owner.userId }),
  ]
  expectStatus(await ws.admin.delete(`/members/${owner.userId}`), 200)
  const listed = expectStatus(await ws.admin.get('/service-accounts'), 200).data.serviceAccounts
  assert.deepEqual(
    listed.map(({ ownerName }: any) => ownerName),
    [null, null],
  )
  const me = (await ws.admin.get('/auth/me')).data.user.userId
  expectStatus(await ws.admin.put(`/service-accounts/${kept.id}`, { ownerId: me }), 200)
  await advance(13 * 86_400)
  for (const { client } of [kept, left]) expectStatus(await client.get('/blocks'), 200)
  await advance(86_400 + 1)
  assert.deepEqual([(await kept.client.get('/blocks')).status, (await left.client.get('/blocks')).status], [200, 401])
})

test('a role is followed in the linked sandbox', async () => {
  const ws = await workspace()
  const translator = await role(ws, ['strings:read'])
  const { client } = await member(ws, { roleId: translator.id })
  const { workspaceId } = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  const there = { headers: { 'x-tenant-id': workspaceId } }
  expectStatus(await client.get('/strings', there), 200)
  assert.deepEqual(told(await client.get('/users', there)), [403, 'ROLE_REQUIRED'])
  expectStatus(await ws.admin.put(`/roles/${translator.id}`, { name: 'T', permissions: ['people:read'] }), 200)
  expectStatus(await client.get('/users', there), 200)
  assert.deepEqual(told(await client.get('/strings', there)), [403, 'ROLE_REQUIRED'])
})

test('the check says what is missing', async () => {
  const ws = await workspace()
  const { id } = await role(ws, ['strings:publish'], { locales: ['ar'] })
  const { userId } = await member(ws, { roleId: id })
  const check = async (body: object) =>
    expectStatus(await ws.admin.post('/access/check', { userId, permission: 'strings:publish', ...body }), 200).data
  assert.deepEqual((await check({ target: { locales: ['ar'], namespaces: ['x'] } })).allowed, true)
  assert.deepEqual((await check({ target: { locales: ['ar', 'en'] } })).missing, 'target')
  assert.deepEqual((await check({ permission: 'content:write' })).missing, 'permission')
  assert.deepEqual(await check({ userId: 'nobody' }), { allowed: false, missing: 'nobody' })
  const { permissions, yours, presets } = expectStatus(await ws.admin.get('/access/permissions'), 200).data
  assert.equal(yours.permissions.length, permissions.length)
  assert.ok(presets.length >= 6)
})

test('whoever may not see contacts gets them masked, also where texts repeat them, and no file of a person', async () => {
  const ws = await workspace()
  const traits = { name: 'Sara Canary', email: 'sara.canary@example.com', phone: '+966501234567' }
  await identify(ws.app, 'D', 'U', traits)
  const { id } = await role(ws, ['people:read', 'people:export', 'segments:read', 'imports:read', 'messages:read', 'content:read'])
  const { client } = await member(ws, { roleId: id })
  const shown = expectStatus(await client.get('/users/U'), 200).data
  assert.equal(shown.email, 's•••@•••')
  for (const path of ['/users', '/users/U', '/devices/D', '/contacts/closed', '/sends', '/inbound-messages', '/explain/devices/D']) {
    const { text } = await client.get(path)
    for (const value of [...Object.values(traits), 'Canary']) assert.ok(!text.includes(value), `${path}: ${text}`)
    assert.ok(!(await ws.admin.get(path)).text.includes('•••'), path)
  }
  const refused = await client.post('/users/U/export', {})
  assert.deepEqual([...told(refused), refused.body.required], [403, 'ROLE_REQUIRED', { permission: 'people:contacts' }])
})

test('a service account has no address: no code and no test message goes to it', async () => {
  const ws = await workspace()
  const { client } = await service(ws, { role: 'admin' })
  const campaign = expectStatus(await client.post('/campaigns', { name: 'Sale', type: 'sale' }), 201).data
  assert.equal((await client.post(`/campaigns/${campaign.id}/test-send`, { to: 'me' })).status, 400)
  assert.deepEqual(told(await client.post(`/campaigns/${campaign.id}/launch-otp`, {})), [403, 'ROLE_REQUIRED'])
})
