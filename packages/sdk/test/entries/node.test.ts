/** The client of back ends against the product itself, and against a server that fails as a test wants it. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../server/test/builders/builders.ts'
import { openReceiver } from '../../../server/test/builders/receivers.ts'
import { sync as syncStrings } from '../../../server/test/builders/strings.ts'
import { addSecret, setProofs } from '../../../server/test/builders/user-tokens.ts'
import { startApp } from '../../../server/test/harness/start-app.ts'
import { createClient } from '../../src/index.ts'
import { createBackend, deviceIdOf, signUserToken, verifyWebhook, type Backend, type BackendOptions } from '../../src/node/index.ts'
import { json, scriptedServer, succeed } from '../support/scripted-server.ts'

const { workspace, url } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
type T = { after(run: () => unknown): void }
type Told = { code: string | undefined; count: number }

/** With a secret key, and what it told of events. */
async function backendOf(t: T, ws: Workspace, options: Partial<BackendOptions> = {}): Promise<{ backend: Backend; told: Told[] }> {
  const told: Told[] = []
  const { key } = await ws.key('secret', 'live')
  const backend = createBackend({
    key,
    baseUrl: url,
    readKey: ws.readKey,
    onError: ({ code }, count) => told.push({ code, count }),
    ...options,
  })
  t.after(() => backend.close())
  return { backend, told }
}

async function goldWorkspace(): Promise<Workspace> {
  const ws = await workspace()
  await ws.block('promo')
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  expectStatus(await ws.admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules }), 201)
  await ws.instance('promo', { values: { '#title': 'all' } })
  await ws.instance('promo', { values: { '#title': 'gold' }, seg: 'Gold' })
  await syncStrings(ws, { key: 'hello', sourceText: 'Hello {name}' })
  return ws
}

test('people are identified and tracked by user id, also where apps have to prove who they are', async (t) => {
  const ws = await goldWorkspace()
  await addSecret(ws)
  await setProofs(ws, { userToken: 'required', deviceProof: 'required' })
  const { backend, told } = await backendOf(t, ws)
  const { segments } = await backend.identify({ userId: 'sara', consent: true, traits: { plan: 'gold' } })
  assert.deepEqual(segments, ['Gold'])
  backend.track({ userId: 'sara', type: 'purchase', value: 49.9, currency: 'SAR', properties: { order: 'A-1' } })
  backend.track({ userId: 'sara', type: 'invoice_paid' })
  await backend.flush()
  assert.deepEqual(told, [])
  const seen = expectStatus(await ws.admin.get('/users/sara/events'), 200).data
  assert.match(JSON.stringify(seen), /invoice_paid/)
  assert.deepEqual(
    (await backend.read.devices('sara')).map(({ deviceId }) => deviceId),
    [deviceIdOf('sara')],
  )
  assert.deepEqual(await backend.read.segments('sara'), ['Gold'])
  assert.equal((await backend.read.device(deviceIdOf('sara'))).device.deviceId, deviceIdOf('sara'))
  await assert.rejects(backend.read.segments('nobody'), { name: 'ContentFlowError', status: 404 })
  assert.equal((await backend.erase('sara')).requested, false)
  await assert.rejects(backend.read.segments('sara'), { status: 404 })
})

test('without consent nothing is stored, and whoever reported it is told', async (t) => {
  const ws = await workspace()
  const { backend, told } = await backendOf(t, ws)
  await backend.identify({ userId: 'sara', consent: false, traits: { plan: 'gold' }, email: 'sara@example.com' })
  backend.track({ userId: 'sara', type: 'invoice_paid' })
  backend.track({ userId: 'never', type: 'invoice_paid' })
  await backend.flush()
  assert.equal(
    told.reduce((sum, { count }) => sum + count, 0),
    2,
  )
  assert.equal((await ws.admin.get('/users/sara')).status, 404)
  assert.throws(() => backend.track({ userId: 'sara', type: 'sign_in' }), TypeError)
})

test('a page gets what was asked on the server as its bootstrap: of a person, of a device, of everybody', async (t) => {
  const ws = await goldWorkspace()
  const { backend } = await backendOf(t, ws, { deviceSecret: 'of this shop' })
  await backend.identify({ userId: 'sara', consent: true, traits: { plan: 'gold' } })
  const titlesOf = async (of: Parameters<Backend['bootstrap']>[0]) => {
    const bootstrap = JSON.parse(JSON.stringify(await backend.bootstrap(of)))
    const client = createClient({ key: ws.live, baseUrl: `${url}/sdk/v1`, bootstrap })
    assert.equal(client.t('hello', { name: 'Sara' }), 'Hello Sara')
    return client
      .blocks()
      .map(({ values }) => values['#title'])
      .toSorted()
      .join()
  }
  assert.equal(await titlesOf({ userId: 'sara' }), 'all,gold')
  assert.equal(await titlesOf({ deviceId: deviceIdOf('sara', 'of this shop') }), 'all,gold')
  assert.equal(await titlesOf({ deviceId: deviceIdOf('sara') }), 'all', 'another secret makes another device')
  assert.equal(await titlesOf(undefined), 'all')
})

test('a token signed here is taken where one is required', async (t) => {
  const ws = await workspace()
  const signer = await addSecret(ws)
  await setProofs(ws, { userToken: 'required' })
  const identity = { workspaceId: ws.id, secret: Buffer.from(signer.key as Uint8Array).toString(), keyId: signer.kid }
  const { backend } = await backendOf(t, ws, { identity })
  const client = createClient({
    key: ws.live,
    baseUrl: `${url}/sdk/v1`,
    stream: false,
    userToken: async (userId) => backend.userToken(userId),
  })
  t.after(() => client.stop())
  client.start()
  assert.equal((await client.identify({ consent: true, userId: 'sara' })).status, 'done')
  assert.throws(() => signUserToken(identity, 'sara', { seconds: 100_000 }), RangeError)
})

test('a webhook of the product is verified, and one that is changed, old or of another secret is refused', async (t) => {
  const ws = await workspace()
  const receiver = await openReceiver()
  t.after(() => receiver.close())
  const { id, secret } = expectStatus(await ws.admin.post('/webhooks', { url: receiver.url, events: ['campaign.approved'] }), 201).data
  expectStatus(await ws.admin.post(`/webhooks/${id}/ping`, {}), 202)
  await receiver.waitFor(1)
  const { raw, headers } = receiver.received[0] ?? assert.fail('nothing came')
  const delivery = verifyWebhook({ secret, body: raw, headers })
  assert.deepEqual([delivery.event, delivery.tenantId], ['webhook.ping', ws.id])
  assert.equal(
    verifyWebhook({ secret: ['whsec_older', secret], body: Buffer.from(raw), headers: new Headers(headers as Record<string, string>) }).id,
    delivery.id,
  )
  const refused: [string, Partial<Parameters<typeof verifyWebhook>[0]>][] = [
    ['another secret', { secret: 'whsec_other' }],
    ['no secret', { secret: '' }],
    ['changed bytes', { body: raw.replace('webhook.ping', 'campaign.approved') }],
    ['no headers', { headers: {} }],
    ['an hour later', { now: Date.now() + 3_600_000 }],
    ['an hour earlier', { now: Date.now() - 3_600_000 }],
  ]
  for (const [name, change] of refused) assert.throws(() => verifyWebhook({ secret, body: raw, headers, ...change }), TypeError, name)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const sign = (body: string) => `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
  for (const body of ['null', '{}', '[]', '{"id":1,"event":"x"}'])
    assert.throws(
      () => verifyWebhook({ secret, body, headers: { 'x-cf-timestamp': timestamp, 'x-cf-signature': sign(body) } }),
      TypeError,
      body,
    )
})

test('what may pass is repeated with the same ids, refusals are not, and one bad event does not take its batch along', async () => {
  const server = await scriptedServer()
  let attempts = 0
  server.on('/events', ({ body }, response) => {
    attempts++
    if (attempts === 1) return response.destroy()
    if (attempts === 2) return json(response, 503, { success: false, error: 'away' })
    if (attempts === 3) return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    const isBad = (body.events as { type: string }[]).some(({ type }) => type === 'bad')
    if (isBad) return json(response, 400, { success: false, error: 'bad event' })
    return json(response, 202, { success: true, data: { accepted: body.events.length, dropped: 0, dropReasons: {} } })
  })
  const told: Told[] = []
  const backend = createBackend({
    key: 'pk_live_1',
    baseUrl: server.baseUrl,
    onError: ({ code, status }, count) => told.push({ code: code ?? String(status), count }),
  })
  for (const type of ['one', 'bad', 'two', 'three']) backend.track({ userId: 'sara', type })
  await backend.close()
  const batches = server.to('/events').map(({ body }) => body.events.map(({ type }: { type: string }) => type).join())
  assert.deepEqual(
    batches.slice(0, 4),
    Array.from({ length: 4 }, () => 'one,bad,two,three'),
  )
  const ids = server
    .to('/events')
    .slice(0, 4)
    .map(({ body }) => JSON.stringify(body.events))
  assert.equal(new Set(ids).size, 1)
  assert.deepEqual([batches.slice(4).toSorted(), told], [['bad', 'one', 'one,bad', 'two,three'], [{ code: '400', count: 1 }]])
  assert.throws(() => backend.track({ userId: 'sara', type: 'late' }), TypeError)
})

test('events are gathered by person, at most a hundred go together, and with too many the oldest go', async () => {
  const server = await scriptedServer()
  const told: Told[] = []
  const backend = createBackend({
    key: 'k',
    baseUrl: server.baseUrl,
    mostEvents: 250,
    onError: ({ code }, count) => told.push({ code, count }),
  })
  server.on('/identify', (_request, response) => succeed(response, { consent: true, segments: [] }))
  for (let index = 0; index < 260; index++) backend.track({ userId: index % 2 === 0 ? 'sara' : 'adam', type: 'x' })
  await backend.flush()
  const sizes = server.to('/events').map(({ body }) => body.events.length as number)
  const lost = told.filter(({ code }) => code === 'QUEUE_FULL').length
  assert.equal(sizes.reduce((sum, size) => sum + size, 0) + lost, 260)
  assert.ok(
    sizes.every((size) => size <= 100),
    sizes.join(),
  )
  assert.equal(new Set(server.to('/events').map(({ body }) => body.deviceId)).size, 2)
  await backend.close()
})
