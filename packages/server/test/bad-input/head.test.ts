/** HEAD of whatever answers GET: the status and the headers of the GET, and no body. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from '../harness/raw.ts'
import { fillPath, listDescribed } from '../harness/routes.ts'
import { openSweep } from './sweep.ts'

const { app, url, makeFixture } = await openSweep()

/** Another in each answer, also of two GETs. */
const OWN = new Set(['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'transfer-encoding', 'connection', 'keep-alive'])
/** What they say changes by itself: times, memory, what was asked before, how long it took. */
const CHANGING = new Set(['/metrics', '/api/v1/auth/sessions', '/api/v1/audit/verify'])

async function headAndGet(path: string, headers: Record<string, string>) {
  const get = await send(url, path, { headers })
  const head = await send(url, path, { method: 'HEAD', headers })
  const kept = (all: object) =>
    Object.entries(all)
      .filter(([name]) => !OWN.has(name) && !(CHANGING.has(path) && name === 'content-length'))
      .toSorted()
  assert.equal(head.status, get.status, path)
  assert.deepEqual(kept(head.headers), kept(get.headers), path)
  assert.equal(head.body.length, 0, path)
  return head
}

test('G-91 HEAD of every route that answers GET has its status and headers, whoever asks', async () => {
  const { ws, params, roles } = await makeFixture()
  const paths = listDescribed(app).flatMap((name) => (name.startsWith('GET ') ? [name.slice(4)] : []))
  assert.ok(paths.length > 100)
  const statuses = new Map<number, number>()
  for (const path of paths.filter((each) => !each.endsWith('/stream'))) {
    const address = fillPath(path, { ...params, id: path.startsWith('/operator/') ? ws.id : (params['id'] ?? '') })
    for (const role of ['nobody', 'admin', 'app', 'operator']) {
      const { status } = await headAndGet(address, roles[role] ?? assert.fail(role))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  assert.ok((statuses.get(200) ?? 0) > 80 && (statuses.get(401) ?? 0) > 100, JSON.stringify([...statuses]))
  for (const path of ['/', '/docs', '/login', '/icon.svg', '/w/x', '/nope', '/sdk/v1/nope', '/demo/shop', '/demo/shop/config.json'])
    await headAndGet(path, {})
})

test('G-91 HEAD of what is answered before the framework: finished answers, also to whoever has them', async () => {
  const ws = (await makeFixture()).ws
  for (const path of ['/sync', '/sync?locale=ar', '/blocks/promo', '/strings', '/locales', '/blocks/nope']) {
    const headers = { 'x-cf-key': ws.live, 'accept-encoding': 'br' }
    const { status, headers: said } = await headAndGet(`/sdk/v1${path}`, headers)
    if (path === '/blocks/nope') continue
    assert.equal(status, 200)
    assert.ok(Number(said['content-length']) > 0, path)
    const again = await headAndGet(`/sdk/v1${path}`, { ...headers, 'if-none-match': said.etag ?? '' })
    assert.equal(again.status, 304)
  }
})

test('G-91 HEAD of a stream answers its headers and ends', async () => {
  const { ws } = await makeFixture()
  for (const root of ['/sdk/v1', '/api/v1/sdk']) {
    const answer = await send(url, `${root}/stream`, { method: 'HEAD', headers: { 'x-cf-key': ws.live } })
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/event-stream; charset=utf-8'])
    assert.equal((await send(url, `${root}/stream`, { method: 'HEAD', headers: { 'x-cf-key': 'nope' } })).status, 401)
  }
})
