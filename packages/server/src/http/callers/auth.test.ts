import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, request, type Answer, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { openStream } from '../../../test/harness/streams.ts'

const { workspace, url, fault } = await startApp()

const NOBODYS = '0'.repeat(40)
/** Every client route of the documents, those with a body sent one that would be good. */
const CLIENT_ROUTES: [method: string, path: string, body?: unknown][] = [
  ['GET', '/sync'],
  ['GET', '/blocks/x'],
  ['GET', '/strings'],
  ['GET', '/locales'],
  ['GET', '/stream'],
  ['GET', '/consent/config/banking_ksa'],
  ['POST', '/identify', { deviceId: 'd', consent: true }],
  ['POST', '/logout', { deviceId: 'd' }],
  ['POST', '/track-event', { deviceId: 'd', type: 'sign_in' }],
  ['POST', '/profile', {}],
  ['POST', '/events', { deviceId: 'd', events: [] }],
  ['POST', '/campaigns', {}],
  ['POST', '/consent', { deviceId: 'd', channels: { push: true } }],
  ['POST', '/consent/full', { deviceId: 'd', channels: {} }],
  ['POST', '/register-push', { deviceId: 'd', token: 't' }],
  ['POST', '/location', { deviceId: 'd', points: [] }],
  ['DELETE', '/identify', { deviceId: 'd' }],
  ['PATCH', '/push/preferences', {}],
]

const told = ({ status, body }: Answer) => [status, body?.code]
const sync = (headers: Record<string, string>) => request('GET', `${url}/sdk/v1/sync`, { headers })

/** A workspace that serves one block with its own text. */
async function shop(title: string): Promise<Workspace> {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': title } })
  return ws
}
const titles = (answer: Answer) => expectStatus(answer, 200).data.blocks.map((block: any) => block.values['#title'])

test('C-AUTH-16 C-AUTH-41 no key at all is 401 MISSING_SDK_KEY with the text "Missing API key", and again', async () => {
  for (let i = 0; i < 2; i++) {
    const answer = await sync({})
    assert.equal(answer.status, 401)
    assert.deepEqual(answer.body, { success: false, error: 'Missing API key', code: 'MISSING_SDK_KEY' })
  }
})

test('C-AUTH-24 every client route refuses a missing key and an unknown one, also with a good body', async () => {
  const ws = await workspace()
  for (const root of ['/sdk/v1', '/api/v1/sdk']) {
    for (const [method, path, body] of CLIENT_ROUTES) {
      const what = `${method} ${root}${path}`
      assert.deepEqual(told(await request(method, url + root + path, { body })), [401, 'MISSING_SDK_KEY'], what)
      const headers = { 'x-cf-key': `${ws.id}_cfpk${NOBODYS}` }
      assert.deepEqual(told(await request(method, url + root + path, { body, headers })), [401, 'INVALID_SDK_KEY'], what)
    }
  }
})

test('C-ENV-10 C-AUTH-02 C-AUTH-23 no client route answers 401 or 403 to a key of any kind, and content reads need nothing but it', async () => {
  const ws = await shop('x')
  const keys = [
    ws.live,
    ws.test,
    `${ws.id}_app`,
    `${ws.id}_test`,
    (await ws.key('secret', 'live')).key,
    (await ws.key('secret', 'test')).key,
  ]
  for (const key of keys) {
    for (const [method, path, body] of CLIENT_ROUTES) {
      if (path === '/stream') continue
      const { status } = await request(method, `${url}/sdk/v1${path}`, { headers: { 'x-cf-key': key }, body })
      assert.ok(status !== 401 && status !== 403, `${method} ${path}: ${status}`)
    }
    for (const path of ['/sync', '/blocks/promo'])
      assert.equal((await request('GET', `${url}/sdk/v1${path}`, { headers: { 'x-cf-key': key } })).status, 200)
    const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': key })
    assert.equal(stream.status, 200)
    stream.close()
  }
})

test('C-AUTH-05..07 C-AUTH-10..12 derived, secret and publishable keys open their environment', async () => {
  const ws = await workspace()
  for (const [key, environment] of [
    [`${ws.id}_app`, 'live'],
    [`${ws.id}_test`, 'test'],
    [(await ws.key('secret', 'live')).key, 'live'],
    [(await ws.key('secret', 'test')).key, 'test'],
    [ws.live, 'live'],
    [ws.test, 'test'],
  ] as const) {
    const answer = await sync({ 'x-cf-key': key })
    assert.deepEqual([answer.status, answer.headers.get('x-cf-env')], [200, environment], key)
  }
})

test('C-AUTH-07 a derived key opens a workspace where no key was ever made', async () => {
  const ws = await workspace()
  const made = expectStatus(await ws.admin.post('/workspaces', { name: 'No keys' }), 201).data
  assert.equal((await sync({ 'x-cf-key': `${made.id}_app` })).status, 200)
  assert.equal((await sync({ 'x-cf-key': `${made.id}_test` })).status, 200)
})

test('C-AUTH-13 C-AUTH-14 with both key headers X-CF-Key decides, for better or worse', async () => {
  const [first, second] = [await shop('of W1'), await shop('of W2')]
  assert.deepEqual(titles(await sync({ 'x-cf-key': first.live, 'x-api-key': second.live })), ['of W1'])
  assert.deepEqual(titles(await sync({ 'x-cf-key': first.live, 'x-api-key': 'garbage' })), ['of W1'])
  assert.deepEqual(told(await sync({ 'x-cf-key': 'garbage', 'x-api-key': first.live })), [401, 'INVALID_SDK_KEY'])
})

test('C-AUTH-17 C-AUTH-18 C-AUTH-20 C-AUTH-38 C-AUTH-41 C-ERR-10 malformed, unissued, foreign and wrong-kind keys are 401 INVALID_SDK_KEY, and again', async () => {
  const ws = await workspace()
  const digits = ws.live.slice(-40)
  for (const key of [
    'abc',
    `${ws.id}_cfpk${NOBODYS}`,
    `nosuchws_cfpk${digits}`,
    'nosuchws_app',
    'nosuchws_test',
    `${ws.id}_live`,
    ws.id,
    ws.live.toUpperCase(),
    `${ws.live}0`,
    ws.live.slice(0, -1),
    `pk_live_${NOBODYS}`,
    `pk_live_${digits}`,
    ws.writeKey,
    ws.readKey,
  ])
    for (let i = 0; i < 2; i++) assert.deepEqual(told(await sync({ 'x-cf-key': key })), [401, 'INVALID_SDK_KEY'], key)
})

test('C-AUTH-38 M-AUTH-03 a key of one use does not open a header of another', async () => {
  const ws = await workspace()
  for (const key of [ws.writeKey, ws.readKey]) assert.deepEqual(told(await sync({ 'x-api-key': key })), [401, 'INVALID_SDK_KEY'])
  for (const name of ['x-cf-write-key', 'x-cf-read-key'])
    assert.deepEqual(told(await sync({ [name]: ws.live })), [401, 'MISSING_SDK_KEY'], name)
  const secret = (await ws.key('secret', 'live')).key
  for (const key of [ws.live, `${ws.id}_app`, secret, ws.readKey]) {
    const answer = await ws.sdk({ 'x-cf-write-key': key }).post('/cards/register', { key: 'promo' })
    assert.deepEqual([answer.status, answer.body], [401, { success: false, error: 'invalid write key' }], key)
  }
})

test('C-AUTH-39 a portal token opens no client route', async () => {
  const ws = await workspace()
  const { token } = expectStatus(await signUp(), 201).data
  const authorization = `Bearer ${token}`
  for (const headers of [{ authorization }, { authorization, 'x-tenant-id': ws.id }] as Record<string, string>[])
    assert.deepEqual(told(await sync(headers)), [401, 'MISSING_SDK_KEY'])
  assert.deepEqual(told(await sync({ 'x-cf-key': token })), [401, 'INVALID_SDK_KEY'])
})

const signUp = () =>
  request('POST', `${url}/api/v1/auth/signup`, {
    body: { email: `${Math.random()}@example.com`, password: 'long enough', name: 'A', workspaceName: 'B' },
  })

test('C-AUTH-26..28 C-AUTH-41 X-INT-04 a key in the query is 403 SDK_KEY_IN_QUERY on every route but the stream, good header and bad body or not', async () => {
  const ws = await workspace()
  for (const [method, path, body] of CLIENT_ROUTES) {
    if (path === '/stream') continue
    for (const headers of [{}, { 'x-cf-key': ws.live }, { 'x-cf-key': 'garbage' }] as Record<string, string>[]) {
      const answer = await request(method, `${url}/sdk/v1${path}?key=${ws.live}`, { headers, body })
      assert.deepEqual(told(answer), [403, 'SDK_KEY_IN_QUERY'], `${method} ${path}`)
    }
  }
  const malformed = await request('POST', `${url}/sdk/v1/events?a=1&key=${ws.live}`, { headers: { 'x-cf-key': ws.live }, raw: '{"a":' })
  assert.deepEqual(told(malformed), [403, 'SDK_KEY_IN_QUERY'])
})

test('C-AUTH-29 C-AUTH-30 the stream takes its key from the query as well, and refuses a bad or missing one', async () => {
  const ws = await workspace()
  for (const key of [ws.live, `${ws.id}_test`]) {
    const stream = await openStream(`${url}/sdk/v1/stream?key=${key}`)
    assert.deepEqual([stream.status, stream.headers.get('content-type')?.split(';')[0]], [200, 'text/event-stream'])
    stream.close()
  }
  assert.deepEqual(told(await request('GET', `${url}/sdk/v1/stream?key=bad`)), [401, 'INVALID_SDK_KEY'])
  assert.deepEqual(told(await request('GET', `${url}/sdk/v1/stream`)), [401, 'MISSING_SDK_KEY'])
})

test('C-AUTH-31..36 C-AUTH-41 C-VER-04 X-Tenant-Id must fit a publishable key, 403 on the legacy root, and is ignored with other keys', async () => {
  const [ws, other] = [await shop('of W'), await shop('of W2')]
  const ask = (root: string, key: string, tenant?: string) =>
    request('GET', `${url}${root}/sync`, { headers: { 'x-cf-key': key, ...(tenant !== undefined && { 'x-tenant-id': tenant }) } })
  for (const root of ['/sdk/v1', '/api/v1/sdk']) {
    for (const tenant of [undefined, ws.id]) assert.deepEqual(titles(await ask(root, ws.live, tenant)), ['of W'])
    for (const tenant of [other.id, 'nosuchws'])
      for (const key of [ws.live, ws.test])
        for (let i = 0; i < 2; i++)
          assert.deepEqual(told(await ask(root, key, tenant)), [root === '/sdk/v1' ? 401 : 403, 'TENANT_KEY_MISMATCH'], `${root} ${tenant}`)
    for (const key of [`${ws.id}_app`, `${ws.id}_test`, (await ws.key('secret', 'live')).key, (await ws.key('secret', 'test')).key])
      assert.deepEqual(titles(await ask(root, key, other.id)), ['of W'])
    assert.deepEqual(told(await ask(root, 'garbage', other.id)), [401, 'INVALID_SDK_KEY'])
    assert.deepEqual(told(await request('GET', `${url}${root}/sync?key=x`)), [403, 'SDK_KEY_IN_QUERY'])
  }
  const escaped = await request('GET', `${url}/api/v1/%73dk/%73ync`, { headers: { 'x-cf-key': ws.live, 'x-tenant-id': other.id } })
  assert.deepEqual(told(escaped), [403, 'TENANT_KEY_MISMATCH'])
  // The mismatch holds on writes and on unknown routes, before the body is read.
  const write = await request('POST', `${url}/sdk/v1/identify`, { headers: { 'x-cf-key': ws.live, 'x-tenant-id': other.id }, raw: '{' })
  assert.deepEqual(told(write), [401, 'TENANT_KEY_MISMATCH'])
})

test('C-AUTH-42 a key shows nothing of another workspace', async () => {
  const [ws, other] = [await shop('of W'), await shop('of W2')]
  await other.block('only_there')
  await other.instance('only_there')
  for (const key of [ws.live, ws.test, `${ws.id}_app`]) {
    assert.deepEqual(titles(await sync({ 'x-cf-key': key })), ['of W'])
    assert.equal((await request('GET', `${url}/sdk/v1/blocks/only_there`, { headers: { 'x-cf-key': key } })).status, 404)
  }
})

test('C-AUTH-22 while keys cannot be checked the answer is 503 without a code, a known key goes on and garbage stays 401', async () => {
  const ws = await workspace()
  const unseen = [(await ws.key('publishable', 'live')).key, (await ws.key('secret', 'test')).key]
  assert.equal((await sync({ 'x-cf-key': ws.live })).status, 200)
  await fault('key_validation', true)
  const answers = await Promise.all(unseen.map((key) => sync({ 'x-cf-key': key })))
  const known = await sync({ 'x-cf-key': ws.live })
  const garbage = await sync({ 'x-cf-key': 'abc' })
  await fault('key_validation', false)
  for (const answer of answers) {
    assert.deepEqual([answer.status, answer.body.success, 'code' in answer.body], [503, false, false])
    assert.ok(typeof answer.body.error === 'string' && answer.body.error !== '')
  }
  assert.deepEqual([known.status, garbage.status], [200, 401])
  for (const key of unseen) assert.equal((await sync({ 'x-cf-key': key })).status, 200)
})

test('X-INT-03 a wrong or missing key beats a malformed body, an over-large one, an unknown route and every fault', async () => {
  const ws = await workspace()
  expectStatus(await ws.admin.put('/settings/test-environment', { retired: true }), 200)
  await fault('sandbox_route', true)
  await fault('upstream', true)
  const answers: Answer[] = []
  for (const raw of ['{"a":', 'x'.repeat(1_200_000)]) {
    for (const path of ['/identify', '/events', '/no/such']) {
      answers.push(await request('POST', `${url}/sdk/v1${path}`, { headers: { 'x-cf-key': `${ws.id}_cfpk${NOBODYS}` }, raw }))
      answers.push(await request('POST', `${url}/sdk/v1${path}`, { headers: { 'x-cf-write-key': ws.writeKey }, raw }))
    }
  }
  const pipeline = await request('POST', `${url}/sdk/v1/cards/sync`, { headers: { 'x-cf-write-key': 'wk_live_bad' }, raw: '{' })
  const person = await request('POST', `${url}/api/v1/members`, { headers: { authorization: 'Bearer x' }, raw: '{' })
  await fault('sandbox_route', false)
  await fault('upstream', false)
  for (const [index, answer] of answers.entries())
    assert.deepEqual(told(answer), [401, index % 2 === 0 ? 'INVALID_SDK_KEY' : 'MISSING_SDK_KEY'])
  assert.deepEqual([pipeline.status, pipeline.body.error, person.status], [401, 'invalid write key', 401])
})
