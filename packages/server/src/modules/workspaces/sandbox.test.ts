import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, request, type Answer, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { approve, create, statusOf, submit } from '../../../test/builders/campaigns.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, url, fault, operator } = await startApp()

const told = ({ status, body }: Answer) => [status, body.code]
const WRITES: [method: string, path: string, body: unknown][] = [
  ['POST', '/identify', { deviceId: 'd', consent: true }],
  ['POST', '/events', { deviceId: 'd', events: [] }],
  ['POST', '/consent', { deviceId: 'd', channels: {} }],
  ['POST', '/consent/full', { deviceId: 'd', channels: {} }],
  ['POST', '/logout', {}],
  ['POST', '/track-event', {}],
  ['POST', '/profile', {}],
  ['POST', '/register-push', {}],
  ['POST', '/location', {}],
  ['DELETE', '/identify', {}],
  ['PATCH', '/push/preferences', {}],
]

/** The admin of `ws` acting in the workspace `id`. */
const inside = (ws: Workspace, id: string): Client => {
  const headers = { 'x-tenant-id': id }
  return {
    get: (path) => ws.admin.get(path, { headers }),
    post: (path, body) => ws.admin.post(path, body, { headers }),
    put: (path, body) => ws.admin.put(path, body, { headers }),
    patch: (path, body) => ws.admin.patch(path, body, { headers }),
    delete: (path) => ws.admin.delete(path, { headers }),
  }
}
const titlesBy = async (key: string) => {
  const answer = expectStatus(await request('GET', `${url}/sdk/v1/sync`, { headers: { 'x-cf-key': key } }), 200)
  return { titles: answer.data.blocks.map((block: any) => block.values['#title']).sort(), env: answer.headers.get('x-cf-env') }
}
const publish = async (admin: Client, title: string, target: 'live' | 'test') => {
  const { id } = expectStatus(await admin.post('/blocks/promo/instances', { values: { '#title': title } }), 201).data
  return admin.post(`/blocks/promo/instances/${id}/publish`, { target })
}
const testKeysOf = async (ws: Workspace) => [`${ws.id}_test`, ws.test, (await ws.key('secret', 'test')).key]
const liveKeysOf = async (ws: Workspace) => [`${ws.id}_app`, ws.live, (await ws.key('secret', 'live')).key]

async function withSandbox() {
  const ws = await workspace()
  await ws.block('promo')
  expectStatus(await publish(ws.admin, 'live of W', 'live'), 200)
  expectStatus(await publish(ws.admin, 'test of W', 'test'), 200)
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  return { ws, sandbox: sandbox as { workspaceId: string; name: string }, admin: inside(ws, sandbox.workspaceId) }
}

test('C-SBX-01 a test key reads live content and test-published content, a live key only live', async () => {
  const ws = await workspace()
  await ws.block('promo')
  expectStatus(await publish(ws.admin, 'A', 'live'), 200)
  expectStatus(await publish(ws.admin, 'B', 'test'), 200)
  for (const key of await testKeysOf(ws)) assert.deepEqual(await titlesBy(key), { titles: ['A', 'B'], env: 'test' })
  for (const key of await liveKeysOf(ws)) assert.deepEqual(await titlesBy(key), { titles: ['A'], env: 'live' })
})

test('C-SBX-04..07 every test key of the workspace is served from the sandbox, at once, and every live key stays', async () => {
  const ws = await workspace()
  await ws.block('promo')
  expectStatus(await publish(ws.admin, 'live of W', 'live'), 200)
  const [testKeys, liveKeys] = [await testKeysOf(ws), await liveKeysOf(ws)]
  for (const key of testKeys) assert.deepEqual((await titlesBy(key)).titles, ['live of W'])
  const { workspaceId } = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  const admin = inside(ws, workspaceId)
  for (const key of testKeys) assert.deepEqual(await titlesBy(key), { titles: [], env: 'test' })
  expectStatus(await publish(admin, 'live of X', 'live'), 200)
  expectStatus(await publish(admin, 'test of X', 'test'), 200)
  for (const key of testKeys) assert.deepEqual(await titlesBy(key), { titles: ['live of X', 'test of X'], env: 'test' })
  for (const key of liveKeys) assert.deepEqual(await titlesBy(key), { titles: ['live of W'], env: 'live' })
  assert.deepEqual((await titlesBy(`${workspaceId}_test`)).titles, ['live of X', 'test of X'])
  expectStatus(await ws.admin.delete('/settings/sandbox'), 200)
  for (const key of testKeys) assert.deepEqual(await titlesBy(key), { titles: ['live of W'], env: 'test' })
})

test('G-11 a sandbox has the same members and block types and nothing else; there is one, linked and unlinked by admins', async () => {
  const ws = await workspace({ name: 'Shop' })
  await ws.block('promo')
  await ws.instance('promo')
  const viewer = await ws.viewer()
  assert.deepEqual((await viewer.get('/settings/sandbox')).data, null)
  for (const client of [viewer, await ws.editor()]) {
    assert.deepEqual(told(await client.post('/settings/sandbox', {})), [403, 'ROLE_REQUIRED'])
    assert.deepEqual(told(await client.delete('/settings/sandbox')), [403, 'ROLE_REQUIRED'])
  }
  assert.equal((await ws.admin.delete('/settings/sandbox')).status, 404)
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  assert.match(sandbox.workspaceId, /^[a-z0-9]{8,32}$/)
  assert.ok(typeof sandbox.name === 'string' && sandbox.name !== '')
  assert.deepEqual((await viewer.get('/settings/sandbox')).data, sandbox)
  assert.equal((await ws.admin.post('/settings/sandbox', {})).status, 409)
  const admin = inside(ws, sandbox.workspaceId)
  assert.equal((await admin.post('/settings/sandbox', {})).status, 409)
  assert.deepEqual((await admin.get('/members')).data, (await ws.admin.get('/members')).data)
  assert.deepEqual(
    (await admin.get('/blocks')).data.blocks.map((block: any) => block.key),
    ['promo'],
  )
  assert.deepEqual((await admin.get('/blocks/promo/instances')).data.instances, [])
  for (const family of ['sdk-keys', 'write-keys', 'read-keys'])
    assert.deepEqual((await admin.get(`/settings/${family}`)).data.keys, [], family)
  expectStatus(await ws.admin.delete('/settings/sandbox'), 200)
  assert.equal((await ws.admin.delete('/settings/sandbox')).status, 404)
  assert.deepEqual((await ws.admin.get('/settings/sandbox')).data, null)
  assert.equal((await admin.get('/members')).status, 200)
})

test('C-SBX-13 C-SBX-14 C-ERR-13 inside a sandbox test keys are made and listed, live ones are 403 SANDBOX_LIVE_KEY_FORBIDDEN', async () => {
  const { ws, sandbox, admin } = await withSandbox()
  for (const kind of ['publishable', 'secret']) {
    assert.deepEqual(told(await admin.post('/settings/sdk-keys', { kind, environment: 'live' })), [403, 'SANDBOX_LIVE_KEY_FORBIDDEN'])
    const { key } = expectStatus(await admin.post('/settings/sdk-keys', { kind, environment: 'test' }), 201).data
    assert.equal((await titlesBy(key)).env, 'test')
  }
  const { keys } = (await admin.get('/settings/sdk-keys')).data
  assert.deepEqual(
    keys.map((key: any) => [key.kind, key.environment]),
    [
      ['publishable', 'test'],
      ['secret', 'test'],
    ],
  )
  for (const family of ['write-keys', 'read-keys']) expectStatus(await admin.post(`/settings/${family}`, {}), 201)
  expectStatus(await ws.admin.delete('/settings/sandbox'), 200)
  const still = await inside(ws, sandbox.workspaceId).post('/settings/sdk-keys', { kind: 'publishable', environment: 'live' })
  assert.deepEqual(told(still), [403, 'SANDBOX_LIVE_KEY_FORBIDDEN'])
  assert.equal((await ws.admin.post('/settings/sdk-keys', { kind: 'publishable', environment: 'live' })).status, 201)
})

test('C-SBX-08 M-READ-01 M-READ-06 M-READ-07 M-BULK-04 who was written in a sandbox is read there, without naming the environment, and not in the parent', async () => {
  const { ws, admin } = await withSandbox()
  const { key } = expectStatus(await admin.post('/settings/read-keys', {}), 201).data
  const headers = { 'x-cf-key': ws.test }
  const device = { deviceId: 'D', userId: 'U', consent: true }
  expectStatus(await request('POST', `${url}/sdk/v1/identify`, { headers, body: device }), 200)
  expectStatus(await request('POST', `${url}/sdk/v1/events`, { headers, body: { deviceId: 'D', events: [{ type: 'click' }] } }), 202)
  assert.equal(
    expectStatus(await admin.post('/users/bulk/contacts', { contacts: [{ userId: 'U' }, { userId: 'V' }] }), 200).data.updated,
    1,
  )
  const status = async (key: string, path: string) =>
    (await request('GET', `${url}/api/v1/read/${path}`, { headers: { 'x-cf-read-key': key } })).status
  for (const path of ['users/U/segments', 'users/U/devices', 'users/V/segments', 'devices/D'])
    assert.deepEqual([await status(key, path), (await ws.read.get(`/read/${path}`)).status], [200, 404], path)
  const listed = expectStatus(await admin.get('/users'), 200).data.users
  assert.deepEqual(listed.map(({ userId }: any) => userId).toSorted(), ['U', 'V'])
  assert.equal(expectStatus(await admin.get('/users/U/events'), 200).data.events.length, 1)
  for (const path of ['/users/U', '/users/U/consents', '/devices/D', '/devices/D/events']) {
    assert.deepEqual([(await admin.get(path)).status, (await ws.admin.get(path)).status], [200, 404], path)
    assert.equal((await admin.get(`${path}?environment=live`)).status, 404, path)
  }
  expectStatus(await admin.delete('/users/U'), 200)
  assert.equal((await admin.get('/users/U')).status, 404)
})

test('C-SBX-09 C-SBX-10 C-SBX-16 C-ERR-19 with the test environment retired and no sandbox, test keys read and may not write', async () => {
  const ws = await workspace()
  await ws.block('promo')
  expectStatus(await publish(ws.admin, 'live of W', 'live'), 200)
  const [testKeys, liveKeys] = [await testKeysOf(ws), await liveKeysOf(ws)]
  for (const key of testKeys) assert.equal((await titlesBy(key)).env, 'test')
  assert.deepEqual(expectStatus(await ws.admin.put('/settings/test-environment', { retired: true }), 200).data, { retired: true })
  for (const root of ['/sdk/v1', '/api/v1/sdk']) {
    for (const key of testKeys) {
      assert.deepEqual(await titlesBy(key), { titles: ['live of W'], env: 'test' })
      assert.equal((await request('GET', `${url}${root}/blocks/promo`, { headers: { 'x-cf-key': key } })).status, 200)
      for (const [method, path, body] of WRITES)
        for (const sent of [{ body }, { raw: '{' }])
          assert.deepEqual(
            told(await request(method, `${url}${root}${path}`, { headers: { 'x-cf-key': key }, ...sent })),
            [409, 'SANDBOX_REQUIRED'],
            `${method} ${path}`,
          )
      const read = await request('POST', `${url}${root}/campaigns`, { headers: { 'x-cf-key': key }, body: {} })
      assert.notEqual(read.status, 409)
    }
    for (const key of liveKeys)
      for (const [method, path, body] of WRITES)
        assert.ok(![409, 503].includes((await request(method, `${url}${root}${path}`, { headers: { 'x-cf-key': key }, body })).status))
  }
  expectStatus(await ws.admin.put('/settings/test-environment', { retired: false }), 200)
  for (const key of testKeys)
    assert.notEqual(
      (await request('POST', `${url}/sdk/v1/identify`, { headers: { 'x-cf-key': key }, body: {} })).body.code,
      'SANDBOX_REQUIRED',
    )
})

test('C-SBX-11 C-SBX-12 C-SBX-16 C-ERR-26 while the route of test traffic cannot be confirmed, writes are 503 with Retry-After and reads go on', async () => {
  for (const { ws } of [{ ws: await workspace() }, await withSandbox()]) {
    await fault('sandbox_route', true)
    const writes: Answer[] = []
    const reads: Answer[] = []
    const ofLive: Answer[] = []
    for (const key of await testKeysOf(ws)) {
      const headers = { 'x-cf-key': key }
      for (const [method, path, body] of WRITES) writes.push(await request(method, `${url}/sdk/v1${path}`, { headers, body }))
      reads.push(await request('GET', `${url}/sdk/v1/sync`, { headers }))
    }
    for (const key of await liveKeysOf(ws))
      for (const [method, path, body] of WRITES)
        ofLive.push(await request(method, `${url}/sdk/v1${path}`, { headers: { 'x-cf-key': key }, body }))
    await fault('sandbox_route', false)
    for (const answer of writes) {
      assert.deepEqual(told(answer), [503, 'SANDBOX_ROUTE_UNAVAILABLE'])
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
    for (const answer of reads) assert.equal(answer.status, 200)
    for (const answer of ofLive) assert.ok(![409, 503].includes(answer.status))
  }
})

test('C-SBX-15 C-ERR-19 publishing to test is 409 TEST_ENV_RETIRED once that environment is retired, with a sandbox or without; live goes on', async () => {
  const { ws, admin } = await withSandbox()
  expectStatus(await ws.admin.put('/settings/test-environment', { retired: true }), 200)
  assert.deepEqual(told(await publish(ws.admin, 'x', 'test')), [409, 'TEST_ENV_RETIRED'])
  expectStatus(await publish(ws.admin, 'y', 'live'), 200)
  // The flag is the parent's: the sandbox publishes to test, and serves and takes test traffic.
  expectStatus(await publish(admin, 'test of X', 'test'), 200)
  assert.deepEqual(await titlesBy(ws.test), { titles: ['test of X'], env: 'test' })
  const write = await request('POST', `${url}/sdk/v1/identify`, { headers: { 'x-cf-key': ws.test }, body: {} })
  assert.ok(![409, 503].includes(write.status))
  // Nor is a sandbox retired, whatever is said to it (G-11).
  expectStatus(await admin.put('/settings/test-environment', { retired: true }), 200)
  expectStatus(await publish(admin, 'another of X', 'test'), 200)
  const more = await request('POST', `${url}/sdk/v1/identify`, { headers: { 'x-cf-key': ws.test }, body: {} })
  assert.ok(![409, 503].includes(more.status))
  const editor = await ws.editor()
  const { id } = await create(editor)
  expectStatus(await submit(editor, id), 200)
  expectStatus(await ws.admin.delete('/settings/sandbox'), 200)
  assert.deepEqual(told(await publish(ws.admin, 'z', 'test')), [409, 'TEST_ENV_RETIRED'])
  assert.deepEqual(told(await approve(ws.admin, id, { activateTarget: 'test' })), [409, 'TEST_ENV_RETIRED'])
  assert.equal(await statusOf(editor, id), 'pending_review')
  assert.deepEqual((await titlesBy(ws.test)).titles, ['live of W', 'y'])
})

test('G-11 retiring is for admins and takes a boolean', async () => {
  const ws = await workspace()
  const put = (client: Client, retired: unknown) => client.put('/settings/test-environment', { retired })
  for (const client of [await ws.viewer(), await ws.editor()]) assert.deepEqual(told(await put(client, true)), [403, 'ROLE_REQUIRED'])
  for (const wrong of ['yes', 1, null, undefined]) assert.equal((await put(ws.admin, wrong)).status, 400, String(wrong))
  assert.equal((await clientOf(`${url}/api/v1`).put('/settings/test-environment', { retired: true })).status, 401)
  assert.deepEqual((await ws.admin.get('/settings/test-environment')).data, { retired: false })
})

test('X-INT-01 a write key of the parent acts on the parent, not on its sandbox', async () => {
  const { ws, sandbox } = await withSandbox()
  expectStatus(await ws.write.post('/cards/register', { key: 'later', seedInstance: false }), 201)
  await ws.instance('later')
  assert.deepEqual(
    (await ws.blocks()).map((block) => block.key),
    ['later', 'promo'],
  )
  assert.equal((await ws.app.get('/blocks/later')).status, 200)
  for (const key of [ws.test, `${sandbox.workspaceId}_test`])
    assert.equal((await request('GET', `${url}/sdk/v1/blocks/later`, { headers: { 'x-cf-key': key } })).status, 404)
})

test('suspending the parent or the sandbox refuses the test keys that lead there', async () => {
  const { ws, sandbox } = await withSandbox()
  const read = async (key: string) => (await request('GET', `${url}/sdk/v1/sync`, { headers: { 'x-cf-key': key } })).status
  const setSuspended = async (id: string, verb: 'suspend' | 'resume') =>
    expectStatus(await operator.post(`/operator/workspaces/${id}/${verb}`), 200)
  assert.deepEqual([await read(ws.test), await read(ws.live)], [200, 200])
  await setSuspended(sandbox.workspaceId, 'suspend')
  assert.deepEqual([await read(ws.test), await read(ws.live)], [401, 200])
  await setSuspended(sandbox.workspaceId, 'resume')
  assert.deepEqual([await read(ws.test), await read(ws.live)], [200, 200])
  await setSuspended(ws.id, 'suspend')
  assert.deepEqual([await read(ws.test), await read(ws.live)], [401, 401])
})

test('M-BULK-05 M-SUPP-02 G-69 people of a sandbox are test people: loads, suppression and opt-out reach whom its keys identify', async () => {
  const { ws, sandbox, admin } = await withSandbox()
  expectStatus(await ws.testApp.post('/identify', { deviceId: 'd', userId: 'U', consent: true }), 200)
  const read = async (path: string) => expectStatus(await admin.get(path), 200).data
  const person = () => read('/users/U?environment=test')
  const loaded = expectStatus(
    await admin.post('/users/bulk/contacts', { contacts: [{ userId: 'U', consent: { push: true } }, { userId: 'V' }] }),
    200,
  )
  assert.deepEqual([loaded.data.updated, loaded.data.created], [1, 1])
  assert.deepEqual((await person()).channels, { push: true })
  assert.deepEqual((await read('/users?environment=live')).users, [])
  const suppressed = expectStatus(await admin.post('/users/bulk/suppress', { userIds: ['U', 'nobody'] }), 200).data
  assert.deepEqual([suppressed.suppressed, suppressed.notFound], [1, 1])
  assert.equal((await person()).suppressed, true)
  expectStatus(await admin.put('/users/U/opt-out', { optedOut: true }), 200)
  assert.equal((await person()).personalOptOut, true)
  const ledger = (await read('/users/U/consents?environment=test')).consents.map(({ source }: any) => source)
  assert.deepEqual([...new Set(ledger)], ['opt_out', 'suppress', 'bulk', 'identify'])
  // G-68: only live people count against the plan.
  expectStatus(await operator.put(`/operator/workspaces/${sandbox.workspaceId}/plan`, { customerLimit: 0 }), 200)
  assert.equal(expectStatus(await admin.post('/users/bulk/contacts', { contacts: [{ userId: 'W' }] }), 200).data.created, 1)
})
