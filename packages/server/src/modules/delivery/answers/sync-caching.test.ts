import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { send } from '../../../../test/harness/raw.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, url } = await startApp()

const get = (ws: Workspace, path: string, headers: Record<string, string> = {}) =>
  send(url, `/sdk/v1${path}`, { headers: { 'x-cf-key': ws.live, ...headers } })

async function shop(instances = 1): Promise<Workspace> {
  const ws = await workspace()
  await ws.block('promo')
  for (let i = 0; i < instances; i++) await ws.instance('promo', { values: { '#title': `Instance ${i} ${'lorem ipsum '.repeat(20)}` } })
  return ws
}

/** Compressed forms are made behind the first answer that could use one. */
async function getCoded(ws: Workspace, path: string, accept: string) {
  for (let i = 0; i < 200; i++) {
    const answer = await get(ws, path, { 'accept-encoding': accept })
    assert.equal(answer.status, 200)
    if (answer.headers['content-encoding']) return answer
  }
  throw new Error(`${accept} was never answered compressed`)
}

test('C-SYNC-03 If-None-Match takes one tag, a list, weak forms and *, and nothing else matches', async () => {
  const ws = await shop()
  for (const path of ['/sync', '/blocks/promo']) {
    const etag = (await get(ws, path)).headers.etag ?? ''
    assert.match(etag, /^"[!#-~]+"$/)
    const bare = etag.slice(1, -1)
    for (const [header, status] of [
      [etag, 304],
      [`W/${etag}`, 304],
      [`"other", ${etag}`, 304],
      [`"a","b" , W/"c",${etag} `, 304],
      [`W/"x", W/${etag}`, 304],
      ['*', 304],
      [bare, 200],
      [`'${bare}'`, 200],
      [`"${bare.toUpperCase()}x"`, 200],
      [`"${bare}`, 200],
      ['""', 200],
      ['', 200],
      ['"a", "b"', 200],
      [`"${'x'.repeat(8_000)}"`, 200],
    ] as const) {
      const answer = await get(ws, path, { 'if-none-match': header })
      assert.equal(answer.status, status, `${path} ${header.slice(0, 60)}`)
      if (status === 304) {
        assert.equal(answer.body.length, 0)
        assert.equal(answer.headers.etag, etag)
        assert.equal(answer.headers['content-type'], undefined)
      }
    }
    assert.equal((await get(ws, path, { 'if-none-match': `"${'x'.repeat(40_000)}"` })).status, 431)
  }
})

test('C-HDR-08 C-HDR-11 a 304 carries environment, rate and cross-origin headers like a 200', async () => {
  const ws = await shop()
  const first = await get(ws, '/sync')
  const same = await get(ws, '/sync', { 'if-none-match': first.headers.etag ?? '' })
  for (const { headers } of [first, same]) {
    assert.equal(headers['x-cf-env'], 'live')
    assert.equal(headers['x-ratelimit-limit'], '1000')
    assert.match(String(headers['x-ratelimit-remaining']), /^\d+$/)
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.match(String(headers['access-control-expose-headers']), /\bX-CF-Env\b.*\bETag\b/)
    assert.equal(headers['cache-control'], 'private, no-cache')
    for (const name of ['X-CF-Key', 'X-CF-Device', 'Accept-Language', 'Accept-Encoding'])
      assert.ok(String(headers.vary).split(/, */).includes(name), name)
  }
})

test('C-SYNC-02 C-SYNC-03 gzip and brotli hold the same text under the same tag, which answers 304 in every form', async () => {
  const ws = await shop(10)
  for (const path of ['/sync', '/blocks/promo']) {
    const plain = await get(ws, path)
    const zipped = await getCoded(ws, path, 'gzip')
    const brotli = await getCoded(ws, path, 'gzip, deflate, br')
    assert.equal(zipped.headers['content-encoding'], 'gzip')
    assert.equal(brotli.headers['content-encoding'], 'br')
    assert.ok(gunzipSync(zipped.body).equals(plain.body))
    assert.ok(brotliDecompressSync(brotli.body).equals(plain.body))
    assert.equal(zipped.headers['content-length'], String(zipped.body.length))
    const etag = plain.headers.etag ?? ''
    assert.deepEqual([zipped.headers.etag, brotli.headers.etag], [etag, etag])
    for (const accept of ['', 'gzip', 'br']) {
      const same = await get(ws, path, { 'if-none-match': etag, ...(accept && { 'accept-encoding': accept }) })
      assert.deepEqual([same.status, same.body.length, same.headers.etag], [304, 0, etag], accept)
    }
    assert.equal((await get(ws, path)).headers['content-encoding'], undefined, 'a client that names no coding gets none')
  }
  await ws.instance('promo', { values: { '#title': 'one more' } })
  const changed = await getCoded(ws, '/sync', 'br')
  assert.equal(JSON.parse(brotliDecompressSync(changed.body).toString()).data.blocks.length, 11)
})

test('C-SYNC-14 C-HDR-06 a client that takes compressed answers is given one tag before and after the compressed form is ready', async () => {
  const ws = await shop(10)
  const etags = new Set<string | undefined>()
  let isCompressed = false
  for (let i = 0; i < 200 && !isCompressed; i++) {
    const { headers } = await get(ws, '/sync', { 'accept-encoding': 'gzip, deflate', 'x-cf-device': 'phone-1' })
    etags.add(headers.etag)
    isCompressed = headers['content-encoding'] === 'gzip'
  }
  assert.deepEqual([etags.size, isCompressed], [1, true])
})

test('a coding that a client refuses with q=0 is never sent', async () => {
  const ws = await shop(10)
  await getCoded(ws, '/sync', 'gzip')
  await getCoded(ws, '/sync', 'br')
  const coding = async (accept: string) => (await get(ws, '/sync', { 'accept-encoding': accept })).headers['content-encoding']
  for (const accept of ['br;q=0', 'gzip;q=0, br;q=0', 'identity', 'identity, *;q=0', 'gzip;q=0.0', 'abrupt', 'deflate'])
    assert.equal(await coding(accept), undefined, accept)
  assert.equal(await coding('br;q=0, gzip'), 'gzip')
  assert.equal(await coding('gzip;q=0, br;q=1.0'), 'br')
  assert.equal(await coding('GZIP'), 'gzip')
})

test('a small answer is sent plain, with the same tag for every client', async () => {
  const ws = await workspace()
  const etags = new Set<string | undefined>()
  for (const accept of ['gzip', 'br', 'gzip', 'br', 'identity']) {
    const { headers } = await get(ws, '/sync', { 'accept-encoding': accept })
    assert.equal(headers['content-encoding'], undefined)
    etags.add(headers.etag)
  }
  assert.equal(etags.size, 1)
})

test('C-SYNC-04 equal content has an equal tag again: what was undone is the same answer', async () => {
  const ws = await shop()
  const before = (await get(ws, '/sync')).headers.etag ?? ''
  const extra = await ws.instance('promo', { values: { '#title': 'for a while' } })
  assert.notEqual((await get(ws, '/sync')).headers.etag, before)
  expectStatus(await ws.admin.post(`/blocks/promo/instances/${extra.id}/unpublish`), 200)
  assert.equal((await get(ws, '/sync', { 'if-none-match': before })).status, 304)
})

test('C-SYNC-04 changes that this request does not deliver leave the tag alone', async () => {
  const ws = await shop()
  const before = (await get(ws, '/sync')).headers.etag ?? ''
  await ws.instance('promo', { values: { '#title': 'draft' } }, { publish: false })
  await ws.instance('promo', { values: { '#title': 'test' } }, { publish: 'test' })
  await ws.instance('promo', { seg: 'Gold', values: { '#title': 'gold' } })
  await ws.block('other')
  assert.equal((await get(ws, '/sync', { 'if-none-match': before })).status, 304)
})

test('C-HDR-07 C-AUTH-40 session, SDK and signature headers change nothing in the answer', async () => {
  const ws = await shop()
  const plain = await get(ws, '/sync')
  const dressed = await get(ws, '/sync', {
    'x-cf-session-id': 's-1',
    'x-cf-sdk-version': 'js/1.0.0',
    'x-cf-sdk-capabilities': 'erasure-partial-v1, frequency-v1, unknown-v9',
    'x-cf-signature': 'sha256=00',
    'x-forwarded-host': 'evil.example',
    'x-original-url': '/sdk/v1/blocks/other',
    'x-http-method-override': 'DELETE',
  })
  assert.equal(dressed.status, 200)
  assert.equal(dressed.headers.etag, plain.headers.etag)
  assert.ok(dressed.body.equals(plain.body))
})
