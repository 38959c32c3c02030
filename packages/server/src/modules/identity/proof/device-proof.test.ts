/** The tokens of installations: who gets one, which calls need it, and how a read without it is answered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Answer, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { launch } from '../../../../test/builders/campaigns.ts'
import { until } from '../../../../test/harness/until.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { addSecret, setProofs, signToken } from '../../../../test/builders/user-tokens.ts'

const { ctx, workspace, advance, url, operator } = await startApp()
const identify = async (app: Client, deviceId: string, userId?: string, headers: Record<string, string> = {}): Promise<Answer> =>
  app.post('/identify', { deviceId, ...(userId !== undefined && { userId }), consent: true, traits: { plan: 'gold' } }, { headers })
const tokenOf = (answer: Answer): string => expectStatus(answer, 200).data.deviceToken
const codeOf = (answer: Answer): string => `${answer.status} ${answer.body?.code}`

/** With content for gold people alone, and a block for everybody. */
async function shop(): Promise<Workspace> {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'everybody' } })
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  expectStatus(await ws.admin.post('/segments', { name: 'gold', logicalOperator: 'AND', rules }), 201)
  await ws.instance('promo', { values: { '#title': 'gold' }, seg: 'gold', priority: 9 })
  return ws
}

test('with everything off an identify says nothing of tokens, and with reports it does', async () => {
  const ws = await workspace()
  assert.equal('deviceToken' in expectStatus(await identify(ws.app, 'd'), 200).data, false)
  await setProofs(ws, { deviceProof: 'report' })
  const token = tokenOf(await identify(ws.app, 'd'))
  assert.match(token, /^\d+\.[\w-]{43}$/)
  // Known from now on: without it nobody is told it again, and nothing is refused.
  assert.equal(tokenOf(await identify(ws.app, 'd')), undefined)
  assert.equal(tokenOf(await identify(ws.app, 'd', undefined, { 'x-cf-device-token': token })), token)
  assert.equal('deviceToken' in expectStatus(await identify(ws.testApp, 'e'), 200).data, false)
})

test('a write for a bound installation needs its token, under both roots', async () => {
  const ws = await shop()
  await setProofs(ws, { deviceProof: 'required' })
  const token = tokenOf(await identify(ws.app, 'd', 'sara'))
  const other = tokenOf(await identify(ws.app, 'e', 'omar'))
  const device = { 'x-cf-device': 'd' }
  const writes: [string, string, object?][] = [
    ['POST', '/identify', { consent: true }],
    ['POST', '/consent', { channels: { push: true } }],
    ['POST', '/consent/full', { channels: { push: true } }],
    ['POST', '/profile', { userId: 'sara', category: 'banking', data: { a: 1 } }],
    ['POST', '/track-event', { type: 'sign_in' }],
    ['POST', '/register-push', { token: 't', platform: 'ios' }],
    ['DELETE', '/register-push'],
    ['PATCH', '/push/preferences', { digest: 'daily' }],
    ['GET', '/push/topics'],
    ['POST', '/push/topics', { topic: 'news' }],
    ['DELETE', '/push/topics/news'],
    ['POST', '/location', { points: [{ latitude: 1, longitude: 1 }] }],
    ['POST', '/events', { events: [{ type: 'impression' }] }],
    ['POST', '/logout', {}],
    ['DELETE', '/identify'],
  ]
  for (const root of ['/sdk/v1', '/api/v1/sdk'])
    for (const [method, path, body] of writes)
      for (const wrong of [undefined, other, `${token}x`, token.replace(/^\d+/, '1')]) {
        const headers = { 'x-cf-key': ws.live, ...device, ...(wrong !== undefined && { 'x-cf-device-token': wrong }) }
        const answer = await fetch(`${url}${root}${path}`, {
          method,
          headers: { ...headers, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        })
        assert.equal(
          `${answer.status} ${((await answer.json()) as { code: string }).code}`,
          '403 DEVICE_PROOF_REQUIRED',
          `${method} ${path} ${wrong}`,
        )
      }
  const own = ws.sdk({ 'x-cf-key': ws.live, ...device, 'x-cf-device-token': token })
  for (const [method, path, body] of writes) {
    const answer =
      method === 'GET'
        ? await own.get(path)
        : method === 'DELETE'
          ? await own.delete(path)
          : method === 'PATCH'
            ? await own.patch(path, body)
            : await own.post(path, body)
    assert.ok(answer.status < 300, `${method} ${path} ${answer.text}`)
  }
  // Erased: the next identify begins anew, and the token of before proves nothing.
  await advance(2)
  const next = tokenOf(await identify(ws.app, 'd'))
  assert.notEqual(next, token)
  assert.equal(codeOf(await own.post('/consent', { channels: { push: true } })), '403 DEVICE_PROOF_REQUIRED')
})

test('a read without the token is answered as to an installation nobody knows, from memory too', async () => {
  const ws = await shop()
  const token = await (async () => {
    await setProofs(ws, { deviceProof: 'report' })
    return tokenOf(await identify(ws.app, 'd', 'sara'))
  })()
  expectStatus(await ws.app.post('/consent', { deviceId: 'd', channels: { inApp: true } }), 200)
  await launch(ws, await ws.editor(), { segments: ['gold'], dispatchChannels: ['in_app'], content: { en: { title: 'Gold campaign' } } })
  const read = async (path: string, headers: Record<string, string>) => {
    const client = ws.sdk({ 'x-cf-key': ws.live, ...headers })
    const answer = path === '/campaigns' ? await client.post(path, {}) : await client.get(path)
    return expectStatus(answer, 200).text
  }
  const device = { 'x-cf-device': 'd' }
  const paths = ['/sync', '/blocks/promo', '/blocks/journey_message', '/campaigns']
  await until('the campaign is shown', async () => (await read('/campaigns', device)).includes('Gold campaign'))
  const known = await Promise.all(paths.map((path) => read(path, device)))
  const strange = await Promise.all(paths.map((path) => read(path, { 'x-cf-device': 'unknown' })))
  for (const [index, path] of paths.entries()) assert.notEqual(known[index], strange[index], path)
  await setProofs(ws, { deviceProof: 'required' })
  for (let round = 0; round < 3; round++)
    for (const [index, path] of paths.entries()) {
      assert.equal(await read(path, { ...device, 'x-cf-device-token': token }), known[index], path)
      for (const wrong of [{}, { 'x-cf-device-token': 'x' }, { 'x-cf-device-token': `${token.slice(0, -1)}_` }])
        assert.equal(await read(path, { ...device, ...wrong }), strange[index], path)
    }
  // A secret key is of the app's own server.
  const server = ws.sdk({ 'x-cf-key': (await ws.key('secret', 'live')).key, ...device })
  assert.match(expectStatus(await server.get('/sync'), 200).text, /"gold"/)
  expectStatus(await server.post('/consent', { channels: { push: true } }), 200)
})

test('an installation that was signed in on before proofs were required is nobody’s until it identifies', async () => {
  const ws = await shop()
  const signer = await addSecret(ws)
  expectStatus(await identify(ws.app, 'd', 'sara'), 200)
  assert.equal((await ws.blocks('d')).length, 2)
  await setProofs(ws, { deviceProof: 'required', userToken: 'required' })
  assert.equal((await ws.blocks('d')).length, 1)
  assert.equal(codeOf(await ws.app.post('/register-push', { deviceId: 'd', token: 't', platform: 'ios' })), '403 DEVICE_PROOF_REQUIRED')
  // Without a user the link would be taken up again.
  assert.equal(codeOf(await identify(ws.app, 'd')), '403 USER_TOKEN_REQUIRED')
  const sara = { 'x-cf-user-token': await signToken(signer, ctx.clock.ms(), { sub: 'sara', aud: ws.id }) }
  const token = tokenOf(await identify(ws.app, 'd', 'sara', sara))
  const own = ws.sdk({ 'x-cf-key': ws.live, 'x-cf-device': 'd', 'x-cf-device-token': token })
  assert.equal(expectStatus(await own.get('/sync'), 200).data.blocks.length, 2)
})

test('a lost token is replaced for whoever proves to be the linked user, and for nobody else', async () => {
  const ws = await workspace()
  const signer = await addSecret(ws)
  await setProofs(ws, { deviceProof: 'required' })
  const tokenFor = async (sub: string) => ({ 'x-cf-user-token': await signToken(signer, ctx.clock.ms(), { sub, aud: ws.id }) })
  const first = tokenOf(await identify(ws.app, 'd', 'sara'))
  assert.equal(codeOf(await identify(ws.app, 'd', 'sara')), '403 DEVICE_PROOF_REQUIRED')
  assert.equal(codeOf(await identify(ws.app, 'd', 'omar', await tokenFor('omar'))), '403 DEVICE_PROOF_REQUIRED')
  assert.equal(codeOf(await identify(ws.app, 'd', 'omar', await tokenFor('sara'))), '403 DEVICE_PROOF_REQUIRED')
  const second = tokenOf(await identify(ws.app, 'd', 'sara', await tokenFor('sara')))
  assert.notEqual(second, first)
  const consent = (token: string) =>
    ws.app.post('/consent', { deviceId: 'd', channels: { push: true } }, { headers: { 'x-cf-device-token': token } })
  assert.equal(codeOf(await consent(first)), '403 DEVICE_PROOF_REQUIRED')
  expectStatus(await consent(second), 200)
  // Nor of an installation without a user.
  tokenOf(await identify(ws.app, 'e'))
  assert.equal(codeOf(await identify(ws.app, 'e', 'sara', await tokenFor('sara'))), '403 DEVICE_PROOF_REQUIRED')
})

test('erasing somebody takes a user token that was made just now', async () => {
  const ws = await workspace()
  const signer = await addSecret(ws)
  expectStatus(await identify(ws.app, 'd', 'sara'), 200)
  await setProofs(ws, { userToken: 'required' })
  const erase = (headers: Record<string, string> = {}) => ws.app.delete('/identify', { headers: { 'x-cf-device': 'd', ...headers } })
  const token = async (sub: string, iat: number) => ({
    'x-cf-user-token': await signToken(signer, ctx.clock.ms(), { sub, aud: ws.id, iat }),
  })
  assert.equal(codeOf(await erase()), '403 USER_TOKEN_REQUIRED')
  const old = await erase(await token('sara', -16 * 60 - 1))
  assert.deepEqual([codeOf(old), old.body.reason], ['403 USER_TOKEN_INVALID', 'expired'])
  assert.equal((await erase(await token('omar', 0))).body.reason, 'subject')
  expectStatus(await erase(await token('sara', -14 * 60)), 200)
  // Nobody is on it any more.
  expectStatus(await erase(), 200)
})

test('an installation that nobody uses for 400 days loses its token, and one that is used keeps it', async () => {
  const ws = await workspace()
  await setProofs(ws, { deviceProof: 'required' })
  const kept = tokenOf(await identify(ws.app, 'kept'))
  tokenOf(await identify(ws.app, 'unused'))
  await advance(399 * 86_400)
  assert.equal(tokenOf(await identify(ws.app, 'kept', undefined, { 'x-cf-device-token': kept })), kept)
  await advance(2 * 86_400)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'identity-proofs' }), 200)
  assert.equal(codeOf(await identify(ws.app, 'kept')), '403 DEVICE_PROOF_REQUIRED')
  assert.ok(tokenOf(await identify(ws.app, 'unused')))
})
