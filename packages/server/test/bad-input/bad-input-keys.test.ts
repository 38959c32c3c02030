/** Keys, tokens and tenants that are wrong, forged, ended or in the wrong place. Nothing may open and nothing may change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, request, type Answer, type Workspace } from '../builders/builders.ts'
import { sendBytes, statusOf } from '../harness/raw.ts'
import { assertRefusal } from '../harness/refusals.ts'
import { startApp } from '../harness/start-app.ts'
import { hashTables } from '../harness/tables.ts'

const { workspace, ctx, url, operator, anyone, advance, fault } = await startApp()

/** Runs `work` and fails when it changed a row of any table. */
async function changingNothing(work: () => Promise<void>, except: string[] = []): Promise<void> {
  const before = await hashTables(ctx.db, { except })
  await work()
  assert.equal(await hashTables(ctx.db, { except }), before)
}

async function shop(): Promise<Workspace> {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'x' } })
  return ws
}

const sync = (headers: Record<string, string>, path = '/sync') => anyone.get(`/sdk/v1${path}`, { headers })

function assertKeyRefused(answer: Answer, code: string, what: string): void {
  assertRefusal(answer, 401, what)
  assert.equal(answer.body.code, code, what)
  assert.equal(answer.headers.get('x-cf-env'), null, what)
}

test('C-AUTH-16 no key is MISSING_SDK_KEY with the documented text, time after time, under both roots', async () => {
  await changingNothing(async () => {
    for (let i = 0; i < 3; i++) {
      for (const root of ['/sdk/v1', '/api/v1/sdk']) {
        const answer = await anyone.get(`${root}/sync`)
        assert.equal(answer.status, 401)
        assert.deepEqual(answer.body, { success: false, error: 'Missing API key', code: 'MISSING_SDK_KEY' })
      }
    }
  })
})

test('C-AUTH-17 C-AUTH-18 C-AUTH-20 C-AUTH-38 C-AUTH-39 any other text is no application key', async () => {
  const ws = await shop()
  const hex = (length: number) => '0'.repeat(length)
  const token = await signedInToken(ws)
  await changingNothing(async () => {
    for (const key of [
      'abc',
      "' OR 1=1--",
      '',
      ' ',
      'x'.repeat(10_000),
      `${ws.id}_cfpk${hex(39)}`,
      `${ws.id}_cfpk${hex(40)}`,
      `${ws.id}_cfpk${hex(41)}`,
      `${ws.id}_cfpk${'g'.repeat(40)}`,
      ws.live.toUpperCase(),
      ws.live.replace('_cfpk', '_CFPK'),
      `${ws.live}x`,
      `${ws.live} ${ws.live}`,
      `${ws.live},`,
      `Bearer ${ws.live}`,
      `nosuchws_cfpk${hex(40)}`,
      'nosuchws_app',
      'nosuchws_test',
      ws.id,
      `${ws.id}_`,
      `${ws.id}_live`,
      `${ws.id}_app_test`,
      `${ws.id.toUpperCase()}_app`,
      `pk_live_${hex(40)}`,
      `pk_prod_${hex(40)}`,
      `pk_live_${ws.live.slice(-40)}`,
      '__proto___app',
      'constructor_app',
      ws.writeKey,
      ws.readKey,
      token,
    ]) {
      assertKeyRefused(await sync({ 'x-cf-key': key }), 'INVALID_SDK_KEY', `X-CF-Key ${key.slice(0, 60)}`)
      assertKeyRefused(await sync({ 'x-api-key': key }), 'INVALID_SDK_KEY', `X-API-Key ${key.slice(0, 60)}`)
    }
    assertKeyRefused(await sync({ authorization: `Bearer ${token}` }), 'MISSING_SDK_KEY', 'a portal token')
  })
})

async function signedInToken(ws: Workspace): Promise<string> {
  const account = { email: `${ws.id}@example.com`, password: 'a long enough one', name: 'P', role: 'viewer' }
  expectStatus(await ws.admin.post('/members', account), 201)
  return expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', account), 200).data.token
}

test('an unknown workspace and a wrong secret are answered with the very same bytes', async () => {
  const ws = await shop()
  const texts = new Set<string>()
  for (const key of [`${ws.id}_cfpk${'0'.repeat(40)}`, `nosuchws_cfpk${'0'.repeat(40)}`, 'nosuchws_app', 'abc'])
    texts.add((await sync({ 'x-cf-key': key })).text)
  assert.equal(texts.size, 1)
})

test('C-AUTH-13 C-AUTH-14 X-CF-Key decides over X-API-Key, and a header sent twice opens nothing', async () => {
  const [a, b] = [await shop(), await workspace()]
  const both = await sync({ 'x-cf-key': a.live, 'x-api-key': b.live })
  assert.equal(both.data.blocks.length, 1)
  assertKeyRefused(await sync({ 'x-cf-key': 'garbage', 'x-api-key': a.live }), 'INVALID_SDK_KEY', 'bad X-CF-Key')
  assertKeyRefused(await sync({ 'x-cf-key': '', 'x-api-key': a.live }), 'INVALID_SDK_KEY', 'empty X-CF-Key')
  for (const second of [b.live, a.live, '']) {
    const raw = await sendBytes(
      url,
      `GET /sdk/v1/sync HTTP/1.1\r\nHost: x\r\nX-CF-Key: ${a.live}\r\nX-CF-Key: ${second}\r\nConnection: close\r\n\r\n`,
    )
    assert.equal(statusOf(raw), 401, raw)
  }
  const control = await sendBytes(url, `GET /sdk/v1/sync HTTP/1.1\r\nHost: x\r\nX-CF-Key: a\x7fb\r\nConnection: close\r\n\r\n`)
  assert.ok([400, 401].includes(statusOf(control)), control)
})

test('C-AUTH-26 C-AUTH-27 C-AUTH-28 a key in the query is refused on every route but the stream, with a good header key and on writes as well', async () => {
  const ws = await shop()
  await changingNothing(async () => {
    for (const [method, path] of [
      ['GET', '/sync'],
      ['GET', '/blocks/promo'],
      ['GET', '/no/such/route'],
      ['POST', '/events'],
      ['DELETE', '/identify'],
    ] as const) {
      for (const query of [`key=${ws.live}`, 'key=', 'key', `a=1&key=${ws.live}&key=x`]) {
        for (const headers of [{}, { 'x-cf-key': ws.live }]) {
          const answer = await request(method, `${url}/sdk/v1${path}?${query}`, { headers, ...(method === 'POST' && { body: {} }) })
          assertRefusal(answer, 403, `${method} ${path}?${query}`)
          assert.equal(answer.body.code, 'SDK_KEY_IN_QUERY')
        }
      }
    }
  })
})

test('M-AUTH-02 M-AUTH-03 M-AUTH-04 only a write key opens the pipeline, whatever header an application key is put in', async () => {
  const ws = await shop()
  const revoked = expectStatus(await ws.admin.post('/settings/write-keys', {}), 201).data
  expectStatus(await ws.admin.delete(`/settings/write-keys/${revoked.id}`), 200)
  await changingNothing(async () => {
    for (const root of ['/sdk/v1', '/api/v1', '/api/v1/sdk']) {
      for (const path of ['/cards/sync', '/cards/register']) {
        const post = (headers: Record<string, string>) => anyone.post(root + path, { blocks: [], prune: true, key: 'promo' }, { headers })
        for (const key of [
          ws.live,
          ws.test,
          ws.readKey,
          `${ws.id}_app`,
          'wk_live_bad',
          '0',
          `${ws.writeKey}0`,
          ws.writeKey.toUpperCase(),
          revoked.key,
        ]) {
          const answer = await post({ 'x-cf-write-key': key })
          assert.deepEqual([answer.status, answer.body], [401, { success: false, error: 'invalid write key' }], key)
        }
        for (const headers of [
          {},
          { 'x-cf-key': ws.live },
          { 'x-cf-key': ws.writeKey },
          { authorization: `Bearer ${ws.writeKey}` },
        ] as Record<string, string>[]) {
          const answer = await post(headers)
          assertRefusal(answer, 401, JSON.stringify(Object.keys(headers)))
          assert.equal(answer.body.code, undefined)
          assert.match(answer.body.error, /write-key/i)
        }
      }
    }
  })
})

test('C-AUTH-21 C-AUTH-19 every kind of key of a suspended workspace, and a rotated one, is refused from the next request on', async () => {
  const ws = await shop()
  const secret = await ws.key('secret', 'live')
  const keys = [ws.live, ws.test, `${ws.id}_app`, `${ws.id}_test`, secret.key]
  for (const key of keys) assert.equal((await sync({ 'x-cf-key': key })).status, 200)
  expectStatus(await operator.post(`/operator/workspaces/${ws.id}/suspend`), 200)
  // All at once, as an app's users would ask.
  for (const [index, answer] of (await Promise.all(keys.map((key) => sync({ 'x-cf-key': key })))).entries())
    assertKeyRefused(answer, 'INVALID_SDK_KEY', keys[index] ?? '')
  assert.equal((await ws.write.post('/cards/register', { key: 'x' })).status, 401)
  expectStatus(await operator.post(`/operator/workspaces/${ws.id}/resume`), 200)
  for (const answer of await Promise.all(keys.map((key) => sync({ 'x-cf-key': key })))) assert.equal(answer.status, 200)
  const { key } = expectStatus(await ws.admin.post(`/settings/sdk-keys/${secret.id}/rotate`), 200).data
  assertKeyRefused(await sync({ 'x-cf-key': secret.key }), 'INVALID_SDK_KEY', 'rotated')
  assert.equal((await sync({ 'x-cf-key': key })).status, 200)
})

test('the first requests of a workspace may come with all its keys at the same moment', async () => {
  for (let round = 0; round < 5; round++) {
    const ws = await workspace()
    const keys = [
      ws.live,
      ws.test,
      `${ws.id}_app`,
      `${ws.id}_test`,
      (await ws.key('secret', 'live')).key,
      (await ws.key('secret', 'test')).key,
    ]
    const answers = await Promise.all(keys.map((key) => sync({ 'x-cf-key': key })))
    assert.deepEqual(
      answers.map(({ status }) => status),
      keys.map(() => 200),
    )
  }
})

test('C-AUTH-22 while keys cannot be checked an unseen key is 503 without a code, never 401, and a seen one goes on', async () => {
  const ws = await shop()
  const unseen = (await ws.key('publishable', 'live')).key
  assert.equal((await ws.app.get('/sync')).status, 200)
  await fault('key_validation', true)
  const answers = [
    await sync({ 'x-cf-key': unseen }),
    await sync({ 'x-cf-key': unseen }, '/stream'),
    await sync({ 'x-cf-key': unseen }, '/no/such'),
  ]
  const seen = await ws.app.get('/sync')
  await fault('key_validation', false)
  for (const answer of answers) {
    assertRefusal(answer, 503)
    assert.equal('code' in answer.body, false)
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }
  assert.equal(seen.status, 200)
  assert.equal((await sync({ 'x-cf-key': unseen })).status, 200)
})

test('M-AUTH-10 M-AUTH-11 M-AUTH-14 M-AUTH-15 the management root takes a living portal token only', async () => {
  const ws = await shop()
  const token = await signedInToken(ws)
  const get = (headers: Record<string, string>) => anyone.get('/api/v1/members', { headers: { 'x-tenant-id': ws.id, ...headers } })
  assert.equal((await get({ authorization: `Bearer ${token}` })).status, 200)
  assert.equal((await get({ authorization: `bearer ${token}` })).status, 200)
  for (const [status, headers] of [
    [401, {}],
    [401, { 'x-cf-key': ws.live }],
    [401, { 'x-cf-write-key': ws.writeKey }],
    [401, { 'x-cf-read-key': ws.readKey }],
    [401, { authorization: '' }],
    [401, { authorization: 'Bearer' }],
    [401, { authorization: `Bearer ${ws.live}` }],
    [401, { authorization: `Bearer ${token}x` }],
    [401, { authorization: `Bearer ${token.slice(0, -1)}` }],
    [401, { authorization: `Basic ${token}` }],
    [401, { authorization: `Bearer ${token}, Bearer ${token}` }],
    [401, { authorization: `Bearer ${'x'.repeat(8_000)}` }],
    [400, { authorization: `Bearer ${token}`, 'x-tenant-id': '' }],
    [403, { authorization: `Bearer ${token}`, 'x-tenant-id': 'nosuchws' }],
    [403, { authorization: `Bearer ${token}`, 'x-tenant-id': `${ws.id} ,` }],
    [403, { authorization: `Bearer ${token}`, 'x-tenant-id': "' or '1'='1" }],
    [403, { authorization: `Bearer ${token}`, 'x-tenant-id': '\u00ff' }],
  ] as [number, Record<string, string>][]) {
    const answer = await get(headers)
    assertRefusal(answer, status, JSON.stringify(headers).slice(0, 80))
    assert.equal(answer.body.code, undefined)
  }
  const other = expectStatus(
    await clientOf(`${url}/api/v1`).post('/auth/login', { email: `${ws.id}@example.com`, password: 'a long enough one' }),
    200,
  ).data.token
  expectStatus(await clientOf(`${url}/api/v1`, { authorization: `Bearer ${other}` }).post('/auth/logout'), 200)
  assertRefusal(await get({ authorization: `Bearer ${other}` }), 401, 'signed out')
  await advance(23 * 3600)
  assert.equal((await get({ authorization: `Bearer ${token}` })).status, 200)
  await advance(3600 + 60)
  assertRefusal(await get({ authorization: `Bearer ${token}` }), 401, 'after 24 hours')
})

test('M-ROLE-17 a lowered role counts from the next call on, and a removed member is out', async () => {
  const ws = await shop()
  const token = await signedInToken(ws)
  const { userId } = (await ws.admin.get('/members')).data.members.find((member: any) => member.email === `${ws.id}@example.com`)
  const person = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
  expectStatus(await ws.admin.put(`/members/${userId}`, { role: 'admin' }), 200)
  expectStatus(await person.put('/settings/features', { features: { campaigns: false } }), 200)
  expectStatus(await ws.admin.put(`/members/${userId}`, { role: 'viewer' }), 200)
  await changingNothing(async () => {
    for (const refused of [
      await person.put('/settings/features', { features: { campaigns: true } }),
      await person.post('/settings/write-keys', {}),
      await person.delete('/blocks/promo'),
    ]) {
      assertRefusal(refused, 403)
      assert.equal(refused.body.code, 'ROLE_REQUIRED')
    }
  })
  expectStatus(await ws.admin.delete(`/members/${userId}`), 200)
  assertRefusal(await person.get('/members'), 403)
})

test('C-SBX-14 C-SBX-15 M-KEY-10 a live key in a sandbox, a publish to a retired test environment and a policy without a live key are refused', async () => {
  const ws = await workspace()
  const { workspaceId } = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  await ws.block('promo')
  const { id } = await ws.instance('promo', {}, { publish: false })
  expectStatus(await ws.admin.put('/settings/test-environment', { retired: true }), 200)
  for (const each of (await ws.admin.get('/settings/sdk-keys')).data.keys)
    expectStatus(await ws.admin.delete(`/settings/sdk-keys/${each.id}`), 200)
  await changingNothing(async () => {
    for (const kind of ['publishable', 'secret']) {
      const live = await ws.admin.post('/settings/sdk-keys', { kind, environment: 'live' }, { headers: { 'x-tenant-id': workspaceId } })
      assertRefusal(live, 403)
      assert.equal(live.body.code, 'SANDBOX_LIVE_KEY_FORBIDDEN')
    }
    const retired = await ws.admin.post(`/blocks/promo/instances/${id}/publish`, { target: 'test' })
    assertRefusal(retired, 409)
    assert.equal(retired.body.code, 'TEST_ENV_RETIRED')
    const policy = await ws.admin.put('/settings/sdk-key-policy', { derivedKeysEnabled: false })
    assertRefusal(policy, 409)
  })
  assert.equal((await sync({ 'x-cf-key': `${ws.id}_app` })).status, 200)
})
