/** The operator changes the key that secrets are encrypted with: user tokens and tokens of installations go on being right. */
import { after, test } from 'node:test'
import { clientOf, expectStatus } from '../../../../test/builders/builders.ts'
import { freshDatabase, startOn } from '../../../../test/harness/start-app.ts'
import { addSecret, setProofs, signToken } from '../../../../test/builders/user-tokens.ts'

const database = await freshDatabase()
after(() => database.remove())
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const startWith = (keys: string) => startOn(database.env, { CF_SECRET_KEY: keys })

test('secrets of signed identity are sealed anew, and hold when the old key is gone', async () => {
  const first = await startWith(key(1))
  const ws = await first.workspace()
  const signer = await addSecret(ws)
  await setProofs(ws, { userToken: 'required', deviceProof: 'required' })
  const userToken = await signToken(signer, first.ctx.clock.ms(), { sub: 'sara', aud: ws.id, exp: 12 * 3_600 })
  const body = { deviceId: 'd', userId: 'sara', consent: true }
  const { deviceToken } = expectStatus(await ws.app.post('/identify', body, { headers: { 'x-cf-user-token': userToken } }), 200).data
  await first.stop()

  const both = await startWith(`${key(2)},${key(1)}`)
  expectStatus(await both.operator.post('/test-hooks/jobs', { job: 'identity-proofs' }), 200)
  await both.stop()

  const last = await startWith(key(2))
  try {
    const headers = { 'x-cf-key': ws.live, 'x-cf-user-token': userToken, 'x-cf-device-token': deviceToken }
    expectStatus(await clientOf(`${last.url}/sdk/v1`, headers).post('/identify', body), 200)
  } finally {
    await last.stop()
  }

  // Without any key nobody can say who is right, and reads are served all the same.
  const none = await startWith(key(3))
  try {
    const client = clientOf(`${none.url}/sdk/v1`, { 'x-cf-key': ws.live, 'x-cf-device': 'd', 'x-cf-device-token': deviceToken })
    expectStatus(await client.post('/identify', body, { headers: { 'x-cf-user-token': userToken } }), 503)
    expectStatus(await client.post('/consent', { channels: { push: true } }), 503)
    expectStatus(await client.get('/sync'), 200)
  } finally {
    await none.stop()
  }
})
