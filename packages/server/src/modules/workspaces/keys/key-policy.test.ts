import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, request, type Answer, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, url } = await startApp()

const told = ({ status, body }: Answer) => [status, body.code]
const sync = (key: string) => request('GET', `${url}/sdk/v1/sync`, { headers: { 'x-cf-key': key } })
const setPolicy = (ws: Workspace, derivedKeysEnabled: unknown) => ws.admin.put('/settings/sdk-key-policy', { derivedKeysEnabled })

/** A workspace of its own for which no key was made, with the admin of `ws`. */
async function bareWorkspace(): Promise<Workspace> {
  const ws = await workspace()
  const { id } = expectStatus(await ws.admin.post('/workspaces', { name: 'Bare' }), 201).data
  const send = (method: 'get' | 'put' | 'post' | 'delete') => (path: string, body?: unknown) =>
    method === 'get' || method === 'delete'
      ? ws.admin[method](path, { headers: { 'x-tenant-id': id } })
      : ws.admin[method](path, body, { headers: { 'x-tenant-id': id } })
  return { ...ws, id, admin: { ...ws.admin, get: send('get'), put: send('put'), post: send('post'), delete: send('delete') } }
}

test('C-AUTH-08 M-KEY-09 switching derived keys off refuses both of them at once, here only, and on brings them back', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const derived = [`${ws.id}_app`, `${ws.id}_test`]
  const others = [ws.live, ws.test, (await ws.key('secret', 'live')).key, (await ws.key('secret', 'test')).key]
  for (const key of [...derived, ...others]) assert.equal((await sync(key)).status, 200)
  assert.deepEqual((await ws.admin.get('/settings/sdk-key-policy')).data, { derivedKeysEnabled: true })
  assert.deepEqual(expectStatus(await setPolicy(ws, false), 200).data, { derivedKeysEnabled: false })
  for (let i = 0; i < 2; i++) for (const key of derived) assert.deepEqual(told(await sync(key)), [401, 'INVALID_SDK_KEY'])
  for (const key of [...others, `${other.id}_app`, `${other.id}_test`]) assert.equal((await sync(key)).status, 200)
  assert.deepEqual((await (await ws.viewer()).get('/settings/sdk-key-policy')).data, { derivedKeysEnabled: false })
  expectStatus(await setPolicy(ws, true), 200)
  for (const key of derived) assert.equal((await sync(key)).status, 200)
})

test('M-KEY-10 M-KEY-11 without an unrevoked live publishable key switching off is 409 and derived keys stay', async () => {
  const ws = await bareWorkspace()
  const expectRefused = async (why: string) => {
    assert.deepEqual(told(await setPolicy(ws, false)), [409, 'LIVE_PUBLISHABLE_KEY_REQUIRED'], why)
    assert.equal((await sync(`${ws.id}_app`)).status, 200)
    assert.deepEqual((await ws.admin.get('/settings/sdk-key-policy')).data, { derivedKeysEnabled: true })
  }
  const make = async (kind: string, environment: string) =>
    expectStatus(await ws.admin.post('/settings/sdk-keys', { kind, environment }), 201).data
  await expectRefused('no key')
  await make('publishable', 'test')
  await expectRefused('a test publishable key')
  await make('secret', 'live')
  await expectRefused('a live secret key')
  const live = await make('publishable', 'live')
  expectStatus(await ws.admin.delete(`/settings/sdk-keys/${live.id}`), 200)
  await expectRefused('a revoked live publishable key')
  expectStatus(await setPolicy(ws, true), 200)
  await make('publishable', 'live')
  expectStatus(await setPolicy(ws, false), 200)
  assert.deepEqual(told(await sync(`${ws.id}_app`)), [401, 'INVALID_SDK_KEY'])
})

test('M-KEY-12 the policy needs a portal token and an admin, and a boolean', async () => {
  const ws = await workspace()
  const body = { derivedKeysEnabled: false }
  assert.equal((await clientOf(`${url}/api/v1`, { 'x-tenant-id': ws.id }).put('/settings/sdk-key-policy', body)).status, 401)
  for (const client of [await ws.viewer(), await ws.editor(), await ws.approver()])
    assert.deepEqual(told(await client.put('/settings/sdk-key-policy', body)), [403, 'ROLE_REQUIRED'])
  for (const wrong of ['no', 0, null, undefined, [], {}]) {
    const refused = await setPolicy(ws, wrong)
    assert.deepEqual([refused.status, 'code' in refused.body], [400, false], JSON.stringify(wrong))
  }
  assert.equal((await sync(`${ws.id}_app`)).status, 200)
})
