/** Two processes on one PostgreSQL: what one is told of proofs holds at the other. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { clientOf, expectStatus, type Client } from '../../../../test/builders/builders.ts'
import { startApp, startOn, type TestApp } from '../../../../test/harness/start-app.ts'
import { until } from '../../../../test/harness/until.ts'
import { addSecret, setProofs, signToken } from '../../../../test/builders/user-tokens.ts'

if (process.env['TEST_DATABASE_URL']) {
  const a = await startApp()
  const b = await startOn(a.databaseEnv)
  after(() => b.stop())
  testTwo(a, b)
}

function testTwo(a: TestApp, b: TestApp): void {
  test('tokens, keys and switches of one process hold at the other, and both count', async () => {
    const ws = await a.workspace()
    const signer = await addSecret(ws)
    await addSecret(ws)
    const atB = (headers: Record<string, string> = {}): Client => clientOf(`${b.url}/sdk/v1`, { 'x-cf-key': ws.live, ...headers })
    const body = { deviceId: 'd', userId: 'sara', consent: true }
    const sara = { 'x-cf-user-token': await signToken(signer, a.ctx.clock.ms(), { sub: 'sara', aud: ws.id }) }
    expectStatus(await atB().post('/identify', body), 200)
    await setProofs(ws, { userToken: 'required', deviceProof: 'required' })
    await until('the other process asks for proofs', async () => (await atB().post('/identify', body)).status === 403)

    const first = expectStatus(await ws.app.post('/identify', body, { headers: sara }), 200).data.deviceToken
    const consent = (token: string) => atB({ 'x-cf-device-token': token }).post('/consent', { deviceId: 'd', channels: { push: true } })
    expectStatus(await consent(first), 200)
    const second = expectStatus(await atB().post('/identify', body, { headers: sara }), 200).data.deviceToken
    assert.notEqual(second, first)
    assert.equal((await consent(first)).body.code, 'DEVICE_PROOF_REQUIRED')
    const stale = { 'x-cf-device': 'd', 'x-cf-device-token': first }
    await until('the first process knows that too', async () => {
      const blocks = await ws.app.post('/campaigns', {}, { headers: stale })
      return expectStatus(blocks, 200).body.metadata.userId === null
    })
    const fresh = { 'x-cf-device': 'd', 'x-cf-device-token': second }
    assert.equal(expectStatus(await ws.app.post('/campaigns', {}, { headers: fresh }), 200).body.metadata.userId, 'sara')

    expectStatus(await b.operator.post('/test-hooks/jobs', { job: 'identity-proofs' }), 200)
    const report = expectStatus(await ws.admin.get('/settings/identity-verification/report'), 200).data
    // One refused at the other process at least, besides the two that were proven.
    assert.ok(report.last24h.userToken.calls >= 3 && report.last24h.userToken.proven === 2, JSON.stringify(report.last24h))

    expectStatus(await ws.admin.delete(`/settings/identity-keys/${signer.kid}`), 200)
    await until('the other process takes the key for none', async () => {
      const answer = await atB({ 'x-cf-device-token': second }).post('/identify', body, { headers: sara })
      return answer.body.reason === 'unknown_key'
    })
  })
}
