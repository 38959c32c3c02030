import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, request } from '../../../test/builders/builders.ts'
import { insertDevice } from '../../../test/builders/devices.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, ctx, url, fault, operator } = await startApp()

test('C-ENV-08 C-ENV-09 C-HDR-01 C-HDR-02 C-VER-01 C-VER-03 both key headers open /sdk/v1, and the management root answers on the same host', async () => {
  const ws = await workspace()
  for (const header of ['X-CF-Key', 'X-API-Key', 'x-cf-key']) {
    const answer = await request('GET', `${url}/sdk/v1/sync`, { headers: { [header]: ws.live } })
    assert.deepEqual([answer.status, answer.body.success], [200, true], header)
  }
  assert.equal((await request('POST', `${url}/api/v1/auth/login`, { body: {} })).status, 400)
})

test('C-HDR-03 X-CF-Device names the installation: its targeted block appears with the header only', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { seg: 'Gold', values: { '#title': 'gold' } })
  const device = await insertDevice(ctx, ws.id, 'device-of-gold', { segments: ['Gold'] })
  assert.deepEqual(
    (await ws.blocks(device)).map((block) => block.values),
    [{ '#title': 'gold' }],
  )
  assert.deepEqual(await ws.blocks(), [])
  const single = await ws.app.get('/blocks/promo', { headers: { 'X-CF-Device': device } })
  assert.equal(single.data.visible, true)
  assert.equal((await ws.app.get('/blocks/promo')).data.visible, false)
})

test('C-HDR-07 C-VER-05 C-VER-06 C-AUTH-40 session, version, capability and signature headers are taken whatever they say, and the answer stays the same', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'x' } })
  const plain = expectStatus(await ws.app.get('/sync'), 200)
  for (const headers of [
    { 'x-cf-session-id': 'session-1' },
    { 'x-cf-sdk-version': 'swift/1.2.3' },
    { 'x-cf-sdk-version': 'weird' },
    { 'x-cf-sdk-capabilities': 'erasure-partial-v1,frequency-v1,sponsored-surface-v1' },
    { 'x-cf-sdk-capabilities': 'x-unknown,frequency-v1' },
    { 'x-cf-sdk-capabilities': ',,, ' },
    { 'x-cf-signature': 'sha256=00' },
  ] as Record<string, string>[]) {
    const answer = await ws.app.get('/sync', { headers })
    assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [200, plain.text, plain.headers.get('etag')])
  }
})

test('C-AUTH-37 X-CF-Env is on every answer after an accepted key: 200, 304, 404, 405, 409, 429 and 503', async () => {
  const ws = await workspace()
  await ws.block('promo')
  for (const [environment, client] of [
    ['live', ws.app],
    ['test', ws.testApp],
  ] as const) {
    const first = await client.get('/sync')
    const answers = [
      first,
      await client.get('/sync', { headers: { 'if-none-match': first.headers.get('etag') ?? '' } }),
      await client.get('/blocks/promo'),
      await client.get('/blocks/no_such'),
      await client.get('/no/such/route'),
      await client.delete('/sync'),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 304, 200, 404, 404, 405],
    )
    for (const { headers, status } of answers) assert.equal(headers.get('x-cf-env'), environment, String(status))
  }
  await fault('sandbox_route', true)
  const unconfirmed = await ws.testApp.post('/identify', {})
  await fault('sandbox_route', false)
  assert.deepEqual([unconfirmed.status, unconfirmed.headers.get('x-cf-env')], [503, 'test'])
  expectStatus(await ws.admin.put('/settings/test-environment', { retired: true }), 200)
  const retired = await ws.testApp.post('/identify', {})
  assert.deepEqual([retired.status, retired.headers.get('x-cf-env')], [409, 'test'])
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: 1 }), 200)
  let over = await ws.app.get('/sync')
  while (over.status === 200) over = await ws.app.get('/sync')
  assert.deepEqual([over.status, over.headers.get('x-cf-env')], [429, 'live'])
  const stranger = await request('GET', `${url}/sdk/v1/sync`, { headers: { 'x-cf-key': 'abc' } })
  assert.equal(stranger.headers.get('x-cf-env'), null)
})

test('C-HDR-10 C-ERR-25 C-ERR-26 503 answers tell when to come back: content that cannot be read, keys that cannot be checked, an unconfirmed route', async () => {
  const ws = await workspace()
  await fault('upstream', true)
  const upstream = await ws.app.get('/sync')
  await fault('upstream', false)
  assert.equal(upstream.status, 503)
  const { error, ...rest } = upstream.body
  assert.deepEqual(rest, { success: false, code: 'UPSTREAM_UNAVAILABLE', retryable: true })
  assert.ok(typeof error === 'string' && error !== '')
  assert.equal(upstream.headers.get('retry-after'), '5')
  await fault('sandbox_route', true)
  const route = await ws.testApp.post('/identify', { deviceId: 'd', consent: true })
  await fault('sandbox_route', false)
  assert.deepEqual([route.status, route.body.code], [503, 'SANDBOX_ROUTE_UNAVAILABLE'])
  await fault('key_validation', true)
  const keys = await ws.sdk({ 'x-cf-key': (await ws.key('secret', 'live')).key }).get('/sync')
  await fault('key_validation', false)
  assert.equal(keys.status, 503)
  for (const { headers } of [route, keys]) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal((await ws.app.get('/sync')).status, 200)
})

test('C-VER-02 X-INT-44 G-15 every route answers under /api/v1/sdk as under /sdk/v1', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'x' } })
  const ask = async (root: string, method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const answer = await request(method, `${url}${root}${path}`, { headers, body })
    return [answer.status, answer.text, answer.headers.get('etag'), answer.headers.get('x-cf-env'), answer.headers.get('allow')]
  }
  const key = { 'x-cf-key': ws.live }
  const register = { key: 'promo', fields: [{ id: 'f_title', tag: '#title', type: 'text' }], seedInstance: false }
  for (const [method, path, headers, body] of [
    ['GET', '/sync', key],
    ['GET', '/sync?locale=ar', { 'x-api-key': ws.test }],
    ['GET', '/sync', { ...key, 'if-none-match': '*' }],
    ['GET', '/sync', {}],
    ['GET', '/sync', { 'x-cf-key': 'abc' }],
    ['GET', '/sync?key=abc', key],
    ['GET', '/blocks/promo', key],
    ['GET', '/blocks/no_such', key],
    ['POST', '/sync', key],
    ['GET', '/no/such', key],
    ['GET', '/no/such', {}],
    ['GET', '/stream?key=bad', {}],
    ['POST', '/identify', {}, { deviceId: 'd', consent: true }],
    ['POST', '/cards/register', { 'x-cf-write-key': ws.writeKey }, register],
    ['POST', '/cards/register', key, register],
  ] as [string, string, Record<string, string>, unknown?][])
    assert.deepEqual(
      await ask('/api/v1/sdk', method, path, headers, body),
      await ask('/sdk/v1', method, path, headers, body),
      `${method} ${path}`,
    )
})

test('what applications and pipelines are told is kept by no cache, unless it says how', async () => {
  const ws = await workspace()
  const device = { headers: { 'x-cf-device': 'd' } }
  const cacheOf = async (answer: Promise<{ status: number; headers: Headers }>) => {
    const { status, headers } = await answer
    return [status, headers.get('cache-control')]
  }
  const silent = {
    topics: ws.app.get('/push/topics', device),
    place: ws.app.get('/location/ip'),
    preset: ws.app.get('/consent/config/saudi-ecommerce'),
    write: ws.app.post('/consent', { deviceId: 'd', channels: { push: true } }),
    cards: ws.write.get('/cards/sync'),
    strings: ws.write.get('/strings/sync'),
    unknown: ws.app.get('/no/such/route'),
    refused: ws.app.post('/consent', {}),
    stranger: ws.sdk({ 'x-cf-key': 'pk_live_none' }).get('/sync'),
  }
  for (const [name, answer] of Object.entries(silent)) assert.equal((await cacheOf(answer))[1], 'no-store', name)
  assert.deepEqual(await cacheOf(ws.app.get('/sync')), [200, 'private, no-cache'])
  assert.deepEqual(await cacheOf(ws.app.get('/strings')), [200, 'private, no-cache'])
})
