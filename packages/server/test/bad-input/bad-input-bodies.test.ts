/** Request bodies that are no JSON, hostile JSON, too large, or of the wrong shape. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus, type Answer, type Client, type Workspace } from '../builders/builders.ts'
import { statusOf } from '../harness/raw.ts'
import { assertRefusal } from '../harness/refusals.ts'
import { startApp } from '../harness/start-app.ts'
import { hashTables } from '../harness/tables.ts'
import { PATIENCE_MS } from '../harness/until.ts'

const { workspace, ctx, url, operator } = await startApp()

async function changingNothing(work: () => Promise<void>): Promise<void> {
  const before = await hashTables(ctx.db)
  await work()
  assert.equal(await hashTables(ctx.db), before)
}

async function shop() {
  const ws = await workspace()
  await ws.block('promo', {
    fields: [
      { id: 'f_title', tag: '#title', type: 'text' },
      { id: 'f_any', tag: '#any', type: 'some_later_type' },
    ],
  })
  const { id } = await ws.instance('promo', { values: { '#title': 'kept' } }, { publish: false })
  return { ws, id: id as string }
}

/** Writing routes of each credential, as functions of a raw body. */
function writers(ws: Workspace, id: string): [string, (raw: string | Buffer) => Promise<Answer>][] {
  const raw = (client: Client, method: 'post' | 'put', path: string) => async (body: string | Buffer) =>
    client[method](path, undefined, { raw: body })
  return [
    ['register', raw(ws.write, 'post', '/cards/register')],
    ['sync', raw(ws.write, 'post', '/cards/sync')],
    ['make a type', raw(ws.admin, 'post', '/blocks')],
    ['change a type', raw(ws.admin, 'put', '/blocks/promo')],
    ['make an instance', raw(ws.admin, 'post', '/blocks/promo/instances')],
    ['change an instance', raw(ws.admin, 'put', `/blocks/promo/instances/${id}`)],
    ['publish', raw(ws.admin, 'post', `/blocks/promo/instances/${id}/publish`)],
    ['features', raw(ws.admin, 'put', '/settings/features')],
    ['key', raw(ws.admin, 'post', '/settings/sdk-keys')],
    ['write key', raw(ws.admin, 'post', '/settings/write-keys')],
    ['member', raw(ws.admin, 'post', '/members')],
    ['policy', raw(ws.admin, 'put', '/settings/sdk-key-policy')],
    ['sandbox', raw(ws.admin, 'post', '/settings/sandbox')],
    ['plan', raw(operator, 'put', `/operator/workspaces/${ws.id}/plan`)],
  ]
}

const nested = (depth: number, open: string, close: string) => `{"values":${open.repeat(depth)}1${close.repeat(depth)}}`

test('C-ERR-30 what is not JSON is 400 on every writing route, in the envelope, and changes nothing', async () => {
  const { ws, id } = await shop()
  await changingNothing(async () => {
    for (const [name, send] of writers(ws, id)) {
      for (const raw of [
        '{',
        '}',
        '{"key":"a"',
        'null null',
        '{"key":"a",}',
        "{'key':'a'}",
        '{key:"a"}',
        'NaN',
        '[1,]',
        '{"a":01}',
        '{"a":+1}',
        '{"a":.5}',
        '\u0000',
        '{"a":"\n"}',
        'key=a',
        '<a/>',
        '{"a":1}{"a":1}',
        '{"a":undefined}',
        '{"a":Infinity}',
        '//x\n{}',
      ])
        assertRefusal(await send(raw), 400, `${name} ${raw}`)
    }
  })
})

test('a body that is JSON but no object is 400 on every route that reads one, null included', async () => {
  const { ws, id } = await shop()
  await changingNothing(async () => {
    for (const [name, send] of writers(ws, id)) {
      if (name === 'sandbox') continue
      for (const raw of ['[]', '[{}]', '"text"', '1', 'true', 'false', 'null', ' null '])
        assertRefusal(await send(raw), 400, `${name} ${raw}`)
    }
  })
})

test('hostile JSON is 400: too deep, members twice, numbers that cannot be kept, NUL, half surrogates, broken UTF-8', async () => {
  const { ws, id } = await shop()
  const bad: [string, string | Buffer][] = [
    ['arrays 65 deep', nested(64, '[', ']')],
    ['arrays 100,000 deep', nested(100_000, '[', ']')],
    ['objects 100,000 deep', nested(100_000, '{"a":', '}')],
    ['unclosed arrays', `{"values":${'['.repeat(200_000)}`],
    ['a member twice', '{"key":"a","key":"b"}'],
    ['a member twice, once escaped', '{"key":"a","k\\u0065y":"b"}'],
    ['a member twice, deep inside', '{"values":{"#title":"a","x":[{"b":1,"b":2}],"#title":"c"}}'],
    ['1e400', '{"priority":1e400}'],
    ['-1e400', '{"priority":-1e400}'],
    ['1e400 in values', '{"values":{"#any":1e400}}'],
    ['an integer beyond 2^53', '{"priority":9007199254740993}'],
    ['a very long integer', `{"priority":${'9'.repeat(5_000)}}`],
    ['NUL in a key', '{"key":"a\\u0000b"}'],
    ['NUL in a name', '{"a\\u0000b":1}'],
    ['half a surrogate', '{"externalId":"\\ud800"}'],
    ['the other half', '{"key":"\\udc00x"}'],
    ['half a surrogate in a name', '{"\\ud83d":1}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['overlong UTF-8', Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')])],
    ['a surrogate in UTF-8', Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')])],
    ['cut UTF-8', Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xe2, 0x82]), Buffer.from('"}')])],
    ['UTF-16', Buffer.from('{"key":"a"}', 'utf16le')],
  ]
  await changingNothing(async () => {
    for (const [name, send] of writers(ws, id))
      for (const [what, raw] of bad) {
        const answer = await send(raw)
        // Most routes take no body that large.
        assertRefusal(answer, answer.status === 413 && raw.length > LIMITS.smallBodyBytes ? 413 : 400, `${name}: ${what}`)
      }
  })
  assert.equal(expectStatus(await ws.admin.get(`/blocks/promo/instances/${id}`), 200).data.values['#title'], 'kept')
})

test('what is merely unusual is taken: 64 levels, a byte order mark, -0, escapes, an emoji, an empty body', async () => {
  const { ws, id } = await shop()
  const put = (raw: string | Buffer) => ws.admin.put(`/blocks/promo/instances/${id}`, undefined, { raw })
  expectStatus(await put(`{"values":{"#any":${'['.repeat(61)}1${']'.repeat(61)}}}`), 200)
  expectStatus(await put(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"title":"bom"}')])), 200)
  expectStatus(await put('{"priority":-0,"values":{"#any":-1.5e-3}}'), 200)
  const told = expectStatus(await put('{"title":"\\ud83d\\ude00 \\u00e9","values":{"#title":"\\u0027 or 1=1 --"}}'), 200)
  assert.deepEqual([told.data.title, told.data.values['#title']], ['😀 é', "' or 1=1 --"])
  expectStatus(await put(''), 200)
  expectStatus(await put('  \n'), 200)
})

test('a member named __proto__ is dropped at any depth and in any spelling, constructor and prototype are plain data', async () => {
  const { ws, id } = await shop()
  const put = (raw: string) => ws.admin.put(`/blocks/promo/instances/${id}`, undefined, { raw })
  expectStatus(
    await put(
      '{"__proto__":{"title":"polluted"},"values":{"__proto__":{"#title":"x"},"#any":{"__proto__":{"polluted":1},"ok":[{"\\u005f_proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}]}}}',
    ),
    200,
  )
  const stored = expectStatus(await ws.admin.get(`/blocks/promo/instances/${id}`), 200)
  assert.deepEqual(stored.data.values, { '#title': 'kept', '#any': { ok: [{ constructor: { prototype: { polluted: 1 } } }] } })
  assert.equal(stored.text.includes('__proto__'), false)
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  assert.equal(({} as Record<string, unknown>)['title'], undefined)
  assertRefusal(await put('{"values":{"constructor":"x"}}'), 400)
  assertRefusal(await put('{"translations":{"constructor":{"#title":"x"}}}'), 400)
  assertRefusal(await put('{"translations":{"__proto__x":{"#title":"x"}}}'), 400)
  assertRefusal(await ws.write.post('/cards/register', undefined, { raw: '{"__proto__":{"key":"inherited"}}' }), 400)
})

test('type and instance names of the language itself are ordinary names', async () => {
  const ws = await workspace()
  for (const key of ['__proto__', 'constructor', 'tostring', 'prototype']) {
    assert.equal(expectStatus(await ws.write.post('/cards/register', { key, seedInstance: true }), 201).data.definitionCreated, true)
    assert.equal(expectStatus(await ws.admin.get(`/blocks/${key}`), 200).data.key, key)
    assert.equal(expectStatus(await ws.app.get(`/blocks/${key}`), 200).data.visible, false)
    await ws.instance(key)
    assert.equal(expectStatus(await ws.app.get(`/blocks/${key}`), 200).data.key, key)
  }
  const manifest = { blocks: ['__proto__', 'constructor'].map((key) => ({ key })) }
  assert.deepEqual(expectStatus(await ws.write.post('/cards/sync', manifest), 200).data.archived.sort(), ['prototype', 'tostring'])
  for (const key of ['valueOf', '__proto__x', 'hasOwnProperty']) assert.equal((await ws.app.get(`/blocks/${key}`)).status, 404)
})

test('unknown members are ignored, also those that would be meant to raise rights or change who one is', async () => {
  const { ws, id } = await shop()
  for (const family of ['write-keys', 'read-keys']) {
    const made = expectStatus(
      await ws.admin.post(`/settings/${family}`, { kind: 'publishable', environment: 'test', workspaceId: 'x', id: 'x' }),
      201,
    ).data
    assert.deepEqual([made.kind, made.environment], [family.replace('-keys', ''), 'live'])
    assert.match(made.key, family === 'write-keys' ? /^wk_live_/ : /^rk_live_/)
    expectStatus(await ws.admin.post(`/settings/${family}`, { kind: 'nonsense', environment: 5 }), 201)
  }
  const changed = await ws.admin.put(`/blocks/promo/instances/${id}`, {
    id: 'x',
    version: 99,
    workspace_id: 'x',
    status: 'published',
    livePublishedAt: '2020-01-01',
    title: 't',
  })
  assert.deepEqual([changed.data.id, changed.data.version, changed.data.status, changed.data.title], [id, 2, 'draft', 't'])
  const type = await ws.admin.put('/blocks/promo', { key: 'other', revision: 99, archivedAt: '2020-01-01', workspaceId: 'x', name: 'n' })
  assert.deepEqual([type.data.key, type.data.name, type.data.isArchived], ['promo', 'n', false])
})

test('a compressed body is 415, and any content type is read as JSON by one rule', async () => {
  const { ws, id } = await shop()
  const put = (headers: Record<string, string>, raw: string | Buffer) =>
    ws.admin.put(`/blocks/promo/instances/${id}`, undefined, { headers, raw })
  await changingNothing(async () => {
    for (const coding of ['gzip', 'br', 'deflate', 'x', 'gzip, gzip'])
      assertRefusal(await put({ 'content-encoding': coding }, gzipSync('{"title":"zipped"}')), 415, coding)
    assertRefusal(await put({ 'content-encoding': 'gzip' }, gzipSync('0'.repeat(50_000_000))), 415)
  })
  for (const [index, type] of [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
  ].entries())
    assert.equal(expectStatus(await put({ 'content-type': type }, `{"title":"t${index}"}`), 200).data.title, `t${index}`)
  assert.equal(expectStatus(await put({ 'content-encoding': 'identity' }, '{"title":"plain"}'), 200).data.title, 'plain')
})

/** Sends head and body piece by piece; resolves with what the server had said when `isDone`, and how much was sent by then. */
function sendSlowly(head: string, pieceBytes: number, pieces: number): Promise<{ text: string; sentAtAnswer: number }> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const piece = Buffer.alloc(pieceBytes, 'a')
    let text = ''
    let sent = 0
    let sentAtAnswer = -1
    let isAllSent = false
    const push = (left: number) => {
      if (socket.destroyed) return
      if (left === 0) {
        isAllSent = true
        if (text.endsWith('}')) socket.destroy()
        return
      }
      sent += piece.length
      socket.write(piece, () => setImmediate(() => push(left - 1)))
    }
    socket.on('connect', () => socket.write(head, () => push(pieces)))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (sentAtAnswer < 0) sentAtAnswer = sent
      if (isAllSent && text.endsWith('}')) socket.destroy()
    })
    // The server may cut the connection once it has answered.
    socket.on('error', () => {})
    socket.on('close', () => resolve({ text, sentAtAnswer }))
    socket.setTimeout(PATIENCE_MS, () => socket.destroy())
  })
}

test('a body over the limit is 413 without a code, told while the client is still sending, and changes nothing', async () => {
  const { ws } = await shop()
  const head = (path: string, length: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-CF-Write-Key: ${ws.writeKey}\r\nConnection: close\r\n${length}\r\n\r\n`
  await changingNothing(async () => {
    for (const path of ['/sdk/v1/cards/sync', '/api/v1/cards/sync', '/api/v1/sdk/cards/register']) {
      const declared = await sendSlowly(head(path, 'Content-Length: 20000000'), 100_000, 200)
      assert.equal(statusOf(declared.text), 413, declared.text.slice(0, 200))
      assert.ok(declared.sentAtAnswer < 20_000_000, 'the answer comes before the body is over')
      const body = JSON.parse(declared.text.slice(declared.text.indexOf('\r\n\r\n') + 4))
      assert.deepEqual([body.success, typeof body.error, 'code' in body], [false, 'string', false])
      const chunked = await sendSlowly(
        head(path, 'Transfer-Encoding: chunked').replace(/$/, `${(15_000_000).toString(16)}\r\n`),
        100_000,
        150,
      )
      assert.equal(statusOf(chunked.text), 413, chunked.text.slice(0, 200))
    }
  })
})

test('a management or pipeline body of ten megabytes passes, one byte more is 413', async () => {
  const { ws, id } = await shop()
  const of = (bytes: number) => `{"title":"t","ignored":"${'a'.repeat(bytes - 26)}"}`
  assert.equal(Buffer.byteLength(of(1_000)), 1_000)
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, undefined, { raw: of(10_000_000) }), 200)
  const over = await ws.admin.put(`/blocks/promo/instances/${id}`, undefined, { raw: of(10_000_001) })
  assertRefusal(over, 413)
  assert.equal(over.body.code, undefined)
  const manifest = `{"blocks":[{"key":"promo"}],"ignored":"${'a'.repeat(9_999_000)}"}`
  expectStatus(await ws.write.post('/cards/sync', undefined, { raw: manifest }), 200)
})

test('X-INT-03 a wrong key or a weak role is told before anything is said of the body, its size included', async () => {
  const { ws, id } = await shop()
  const viewer = await ws.viewer()
  const path = `/blocks/promo/instances/${id}`
  const approvals = ['reviews/R', 'strings/S/sensor', 'campaigns/C', 'campaigns/C/edit-requests/E'].map((what) => `/${what}/approve`)
  await changingNothing(async () => {
    for (const raw of ['{', '[]', '{"a":1,"a":2}', 'x'.repeat(1_100_000)]) {
      assertRefusal(await ws.sdk({ 'x-cf-write-key': 'wk_live_bad' }).post('/cards/sync', undefined, { raw }), 401)
      assertRefusal(await ws.sdk({ 'x-cf-key': 'bad' }).post('/sync', undefined, { raw }), 401)
      assertRefusal(await ws.admin.put(path, undefined, { raw, headers: { authorization: 'Bearer no' } }), 401)
      assertRefusal(await viewer.put(path, undefined, { raw }), 403)
      for (const approval of approvals) assertRefusal(await viewer.post(approval, undefined, { raw }), 403)
    }
  })
})
