/** How the documentation is given out; what it looks like, its links and its search are tried by packages/site/test/site.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/harness/start-app.ts'

const { url } = await startApp()
const get = (path: string, init: RequestInit = {}) => fetch(url + path, { redirect: 'manual', ...init })

test('pages of the guide are for everybody, asked for again each time, under a policy without scripts inside of pages', async () => {
  for (const path of ['/guide/', '/guide/concepts.html', '/guide/ar/', '/guide/ar/marketers-day.html', '/guide/decisions/']) {
    const answer = await get(path)
    assert.equal(answer.status, 200, path)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
    assert.match(answer.headers.get('etag') ?? '', /"/)
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.doesNotMatch(await answer.text(), /<script(?![^>]*\ssrc=)|\son\w+=/, path)
    const head = await get(path, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('etag'), await head.text()], [200, answer.headers.get('etag'), ''])
  }
})

test('what pages of the guide load is kept for a year and comes compressed', async () => {
  const page = await (await get('/guide/')).text()
  const files = [...page.matchAll(/(?:src|href)="(\/guide\/assets\/[^"]+)"/g)].map(([, file = '']) => file)
  assert.ok(files.length > 3)
  for (const file of files) {
    const answer = await get(file)
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'public, max-age=31536000, immutable'], file)
  }
  const style = files.find((file) => /\/style\.[\w-]+\.css$/.test(file)) ?? assert.fail('no style')
  for (const encoding of ['br', 'gzip'])
    assert.equal((await get(style, { headers: { 'accept-encoding': encoding } })).headers.get('content-encoding'), encoding)
})

test('addresses of the guide that people shorten lead on; others get the page that says there is none, and nothing beside the built files', async () => {
  for (const [from, to] of [
    ['/guide', '/guide/'],
    ['/guide/ar', '/guide/ar/'],
    ['/guide/concepts', '/guide/concepts.html'],
    ['/guide/reference/settings', '/guide/reference/settings.html'],
  ] as const) {
    const answer = await get(from)
    assert.ok([301, 302].includes(answer.status), from)
    assert.equal(answer.headers.get('location'), to)
  }
  for (const path of [
    '/guide/none',
    '/guide/none.html',
    '/guide/none/',
    '/guide/ar/none.html',
    '/guide/assets/none.js',
    '/guide/assets/',
    '/guide/..%2fpackage.json',
    '/guide/%2e%2e%2fpackage.json',
    '/guide/assets/..%2f..%2fpackage.json',
    '/guide//package.json',
    '/guide/.sources',
    '/guide/a%00b',
  ]) {
    const answer = await get(path)
    assert.equal(answer.status, 404, path)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/, path)
    assert.equal(answer.headers.get('cache-control'), 'no-cache', path)
    assert.equal((await get(path, { method: 'HEAD' })).status, 404, path)
  }
})
