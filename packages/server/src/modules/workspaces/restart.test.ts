import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, request } from '../../../test/builders/builders.ts'
import { startApp, startOn } from '../../../test/harness/start-app.ts'

const first = await startApp()

test('G-01 one port serves all roots, /healthz needs no credential, and everything survives a restart', async () => {
  const ws = await first.workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'kept' } })
  const secret = (await ws.key('secret', 'test')).key
  const revoked = await ws.key('publishable', 'live')
  expectStatus(await ws.admin.delete(`/settings/sdk-keys/${revoked.id}`), 200)
  expectStatus(await ws.admin.put('/settings/sdk-key-policy', { derivedKeysEnabled: false }), 200)
  expectStatus(await ws.admin.put('/settings/features', { features: { location: false } }), 200)
  expectStatus(await first.operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: 77 }), 200)
  const email = (await ws.admin.get('/auth/me')).data.user.email
  const { token } = expectStatus(
    await clientOf(`${first.url}/api/v1`).post('/auth/login', { email, password: 'correct horse battery' }),
    200,
  ).data
  const before = await ws.app.get('/sync')
  await first.stop()

  const second = await startOn(first.databaseEnv)
  try {
    const get = (path: string, headers: Record<string, string> = {}) => request('GET', second.url + path, { headers })
    const health = await get('/healthz')
    assert.deepEqual([health.status, health.body], [200, { success: true, data: { status: 'ok' } }])
    const after = await get('/sdk/v1/sync', { 'x-cf-key': ws.live })
    assert.deepEqual([after.status, after.text, after.headers.get('etag')], [200, before.text, before.headers.get('etag')])
    assert.equal(after.headers.get('x-ratelimit-limit'), '77')
    assert.equal((await get('/api/v1/sdk/sync', { 'x-cf-key': secret })).headers.get('x-cf-env'), 'test')
    for (const key of [revoked.key, `${ws.id}_app`]) assert.equal((await get('/sdk/v1/sync', { 'x-cf-key': key })).status, 401)
    const person = { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id }
    assert.equal((await get('/api/v1/settings/features', person)).data.features.location, false)
    assert.equal((await get('/api/v1/settings/sdk-keys', person)).data.keys.length, 3)
    const write = { 'x-cf-write-key': ws.writeKey }
    const body = { key: 'promo', seedInstance: false }
    assert.ok((await request('POST', `${second.url}/sdk/v1/cards/register`, { headers: write, body })).status < 300)
  } finally {
    await second.stop()
  }
})
