import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Answer, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, operator, advance, url } = await startApp()

const rateOf = ({ headers }: Answer) => [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]
const setRate = async (ws: Workspace | { id: string }, requestsPerMinute: number | null) =>
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute }), 200)

/** Spends `count` requests, none of which may be refused. */
async function spend(client: Client, count: number, path = '/sync'): Promise<void> {
  for (let done = 0; done < count; done += 50) {
    const batch = await Promise.all(Array.from({ length: Math.min(50, count - done) }, () => client.get(path)))
    for (const answer of batch) assert.notEqual(answer.status, 429, `refused within the first ${done + 50}`)
  }
}

test('C-HDR-08 C-HDR-09 the headers tell 1000 and what is left, this request included', async () => {
  const ws = await workspace()
  assert.deepEqual(rateOf(await ws.app.get('/sync')), ['1000', '999'])
  assert.deepEqual(rateOf(await ws.app.get('/blocks/none')), ['1000', '998'])
  assert.deepEqual(rateOf(await ws.testApp.get('/sync')), ['1000', '997'])
  assert.deepEqual(rateOf(await ws.sdk({ 'x-cf-key': `${ws.id}_app` }).get('/no/such/route')), ['1000', '996'])
})

test('C-LIMIT-01..05 C-ENV-05 C-ERR-22 X-INT-42 X-INT-43 request 1,101 of a minute is refused in the nested form, a minute later all is well', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  await spend(ws.app, 1_000)
  const beyond = await ws.app.get('/sync')
  assert.deepEqual([beyond.status, ...rateOf(beyond)], [200, '1000', '0'])
  await spend(ws.testApp, 99)
  for (const client of [ws.app, ws.testApp, ws.sdk({ 'x-cf-key': `${ws.id}_app` })]) {
    const refused = await client.get('/sync')
    assert.equal(refused.status, 429)
    const { message, ...error } = refused.body.error
    assert.equal(typeof message, 'string')
    assert.deepEqual(
      [refused.body.success, error],
      [false, { code: 'SDK_RATE_LIMIT_EXCEEDED', details: { retryAfter: 60, limit: 1000, period: '1m' } }],
    )
    assert.equal(refused.headers.get('retry-after'), '60')
    assert.deepEqual(rateOf(refused), ['1000', '0'])
    assert.equal(refused.headers.get('x-cf-env'), client === ws.testApp ? 'test' : 'live')
  }
  for (const path of ['/blocks/x', '/stream', '/no/such']) assert.equal((await ws.app.get(path)).status, 429, path)
  const bad = await ws.sdk({ 'x-cf-key': `${ws.id}_cfpk${'0'.repeat(40)}` }).get('/sync')
  assert.deepEqual([bad.status, bad.body.code], [401, 'INVALID_SDK_KEY'])
  assert.equal((await other.app.get('/sync')).status, 200)
  assert.equal((await ws.admin.get('/members')).status, 200, 'the management root has no rate')
  await advance(60)
  assert.deepEqual([(await ws.app.get('/sync')).status], [200])
})

test('a window is fixed: it holds its count until it ends and then begins anew', async () => {
  const ws = await workspace()
  await setRate(ws, 10)
  await spend(ws.app, 60)
  await advance(30)
  await spend(ws.app, 50)
  assert.equal((await ws.app.get('/sync')).status, 429)
  await advance(31)
  assert.deepEqual(rateOf(await ws.app.get('/sync')), ['10', '9'])
  await spend(ws.app, 109)
  assert.equal((await ws.app.get('/sync')).status, 429)
})

test('the burst of 100 comes on top of a rate set by the operator, and a changed rate counts from the next request', async () => {
  const ws = await workspace()
  await setRate(ws, 5)
  assert.deepEqual(rateOf(await ws.app.get('/sync')), ['5', '4'])
  await spend(ws.app, 104)
  const refused = await ws.app.get('/sync')
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '60')
  await setRate(ws, null)
  const free = await ws.app.get('/sync')
  assert.deepEqual([free.status, ...rateOf(free)], [200, null, null])
  await spend(ws.app, 200)
  await setRate(ws, 20)
  assert.equal((await ws.app.get('/sync')).headers.get('x-ratelimit-limit'), '20')
})

test('a sandbox and its parent count apart, and test keys of the parent spend the sandbox rate', async () => {
  const ws = await workspace()
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  await setRate({ id: sandbox.workspaceId }, 1)
  await spend(ws.testApp, 101)
  assert.equal((await ws.testApp.get('/sync')).status, 429)
  assert.deepEqual(rateOf(await ws.app.get('/sync')), ['1000', '999'])
})

test('write-key routes under the client roots spend the same allowance, under the management root none', async () => {
  const ws = await workspace()
  const register = (client: Client, key: string) => client.post('/cards/register', { key, seedInstance: false })
  const first = await register(ws.write, 'a')
  assert.deepEqual([first.status, ...rateOf(first)], [201, '1000', '999'])
  assert.deepEqual(rateOf(await ws.app.get('/sync')), ['1000', '998'])
  await setRate(ws, 1)
  await spend(ws.app, 100)
  assert.equal((await register(ws.write, 'a')).status, 201)
  const refused = await register(ws.write, 'b')
  assert.deepEqual([refused.status, refused.body.error.code, refused.headers.get('x-cf-env')], [429, 'SDK_RATE_LIMIT_EXCEEDED', 'live'])
  const management = await fetch(`${url}/api/v1/cards/register`, {
    method: 'POST',
    headers: { 'x-cf-write-key': ws.writeKey, 'content-type': 'application/json' },
    body: JSON.stringify({ key: 'b', seedInstance: false }),
  })
  assert.equal(management.status, 201)
  assert.equal(management.headers.get('x-ratelimit-limit'), null)
})

test('the rate holds for every spelling of a route: an address with escapes is not a way around it', async () => {
  const ws = await workspace()
  await setRate(ws, 1)
  await spend(ws.app, 101)
  for (const path of [
    '/sdk/v1/cards/register',
    '/%73dk/v1/cards/register',
    '/sdk/%761/cards/register',
    '/api/v1/sdk/cards/register',
    '/api/v1/%73dk/cards/register',
  ]) {
    const answer = await fetch(url + path, { method: 'POST', headers: { 'x-cf-write-key': ws.writeKey }, body: '{"key":"a"}' })
    assert.ok([429, 404].includes(answer.status), `${path}: ${answer.status}`)
    await answer.body?.cancel()
  }
  for (const path of ['/%73dk/v1/sync', '/sdk/v1/%73ync']) {
    const answer = await fetch(url + path, { headers: { 'x-cf-key': ws.live } })
    assert.ok([429, 404].includes(answer.status), `${path}: ${answer.status}`)
    await answer.body?.cancel()
  }
})

test('a 304 and a refusal spend the allowance as well, a request with a bad key spends nobody’s', async () => {
  const ws = await workspace()
  const etag = (await ws.app.get('/sync')).headers.get('etag') ?? ''
  assert.deepEqual(rateOf(await ws.app.get('/sync', { headers: { 'if-none-match': etag } })), ['1000', '998'])
  assert.equal((await ws.app.get('/sync', { headers: { 'x-tenant-id': 'nosuchws' } })).status, 401)
  await ws.sdk({ 'x-cf-key': 'garbage' }).get('/sync')
  const remaining = Number((await ws.app.get('/sync')).headers.get('x-ratelimit-remaining'))
  assert.ok(remaining === 997 || remaining === 996)
})

test('C-LIMIT-06 the per-address rate is only counted by default: 450 requests over two workspaces are all served', async () => {
  const [a, b] = [await workspace(), await workspace()]
  await spend(a.app, 450)
  await spend(b.app, 450)
  const metrics = await (await fetch(`${url}/metrics`)).text()
  assert.match(metrics, /^contentflow_rate_limited_total\{limit="address"[^}]*\} [1-9]/m)
})
