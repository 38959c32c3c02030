/** What is counted of proofs, what that says before one is required, and that `report` refuses nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  clientOf,
  expectStatus,
  PASSWORD,
  patiently,
  uniqueEmail,
  type Client,
  type Workspace,
} from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { addSecret, setProofs, signToken } from '../../../../test/builders/user-tokens.ts'

const { ctx, workspace, advance, operator, url } = await startApp()

/** A workspace whose admin signs in anew when time has passed. */
async function lasting(): Promise<{ ws: Workspace; pass(seconds: number): Promise<void> }> {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const pass = async (seconds: number) => {
    await advance(seconds)
    const login = await patiently(() => clientOf(`${url}/api/v1`).post('/auth/login', { email, password: PASSWORD }))
    const { token } = expectStatus(login, 200).data
    ws.admin = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
  }
  return { ws, pass }
}
const SDK = { 'x-cf-sdk-version': 'js/0.1.0' }
const path = '/settings/identity-verification'
const reportOf = async (ws: Workspace, environment = 'live') =>
  expectStatus(await ws.admin.get(`${path}/report?environment=${environment}`), 200).data
const rowsOf = async (ws: Workspace): Promise<string[]> =>
  (await reportOf(ws)).rows
    .map(({ part, outcome, platform, sdkVersion, calls }: Record<string, unknown>) =>
      [part, outcome, platform, sdkVersion, calls].join(' '),
    )
    .sort()

test('calls are counted by part, outcome and SDK; requiring a proof takes the number that it would have refused', async () => {
  const { ws, pass } = await lasting()
  const signer = await addSecret(ws)
  await setProofs(ws, { userToken: 'report', deviceProof: 'report' })
  const identify = (headers: object, body: object = {}) =>
    ws.app.post('/identify', { deviceId: 'd', userId: 'sara', consent: true, ...body }, { headers: { ...SDK, ...headers } })
  const userToken = await signToken(signer, ctx.clock.ms(), { sub: 'sara', aud: ws.id })
  const { deviceToken } = expectStatus(await identify({ 'x-cf-user-token': userToken }), 200).data
  expectStatus(await identify({ 'x-cf-device-token': deviceToken }), 200)
  expectStatus(await identify({ 'x-cf-user-token': 'x' }), 200)
  const read = (headers: Record<string, string>) => ws.app.get('/sync', { headers: { 'x-cf-device': 'd', ...headers } })
  expectStatus(await read({ ...SDK, 'x-cf-device-token': deviceToken }), 200)
  for (let i = 0; i < 3; i++) expectStatus(await read({}), 200)
  expectStatus(await read({ 'x-cf-device-token': 'x', 'x-cf-sdk-version': 'swift/2.0.0' }), 200)
  // Nothing to prove.
  expectStatus(await ws.app.get('/sync', { headers: { 'x-cf-device': 'unknown' } }), 200)
  expectStatus(await ws.app.get('/sync'), 200)
  assert.deepEqual(await rowsOf(ws), [
    'deviceProof missing js 0.1.0 1',
    'deviceProof missing unknown unknown 3',
    'deviceProof proven js 0.1.0 2',
    'deviceProof wrong swift 2.0.0 1',
    'userToken missing js 0.1.0 1',
    'userToken proven js 0.1.0 1',
    'userToken signature js 0.1.0 1',
  ])
  const report = await reportOf(ws)
  assert.deepEqual(report.last24h, { userToken: { calls: 3, proven: 1 }, deviceProof: { calls: 7, proven: 2 } })
  assert.equal(report.rows[0].day, ctx.clock.now().toISOString().slice(0, 10))
  assert.deepEqual((await reportOf(ws, 'test')).rows, [])

  const put = (body: object) => ws.admin.put(path, { environment: 'live', ...body })
  for (const [body, wouldRefuse] of [
    [{ userToken: 'required' }, 2],
    [{ userToken: 'required', wouldRefuse: 0 }, 2],
    [{ userToken: 'required', wouldRefuse: 3 }, 2],
    [{ deviceProof: 'required' }, 5],
    [{ deviceProof: 'required', userToken: 'required' }, 7],
  ] as const) {
    const refused = expectStatus(await put(body), 409)
    assert.deepEqual([refused.body.code, refused.body.wouldRefuse], ['IDENTITY_CHECK_NEEDED', wouldRefuse])
  }
  expectStatus(await put({ userToken: 'required', wouldRefuse: 2 }), 200)
  // Nothing is asked about what is required already.
  expectStatus(await put({ userToken: 'required' }), 200)
  await pass(26 * 3_600)
  assert.deepEqual((await reportOf(ws)).last24h.deviceProof, { calls: 0, proven: 0 })
  expectStatus(await put({ deviceProof: 'required' }), 200)
})

test('counts are kept for eight days', async () => {
  const { ws, pass } = await lasting()
  await setProofs(ws, { userToken: 'report' })
  expectStatus(await ws.app.post('/identify', { deviceId: 'd', userId: 'sara', consent: true }), 200)
  assert.equal((await rowsOf(ws)).length, 1)
  await pass(7 * 86_400)
  assert.equal((await rowsOf(ws)).length, 1)
  await pass(86_400)
  assert.equal((await rowsOf(ws)).length, 0)
  await pass(2 * 86_400)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'identity-proofs' }), 200)
  const kept = await ctx.db.selectFrom('identity_proof_hours').selectAll().where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(kept, [])
})

test('whatever apps call themselves, few are told apart', async () => {
  const ws = await workspace()
  await setProofs(ws, { userToken: 'report' })
  const call = (app: Client, i: number) =>
    app.post('/consent', { deviceId: 'd', userId: 'sara', channels: {} }, { headers: { 'x-cf-sdk-version': `js/${i}.0.0` } })
  for (let i = 0; i < 30; i++) await call(ws.app, i)
  const rows = await rowsOf(ws)
  assert.equal(rows.length, 21)
  assert.ok(rows.includes('userToken missing other other 10'), rows.join('\n'))
})
