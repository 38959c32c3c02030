import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/start-app.ts'
import { makeDemo } from '../../demo.ts'

const { url, ctx } = await startApp({ CF_SIGNUP: 'first' })
const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers, redirect: 'manual' })

test('every address of the dashboard is its page, under a policy without inline scripts', async () => {
  for (const path of ['/', '/login', '/w/some', '/w/some/content/hero/1?tab=who']) {
    const answer = await get(path)
    assert.equal(answer.status, 200, path)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'; script-src 'self';/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    const page = await answer.text()
    assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)|\son\w+=|style=/)
  }
})

test('built files are kept for a year and come compressed; their folder gives out nothing else', async () => {
  const page = await (await get('/')).text()
  const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(page) ?? []
  const answer = await get(script, { 'accept-encoding': 'br' })
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(answer.headers.get('content-encoding'), 'br')
  assert.match(answer.headers.get('content-type') ?? '', /javascript/)
  for (const path of [
    '/assets/none.js',
    '/assets/',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e%2findex.html',
    '/.sources',
    '/assets/a%00b',
  ])
    assert.equal((await get(path)).status, 404, path)
  assert.equal((await fetch(url, { method: 'POST' })).status, 405)
})

test('the worker of web push is a script without imports that workers of other origins may load, and it has an ETag', async () => {
  const answer = await get('/push/worker.js')
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /javascript/)
  assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
  const text = await answer.text()
  assert.match(text, /notificationclick/)
  assert.doesNotMatch(text, /\b(import|export)\b/)
  const etag = answer.headers.get('etag') ?? ''
  assert.match(etag, /"/)
  assert.equal((await get('/push/worker.js')).headers.get('etag'), etag)
})

test('the client is a script that pages of any origin may load: the one of this server, and the one of this version for a year', async () => {
  const { info } = (await (await get('/api/v1/openapi.json')).json()) as { info: { version: string } }
  const [latest, pinned] = await Promise.all(
    ['/sdk/contentflow.js', `/sdk/contentflow-${info.version}.js`].map((path) => get(path, { 'accept-encoding': 'gzip, deflate' })),
  )
  assert.ok(latest && pinned)
  for (const answer of [latest, pinned]) {
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /javascript/)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  }
  assert.deepEqual(
    [latest.headers.get('cache-control'), pinned.headers.get('cache-control')],
    ['no-cache', 'public, max-age=31536000, immutable'],
  )
  const text = await latest.text()
  assert.equal(await pinned.text(), text)
  const etag = latest.headers.get('etag') ?? ''
  // `fetch` says no-cache of its own accord beside a condition, which asks for the whole file.
  const asked = http.get(`${url}/sdk/contentflow.js`, { headers: { 'if-none-match': etag, 'accept-encoding': 'gzip, deflate' } })
  const [conditional] = (await once(asked, 'response')) as [http.IncomingMessage]
  conditional.resume()
  assert.equal(conditional.statusCode, 304)
  const compressed = await get('/sdk/contentflow.js', { 'accept-encoding': 'br' })
  assert.deepEqual([compressed.headers.get('content-encoding'), await compressed.text()], ['br', text])
  for (const path of ['/sdk/contentflow-0.0.1.js', '/sdk/contentflow.js.map', '/sdk/']) assert.equal((await get(path)).status, 404, path)
  const hash = createHash('sha384').update(text).digest('base64')
  const docs = await (await get('/docs')).text()
  assert.ok(docs.includes(`/sdk/contentflow-${info.version}.js&quot; integrity=&quot;sha384-${hash}&quot;`))
})

test('the demo shop is told which key to ask with, and there is none without a demo', async () => {
  assert.equal((await get('/demo/shop')).headers.get('location'), '/demo/shop/')
  assert.equal((await get('/demo/shop/')).status, 200)
  assert.deepEqual(await (await get('/demo/shop/config.json')).json(), { baseUrl: '/sdk/v1', key: null })
  await makeDemo(ctx)
  const answer = await get('/demo/shop/config.json')
  const { baseUrl, key } = (await answer.json()) as { baseUrl: string; key: string }
  assert.equal(baseUrl, '/sdk/v1')
  const synced = await get(`${baseUrl}/sync`, { 'x-cf-key': key })
  const body = (await synced.json()) as { data: { blocks: unknown[] } }
  assert.ok(body.data.blocks.length > 10)
})
