import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@contentflow/core/limits.ts'
import { request, type Answer } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, url } = await startApp()

/** Fails unless it is a plain refusal of this status, without a code. */
function expectPlain(answer: Answer, status: number, error?: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  assert.deepEqual(Object.keys(answer.body).sort(), ['error', 'success'])
  assert.equal(answer.body.success, false)
  assert.ok(typeof answer.body.error === 'string' && answer.body.error !== '')
  if (error !== undefined) assert.equal(answer.body.error, error)
  assert.doesNotMatch(answer.text, /\bat .+:\d+|node_modules|\.ts\b|_cfpk|pk_live|wk_live|rk_live/)
}

test('C-ENV-01 every success is {success: true, data}, lists with metadata beside data', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'x' } })
  for (const answer of [
    await ws.app.get('/sync'),
    await ws.app.get('/blocks/promo'),
    await ws.write.post('/cards/register', { key: 'promo', seedInstance: false }),
    await ws.write.post('/cards/sync', { blocks: [{ key: 'promo' }] }),
    await ws.admin.get('/settings/sandbox'),
    await ws.admin.post('/settings/write-keys'),
    await request('GET', `${url}/healthz`),
  ]) {
    assert.ok(answer.status >= 200 && answer.status < 300, answer.text)
    assert.equal(answer.body.success, true)
    assert.ok('data' in answer.body)
    assert.equal('error' in answer.body, false)
  }
  for (const path of ['/members', '/settings/sdk-keys', '/blocks', '/blocks/promo/instances', '/workspaces']) {
    const { body } = await ws.admin.get(path)
    assert.deepEqual(Object.keys(body).sort(), ['data', 'metadata', 'success'], path)
    assert.deepEqual(Object.keys(body.metadata).sort(), ['nextCursor', 'total'], path)
  }
})

test('C-ENV-11 an unchanged client gets a block type that was registered after its last call', async () => {
  const ws = await workspace()
  assert.deepEqual(await ws.blocks(), [])
  await ws.block('brand_new')
  await ws.instance('brand_new', { values: { '#title': 'hello' } })
  assert.deepEqual(
    (await ws.blocks()).map(({ key, values }) => [key, values]),
    [['brand_new', { '#title': 'hello' }]],
  )
})

test('C-ENV-02 C-ENV-03 C-ERR-14 C-ERR-28 an unknown block is 404 {success, error} without a code, time after time', async () => {
  const ws = await workspace()
  for (let i = 0; i < 2; i++) expectPlain(await ws.app.get('/blocks/no_such'), 404, 'unknown block')
})

test('C-ERR-29 C-ERR-30 M-ERR-19 G-13 an unknown route is 404 and a known one with another method 405 with Allow, under every root', async () => {
  const ws = await workspace()
  for (const client of [ws.app, ws.admin, ws.testApp]) {
    for (const path of ['/nope', '/nope/nope?x=1', '/sync/nope', '/']) expectPlain(await client.get(path), 404, 'not found')
    expectPlain(await client.post('/nope', { a: 1 }), 404, 'not found')
  }
  for (const path of ['/', '/nope', '/sdk', '/sdk/v2/sync', '/api/v2/members']) {
    const answer = await request(path === '/' ? 'POST' : 'GET', url + path)
    expectPlain(answer, path === '/' ? 405 : 404)
  }
  for (const [answer, allow] of [
    [await ws.app.post('/sync', {}), 'GET'],
    [await ws.app.delete('/blocks/promo'), 'GET'],
    [await ws.app.get('/cards/register'), 'POST'],
    [await ws.admin.put('/members', {}), 'GET, POST'],
    [await ws.admin.patch('/settings/features', {}), 'GET, PUT'],
    [await ws.admin.get('/auth/login'), 'POST'],
  ] as const) {
    expectPlain(answer, 405)
    assert.deepEqual((answer.headers.get('allow') ?? '').split(', ').sort(), allow.split(', ').sort())
  }
})

test('G-13 on the client roots the key is judged before the route', async () => {
  const ws = await workspace()
  for (const root of ['/sdk/v1', '/api/v1/sdk']) {
    for (const [method, path] of [
      ['GET', '/nope'],
      ['POST', '/sync'],
      ['GET', ''],
      ['GET', '/'],
      ['DELETE', '/'],
    ] as const) {
      const missing = await request(method, url + root + path)
      assert.deepEqual([missing.status, missing.body.code], [401, 'MISSING_SDK_KEY'], `${method} ${root}${path}`)
      const wrong = await request(method, url + root + path, { headers: { 'x-cf-key': 'abc' } })
      assert.deepEqual([wrong.status, wrong.body.code], [401, 'INVALID_SDK_KEY'], `${method} ${root}${path}`)
      const right = await request(method, url + root + path, { headers: { 'x-cf-key': ws.live } })
      assert.ok([404, 405].includes(right.status))
    }
  }
})

test('C-ERR-29 G-13 malformed JSON is "invalid JSON body" and a body that is no object is 400, both without a code', async () => {
  const ws = await workspace()
  for (const raw of ['{', '{"a":', '{"a":1,}', 'nonsense', '{"a":1}}', "{'a':1}"]) {
    expectPlain(await ws.write.post('/cards/register', undefined, { raw }), 400, 'invalid JSON body')
    expectPlain(await ws.admin.post('/settings/write-keys', undefined, { raw }), 400, 'invalid JSON body')
    expectPlain(await request('POST', `${url}/api/v1/auth/login`, { raw }), 400, 'invalid JSON body')
  }
  for (const raw of ['[]', '"text"', '5', 'true', '[{}]']) {
    expectPlain(await ws.write.post('/cards/register', undefined, { raw }), 400)
    expectPlain(await ws.admin.post('/settings/write-keys', undefined, { raw }), 400)
    expectPlain(await ws.admin.put('/settings/features', undefined, { raw }), 400)
  }
})

test('G-13 an empty body counts as {} and unknown members are ignored', async () => {
  const ws = await workspace()
  for (const raw of [undefined, '', '  \n', '{}', '{"surprise":1}']) {
    const made = await ws.admin.post('/settings/write-keys', undefined, raw === undefined ? {} : { raw })
    assert.equal(made.status, 201, made.text)
  }
})

test('G-13 bodies with content in them may have 10 MB, others what their members need; above is 413 without a code', async () => {
  const ws = await workspace()
  const ofSize = (bytes: number, members = '') => `{${members}"pad":"${'x'.repeat(bytes - members.length - 10)}"}`
  assert.equal(ofSize(1_000).length, 1_000)
  const register = (bytes: number) =>
    ws.write.post('/cards/register', undefined, { raw: ofSize(bytes, '"key":"promo","seedInstance":false,') })
  assert.ok((await register(9_999_000)).status < 300)
  expectPlain(await register(10_600_000), 413)
  assert.equal((await ws.admin.post('/settings/write-keys', undefined, { raw: ofSize(LIMITS.smallBodyBytes) })).status, 201)
  expectPlain(await ws.admin.post('/settings/write-keys', undefined, { raw: ofSize(LIMITS.smallBodyBytes + 1) }), 413)
})

test('C-ERR-30 no refusal of keys repeats what was sent', async () => {
  const ws = await workspace()
  const secret = (await ws.key('secret', 'live')).key
  for (const answer of [
    await ws.sdk({ 'x-cf-key': `${secret}0` }).get('/sync'),
    await ws.sdk().get(`/sync?key=${secret}`),
    await ws.sdk({ 'x-cf-key': ws.live, 'x-tenant-id': 'w2w2w2w2' }).get('/sync'),
    await ws.sdk({ 'x-cf-write-key': secret }).post('/cards/sync', {}),
    await ws.sdk({ 'x-cf-key': secret }).get(`/blocks/${secret}`),
    await ws.sdk({ 'x-cf-key': secret }).get(`/${secret}`),
  ]) {
    assert.ok(answer.status >= 400 && answer.status < 500)
    assert.equal(answer.text.includes(secret.slice(8)), false, answer.text)
    assert.equal(answer.text.includes(ws.live), false)
  }
})
