/** Requests that are wrong below the routes: the message itself, addresses, methods, headers, and clients that are slow. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { clientOf, expectStatus, type Answer } from '../builders/builders.ts'
import { send, sendBytes, statusOf } from '../harness/raw.ts'
import { assertNoInside, assertRefusal } from '../harness/refusals.ts'
import { startApp } from '../harness/start-app.ts'
import { hashTables } from '../harness/tables.ts'
import { inTime, pause } from '../harness/until.ts'

const { workspace, ctx, url } = await startApp()

/** A raw answer in the form the other checks take. */
function toAnswer(text: string): Answer {
  const body = text.slice(text.indexOf('\r\n\r\n') + 4)
  const parsed = body.startsWith('{') ? JSON.parse(body) : undefined
  return { status: statusOf(text), headers: new Headers(), text: body, body: parsed, data: parsed?.data }
}

async function raw(path: string, options: Parameters<typeof send>[2] = {}): Promise<Answer> {
  const { status, headers, body } = await send(url, path, options)
  const text = body.toString()
  const parsed = text.startsWith('{') ? JSON.parse(text) : undefined
  return { status, headers: new Headers(headers as Record<string, string>), text, body: parsed, data: parsed?.data }
}

async function shop() {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'x' } })
  return { ws, id: id as string }
}

test('messages that two readers could understand differently are 400 and end the connection', async () => {
  const { ws } = await shop()
  const head = `POST /api/v1/cards/register HTTP/1.1\r\nHost: x\r\nX-CF-Write-Key: ${ws.writeKey}\r\n`
  const body = '{"key":"smuggled"}'
  const before = await hashTables(ctx.db)
  for (const [what, message] of [
    ['length and chunks', `${head}Content-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${body}`],
    ['two lengths', `${head}Content-Length: ${body.length}\r\nContent-Length: 3\r\n\r\n${body}`],
    ['a list of lengths', `${head}Content-Length: ${body.length}, 3\r\n\r\n${body}`],
    ['a length with a sign', `${head}Content-Length: +${body.length}\r\n\r\n${body}`],
    ['a negative length', `${head}Content-Length: -1\r\n\r\n${body}`],
    ['an unknown coding', `${head}Transfer-Encoding: xchunked\r\n\r\n${body}`],
    ['chunked twice', `${head}Transfer-Encoding: chunked, identity\r\n\r\n${body}`],
    ['a bad chunk size', `${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n${body}\r\n0\r\n\r\n`],
    ['a blank before the colon', `${head}Content-Length : ${body.length}\r\n\r\n${body}`],
    ['a folded header', `${head}X-Folded: a\r\n b\r\nContent-Length: ${body.length}\r\n\r\n${body}`],
    ['bare line feeds', `${head}X-A: b\nX-C: d\nContent-Length: ${body.length}\n\n${body}`],
    ['a line feed inside a value', `${head}X-A: b\rc\r\nContent-Length: ${body.length}\r\n\r\n${body}`],
    ['a NUL in a header', `${head}X-A: b\u0000c\r\nContent-Length: ${body.length}\r\n\r\n${body}`],
    ['a later version', `POST /api/v1/cards/register HTTP/9.9\r\nHost: x\r\n\r\n`],
    ['no HTTP at all', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
    ['an unknown method', `FROB /api/v1/cards/register HTTP/1.1\r\nHost: x\r\n\r\n`],
  ] as const) {
    const text = await sendBytes(url, message)
    assertRefusal(toAnswer(text), 400, `${what}: ${text}`)
    assert.match(text, /\r\nconnection: close\r\n/i, what)
  }
  assert.equal(await hashTables(ctx.db), before)
})

test('a request without a host is refused in the envelope like any other', async () => {
  const text = await sendBytes(url, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')
  assertRefusal(toAnswer(text), 400, text)
})

test('an expectation the server does not know is refused in the envelope', async () => {
  const text = await sendBytes(url, 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: a-pony\r\nConnection: close\r\n\r\n')
  assertRefusal(toAnswer(text), 417, text)
  const { ws } = await shop()
  const body = '{"key":"expected"}'
  const patient = await sendBytes(
    url,
    `POST /api/v1/cards/register HTTP/1.1\r\nHost: x\r\nX-CF-Write-Key: ${ws.writeKey}\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  assert.match(patient, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
})

test('headers and addresses that are too long are refused in the envelope, long ones that fit are served', async () => {
  const { ws } = await shop()
  const key = { 'x-cf-key': ws.live }
  assertRefusal(await raw('/sdk/v1/sync', { headers: { ...key, 'x-long': 'a'.repeat(17_000) } }), 431)
  assertRefusal(await raw('/sdk/v1/sync', { headers: { ...key, 'accept-language': 'a'.repeat(17_000) } }), 431)
  assertRefusal(await raw(`/sdk/v1/blocks/${'a'.repeat(17_000)}`, { headers: key }), [414, 431])
  assertRefusal(await raw(`/sdk/v1/blocks/${'a'.repeat(10_000)}`, { headers: key }), 404)
  assert.equal(
    (await raw('/sdk/v1/sync', { headers: { ...key, 'x-long': 'a'.repeat(10_000), 'accept-language': 'b'.repeat(2_000) } })).status,
    200,
  )
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, '1']))
  assert.ok([200, 431].includes((await raw('/sdk/v1/sync', { headers: { ...key, ...many } })).status))
})

test('every spelling of an address is one route or none, and none of them passes without a key', async () => {
  const { ws } = await shop()
  for (const path of [
    '//sdk/v1/sync',
    '/sdk//v1/sync',
    '/sdk/v1//sync',
    '/sdk/v1/./sync',
    '/sdk/v1/x/../sync',
    '/x/../sdk/v1/sync',
    '/sdk/v1/sync/',
    '/sdk/v1/%73ync',
    '/%73dk/v1/sync',
    '/sdk%2fv1%2fsync',
    '/sdk/v1/sync%00',
    '/sdk/v1/sync%20',
    '/sdk/v1/sync;a=1',
    '/sdk/v1/sync.json',
    '/SDK/V1/SYNC',
    '/sdk/v1/Sync',
    '/sdk/v1\\sync',
    '/api/v1/sdk/../../../sdk/v1/sync',
    '/api/v1/%73dk/sync',
    '/sdk/v1/%25%37%33ync',
    '/sdk/v1/blocks/../sync',
    '/sdk/v1/blocks/%2e%2e/sync',
    '/api/v1/members',
    '/api/v1/%6dembers',
    '/api/v1//members',
  ]) {
    const closed = await raw(path)
    assertRefusal(closed, [401, 404, 400], path)
    const open = await raw(path, { headers: { 'x-cf-key': ws.live } })
    assert.ok([200, 400, 401, 404].includes(open.status), path)
    if (open.status === 200) assert.equal(open.data.blocks.length, 1, path)
    else assertRefusal(open, open.status, path)
  }
})

test('C-BLK-17 odd block keys are unknown blocks, on the client roots and in the dashboard', async () => {
  const { ws } = await shop()
  const before = await hashTables(ctx.db)
  for (const key of [
    '__proto__',
    'constructor',
    'toString',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e',
    'PROMO',
    'promo%20',
    '%20promo',
    'promo%0a',
    'pro%6do2',
    '*',
    '%2a',
    '%25',
    "promo'--",
    '%F0%9F%98%80',
    'a'.repeat(10_000),
    '0',
    'null',
    'undefined',
    '%ef%bb%bfpromo',
    'promo%e2%80%8b',
  ]) {
    const client = await raw(`/sdk/v1/blocks/${key}`, { headers: { 'x-cf-key': ws.live } })
    assert.deepEqual([client.status, client.text], [404, '{"success":false,"error":"unknown block"}'], key)
  }
  for (const key of ['%00', 'promo%00', '%ff', '%c0%af', '%ed%a0%80', '%', '%zz', '%u0041']) {
    assertRefusal(await raw(`/sdk/v1/blocks/${key}`, { headers: { 'x-cf-key': ws.live } }), [404, 400], key)
  }
  for (const key of [
    '__proto__',
    'constructor',
    'PROMO',
    "x' or '1'='1",
    'promo\u0000',
    '\u0000',
    'a'.repeat(5_000),
    '😀',
    'é',
    'e\u0301',
  ]) {
    for (const path of [
      `/blocks/${encodeURIComponent(key)}`,
      `/blocks/${encodeURIComponent(key)}/instances`,
      `/blocks/promo/instances/${encodeURIComponent(key)}`,
      `/blocks/promo/instances/${encodeURIComponent(key)}/revisions`,
    ])
      assertRefusal(await ws.admin.get(path), [404, 400], path.slice(0, 80))
    assertRefusal(await ws.admin.delete(`/members/${encodeURIComponent(key)}`), [404, 400])
    assertRefusal(await ws.admin.post(`/settings/sdk-keys/${encodeURIComponent(key)}/rotate`), [404, 400])
  }
  assert.equal((await raw('/sdk/v1/blocks/pro%6do', { headers: { 'x-cf-key': ws.live } })).status, 200)
  assert.equal(await hashTables(ctx.db), before)
})

test('odd query strings are ignored or refused, never an error of the server', async () => {
  const { ws, id } = await shop()
  for (const query of [
    '?a[__proto__][x]=1',
    '?__proto__=1&constructor=2',
    '?%00=%00',
    '?&&&===',
    '?a=%',
    '?a=%zz',
    '?locale[]=ar',
    '?locale[x]=ar',
    '?'.padEnd(5_000, '&'),
    '?#',
    '?a;b',
    '?%6cocale=ar',
  ])
    assert.equal(
      (await raw(`/sdk/v1/sync${query}`, { headers: { 'x-cf-key': ws.live, __proto__: 'x', constructor: 'y' } })).status,
      200,
      query,
    )
  for (const [path, lists] of [
    ['/blocks', true],
    ['/blocks/promo/instances', true],
    [`/blocks/promo/instances/${id}/revisions`, true],
  ] as const) {
    for (const bad of [
      'limit=0',
      'limit=201',
      'limit=-1',
      'limit=1.5',
      'limit=abc',
      'limit=',
      'limit=1e2x',
      'limit=NaN',
      'limit=1&limit=2',
      'limit=99999999999999999999',
      `cursor=${'x'.repeat(501)}`,
      'cursor=a&cursor=b',
    ])
      assertRefusal(await ws.admin.get(`${path}?${bad}`), [400, 404], `${path}?${bad}`)
    for (const odd of [
      'cursor=',
      'cursor=%00',
      'cursor=%F0%9F%98%80',
      "cursor=x' or 1=1",
      'cursor=-1',
      'search=%',
      'search=%25_',
      'search=%00',
      'search=',
      "search='",
      'unknown=1',
      'archived=maybe',
      'limit=200',
      'limit=%201',
    ]) {
      const answer = await ws.admin.get(`${path}?${odd}`)
      assert.ok(answer.status < 500, `${path}?${odd}: ${answer.text}`)
      if (answer.status !== 200) assertRefusal(answer, [400, 404], `${path}?${odd}`)
      assert.ok(lists)
    }
  }
  assert.equal(
    (await ws.admin.get('/blocks/promo/instances?search=%25')).data.instances.length,
    0,
    'a percent sign is searched for, not a wildcard',
  )
})

test('G-04 G-13 which methods a path of the dashboard takes is told to people who are signed in', async () => {
  const { ws } = await shop()
  const nobody = clientOf(`${url}/api/v1`)
  for (const client of [nobody, ws.write, ws.read]) {
    assertRefusal(await client.post('/strings/enable', { keys: ['a'] }), 401)
    assertRefusal(await client.delete('/blocks'), 401)
  }
  const answer = await ws.admin.post('/strings/enable', { keys: ['a'] })
  assertRefusal(answer, 405)
  assert.equal(answer.headers.get('allow'), 'GET, PUT')
  // Whoever may not be signed in yet, or calls with a key, is told at once.
  for (const path of ['/auth/login', '/cards/register']) assertRefusal(await nobody.get(path), 405)
})

test('other methods are 405 with Allow or 404, an override header is no way around, TRACE echoes nothing', async () => {
  const { ws, id } = await shop()
  const before = await hashTables(ctx.db)
  const key = { 'x-cf-key': ws.live }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'SEARCH', 'LOCK']) {
    const answer = await raw('/sdk/v1/sync', { method, headers: { ...key, 'x-secret-echo': 'canary' } })
    assert.ok([404, 405].includes(answer.status), `${method}: ${answer.status}`)
    if (answer.status === 405) assert.match(answer.headers.get('allow') ?? '', /\bGET\b/)
    assertRefusal(answer, answer.status, method)
    assert.ok(!answer.text.includes('canary'), method)
    assertRefusal(await raw('/sdk/v1/sync', { method }), 401, `${method} without a key`)
  }
  for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
    const answer = await ws.admin.get(`/blocks/promo/instances/${id}`, { headers: { [header]: 'DELETE' } })
    assert.equal(answer.status, 200)
    assert.equal((await ws.admin.post(`/blocks/promo/instances/${id}?_method=DELETE`, {}, { headers: { [header]: 'DELETE' } })).status, 405)
  }
  assert.equal(statusOf(await sendBytes(url, 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')) >= 500, false)
  assertRefusal(await raw('/no/such'), 404)
  assertRefusal(await clientOf(`${url}/api/v1`).get('/no/such'), 404)
  assertRefusal(await clientOf(`${url}/sdk/v1`).get('/no/such'), 401)
  assertRefusal(await ws.app.get('/no/such'), 404)
  assert.equal(await hashTables(ctx.db), before)
})

test('C-HDR-12 C-HDR-11 a preflight of the client roots needs no key and admits their headers; the management root names no origin', async () => {
  const { ws } = await shop()
  for (const origin of ['https://a.example', 'null', 'http://localhost:3000']) {
    for (const path of ['/sdk/v1/sync', '/sdk/v1/events', '/api/v1/sdk/stream', '/sdk/v1/no/such']) {
      const answer = await raw(path, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-cf-key,x-cf-device' },
      })
      assert.equal(answer.status, 204, path)
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
      assert.equal(answer.headers.get('access-control-allow-credentials'), null)
      const headers = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/, */)
      for (const name of [
        'x-cf-key',
        'x-api-key',
        'x-cf-device',
        'accept-language',
        'if-none-match',
        'x-cf-session-id',
        'x-cf-sdk-version',
        'x-cf-sdk-capabilities',
        'last-event-id',
        'content-type',
      ])
        assert.ok(headers.includes(name), name)
      const methods = (answer.headers.get('access-control-allow-methods') ?? '').split(/, */)
      for (const name of ['GET', 'POST', 'PATCH', 'DELETE']) assert.ok(methods.includes(name), name)
    }
    const refused = await raw('/api/v1/members', { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } })
    assert.equal(refused.headers.get('access-control-allow-origin'), null)
    const read = await raw('/api/v1/members', { headers: { origin } })
    assert.equal(read.headers.get('access-control-allow-origin'), null)
  }
  for (const answer of [
    await ws.app.get('/sync'),
    await ws.app.get('/blocks/none'),
    await ws.sdk({ 'x-cf-key': 'bad' }).get('/sync'),
    await ws.sdk().get('/sync'),
  ]) {
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase()
    for (const name of ['x-cf-env', 'etag', 'retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining'])
      assert.ok(exposed.includes(name), name)
  }
})

test('ids are compared byte for byte: composed and decomposed letters, blanks and case are different ids', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const ids = ['é', 'e\u0301', 'E', 'e', ' e', 'e ', 'ß', 'ss', 'İ', 'i']
  for (const externalId of ids) expectStatus(await ws.admin.post('/blocks/promo/instances', { externalId }), 201)
  for (const externalId of ids) assertRefusal(await ws.admin.post('/blocks/promo/instances', { externalId }), 409, externalId)
  const stored = (await ws.admin.get('/blocks/promo/instances?limit=200')).data.instances.map((instance: any) => instance.externalId)
  assert.deepEqual(stored.sort(), ids.toSorted())
})

test('a client that sends its headers too slowly is answered 408 and cut off, and others are served meanwhile', async () => {
  const { ws } = await shop()
  const { hostname, port } = new URL(url)
  const slow = Array.from({ length: 50 }, () => {
    const socket = connect(Number(port), hostname, () => socket.write('GET /sdk/v1/sync HTTP/1.1\r\nHost: x\r\nX-Slow: '))
    const drip = setInterval(() => socket.write('a'), 1_000)
    const { promise, resolve } = Promise.withResolvers<string>()
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    // Writing on after the cut is an error of this client.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(drip)
      resolve(text)
    })
    return promise
  })
  const watch = { isOver: false }
  const outcome = inTime('every slow connection is cut', Promise.all(slow)).finally(() => (watch.isOver = true))
  let served = 0
  while (!watch.isOver) {
    assert.equal((await ws.app.get('/sync')).status, 200)
    served++
    await pause(250)
  }
  assert.ok(served > 0)
  for (const text of await outcome) {
    assertRefusal(toAnswer(text), 408, text)
    assertNoInside(text)
  }
})
