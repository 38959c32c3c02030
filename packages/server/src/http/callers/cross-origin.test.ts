import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const PORTAL = 'https://portal.example'
const { workspace, url } = await startApp({ CF_PORTAL_ORIGINS: `${PORTAL}, https://other.example` })

const listOf = (header: string | null) => (header ?? '').toLowerCase().split(/\s*,\s*/)
const preflight = (path: string, origin: string, headers = 'x-cf-key,x-cf-device') =>
  request('OPTIONS', url + path, {
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': headers },
  })

test('C-HDR-12 G-12 a preflight of the client routes needs no key and admits every client header and method', async () => {
  for (const path of ['/sdk/v1/sync', '/sdk/v1/identify', '/api/v1/sdk/sync', '/sdk/v1/push/preferences', '/sdk/v1/cards/register']) {
    const answer = await preflight(path, 'https://a.example')
    assert.deepEqual([answer.status, answer.text, answer.headers.get('access-control-allow-origin')], [204, '', '*'], path)
    const headers = listOf(answer.headers.get('access-control-allow-headers'))
    for (const name of [
      'x-cf-key',
      'x-api-key',
      'x-cf-device',
      'accept-language',
      'if-none-match',
      'x-cf-session-id',
      'x-cf-sdk-version',
      'x-cf-sdk-capabilities',
      'content-type',
      'authorization',
      'x-tenant-id',
    ])
      assert.ok(headers.includes(name), name)
    const methods = listOf(answer.headers.get('access-control-allow-methods'))
    for (const method of ['get', 'post', 'patch', 'delete', 'options']) assert.ok(methods.includes(method), method)
  }
})

test('C-HDR-11 G-12 a page of any origin may read client answers, refusals included, with these headers', async () => {
  const ws = await workspace()
  const headers = { origin: 'https://a.example' }
  const first = await ws.app.get('/sync', { headers })
  for (const answer of [
    first,
    await ws.app.get('/sync', { headers: { ...headers, 'if-none-match': first.headers.get('etag') ?? '' } }),
    await ws.app.get('/blocks/none', { headers }),
    await ws.app.get('/no/such', { headers }),
    await ws.sdk().get('/sync', { headers }),
    await ws.sdk({ 'x-cf-write-key': 'bad' }).post('/cards/sync', {}, { headers }),
    await ws.write.post('/cards/sync', {}, { headers }),
    await request('GET', `${url}/api/v1/sdk/sync`, { headers }),
  ]) {
    assert.equal(answer.headers.get('access-control-allow-origin'), '*', String(answer.status))
    const exposed = listOf(answer.headers.get('access-control-expose-headers'))
    for (const name of ['x-cf-env', 'etag', 'retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining'])
      assert.ok(exposed.includes(name), name)
  }
})

test('G-12 the management root admits pages of the configured origins only', async () => {
  const ws = await workspace()
  const asked = 'authorization,x-tenant-id,content-type'
  for (const origin of [PORTAL, 'https://other.example']) {
    const allowed = await preflight('/api/v1/members', origin, asked)
    assert.deepEqual([allowed.status, allowed.headers.get('access-control-allow-origin')], [204, origin])
    const headers = listOf(allowed.headers.get('access-control-allow-headers'))
    for (const name of asked.split(',')) assert.ok(headers.includes(name), name)
    assert.equal((await ws.admin.get('/members', { headers: { origin } })).headers.get('access-control-allow-origin'), origin)
  }
  for (const origin of ['https://a.example', 'http://portal.example', 'https://portal.example.evil', 'null']) {
    const refused = await preflight('/api/v1/members', origin, asked)
    assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [403, null], origin)
    assert.equal((await ws.admin.get('/members', { headers: { origin } })).headers.get('access-control-allow-origin'), null)
  }
})
