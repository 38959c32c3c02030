import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, request, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, operator, url, advance } = await startApp()
const root = `${url}/api/v1`

const statusOf = async (key: string) => (await request('GET', `${url}/sdk/v1/sync`, { headers: { 'x-cf-key': key } })).status
const allKeys = async (ws: Workspace) => [
  ws.live,
  ws.test,
  `${ws.id}_app`,
  `${ws.id}_test`,
  (await ws.key('secret', 'live')).key,
  (await ws.key('secret', 'test')).key,
]

test('C-AUTH-21 C-AUTH-41 suspending a workspace refuses every kind of its keys at once, and resuming brings all back', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const keys = await allKeys(ws)
  for (const key of keys.slice(1)) assert.equal(await statusOf(key), 200)
  // ws.live is first used while suspended: both a known and an unseen key are refused.
  const suspended = expectStatus(await operator.post(`/operator/workspaces/${ws.id}/suspend`), 200)
  assert.equal(suspended.data.suspended, true)
  for (const key of keys) {
    for (let i = 0; i < 2; i++) {
      const refused = await request('GET', `${url}/sdk/v1/sync`, { headers: { 'x-cf-key': key } })
      assert.deepEqual([refused.status, refused.body.code], [401, 'INVALID_SDK_KEY'], key)
    }
  }
  const pipeline = await ws.write.post('/cards/register', { key: 'promo' })
  assert.deepEqual([pipeline.status, pipeline.body.error], [401, 'invalid write key'])
  assert.equal(await statusOf(other.live), 200)
  expectStatus(await operator.post(`/operator/workspaces/${ws.id}/resume`), 200)
  for (const key of keys) assert.equal(await statusOf(key), 200)
  expectStatus(await ws.write.post('/cards/register', { key: 'promo', seedInstance: false }), 201)
})

test('G-02 the plan takes a customer limit, a rate and features, keeps what is not sent, and refuses other values', async () => {
  const ws = await workspace()
  const put = (body: unknown) => operator.put(`/operator/workspaces/${ws.id}/plan`, body)
  expectStatus(await put({ customerLimit: 10, requestsPerMinute: 5, features: { journeys: true } }), 200)
  assert.equal((await ws.app.get('/sync')).headers.get('x-ratelimit-limit'), '5')
  const kept = expectStatus(await put({ customerLimit: null }), 200).data
  assert.deepEqual([kept.customerLimit, kept.requestsPerMinute, kept.features], [null, 5, { journeys: true }])
  expectStatus(await put({ requestsPerMinute: null }), 200)
  assert.equal((await ws.app.get('/sync')).headers.get('x-ratelimit-limit'), null)
  for (const bad of [{ customerLimit: 'many' }, { customerLimit: -1 }, { requestsPerMinute: 1.5 }, { features: [] }, []])
    assert.equal((await put(bad)).status, 400, JSON.stringify(bad))
})

test('G-02 operator routes take the operator token only, and an unknown workspace is 404', async () => {
  const ws = await workspace()
  const path = `/operator/workspaces/${ws.id}/suspend`
  for (const headers of [{}, { 'x-cf-operator-token': '' }, { 'x-cf-operator-token': 'wrong' }] as Record<string, string>[])
    assert.equal((await clientOf(root, headers).post(path)).status, 401)
  assert.equal((await ws.admin.post(path)).status, 401)
  assert.equal((await ws.app.get('/sync')).status, 200)
  for (const verb of ['suspend', 'resume']) assert.equal((await operator.post(`/operator/workspaces/nosuchws/${verb}`)).status, 404)
  assert.equal((await operator.put('/operator/workspaces/nosuchws/plan', { customerLimit: 1 })).status, 404)
})

test('G-03 test hooks answer the operator and are 404 for everybody else', async () => {
  const ws = await workspace()
  for (const [path, body] of [
    ['/test-hooks/clock', { advanceSeconds: 0 }],
    ['/test-hooks/jobs', { job: 'scheduler' }],
    ['/test-hooks/faults', { name: 'upstream', on: false }],
  ] as const) {
    expectStatus(await operator.post(path, body), 200)
    for (const client of [clientOf(root), ws.admin, clientOf(root, { 'x-cf-operator-token': 'wrong' })]) {
      const answer = await client.post(path, body)
      assert.deepEqual([answer.status, answer.body], [404, { success: false, error: 'not found' }], path)
    }
  }
})

test('G-03 the clock moves forward by what is asked, jobs and faults have the documented names, anything else is 400', async () => {
  const now = async (advanceSeconds: unknown) => operator.post('/test-hooks/clock', { advanceSeconds })
  const before = Date.parse(expectStatus(await now(0), 200).data.now)
  await advance(90)
  const moved = Date.parse(expectStatus(await now(0), 200).data.now) - before
  assert.ok(moved >= 90_000 && moved < 120_000)
  for (const bad of [-1, 1.5, '5', null, undefined]) assert.equal((await now(bad)).status, 400, String(bad))
  for (const job of ['scheduler', 'journeys', 'dispatch', 'rollup', 'segments', 'erasure'])
    expectStatus(await operator.post('/test-hooks/jobs', { job }), 200)
  assert.equal((await operator.post('/test-hooks/jobs', { job: 'nope' })).status, 400)
  const faults = ['key_validation', 'sandbox_route', 'push_link', 'profile_write', 'erase_part', 'localization']
  for (const name of [...faults, 'enrichment_write', 'storage', 'upstream'])
    for (const on of [true, false]) expectStatus(await operator.post('/test-hooks/faults', { name, on }), 200)
  for (const bad of [{ name: 'nope', on: true }, { name: 'upstream' }, { name: 'upstream', on: 'yes' }])
    assert.equal((await operator.post('/test-hooks/faults', bad)).status, 400)
})
