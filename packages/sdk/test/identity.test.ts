/** Proving who asks, against the product itself: tokens of the app's own server, and of the installation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../server/test/builders/builders.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { addPublicKey, addSecret, setProofs, signToken, type Signer } from '../../server/test/builders/user-tokens.ts'
import { until } from '../../server/test/harness/until.ts'
import { createClient } from '../src/index.ts'
import { memoryStorage } from '../src/shell/storage.ts'
import type { Client, ClientOptions, Storage } from '../src/types.ts'

const { workspace, url } = await startApp()
type T = { after(run: () => void): void }

function clientOf(t: T, ws: Workspace, options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ key: ws.live, baseUrl: `${url}/sdk/v1`, platform: 'web', stream: false, ...options })
  t.after(() => client.stop())
  client.start()
  return client
}

/** A workspace with content for everyone and for gold people, in which these proofs are required. */
async function proving(modes: { userToken?: string; deviceProof?: string }): Promise<{ ws: Workspace; signer: Signer }> {
  const ws = await workspace()
  await ws.block('promo')
  expectStatus(
    await ws.admin.post('/segments', {
      name: 'Gold',
      logicalOperator: 'AND',
      rules: [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }],
    }),
    201,
  )
  await ws.instance('promo', { values: { '#title': 'all' } })
  await ws.instance('promo', { values: { '#title': 'gold' }, seg: 'Gold' })
  const signer = await addSecret(ws)
  await setProofs(ws, modes)
  return { ws, signer }
}

const sara = { consent: true, userId: 'sara', traits: { plan: 'gold' } }
const titles = (client: Client) =>
  client
    .blocks()
    .map(({ values }) => String(values['#title']))
    .toSorted()
const tokensOf = (ws: Workspace, signer: Signer) => (userId: string) => signToken(signer, Date.now(), { sub: userId, aud: ws.id })
/** The same installation with its token lost, as an old backup would have it. */
const withoutToken = (storage: Storage): Storage => ({
  ...storage,
  getItem: (key) => {
    const text = storage.getItem(key) as string | null
    return text && key.endsWith(':device') ? JSON.stringify({ ...JSON.parse(text), deviceToken: '' }) : text
  },
})

test('with a required user token nobody is named without one, and whoever is signed in goes on', async (t) => {
  const { ws, signer } = await proving({ userToken: 'required' })
  const thief = clientOf(t, ws)
  const heard: unknown[] = []
  thief.on('identity_refused', ({ code }) => heard.push(code))
  await assert.rejects(thief.identify(sara), { code: 'USER_TOKEN_REQUIRED', status: 403 })
  assert.deepEqual([heard, thief.snapshot().status === 'rejected', thief.snapshot().userId], [['USER_TOKEN_REQUIRED'], false, undefined])
  const other = clientOf(t, ws, { userToken: () => tokensOf(ws, signer)('mallory') })
  await assert.rejects(other.identify(sara), { code: 'USER_TOKEN_INVALID', reason: 'subject' })

  const own = clientOf(t, ws, { userToken: tokensOf(ws, signer) })
  await own.identify(sara)
  await until('what is aimed at her', () => titles(own).join() === 'all,gold')
  assert.equal((await own.setIndustryData('retail', { tier: 'gold' })).status, 'done')
  await own.erase()
  assert.equal(own.snapshot().userId, undefined)
})

test('a token that expired meanwhile is asked for again; one with a key of your own is as good', async (t) => {
  const { ws } = await proving({ userToken: 'required' })
  const signer = await addPublicKey(ws)
  let asked = 0
  const userToken = (userId: string) =>
    signToken(signer, Date.now(), { sub: userId, aud: ws.id, ...(asked++ === 0 && { iat: -7_200, exp: -3_600 }) })
  const client = clientOf(t, ws, { userToken })
  assert.equal((await client.identify(sara)).status, 'done')
  assert.equal(asked, 2)
})

test('with device proof whoever learned a device id reads nothing of its person and changes nothing', async (t) => {
  const { ws } = await proving({ deviceProof: 'required' })
  const own = clientOf(t, ws)
  await own.identify(sara)
  await until('what is aimed at her', () => titles(own).join() === 'all,gold')
  const { deviceId = '' } = own.snapshot()
  const thief = clientOf(t, ws, { deviceId })
  await thief.sync()
  assert.deepEqual(titles(thief), ['all'])
  await assert.rejects(thief.registerPush({ token: 'mine', platform: 'web' }), { code: 'DEVICE_PROOF_REQUIRED' })
  await assert.rejects(thief.erase(), { code: 'DEVICE_PROOF_REQUIRED' })
  await own.sync()
  assert.deepEqual(titles(own), ['all', 'gold'])
  assert.equal((await own.setChannels({ push: true })).status, 'done')
})

test("a lost token: the person's own brings another, and without it the installation begins anew", async (t) => {
  const { ws, signer } = await proving({ deviceProof: 'required' })
  const storage = memoryStorage()
  const first = clientOf(t, ws, { storage })
  await first.identify(sara)
  const { deviceId } = first.snapshot()
  first.stop()

  const signed = clientOf(t, ws, { storage: withoutToken(storage), userToken: tokensOf(ws, signer) })
  assert.equal((await signed.setChannels({ push: true })).status, 'done')
  assert.equal(signed.snapshot().deviceId, deviceId, 'it is the same installation')
  signed.stop()

  const unsigned = clientOf(t, ws, { storage: withoutToken(storage) })
  assert.equal((await unsigned.setChannels({ push: false })).status, 'done')
  assert.notEqual(unsigned.snapshot().deviceId, deviceId)
  await until('it is of the same person', () => unsigned.snapshot().userId === 'sara' && titles(unsigned).join() === 'all,gold')
})

test('with both required an erasure whose token was lost erases the person all the same', async (t) => {
  const { ws, signer } = await proving({ userToken: 'required', deviceProof: 'required' })
  const storage = memoryStorage()
  const first = clientOf(t, ws, { storage, userToken: tokensOf(ws, signer) })
  await first.identify(sara)
  first.stop()
  const again = clientOf(t, ws, { storage: withoutToken(storage), userToken: tokensOf(ws, signer) })
  assert.equal((await again.erase()).status, 'done')
  expectStatus(await ws.admin.get('/users/sara'), 404)
  assert.equal(again.snapshot().userId, undefined)
})
