/** NUL and halves of a surrogate pair (G-85): replaced in what people read, counted, and refused in what names something. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { expectStatus, type Client, type Workspace } from '../builders/builders.ts'
import { identify, personRow } from '../builders/people.ts'
import { assertRefusal } from '../harness/refusals.ts'
import { startApp } from '../harness/start-app.ts'
import { hashTables } from '../harness/tables.ts'
import { ODD_TEXT } from '../../src/http/bodies/odd-text.ts'

const { app, workspace, ctx } = await startApp()

const ODD = 'a\u0000b\ud800c\udc00'
const MENDED = 'a\ufffdb\ufffdc\ufffd'
/** What apps send of it: JSON.stringify writes both as escapes. */
const raw = (body: object) => ({ raw: JSON.stringify(body) })

async function counted(work: () => Promise<unknown>): Promise<number> {
  const value = async () => (await ctx.metrics.replacedTexts.get()).values[0]?.value ?? 0
  const before = await value()
  await work()
  return (await value()) - before
}

test('G-85 every rule stands at a route that there is', () => {
  const patterns = new Set<string>()
  for (const route of ODD_TEXT.keys()) {
    const [method = '', url = ''] = route.split(' ')
    assert.ok(app.http.hasRoute({ method, url }), route)
    patterns.add(route)
  }
  assert.ok(patterns.size > 60)
})

test('G-85 C-IDN-07 an identify goes on with U+FFFD in name and traits, an email with one is left out', async () => {
  const { id, app: sdk } = await workspace()
  const body = {
    deviceId: 'D',
    userId: 'U',
    consent: true,
    name: ODD,
    email: 'sara\ud800@example.com',
    traits: { plan: ODD, deep: [{ x: ODD }] },
  }
  assert.equal(await counted(async () => expectStatus(await sdk.post('/identify', undefined, raw(body)), 200)), 4)
  const person = await personRow(ctx, id, 'U')
  assert.deepEqual([person?.name, person?.email], [MENDED.replaceAll('\0', ''), null])
  assert.deepEqual(person?.traits, { plan: MENDED, deep: [{ x: MENDED }] })
  const data = { deviceId: 'D', userId: 'U', category: 'retail', data: { note: ODD } }
  expectStatus(await sdk.post('/profile', undefined, raw(data)), 200)
  assert.deepEqual((await personRow(ctx, id, 'U'))?.industry, { retail: { note: MENDED } })
  expectStatus(await sdk.post('/track-event', undefined, raw({ type: 'sign_in', deviceId: 'D', properties: { a: ODD } })), 202)
})

test('G-85 C-CAMP-12 a batch of events and a campaign context go on; the answer says how many texts were replaced', async () => {
  const { id, app: sdk } = await workspace()
  await identify(sdk, 'D', 'U')
  const events = [
    { type: 'impression', properties: { text: ODD, list: [ODD] }, further: ODD },
    { type: 'impression', properties: { text: 'right' } },
  ]
  const taken = expectStatus(await sdk.post('/events', undefined, raw({ deviceId: 'D', events })), 202).data
  assert.deepEqual(taken, { accepted: 2, dropped: 0, dropReasons: {}, replacedTexts: 3 })
  const rows = await ctx.db.selectFrom('events').select('properties').where('workspace_id', '=', id).execute()
  assert.ok(rows.some(({ properties }) => isDeepStrictEqual(properties, { text: MENDED, list: [MENDED] })))
  const context = {
    placementId: 'home',
    attributes: { a: ODD },
    deviceInfo: { b: [ODD] },
    location: { city: ODD },
    context: { c: { d: ODD } },
  }
  for (const padding of ['', 'x'.repeat(40_000)]) {
    const answer = await sdk.post('/campaigns', undefined, { ...raw({ ...context, padding }), headers: { 'x-cf-device': 'D' } })
    assert.deepEqual(expectStatus(answer, 200).data, [])
  }
})

test('G-85 contacts, uploads and imports: texts are replaced and reported, a row is refused for its id alone', async () => {
  const { id, admin } = await workspace()
  const contacts = [
    { userId: 'U', email: 'sara\u0000@example.com', country: 'SA' },
    { userId: 'U2', email: 'noura@example.com' },
  ]
  const loaded = expectStatus(await admin.post('/users/bulk/contacts', undefined, raw({ contacts })), 200).data
  assert.deepEqual([loaded.processed, loaded.errorCount, loaded.replacedTexts, loaded.errors[0].field], [2, 1, 1, 'email'])
  const upload = { sourceRef: 'May', records: [{ userId: 'U', attributes: { tier: ODD } }] }
  assert.equal(expectStatus(await admin.post('/enrichment/upload', undefined, raw(upload)), 201).data.replacedTexts, 1)
  const mapping = { identity: { column: 'id', type: 'userId' }, columns: [{ column: 'note', name: 'note', type: 'string' }] }
  const begun = expectStatus(await admin.post('/enrichment/imports', { headers: ['id', 'note'], mapping }), 201).data
  const rows = [
    ['U', ODD],
    ['U2', 'right'],
    [ODD, 'x'],
  ]
  const path = `/enrichment/imports/${begun.importId}`
  const staged = expectStatus(await admin.post(`${path}/rows`, undefined, raw({ startRow: 1, rows })), 200).data
  assert.deepEqual(staged, { staged: 3, skipped: 0, counts: { rows: 3, rejected: 1 }, replacedTexts: 1 })
  expectStatus(await admin.post(`${path}/match`), 202)
  await ctx.due.workOff('imports', id)
  const page = expectStatus(await admin.get(path), 200).data
  assert.deepEqual([page.rejectReasons, page.replacedTexts], [{ invalid_user_id: 1 }, 1])
  assert.equal(page.sample[0].values.note, MENDED)
})

test('G-85 content, texts, campaigns and journeys keep what was written around an odd character', async () => {
  const ws = await workspace()
  await ws.block('promo', { name: 'x' })
  const made = async (client: Client, path: string, body: object, status = 201) =>
    expectStatus(await client.post(path, undefined, raw(body)), status).data
  const instance = await made(ws.admin, '/blocks/promo/instances', { title: ODD })
  assert.equal(instance.title, MENDED)
  expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)
  const synced = await made(ws.write, '/strings/sync', { strings: [{ key: 'home', sourceText: ODD, values: { ar: ODD } }] }, 200)
  assert.deepEqual([synced.created, synced.replacedTexts], [1, 2])
  const content = { en: { title: ODD, body: 'x', data: { free: ODD }, variants: [{ id: 'v', weight: 1, values: { title: ODD } }] } }
  const campaign = await made(ws.admin, '/campaigns', { name: ODD, type: 'promo', content })
  assert.deepEqual([campaign.name, campaign.content.en.title, campaign.content.en.data], [MENDED, MENDED, { free: MENDED }])
  assert.equal(campaign.content.en.variants[0].values.title, MENDED)
  const send = { type: 'in_app', content: { en: { title: ODD } } }
  const rule = { field: 'behavioral.conversions', operator: 'greater_than', value: 0 }
  const steps = [{ type: 'condition', rule, then: [send], else: [] }]
  const journey = await made(ws.admin, '/journeys', { name: ODD, trigger: { type: 'manual' }, steps })
  assert.equal(journey.steps[0].then[0].content.en.title, MENDED)
  // A NUL says that the file is no text; of half a character only that one is replaced.
  const csv = 'key,sourceText\nhome,"x\ud800"\nother,right\n'
  const { summary, importId } = await made(ws.admin, '/strings/imports', { csv })
  assert.deepEqual([summary.rows, summary.rejectedCount, summary.replacedTexts], [2, 0, 1])
  assert.equal(expectStatus(await ws.admin.post(`/strings/imports/${importId}/apply`), 200).data.summary.replacedTexts, 1)
  assert.equal(expectStatus(await ws.admin.get('/strings/home'), 200).data.sourceText, 'x\ufffd')
})

test('G-85 in ids, keys, tags and names of segments they are 400 as before, and change nothing', async () => {
  const ws = await workspace()
  await ws.block('promo', { name: 'x' })
  await identify(ws.app, 'D', 'U')
  const before = await hashTables(ctx.db)
  const steps = [{ type: 'send', channel: 'whatsapp', content: { en: { whatsappTemplate: { id: ODD } } } }]
  const content = (more: object) => ({ name: 'x', type: 'promo', content: { en: { title: 'x', ...more } } })
  for (const [client, path, body] of named(ws, steps, content)) assertRefusal(await client.post(path, undefined, raw(body)), 400, path)
  assert.equal(await hashTables(ctx.db), before)
})

const named = (ws: Workspace, steps: object[], content: (more: object) => object): [Client, string, object][] => [
  [ws.app, '/identify', { deviceId: ODD, consent: true }],
  [ws.app, '/identify', { deviceId: 'D', userId: ODD, consent: true }],
  [ws.app, '/identify', { deviceId: 'D', consent: true, traits: { [ODD]: 1 } }],
  [ws.app, '/identify', { deviceId: 'D', consent: true, traits: { a: [{ [ODD]: 1 }] } }],
  [ws.app, '/events', { deviceId: 'D', events: [{ type: ODD }] }],
  [ws.app, '/events', { deviceId: 'D', events: [{ type: 'x', eventId: ODD }] }],
  [ws.app, '/events', { deviceId: 'D', events: [{ type: 'x', screen: ODD }] }],
  [ws.app, '/events', { deviceId: 'D', events: [{ type: 'x', properties: { [ODD]: 1 } }] }],
  [ws.app, '/campaigns', { placementId: ODD }],
  [ws.admin, '/users/bulk/contacts', { contacts: [{ userId: ODD }] }],
  [ws.admin, '/enrichment/upload', { sourceRef: 'x', records: [{ userId: ODD, attributes: { a: 1 } }] }],
  [ws.admin, '/segments', { name: ODD, logicalOperator: 'AND', rules: [] }],
  [ws.admin, '/blocks', { key: 'x', fields: [{ tag: ODD, type: 'text' }] }],
  [ws.admin, '/blocks/promo/instances', { seg: ODD }],
  [ws.admin, '/blocks/promo/instances', { externalId: ODD }],
  [ws.admin, '/strings', { key: ODD, sourceText: 'x' }],
  [ws.admin, '/strings/imports', { csv: `key,sourceText\n${ODD},x\n` }],
  [ws.admin, '/strings/imports', { csv: `k\u0000e\u0000y\u0000,\u0000\n` }],
  [ws.admin, '/campaigns', content({ placementIds: [ODD] })],
  [ws.admin, '/campaigns', content({ variants: [{ id: ODD, weight: 1, values: {} }] })],
  [ws.admin, '/campaigns', { ...content({}), segments: [ODD] }],
  [ws.admin, '/journeys', { name: 'x', trigger: { type: 'segment_entry', segment: ODD }, steps: [] }],
  [ws.admin, '/journeys', { name: 'x', trigger: { type: 'manual' }, steps }],
]
