/** POST /campaigns. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { approve, create, launch, recall, reject, setStatus, submit } from '../../../../test/builders/campaigns.ts'
import { deny, identify } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { openStream } from '../../../../test/harness/streams.ts'
import { until } from '../../../../test/harness/until.ts'

const { workspace, ctx, advance, operator, url } = await startApp()

const inSeconds = (seconds: number) => new Date(ctx.clock.ms() + seconds * 1_000).toISOString()
const ask = async (app: Client, device?: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  expectStatus(await app.post('/campaigns', body, { headers: { ...(device !== undefined && { 'x-cf-device': device }), ...headers } }), 200)
    .body
const names = async (app: Client, device?: string, body: unknown = {}) =>
  (await ask(app, device, body)).data.map(({ name }: { name: string }) => name)

async function shop() {
  const ws = await workspace()
  return { ws, editor: await ws.editor() }
}
const segment = async (ws: Workspace, name: string, field: string, value: unknown) => {
  const rules = [{ field, operator: 'equals', value }]
  return expectStatus(await ws.admin.post('/segments', { name, logicalOperator: 'AND', rules }), 201).data.id as string
}
const gold = (ws: Workspace) => segment(ws, 'Gold', 'customAttributes.plan', 'gold')

test('C-CAMP-01 C-CAMP-02 C-CAMP-03 C-CAMP-04 C-CAMP-05 C-CAMP-07 C-CAMP-20 C-ENV-06 C-AUTH-15 live campaigns, the most important first', async () => {
  const { ws, editor } = await shop()
  for (const priority of [3, 9, 5]) await launch(ws, editor, { name: `p${priority}`, priority })
  const body = await ask(ws.app, undefined, { tenantId: 'other' })
  assert.deepEqual(
    body.data.map(({ priority }: any) => priority),
    [9, 5, 3],
  )
  assert.deepEqual(body.metadata, { tenantId: ws.id, userId: null, campaignCount: 3 })
  const [{ id, startTime, ...item }] = body.data
  assert.deepEqual([typeof id, typeof startTime], ['string', 'string'])
  assert.deepEqual(item, {
    name: 'p9',
    type: 'promo',
    priority: 9,
    placementId: null,
    content: { title: 'Hello' },
    endTime: null,
    source: 'campaign',
  })
  await identify(ws.app, 'D', 'U')
  assert.equal((await ask(ws.app, 'D')).metadata.userId, 'U')
  const older = await launch(ws, editor, { name: 'older', priority: 9, schedule: { startTime: '2020-01-01T00:00:00Z' } })
  assert.deepEqual((await names(ws.app)).slice(0, 2), ['p9', older.name])
})

test('C-CAMP-06 C-FLAG-04 switched off there are none, and it is said why', async () => {
  const { ws, editor } = await shop()
  await launch(ws, editor)
  expectStatus(await ws.admin.put('/settings/features', { features: { campaigns: false } }), 200)
  const metadata = { tenantId: ws.id, userId: null, campaignCount: 0, feature: 'campaigns', reason: 'feature_disabled' }
  assert.deepEqual(await ask(ws.app), { success: true, data: [], metadata })
})

test('C-CAMP-08 a body that is no object is refused', async () => {
  const { ws } = await shop()
  // What is no JSON too, however long (G-13).
  for (const raw of ['[]', '"x"', '7', 'null', 'true', '{', 'nope', '{"a":}', "{'a':1}", `{"a":"${'x'.repeat(40_000)}",}`]) {
    const { status, body } = await ws.app.post('/campaigns', undefined, { raw })
    assert.deepEqual([status, body], [400, { success: false, error: 'Campaign context must be a JSON object' }])
  }
  assert.equal((await ws.app.post('/campaigns', { placementId: 5 })).status, 400)
})

test('C-CAMP-09 a placement gets its own campaigns and those that name none', async () => {
  const { ws, editor } = await shop()
  for (const placement of ['p1', 'p2'])
    await launch(ws, editor, { name: placement, content: { en: { title: placement, placementIds: [placement] } } })
  await launch(ws, editor, { name: 'everywhere', priority: 1 })
  assert.deepEqual(await names(ws.app, undefined, { placementId: 'p1' }), ['p1', 'everywhere'])
  assert.deepEqual(await names(ws.app, undefined, { placementId: 'P1' }), ['everywhere'])
  assert.equal((await names(ws.app)).length, 3)
})

test('C-CAMP-10 C-CAMP-11 C-CAMP-12 C-CAMP-13 M-SEG-10 what the server knows of the device decides, nothing the body says', async () => {
  const { ws, editor } = await shop()
  await gold(ws)
  await launch(ws, editor, { name: 'for gold', segments: ['Gold'] })
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  await identify(ws.app, 'D2', 'U2')
  const free = { attributes: { a: [1] }, deviceInfo: { os: null }, location: {}, context: { deep: { er: 1 } } }
  assert.deepEqual(await names(ws.app, 'D', free), ['for gold'])
  assert.deepEqual(await names(ws.app, undefined, { deviceId: 'D' }), ['for gold'])
  assert.deepEqual(await names(ws.app, 'D2', { segments: ['Gold'], userId: 'U', deviceId: 'D' }), [])
  assert.deepEqual(await names(ws.app, 'D2', { segments: 'Gold' }), [])
})

test('M-SEG-08 M-SEG-09 A-13 the stored membership of the person counts, also by rules that delivery of blocks does not look at', async () => {
  const { ws, editor } = await shop()
  await segment(ws, 'Wealthy', 'enrichment.tier', 'high')
  await identify(ws.app, 'D', 'U')
  const upload = {
    source: 'csv_upload',
    sourceRef: 'r',
    attributeTypes: { tier: 'string' },
    records: [{ userId: 'U', attributes: { tier: 'high' } }],
  }
  expectStatus(await ws.admin.post('/enrichment/upload', upload), 201)
  await operator.post('/test-hooks/jobs', { job: 'segments' })
  await launch(ws, editor, { segments: ['Wealthy'] })
  await ws.block('promo')
  await ws.instance('promo', { seg: 'Wealthy', values: { '#title': 'x' } })
  assert.equal((await names(ws.app, 'D')).length, 1)
  assert.deepEqual(await ws.blocks('D'), [])
})

test('C-CAMP-17 C-CONS-05 A-40 whoever wants nothing inside the app, or nothing at all, gets no campaign; who was never asked does', async () => {
  const { ws, editor } = await shop()
  await launch(ws, editor, { name: 'for all' })
  const say = async (device: string, body: object, path = '/consent') =>
    void expectStatus(await ws.app.post(path, body, { headers: { 'x-cf-device': device } }), 200)
  const shown = async (device: string) => (await names(ws.app, device)).length
  await identify(ws.app, 'D', 'U')
  assert.equal(await shown('D'), 1)
  for (const inApp of [false, true]) {
    await say('D', { userId: 'U', channels: { inApp } })
    assert.equal(await shown('D'), inApp ? 1 : 0)
  }
  for (const personalOptOut of [true, false]) {
    await say('D', { channels: {}, personalOptOut }, '/consent/full')
    assert.equal(await shown('D'), personalOptOut ? 0 : 1)
  }
  for (const optedOut of [true, false]) {
    expectStatus(await ws.admin.put('/users/U/opt-out', { optedOut }), 200)
    assert.equal(await shown('D'), optedOut ? 0 : 1)
  }
  // A device without a person, also one that said no to analytics.
  await say('alone', { channels: { inApp: false } })
  assert.equal(await shown('alone'), 0)
  await deny(ws.app, 'D')
  assert.equal(await shown('D'), 1)
  await say('D', { channels: { inApp: false } })
  assert.equal(await shown('D'), 0)
  assert.deepEqual((await ask(ws.app, 'D')).metadata, { tenantId: ws.id, userId: null, campaignCount: 0 })
})

test('C-CAMP-14 C-CAMP-17 M-CAMP-05 without a device or consent only what is for everybody', async () => {
  const { ws, editor } = await shop()
  await gold(ws)
  await launch(ws, editor, { name: 'for gold', segments: ['Gold'], priority: 9 })
  await launch(ws, editor, { name: 'for all' })
  await launch(ws, editor, { name: 'for nobody', segments: [] })
  assert.deepEqual(await names(ws.app), ['for all'])
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  assert.deepEqual(await names(ws.app, 'D'), ['for gold', 'for all'])
  await deny(ws.app, 'D')
  const body = await ask(ws.app, 'D')
  assert.deepEqual([body.data.length, body.metadata.userId], [1, null])
  assert.deepEqual(await names(ws.app, 'unknown'), ['for all'])
})

test('C-CAMP-15 M-CAMP-07 the language of the request, its parent, the source language; else the campaign is left out', async () => {
  const { ws, editor } = await shop()
  await launch(ws, editor, { content: { en: { title: 'Hello' }, ar: { title: 'مرحبا' } } })
  await launch(ws, editor, { name: 'French', content: { fr: { title: 'Bonjour' } }, priority: 1 })
  const title = async (language: string) =>
    (await ask(ws.app, undefined, {}, { 'accept-language': language })).data.map((item: any) => item.content.title)
  assert.deepEqual(await title('ar'), ['مرحبا'])
  assert.deepEqual(await title('ar-SA,en;q=0.5'), ['مرحبا'])
  assert.deepEqual(await title('de'), ['Hello'])
  assert.deepEqual(await title('fr-FR'), ['Hello', 'Bonjour'])
})

test('C-CAMP-16 a device gets one variant, the same each time', async () => {
  const { ws, editor } = await shop()
  const variants = ['a', 'b'].map((id) => ({ id, weight: 1, values: { title: id } }))
  await launch(ws, editor, { content: { en: { title: 'base', body: 'same', variants } } })
  const got = new Set<string>()
  for (let i = 0; i < 20; i++) {
    const [item] = (await ask(ws.app, `D${i}`)).data
    assert.deepEqual(item.content, { title: item.variantId, body: 'same' })
    assert.deepEqual((await ask(ws.app, `D${i}`)).data[0], item)
    got.add(item.variantId)
  }
  assert.deepEqual([...got].sort(), ['a', 'b'])
  const [nobody] = (await ask(ws.app)).data
  assert.deepEqual([nobody.content.title, nobody.variantId], ['base', undefined])
})

test('C-CAMP-18 X-INT-27 a test campaign shows with a test key only, a live one with both', async () => {
  const { ws, editor } = await shop()
  await launch(ws, editor, { name: 'trial' }, 'test')
  assert.deepEqual([await names(ws.app), await names(ws.testApp)], [[], ['trial']])
  await launch(ws, editor, { name: 'real', priority: 1 })
  assert.deepEqual([await names(ws.app), await names(ws.testApp)], [['real'], ['trial', 'real']])
})

test('C-CAMP-19 X-INT-28 X-INT-29 only what is live is shown, from the moment it is', async () => {
  const { ws, editor } = await shop()
  const { id } = await create(editor, { schedule: { endTime: inSeconds(600) } })
  const shown = async () => (await names(ws.app)).length
  assert.equal(await shown(), 0)
  expectStatus(await submit(editor, id), 200)
  expectStatus(await recall(editor, id), 200)
  expectStatus(await submit(editor, id), 200)
  expectStatus(await reject(ws.admin, id), 200)
  expectStatus(await submit(editor, id), 200)
  assert.equal(await shown(), 0)
  expectStatus(await approve(ws.admin, id), 200)
  assert.equal(await shown(), 0)
  for (const [status, count] of [
    ['active', 1],
    ['paused', 0],
    ['active', 1],
  ] as const) {
    expectStatus(await setStatus(editor, id, status), 200)
    assert.equal(await shown(), count)
  }
  await advance(601)
  assert.equal(await shown(), 0)
  const other = await launch(ws, editor)
  assert.equal(await shown(), 1)
  expectStatus(await setStatus(editor, other.id, 'completed'), 200)
  assert.equal(await shown(), 0)
})

test('X-INT-31 a change that waits for a second person shows nothing new', async () => {
  const { ws, editor } = await shop()
  const { id } = await launch(ws, editor)
  const title = async () => (await ask(ws.app)).data[0].content.title
  const asked = expectStatus(await editor.put(`/campaigns/${id}`, { content: { en: { title: 'New' } } }), 202).data
  assert.equal(await title(), 'Hello')
  expectStatus(await ws.admin.post(`/campaigns/${id}/edit-requests/${asked.editRequestId}/approve`, {}), 200)
  assert.equal(await title(), 'New')
})

test('G-50 what a campaign says of the person is filled, and nobody is shown half a sentence', async () => {
  const { ws, editor } = await shop()
  await launch(ws, editor, {
    content: { en: { title: 'Hi {{name}}', ctaUrl: '{{customAttributes.link}}', body: '{{ customAttributes.city }}' } },
  })
  await identify(ws.app, 'D', 'U', { name: 'Sara', traits: { city: 'Riyadh', link: 'myshop://orders/a b' } })
  await identify(ws.app, 'D3', 'U3', { name: 'Huda', traits: { city: 'Jeddah', link: 'javascript:alert(1)' } })
  await identify(ws.app, 'D2', 'U2', { name: 'Omar' })
  assert.deepEqual((await ask(ws.app, 'D')).data[0].content, { title: 'Hi Sara', ctaUrl: 'myshop://orders/a%20b', body: 'Riyadh' })
  // A value that is no link leaves no message with half of it, either.
  assert.deepEqual([await names(ws.app, 'D2'), await names(ws.app, 'D3'), await names(ws.app)], [[], [], []])
})

test('M-SEG-10 a campaign for a segment that was renamed goes on reaching its people', async () => {
  const { ws, editor } = await shop()
  const id = await gold(ws)
  const campaign = await launch(ws, editor, { segments: ['Gold'] })
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  assert.equal((await names(ws.app, 'D')).length, 1)
  expectStatus(await ws.admin.put(`/segments/${id}`, { name: 'Golden', renameUses: true }), 200)
  assert.equal((await names(ws.app, 'D')).length, 1)
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  assert.equal((await names(ws.app, 'D')).length, 1)
  const { warnings, changedSinceApproval } = expectStatus(await ws.admin.get(`/campaigns/${campaign.id}`), 200).data
  assert.deepEqual([warnings, changedSinceApproval], [[], []])
  const { usedBy } = expectStatus(await ws.admin.get(`/segments/${id}`), 200).data
  assert.deepEqual(usedBy.campaigns, [{ id: campaign.id, name: campaign.name }])
})

test('C-CAMP-19 clients are woken when a campaign goes live, pauses and ends, and not before', async () => {
  const { ws, editor } = await shop()
  const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })
  const { id } = await launch(ws, editor, { schedule: { endTime: inSeconds(600) } })
  assert.equal((await stream.next()).event, 'message.updated')
  expectStatus(await setStatus(editor, id, 'paused'), 200)
  assert.equal((await stream.next()).event, 'message.updated')
  expectStatus(await setStatus(editor, id, 'active'), 200)
  assert.equal((await stream.next()).event, 'message.updated')
  await advance(601)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'scheduler' }), 200)
  assert.equal((await stream.next()).event, 'message.updated')
  assert.equal(stream.events.length, 4)
  stream.close()
})

/** One connection; each body is sent in the pieces given, a moment apart. Answers their statuses and bodies. */
async function inPieces(key: string, asked: { headers?: string[]; pieces: string[] }[]): Promise<{ status: number; body: any }[]> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const answers: { status: number; body: any }[] = []
  for (const { headers = [], pieces } of asked) {
    text = ''
    const length = Buffer.byteLength(pieces.join(''))
    const head = ['POST /sdk/v1/campaigns HTTP/1.1', 'Host: localhost', `X-CF-Key: ${key}`, 'Content-Type: application/json', ...headers]
    socket.write(`${[...head, `Content-Length: ${length}`].join('\r\n')}\r\n\r\n`)
    for (const piece of pieces) {
      await sleep(20)
      socket.write(piece)
    }
    const said = () => /^HTTP\/1.1 (\d+)[^]*?content-length: (\d+)[^]*?\r\n\r\n([^]*)$/i.exec(text)
    await until(
      'an answer',
      () => Buffer.byteLength(said()?.[3] ?? '') === Number(said()?.[2] ?? -1),
      () => `${pieces.join('|')} ${text}`,
    )
    answers.push({ status: Number(said()?.[1]), body: JSON.parse(said()?.[3] ?? '') })
  }
  socket.destroy()
  return answers
}

test('C-CAMP-01 C-CAMP-08 G-13 a body that comes in pieces, or that is refused, leaves the connection ready for the next', async () => {
  const { ws, editor } = await shop()
  await gold(ws)
  await launch(ws, editor, { name: 'all' })
  await launch(ws, editor, { name: 'gold', priority: 9, segments: ['Gold'] })
  await identify(ws.app, 'Gerät-1', 'U', { traits: { plan: 'gold' } })
  // Twice, so that all of it is at hand.
  for (let i = 0; i < 2; i++) assert.deepEqual(await names(ws.app, undefined, { deviceId: 'Gerät-1' }), ['gold', 'all'])
  const known = JSON.stringify({ deviceId: 'Gerät-1' })
  const half = [known.slice(0, 12), known.slice(12)]
  const answers = await inPieces(ws.live, [
    { pieces: [known] },
    { pieces: half },
    { pieces: ['[', ']'] },
    { pieces: ['[]'] },
    { pieces: ['{"placementId":5}'] },
    { pieces: ['{"deviceId":"never seen"', '}'] },
    { pieces: ['{}'], headers: ['X-API-Key: wrong'] },
    { pieces: half, headers: ['X-Tenant-Id: another'] },
    { pieces: [known] },
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 400, 400, 400, 200, 200, 401, 200],
  )
  const said = answers.map(({ body }) => body.data?.map(({ name }: { name: string }) => name) ?? body.error)
  for (const i of [0, 1, 8]) assert.deepEqual(said[i], ['gold', 'all'])
  assert.equal(said[3], 'Campaign context must be a JSON object')
  for (const i of [5, 6]) assert.deepEqual(said[i], ['all'])
  // What cannot be read is refused, and ends its connection.
  for (const asked of [{ pieces: ['{"placement', 'Id":'] }, { pieces: [known], headers: ['Content-Encoding: gzip'] }]) {
    const [refused] = await inPieces(ws.live, [asked])
    assert.equal(refused?.status, 'headers' in asked ? 415 : 400)
  }
})

test('C-CAMP-01 C-LIMIT-01 what is asked past the rate is refused with its code, and the rate is told', async () => {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: 10 }), 200)
  const answers = []
  for (let i = 0; i < LIMITS.workspaceBurst + 20; i++) answers.push(await ws.app.post('/campaigns', {}))
  const served = answers.filter(({ status }) => status === 200)
  assert.ok(served.length < 200)
  assert.deepEqual([...new Set(answers.slice(served.length).map(({ status }) => status))], [429])
  const remaining = served.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
  assert.deepEqual(remaining.slice(0, 3), [9, 8, 7])
})
