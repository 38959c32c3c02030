/** Two workspaces that are twins, and what A sends to each route that writes: for the suites that go through all routes. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { clientOf, expectStatus, request, uniqueEmail, type Answer, type Workspace } from '../builders/builders.ts'
import { journeyIn } from '../builders/journeys.ts'
import { campaignFor, waitingCampaign } from '../builders/campaigns.ts'
import { storeTwinExperiments } from '../builders/experiments.ts'
import { insertDevice } from '../builders/devices.ts'
import { uploadFile } from '../builders/files.ts'
import { accessFor, makeAccess, storeTwinThings } from '../builders/twin-things.ts'
import { BODIES, FENCE, GATEWAY, makeReport, MANIFEST, pinged, renewImport, SEGMENT, type Twins } from './isolation-bodies.ts'
import { askedIn, askToErase, eraseSomebody, exportSomebody, recordOfSomebody } from './isolation-erasures.ts'
import { makeMail } from './isolation-mails.ts'
import { sameParametersOf } from './isolation-params.ts'
import { waitingIn } from './isolation-waiting.ts'
import { begin, match, stage, upload } from '../builders/imports.ts'
import { fillPath, type Route } from '../harness/routes.ts'
import type { TestApp } from '../harness/start-app.ts'

type On = Pick<TestApp, 'ctx' | 'url' | 'workspace'>

export const keyOf = (route: Route) => `${route.method} ${route.path}`

export const CANARY = 'CANARY-OF-B'
const TWIN_TABLES = ['block_instances', 'instance_revisions', 'instance_events', 'devices']
const TEXT = { title: CANARY, values: { f_title: CANARY } }
const TWIN_TEXTS: Record<string, object> = {
  block_instances: TEXT,
  instance_revisions: {
    content: { ...TEXT, seg: null, priority: 0, schedule: null, variants: [], translations: {}, frequency: null },
  },
}
/** A's rows copied to B under the same ids with B's own text, and beside them things that only B has. */
async function makeTwins({ ctx, workspace }: On): Promise<Twins> {
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
  const access = await makeAccess(b, CANARY)
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
    access,
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

/**
 * Routes that name nothing of a workspace, that belong to whoever runs the installation, or that are for everybody who has an
 * address; and those of SCIM, which a token of a service account alone opens: modules/scim asks about them.
 */
export const OF_THE_INSTALLATION =
  /^\/(healthz|readyz|metrics|docs|demo\/shop\/config\.json|push\/worker\.js|sdk\/contentflow[-.\w]*\.js|schemas\/\w+\.json)?$|^\/scim\/v2\/|^\/api\/v1\/(openapi\.json$|test-hooks\/|operator\/|auth\/(signup|login(\/second)?|session|installation|device(\/token)?|passkeys\/sign-in(\/options)?)$|content\/:id\/(raw|file|upload)$|(auth\/oidc|unsubscribe|preferences|confirm-erasure|confirm-email|callbacks)\/)/
/** Routes of write keys, under every root. */
export const PIPELINE = /\/(cards\/|strings\/(sync|disable)$|sdk(\/v1)?\/event-types$)/
export const CLIENT = /^\/(sdk\/v1|api\/v1\/sdk)\//

/** A text is sent as it is. */
export function bodyFor(route: Route, twins: Twins): object | string | undefined {
  if (route.method === 'GET' || route.method === 'HEAD' || route.method === 'DELETE') return undefined
  const make = BODIES[`${route.method} ${route.path.replace(/^\/(sdk\/v1|api\/v1\/sdk|api\/v1)/, '')}`]
  if (!make) throw new Error(`${keyOf(route)} is missing in BODIES`)
  return make(twins)
}

/** Every credential that opens the route, of workspace A. */
export function credentialsOf(route: Route, { a }: Twins): Record<string, string>[] {
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
export const adminOf = (ws: Workspace): Record<string, string> => tokens.get(ws.id) ?? {}

/** Learns the admin's own headers by adding a second admin through the product. */
async function signInAdmin({ url }: On, ws: Workspace): Promise<void> {
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

async function makeKey({ url }: On, ws: Workspace, family: string): Promise<string> {
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
  url: string,
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

/** Routes that need something that waits, or that was deleted, find it. */
async function prepareContent({ ctx }: On, a: Workspace, { path }: Route, params: Record<string, string>): Promise<void> {
  if (path.includes('/enrichment/')) {
    const { stagedImport, source, upload: jobRef } = await loadInto(a, 'of A')
    Object.assign(params, { id: stagedImport, sourceId: source, jobRef })
    if (path.endsWith('/commit')) await match(a.admin, stagedImport)
    return
  }
  if (/\/(roles|service-accounts)\//.test(path)) return void Object.assign(params, await accessFor(a, path))
  if (path.includes('/mails/:id')) return void Object.assign(params, { id: await makeMail(a.admin, randomUUID()) })
  if (path.includes('/reports/')) return void Object.assign(params, { id: await makeReport(a.admin, randomUUID()) })
  if (path.includes('/journeys/')) return void Object.assign(params, { id: await journeyIn(a, 'of A', /enroll|runs$/.test(path)) })
  if (path.includes('/campaigns/')) return void Object.assign(params, await campaignFor(ctx, a, path))
  if (path.includes('/workspaces/:id')) return
  const isOfReview = path.includes('/reviews/:id')
  if (!isOfReview && !/:scheduleId|\/restore$/.test(path)) return
  const { id } = await a.instance('promo', { values: { '#title': 'of A' } })
  const { review, publication } = await waitingIn(a, id)
  // Somebody else asked for it.
  await ctx.db.updateTable('reviews').set({ requested_by: 'somebody' }).where('workspace_id', '=', a.id).execute()
  if (path.endsWith('/restore')) expectStatus(await a.admin.delete(`/blocks/promo/instances/${id}`), 200)
  Object.assign(params, { id: isOfReview ? review : id, scheduleId: publication })
}

/** What A names in a route that writes: things that both have, and others that are made for it. */
async function paramsFor(on: On, route: Route, { a, shared, member }: Twins): Promise<Record<string, string>> {
  const named = { key: 'promo', blockKey: 'promo', id: shared, number: '1', userId: member }
  const params: Record<string, string> = { ...named, ...sameParametersOf(route) }
  if (route.path.includes('/workspaces/:id')) params['id'] = a.id
  const family = /\/settings\/([a-z]+-keys)\//.exec(route.path)?.[1]
  if (family) params['id'] = await makeKey(on, a, family)
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
  await prepareContent(on, a, route, params)
  return params
}

/** A route that takes A's own things away comes last, the innermost first, so that every write finds what it changes. */
export function inOrder(routes: readonly Route[]): Route[] {
  const isLast = ({ path, method }: Route) => method === 'DELETE' || path.endsWith('/cards/sync')
  // The sandbox last of all: without it the retired test environment takes no writes.
  const depth = ({ path }: Route) => (path.endsWith('/settings/sandbox') ? -1 : path.endsWith('/cards/sync') ? 0 : path.length)
  const writes = routes.filter(({ path }) => !/\/(logout|sdk-key-policy)$/.test(path))
  return [
    ...writes.filter((route) => !isLast(route)),
    ...writes.filter((route) => isLast(route)).sort((one, other) => depth(other) - depth(one)),
  ]
}

/** The functions that need a server. */
export function openTwins(on: On) {
  return {
    makeTwins: async () => makeTwins(on),
    signInAdmin: async (ws: Workspace) => signInAdmin(on, ws),
    paramsFor: async (route: Route, twins: Twins) => paramsFor(on, route, twins),
    call: async (route: Route, params: Record<string, string>, headers: Record<string, string>, body: object | string | undefined) =>
      call(on.url, route, params, headers, body),
  }
}
