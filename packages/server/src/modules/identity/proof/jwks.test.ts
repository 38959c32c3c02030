/** Keys of user tokens at an address of the app's own: kept, asked again for new ones, and outlived when nobody answers there. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { exportJWK, generateKeyPair } from 'jose'
import { expectStatus, type Answer, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { setProofs, signToken, type Signer } from '../../../../test/builders/user-tokens.ts'

const { ctx, workspace, advance } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

/** What it answers; a number is a status without a set. */
let served: object | number = { keys: [] }
let asked = 0
const server = createServer((_request, response) => {
  asked++
  response.writeHead(typeof served === 'number' ? served : 200).end(typeof served === 'number' ? '' : JSON.stringify(served))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`

async function newKey(kid: string): Promise<{ signer: Signer; jwk: object }> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { signer: { kid, alg: 'ES256', key: privateKey }, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig' } }
}

async function shop(): Promise<{ ws: Workspace; call(signer: Signer): Promise<string> }> {
  const ws = await workspace()
  expectStatus(await ws.admin.post('/settings/identity-keys', { environment: 'live', kind: 'jwks', jwksUrl }), 201)
  await setProofs(ws, { userToken: 'required' })
  const call = async (signer: Signer) => {
    const token = await signToken(signer, ctx.clock.ms(), { sub: 'sara', aud: ws.id })
    const body = { deviceId: 'd', userId: 'sara', consent: true }
    const answer: Answer = await ws.app.post('/identify', body, { headers: { 'x-cf-user-token': token } })
    return answer.status === 200 ? '200' : `${answer.status} ${answer.body.reason ?? answer.body.code}`
  }
  return { ws, call }
}

test('keys are found by their kid, a new one is asked for every 30 seconds at most, and a set is kept for 10 minutes', async () => {
  const [one, two] = [await newKey('one'), await newKey('two')]
  const { call } = await shop()
  served = { keys: [one.jwk, { kty: 'RSA', kid: 'rsa', n: 'x', e: 'AQAB' }, { kid: 'odd' }, null, 7] }
  const before = asked
  assert.deepEqual([await call(one.signer), await call(one.signer)], ['200', '200'])
  assert.equal(asked, before + 1)
  served = { keys: [one.jwk, two.jwk] }
  assert.equal(await call(two.signer), '403 unknown_key')
  assert.equal(asked, before + 1)
  await advance(31)
  assert.equal(await call(two.signer), '200')
  assert.equal(asked, before + 2)
  // A key that is taken out of the set opens nothing after ten minutes.
  served = { keys: [two.jwk] }
  assert.equal(await call(one.signer), '200')
  await advance(601)
  assert.equal(await call(one.signer), '403 unknown_key')
})

test('while nobody answers, the last set holds, and what is in none cannot be judged: 503, never a wrong token', async () => {
  const [one, two] = [await newKey('one'), await newKey('two')]
  const { call } = await shop()
  served = 500
  assert.equal(await call(one.signer), '503 UPSTREAM_UNAVAILABLE')
  served = { keys: [one.jwk] }
  // Asked again only after a while.
  assert.equal(await call(one.signer), '503 UPSTREAM_UNAVAILABLE')
  await advance(31)
  assert.equal(await call(one.signer), '200')
  served = 404
  await advance(601)
  assert.equal(await call(one.signer), '200')
  assert.equal(await call(two.signer), '503 UPSTREAM_UNAVAILABLE')
  served = { none: true }
  await advance(601)
  assert.equal(await call(one.signer), '200')
})

test('reports go on while nobody answers', async () => {
  const { ws, call } = await shop()
  served = 500
  await setProofs(ws, { userToken: 'report' })
  assert.equal(await call((await newKey('one')).signer), '200')
})
