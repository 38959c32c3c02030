/** Keys of user tokens, what is wrong with a token, and which calls need one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateKeyPair } from 'jose'
import type { RequestOptions } from '../../../../test/builders/builders.ts'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { addPublicKey, addSecret, setProofs, signToken, type Signer, type TokenInput } from '../../../../test/builders/user-tokens.ts'

const { ctx, workspace, advance, url } = await startApp()
const withToken = (token: string): RequestOptions => ({ headers: { 'x-cf-user-token': token } })
const sign = (signer: Signer, input: TokenInput) => signToken(signer, ctx.clock.ms(), input)

test('signed identity is off until an admin turns it on, and only admins may', async () => {
  const ws = await workspace()
  const off = { userToken: 'off', deviceProof: 'off' }
  assert.deepEqual(expectStatus(await ws.admin.get('/settings/identity-verification'), 200).data, { live: off, test: off })
  const editor = await ws.editor()
  expectStatus(await editor.get('/settings/identity-verification'), 200)
  const refused = expectStatus(await editor.put('/settings/identity-verification', { environment: 'live', userToken: 'report' }), 403)
  assert.equal(refused.body.code, 'ROLE_REQUIRED')
  const without = expectStatus(await ws.admin.put('/settings/identity-verification', { environment: 'live', userToken: 'required' }), 409)
  assert.equal(without.body.code, 'IDENTITY_KEY_REQUIRED')
  const changed = expectStatus(await ws.admin.put('/settings/identity-verification', { environment: 'test', deviceProof: 'report' }), 200)
  assert.deepEqual(changed.data, { live: off, test: { userToken: 'off', deviceProof: 'report' } })
  expectStatus(await ws.admin.put('/settings/identity-verification', { environment: 'live', userToken: 'on' }), 400)
  expectStatus(await ws.admin.put('/settings/identity-verification', { userToken: 'off' }), 400)
})

test('keys: a secret is shown once, public keys are on P-256, five work at a time, and the last one stays while it is needed', async () => {
  const ws = await workspace()
  const post = (body: object) => ws.admin.post('/settings/identity-keys', { environment: 'live', ...body })
  const made = expectStatus(await post({ kind: 'secret', name: 'Login' }), 201).data
  assert.match(made.secret, /^[\w-]{43}$/)
  const { secret: _, ...shown } = made
  assert.deepEqual(expectStatus(await ws.admin.get('/settings/identity-keys'), 200).data.keys, [shown])
  assert.deepEqual(
    { ...shown, id: '', createdAt: '' },
    {
      id: '',
      environment: 'live',
      kind: 'secret',
      name: 'Login',
      algorithm: 'HS256',
      jwksUrl: null,
      createdAt: '',
      expiresAt: null,
      lastUsedAt: null,
    },
  )
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await crypto.subtle.exportKey('jwk', privateKey)
  for (const body of [
    { kind: 'secret', secret: 'short' },
    { kind: 'secret', publicKey: 'x' },
    { kind: 'public' },
    { kind: 'public', publicKey: 'x' },
    { kind: 'public', publicKey: jwk },
    { kind: 'public', publicKey: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----' },
    { kind: 'jwks' },
    { kind: 'jwks', jwksUrl: 'ftp://x' },
    { kind: 'jwks', jwksUrl: 'https://127.0.0.1/' },
    { kind: 'secret', expiresAt: '2001-01-01T00:00:00Z' },
    { kind: 'rsa' },
  ])
    expectStatus(await post(body), 400)
  const { d: _private, key_ops: _ops, ...publicJwk } = jwk
  expectStatus(await post({ kind: 'public', publicKey: publicJwk }), 201)
  const brief = expectStatus(await post({ kind: 'secret', expiresAt: new Date(ctx.clock.ms() + 60_000).toISOString() }), 201).data
  for (let i = 0; i < 2; i++) expectStatus(await post({ kind: 'secret', secret: 's'.repeat(32) }), 201)
  assert.equal(expectStatus(await post({ kind: 'secret' }), 409).body.code, 'IDENTITY_KEY_LIMIT')
  await advance(61)
  expectStatus(await post({ kind: 'secret' }), 201)
  expectStatus(await ws.admin.delete(`/settings/identity-keys/${brief.id}`), 200)
  await setProofs(ws, { userToken: 'required' })
  const { keys } = expectStatus(await ws.admin.get('/settings/identity-keys'), 200).data
  for (const { id } of keys.slice(1)) expectStatus(await ws.admin.delete(`/settings/identity-keys/${id}`), 200)
  assert.equal(expectStatus(await ws.admin.delete(`/settings/identity-keys/${keys[0].id}`), 409).body.code, 'IDENTITY_KEY_REQUIRED')
  expectStatus(await ws.admin.delete('/settings/identity-keys/none'), 404)
})

test('who names a user sends a token of that user, and is told what is wrong with it', async () => {
  const ws = await workspace()
  const signer = await addPublicKey(ws)
  const secret = await addSecret(ws)
  await setProofs(ws, { userToken: 'required' })
  const body = { deviceId: 'd1', userId: 'sara', consent: true }
  const right = { sub: 'sara', aud: ws.id }
  assert.equal(expectStatus(await ws.app.post('/identify', body), 403).body.code, 'USER_TOKEN_REQUIRED')
  const { keys } = expectStatus(await ws.admin.get('/settings/identity-keys'), 200).data
  assert.ok(keys.every((key: { lastUsedAt: unknown }) => key.lastUsedAt === null))

  const other = await generateKeyPair('ES256')
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(right)).toString('base64url')}.`
  const swapped = { ...secret, kid: signer.kid }
  for (const [reason, token] of [
    ['expired', await sign(signer, { ...right, iat: -4_000, exp: -61 })],
    ['expired', await sign(signer, { ...right, iat: 120 })],
    ['signature', await sign({ ...signer, key: other.privateKey }, right)],
    ['signature', 'x'],
    ['signature', `${await sign(signer, right)}A`],
    ['audience', await sign(signer, { ...right, aud: 'another' })],
    ['audience', await sign(signer, { ...right, aud: undefined })],
    ['subject', await sign(signer, { ...right, sub: 'omar' })],
    ['subject', await sign(signer, { ...right, sub: ['sara'] })],
    ['algorithm', await sign(swapped, right)],
    ['unknown_key', none],
    ['unknown_key', await sign(signer, { ...right, header: { kid: 'none' } })],
    ['unknown_key', await sign(signer, { ...right, header: { kid: undefined } })],
    ['too_long', await sign(signer, { ...right, exp: 24 * 3_600 + 1 })],
    ['too_long', await sign(signer, { ...right, claims: { exp: undefined } })],
    ['too_long', 'x'.repeat(4_097)],
    ['device', await sign(signer, { ...right, claims: { device_id: 'd2' } })],
  ] as const) {
    const refused = expectStatus(await ws.app.post('/identify', body, withToken(token)), 403)
    assert.deepEqual({ code: refused.body.code, reason: refused.body.reason }, { code: 'USER_TOKEN_INVALID', reason }, token)
  }
  for (const token of [
    await sign(signer, right),
    await sign(secret, { ...right, aud: ['x', ws.id] }),
    await sign(signer, { ...right, iat: -3_000, exp: -20 }),
    await sign(signer, { ...right, claims: { device_id: 'd1' } }),
  ])
    expectStatus(await ws.app.post('/identify', body, withToken(token)), 200)
  // Who names nobody needs none; nor does the app's own server.
  expectStatus(await ws.app.post('/identify', { deviceId: 'd3', consent: true }), 200)
  const server = ws.sdk({ 'x-cf-key': (await ws.key('secret', 'live')).key })
  expectStatus(await server.post('/identify', { ...body, deviceId: 'd4' }), 200)
  const used = expectStatus(await ws.admin.get('/settings/identity-verification/report'), 200).data
  assert.ok(used.last24h.userToken.calls >= 22)
  assert.ok(
    expectStatus(await ws.admin.get('/settings/identity-keys'), 200).data.keys.every(
      (key: { lastUsedAt: unknown }) => key.lastUsedAt !== null,
    ),
  )
})

test('wrong tokens of one address are bounded, and a right one is taken all the same', async () => {
  const ws = await workspace()
  const signer = await addSecret(ws)
  await setProofs(ws, { userToken: 'required' })
  const body = { deviceId: 'd', userId: 'sara', consent: true }
  let answer = await ws.app.post('/identify', body, withToken('x'))
  for (let i = 0; i < 60 && answer.status === 403; i++) answer = await ws.app.post('/identify', body, withToken('x'))
  assert.deepEqual({ status: answer.status, code: answer.body.code }, { status: 429, code: 'IP_RATE_LIMITED' })
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
  expectStatus(await ws.app.post('/identify', body, withToken(await sign(signer, { sub: 'sara', aud: ws.id }))), 200)
  await advance(301)
  expectStatus(await ws.app.post('/identify', body, withToken('x')), 403)
})

test('other origins may send both headers', async () => {
  const answer = await fetch(`${url}/sdk/v1/identify`, { method: 'OPTIONS' })
  assert.match(answer.headers.get('access-control-allow-headers') ?? '', /X-CF-User-Token, X-CF-Device-Token/)
})
