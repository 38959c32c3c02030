/**
 * Two workspaces that are twins: equal block keys, external ids, device ids and even instance ids. Whatever A
 * sends, with ids of its own or of B, B keeps every row and A reads nothing of B. The routes come from the
 * server itself; a route these tables do not know fails the suite.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { clientOf, expectStatus, request, uniqueEmail, type Answer, type Workspace } from '../builders/builders.ts'
import { journeyIn } from '../builders/journeys.ts'
import { campaignFor, waitingCampaign } from '../builders/campaigns.ts'
import { storeTwinExperiments } from '../builders/experiments.ts'
import { insertDevice } from '../builders/devices.ts'
import { uploadFile } from '../builders/files.ts'
import { storeTwinThings } from '../builders/twin-things.ts'
import { BODIES, FENCE, GATEWAY, makeReport, MANIFEST, pinged, REFUSED, renewImport, SEGMENT, type Twins } from './isolation-bodies.ts'
import { askedIn, askToErase, eraseSomebody, exportSomebody, recordOfSomebody } from './isolation-erasures.ts'
import { makeMail } from './isolation-mails.ts'
import { endOfLog, isAudited } from './isolation-audit.ts'
import { parametersOf, sameParametersOf } from './isolation-params.ts'
import { waitingIn } from './isolation-waiting.ts'
import { begin, match, stage, upload } from '../builders/imports.ts'
import { fillPath, listDescribed, listRoutes, type Route } from '../harness/routes.ts'
import { startApp } from '../harness/start-app.ts'
import { hashTables } from '../harness/tables.ts'

const { app, ctx, url, workspace } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const CANARY = 'CANARY-OF-B'
const TWIN_TABLES = ['block_instances', 'instance_revisions', 'instance_events', 'devices']
const TEXT = { title: CANARY, values: { f_title: CANARY } }
const TWIN_TEXTS: Record<string, object> = {
  block_instances: TEXT,
  instance_revisions: {
    content: { ...TEXT, seg: null, priority: 0, schedule: null, variants: [], translations: {}, frequency: null },
  },
}
/** A's rows copied to B under the same ids with B's own text, and beside them things that only B has. */
async function makeTwins(): Promise<Twins> {
  const memberEmail = uniqueEmail()
  const [a, b] = [await workspace({ name: 'A' }), await workspace({ name: CANARY, email: memberEmail })]
  for (const ws of [a, b]) {
    const blocks = ws === a ? MANIFEST.blocks : MANIFEST.blocks.map((block) => ({ ...block, instances: [] }))
    expectStatus(await ws.write.post('/cards/sync', { blocks }), 200)
  }
  await insertDevice(ctx, a.id, 'the-same-device', { segments: [] })
  for (const table of TWIN_TABLES) {
    const own = JSON.stringify({ workspace_id: b.id, ...TWIN_TEXTS[table] })
    await sql`
      insert into ${sql.table(table)} select (jsonb_populate_record(t, ${own}::jsonb)).* from ${sql.table(table)} t
      where workspace_id = ${a.id}`.execute(ctx.db)
  }
  for (const ws of [a, b]) {
    for (const [app, deviceId] of [
      [ws.app, 'the-same-device'],
      [ws.testApp, 'the-same-test-device'],
    ] as const)
      expectStatus(await app.post('/identify', { deviceId, userId: 'the-same-user', consent: true }), 200)
  }
  for (const ws of [a, b]) expectStatus(await ws.admin.post('/segments', { ...SEGMENT, name: 'the same' }), 201)
  await storeTwinThings(ctx, { a, b, text: CANARY })
  const segment = expectStatus(await b.admin.post('/segments', { ...SEGMENT, name: CANARY }), 201).data.id
  for (const ws of [a, b]) {
    expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)
    const text = ws === a ? 'of A' : CANARY
    expectStatus(await ws.write.post('/strings/sync', { strings: [{ key: 'the.same', sourceText: text, values: { ar: text } }] }), 200)
    expectStatus(await ws.admin.put('/strings/the.same/sensor', { enabled: true }), 200)
  }
  expectStatus(await b.admin.post('/locales', { code: 'fr', name: CANARY }), 201)
  const csv = `key,sourceText,description\nimported.by.b,${CANARY},${CANARY}`
  const stringImport = expectStatus(await b.admin.post('/strings/imports', { csv, fileName: CANARY }), 201).data.importId
  expectStatus(await b.admin.post('/strings', { key: 'only.b', sourceText: CANARY, namespace: CANARY }), 201)
  await ctx.db
    .updateTable('devices')
    .set({ segments: ['B'] })
    .where('workspace_id', '=', b.id)
    .execute()
  await b.block('only_b', { name: CANARY })
  for (const name of ['only_b', 'the_same']) expectStatus(await b.admin.put(`/event-types/${name}`, { description: CANARY }), 200)
  await storeTwinExperiments(ctx, a.id, b.id, CANARY)
  const onlyB = (await b.instance('promo', { externalId: 'only-b', values: { '#title': CANARY } })).id
  await b.instance('only_b', { externalId: 'only-b-too', seg: 'B', values: { '#title': CANARY } })
  const keys: Record<string, string> = {}
  for (const family of ['sdk-keys', 'write-keys', 'read-keys']) keys[family] = (await b.admin.get(`/settings/${family}`)).data.keys[0].id
  const shared = (await a.admin.get('/blocks/promo/instances')).data.instances[0].id
  const member = (await b.admin.get('/members')).data.members[0].userId
  const { review, publication } = await waitingIn(b, onlyB)
  const fence = expectStatus(await b.admin.post('/geofences', { ...FENCE, name: CANARY }), 201).data.id
  const file = (await uploadFile(b.admin, CANARY, CANARY, 'text/plain')).contentId
  const { id: webhook, deliveryId: delivery } = await pinged(b, CANARY)
  const gateway = { ...GATEWAY, name: CANARY, configuration: { apiKey: CANARY, sender: CANARY } }
  const channel = expectStatus(await b.admin.post('/notifications/channels', gateway), 201).data.id
  const enrichment = await loadInto(b, CANARY)
  const [journey, report] = [await journeyIn(b, CANARY, true), await makeReport(b.admin, CANARY)]
  const mail = await makeMail(b.admin, CANARY)
  const campaign = await waitingCampaign(ctx, b, { text: CANARY, isApproved: true })
  const [erasure, erasureRequest] = [await eraseSomebody(b), await askToErase(b)]
  const [subjectRequest, personExport] = [await recordOfSomebody(b, CANARY), await exportSomebody(b)]
  expectStatus(await b.app.post('/identify', { deviceId: 'of only-b', userId: 'only-b', consent: true }), 200)
  return {
    a,
    b,
    shared,
    onlyB,
    member,
    memberEmail,
    keys,
    fence,
    segment,
    erasure,
    erasureRequest,
    subjectRequest,
    personExport,
    stringImport,
    review,
    publication,
    file,
    webhook,
    channel,
    delivery,
    campaign,
    journey,
    report,
    mail,
    enrichment,
  }
}

/** An import that waits for rows, a saved mapping, and an upload. */
async function loadInto({ admin }: Workspace, text: string): Promise<Twins['enrichment']> {
  const stagedImport = await begin(admin, { more: { fileName: text, saveAsSource: `${text} ${randomUUID()}` } })
  await stage(admin, stagedImport, [['the-same-user', text]])
  const source = expectStatus(await admin.get('/enrichment/sources'), 200).data.sources[0].sourceId
  const { jobRef } = await upload(admin, [{ userId: 'the-same-user', attributes: { a: text } }], { sourceRef: text })
  return { stagedImport, source, upload: jobRef }
}

/** Rows of B, and of the tables that belong to no workspace: A's own calls open no session. */
const rowsOfB = async ({ b }: Twins) => `${await hashTables(ctx.db, { workspaceId: b.id })}\n${await ofNobody()}`
const ofNobody = async () =>
  (await hashTables(ctx.db))
    .split('\n')
    .filter((line) => /^(accounts|sessions) /.test(line))
    .join('\n')

const keyOf = (route: Route) => `${route.method} ${route.path}`

/** Routes that name nothing of a workspace, that belong to whoever runs the installation, or that are for everybody who has an address. */
const OF_THE_INSTALLATION =
  /^\/(healthz|readyz|metrics|docs|demo\/shop\/config\.json|push\/worker\.js)?$|^\/api\/v1\/(openapi\.json$|test-hooks\/|operator\/|auth\/(signup|login|session|installation)$|content\/:id\/(raw|file|upload)$|(unsubscribe|preferences|confirm-erasure|confirm-email|callbacks)\/)/
/** Routes of write keys, under every root. */
const PIPELINE = /\/(cards\/|strings\/(sync|disable)$|sdk(\/v1)?\/event-types$)/
const CLIENT = /^\/(sdk\/v1|api\/v1\/sdk)\//

/** A text is sent as it is. */
function bodyFor(route: Route, twins: Twins): object | string | undefined {
  if (route.method === 'GET' || route.method === 'HEAD' || route.method === 'DELETE') return undefined
  const make = BODIES[`${route.method} ${route.path.replace(/^\/(sdk\/v1|api\/v1\/sdk|api\/v1)/, '')}`]
  if (!make) throw new Error(`${keyOf(route)} is missing in BODIES`)
  return make(twins)
}

/** Every credential that opens the route, of workspace A. */
function credentialsOf(route: Route, { a }: Twins): Record<string, string>[] {
  if (PIPELINE.test(route.path)) return [{ 'x-cf-write-key': a.writeKey }]
  if (route.path.startsWith('/api/v1/read/')) return [{ 'x-cf-read-key': a.readKey }]
  if (CLIENT.test(route.path))
    return [
      { 'x-cf-key': a.live, 'x-cf-device': 'the-same-device' },
      { 'x-cf-key': a.test, 'x-cf-device': 'the-same-test-device' },
      { 'x-cf-key': `${a.id}_app`, 'x-cf-device': 'the-same-device' },
    ]
  return [adminOf(a)]
}
const tokens = new Map<string, Record<string, string>>()
const adminOf = (ws: Workspace): Record<string, string> => tokens.get(ws.id) ?? {}

/** Learns the admin's own headers by adding a second admin through the product. */
async function signInAdmin(ws: Workspace): Promise<void> {
  const email = uniqueEmail()
  const password = 'another long password'
  expectStatus(await ws.admin.post('/members', { email, name: 'Second admin', password, role: 'admin' }), 201)
  const { token } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', { email, password }), 200).data
  tokens.set(ws.id, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
}

/** An editor asks for the sensor of the string both have; somebody else has to approve it. */
async function askForSensor(ws: Workspace): Promise<void> {
  expectStatus(await ws.admin.put('/settings/sensor-approval', { required: true }), 200)
  expectStatus(await ws.admin.put('/strings/the.same/sensor', { enabled: false }), 200)
  expectStatus(await (await ws.editor()).put('/strings/the.same/sensor', { enabled: true }), 202)
}

async function makeKey(ws: Workspace, family: string): Promise<string> {
  const body = /^(sdk|identity)-keys$/.test(family) ? { kind: 'secret', environment: 'test' } : {}
  return expectStatus(await clientOf(`${url}/api/v1`, adminOf(ws)).post(`/settings/${family}`, body), 201).data.id
}

/** What a route cannot do without. */
const QUERIES: Record<string, string> = {
  'GET /api/v1/segments/:id/explain': '?person=the-same-user',
  'GET /api/v1/campaigns/:id/explain': '?userId=the-same-user',
  'GET /api/v1/journeys/:id/explain': '?userId=the-same-user',
}

async function call(
  route: Route,
  params: Record<string, string>,
  headers: Record<string, string>,
  body: object | string | undefined,
): Promise<Answer> {
  const address = url + fillPath(route.path, params) + (QUERIES[keyOf(route)] ?? '')
  if (!route.path.endsWith('/stream'))
    return request(route.method, address, { headers, ...(typeof body === 'string' ? { raw: body } : { body }) })
  // A stream stays open when it is granted: its head is all there is to compare.
  const abort = new AbortController()
  const { status, headers: answered } = await fetch(address, { headers, signal: abort.signal })
  abort.abort()
  return { status, headers: answered, text: '', body: undefined, data: undefined }
}

const routes = listRoutes(app)
const tenantRoutes = routes.filter(({ path }) => !OF_THE_INSTALLATION.test(path))

test('the list of routes is complete: it names whatever the API description names', () => {
  const listed = new Set(routes.map(keyOf))
  assert.deepEqual(
    listDescribed(app).filter((described) => !listed.has(described)),
    [],
  )
  assert.ok(tenantRoutes.length > 45)
})

test('M-INST-06 an id of another workspace is answered like one that exists nowhere, on every route with ids, and changes no row', async () => {
  const twins = await makeTwins()
  await signInAdmin(twins.a)
  const before = await hashTables(ctx.db)
  for (const route of tenantRoutes.filter(({ params }) => params.length > 0)) {
    for (const headers of credentialsOf(route, twins)) {
      for (const { foreign, unknown } of parametersOf(route, twins)) {
        const body = bodyFor(route, twins)
        const answers = [await call(route, foreign, headers, body), await call(route, unknown, headers, body)]
        const name = `${keyOf(route)} ${JSON.stringify(foreign)}`
        assert.equal(answers[0]?.status, 404, name)
        assert.deepEqual([answers[0]?.status, answers[0]?.text], [answers[1]?.status, answers[1]?.text], name)
        assert.deepEqual([...(answers[0]?.headers.keys() ?? [])], [...(answers[1]?.headers.keys() ?? [])], name)
      }
    }
  }
  assert.equal(await hashTables(ctx.db), before)
})

test('M-AUTH-12 a person is refused in a workspace they are no member of, on every route, like in one that does not exist', async () => {
  const twins = await makeTwins()
  await signInAdmin(twins.a)
  const before = await hashTables(ctx.db)
  const person = adminOf(twins.a)
  for (const route of tenantRoutes.filter(
    ({ path }) => !CLIENT.test(path) && !PIPELINE.test(path) && !/\/(auth|read)\/|\/workspaces(\/join)?$/.test(path),
  )) {
    const params = { key: 'promo', id: twins.shared, number: '1', userId: twins.member }
    const body = bodyFor(route, twins)
    const foreign = await call(route, params, { ...person, 'x-tenant-id': twins.b.id }, body)
    const unknown = await call(route, params, { ...person, 'x-tenant-id': 'nosuchworkspace' }, body)
    assert.equal(foreign.status, 403, keyOf(route))
    assert.deepEqual(foreign.body, unknown.body, keyOf(route))
    assert.equal(foreign.body.code, undefined, keyOf(route))
    assert.equal((await call(route, params, { authorization: person['authorization'] ?? '' }, body)).status, 400, keyOf(route))
  }
  assert.equal(await hashTables(ctx.db), before)
})

test('C-AUTH-33..36 X-Tenant-Id never leads a client key of one workspace to another', async () => {
  const twins = await makeTwins()
  const { a, b } = twins
  const secret = (await a.key('secret', 'live')).key
  const own = (await a.app.get('/sync')).text
  for (const root of ['/sdk/v1', '/api/v1/sdk']) {
    for (const path of ['/sync', '/blocks/promo', '/blocks/only_b', '/stream']) {
      const refused = await request('GET', `${url}${root}${path}`, { headers: { 'x-cf-key': a.live, 'x-tenant-id': b.id } })
      assert.deepEqual([refused.status, refused.body.code], [root === '/sdk/v1' ? 401 : 403, 'TENANT_KEY_MISMATCH'], root + path)
    }
    for (const key of [secret, `${a.id}_app`]) {
      const ignored = await request('GET', `${url}${root}/sync`, { headers: { 'x-cf-key': key, 'x-tenant-id': b.id } })
      assert.deepEqual([ignored.status, ignored.text], [200, own], root)
    }
  }
})

/** Routes that need something that waits, or that was deleted, find it. */
async function prepareContent(a: Workspace, { path }: Route, params: Record<string, string>): Promise<void> {
  if (path.includes('/enrichment/')) {
    const { stagedImport, source, upload: jobRef } = await loadInto(a, 'of A')
    Object.assign(params, { id: stagedImport, sourceId: source, jobRef })
    if (path.endsWith('/commit')) await match(a.admin, stagedImport)
    return
  }
  if (path.includes('/mails/:id')) return void Object.assign(params, { id: await makeMail(a.admin, randomUUID()) })
  if (path.includes('/reports/')) return void Object.assign(params, { id: await makeReport(a.admin, randomUUID()) })
  if (path.includes('/journeys/')) return void Object.assign(params, { id: await journeyIn(a, 'of A', /enroll|runs$/.test(path)) })
  if (path.includes('/campaigns/')) return void Object.assign(params, await campaignFor(ctx, a, path))
  const isOfReview = path.includes('/reviews/:id')
  if (!isOfReview && !/:scheduleId|\/restore$/.test(path)) return
  const { id } = await a.instance('promo', { values: { '#title': 'of A' } })
  const { review, publication } = await waitingIn(a, id)
  // Somebody else asked for it.
  await ctx.db.updateTable('reviews').set({ requested_by: 'somebody' }).where('workspace_id', '=', a.id).execute()
  if (path.endsWith('/restore')) expectStatus(await a.admin.delete(`/blocks/promo/instances/${id}`), 200)
  Object.assign(params, { id: isOfReview ? review : id, scheduleId: publication })
}

test('M-REG-11 M-AUTH-06 whatever A writes to ids both have, B keeps every row and its clients the same answer', async () => {
  const twins = await makeTwins()
  await signInAdmin(twins.a)
  const { a, b, shared, member } = twins
  assert.equal((await b.admin.get(`/blocks/promo/instances/${shared}`)).data.values['#title'], CANARY)
  const answerOfB = async () => [
    (await b.app.get('/sync')).text,
    (await b.app.get('/sync', { headers: { 'x-cf-device': 'the-same-device' } })).text,
    (await b.app.get('/strings?locale=ar')).text,
    (await b.app.get('/locales')).text,
  ]
  const [rows, texts] = [await hashTables(ctx.db, { workspaceId: b.id }), await answerOfB()]
  const endOfB = await endOfLog(ctx, b)
  assert.notEqual(texts[0], texts[1], 'the device of B has a segment that the one of A lacks')
  const [personBefore] = await ctx.db.selectFrom('accounts').selectAll().where('id', '=', member).execute()
  // What takes A's own things away comes last, the innermost first, so that every write finds what it changes.
  const isLast = ({ path, method }: Route) => method === 'DELETE' || path.endsWith('/cards/sync')
  // The sandbox last of all: without it the retired test environment takes no writes.
  const depth = ({ path }: Route) => (path.endsWith('/settings/sandbox') ? -1 : path.endsWith('/cards/sync') ? 0 : path.length)
  const writes = tenantRoutes.filter(({ path }) => !/\/(logout|sdk-key-policy)$/.test(path))
  const ordered = [
    ...writes.filter((route) => !isLast(route)),
    ...writes.filter((route) => isLast(route)).sort((one, other) => depth(other) - depth(one)),
  ]
  const [refused, unsaid]: [string[], string[]] = [[], []]
  for (const route of ordered) {
    const named = { key: 'promo', blockKey: 'promo', id: shared, number: '1', userId: member }
    const params: Record<string, string> = { ...named, ...sameParametersOf(route) }
    const family = /\/settings\/([a-z]+-keys)\//.exec(route.path)?.[1]
    if (family) params['id'] = await makeKey(a, family)
    if (route.path.includes('/segments/:id')) {
      params['id'] = expectStatus(await a.admin.post('/segments', { ...SEGMENT, name: keyOf(route) }), 201).data.id
    }
    if (route.path.includes('/sensor/')) await askForSensor(a)
    if (route.path.includes('/strings/imports')) params['id'] = await renewImport(a, route.path.includes(':id'))
    if (route.path.includes('/geofences/')) params['id'] = expectStatus(await a.admin.post('/geofences', FENCE), 201).data.id
    if (route.path.includes('/content/')) params['id'] = (await uploadFile(a.admin, 'of A', 'of A', 'text/plain')).contentId
    if (route.path.includes('/channels/')) params['id'] = expectStatus(await a.admin.post('/notifications/channels', GATEWAY), 201).data.id
    if (route.path.includes('/webhooks/')) Object.assign(params, await pinged(a, 'of A'))
    Object.assign(params, await askedIn(a, route.path))
    await prepareContent(a, route, params)
    for (const headers of credentialsOf(route, twins)) {
      const before = await endOfLog(ctx, a)
      const answer = await call(route, params, headers, bodyFor(route, twins))
      if (answer.status >= 300) refused.push(`${keyOf(route)} ${answer.status}`)
      else if (isAudited(route) && (await endOfLog(ctx, a)) === before) unsaid.push(keyOf(route))
      assert.ok(!answer.text.includes(CANARY), keyOf(route))
      assert.ok(!answer.text.includes(b.id), keyOf(route))
    }
    assert.equal(await hashTables(ctx.db, { workspaceId: b.id }), rows, keyOf(route))
    assert.equal(await endOfLog(ctx, b), endOfB, keyOf(route))
  }
  assert.deepEqual(refused, REFUSED, 'every other call took effect on A')
  assert.deepEqual(unsaid, [], 'each of them leaves an entry in the audit log of A')
  assert.deepEqual(await answerOfB(), texts)
  const [personAfter] = await ctx.db.selectFrom('accounts').selectAll().where('id', '=', member).execute()
  assert.deepEqual(personAfter, personBefore, 'being added to A changes nothing of a person of B')
})

test('references, seeds and emails that point at B reach nothing of B', async () => {
  const twins = await makeTwins()
  const { a, b, onlyB } = twins
  const before = await rowsOfB(twins)
  const [foreign, unknown] = [onlyB, randomUUID()]
  const messages: string[] = []
  for (const id of [foreign, unknown]) {
    const answer = await a.admin.post('/blocks/promo/instances', { values: { '#items': [id] } })
    assert.equal(answer.status, 400)
    messages.push(answer.body.error.replace(id, '<id>'))
    for (const body of [{ translations: { ar: { '#items': [id] } } }, { variants: [{ id: 'v', weight: 1, values: { '#items': [id] } }] }])
      assert.equal((await a.admin.put(`/blocks/promo/instances/${twins.shared}`, body)).status, 400)
  }
  assert.equal(messages[0], messages[1])
  for (const id of [foreign, unknown]) {
    const order = await a.admin.put('/blocks/promo/instances/order', { ids: [twins.shared, id] })
    assert.deepEqual([order.status, order.body.error], [404, 'instance not found'])
  }
  const plan = (campaignId: string) => a.admin.post('/experiments/plan', { subject: { campaignId }, relativeEffect: 0.2 })
  const [planned, unplanned] = [await plan(twins.campaign.id), await plan(randomUUID())]
  assert.deepEqual([planned.status, planned.body], [404, unplanned.body])
  const seeded = await a.write.post('/cards/sync', {
    blocks: [{ ...MANIFEST.blocks[0], instances: [{ externalId: 'x3', values: { '#items': ['only-b'] } }] }],
  })
  assert.equal(seeded.data.errors.length, 1)
  assert.equal(await rowsOfB(twins), before)
  assert.ok((await b.blocks()).every((block) => block.values['#title'] === CANARY))
  assert.ok((await a.blocks()).every((block) => block.values['#title'] === 'of A'))
})
