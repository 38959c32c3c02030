/**
 * The same odd bodies, parameters and queries to every route with every credential. Nothing may answer 5xx, nothing
 * of the inside may show, and what was refused is refused again and has changed no row of any table.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { clientOf, expectStatus, type Answer, type Workspace } from './builders.ts'
import { RIGHT, SEGMENT } from './bad-input-right.ts'
import { GATEWAY } from './isolation-bodies.ts'
import { begin, upload } from './imports.ts'
import { assertNoInside, assertRefusal } from './refusals.ts'
import { fillPath, listRoutes, type Route } from './routes.ts'
import { OPERATOR_TOKEN, startApp } from './start-app.ts'
import { hashTables } from './tables.ts'

const { app, ctx, url, workspace, operator } = await startApp()
const routes = listRoutes(app)

/** Every member name that any route reads, from the API description, so that each odd value meets each member. */
const MEMBERS = [...JSON.stringify(app.http.swagger()).matchAll(/"properties":\{(.*?)\}/g)]
  .flatMap(([, properties = '']) => [...properties.matchAll(/"(\w+)":\{/g)].map((match) => match[1] ?? ''))
  .concat('key', 'fields', 'blank', 'values', 'blocks', 'prune', 'features', 'retired', 'target', 'seg')
const NAMES = [...new Set(MEMBERS)]

const VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  'x',
  'x'.repeat(300),
  'x'.repeat(2_000),
  "' or 1=1; --",
  '__proto__',
  'a\nb\u0001',
  '\u202e\u200f😀',
  '2026-13-45T99:00:00Z',
  [],
  [null],
  [[]],
  [{}],
  ['a', 'a'],
  {},
  { __proto: {} },
  { constructor: null },
]
const BODIES: (string | Buffer)[] = [
  '',
  '{',
  '[]',
  'null',
  '"x"',
  '5',
  '{"key":"a","key":"b"}',
  '{"key":"a\\u0000"}',
  '{"key":"\\ud800"}',
  '{"key":1e400}',
  '{"__proto__":{"key":"a"}}',
  Buffer.from([0x7b, 0xff, 0x7d]),
  `${'['.repeat(70)}${']'.repeat(70)}`,
  ...VALUES.map((value) => JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, value])))),
]
const PARAMS = [
  'x',
  '0',
  '-1',
  '1e9',
  '99999999999999999999',
  '__proto__',
  'constructor',
  '..',
  '../../x',
  'a b',
  'é\u0301',
  '😀',
  "' or 1=1 --",
  '\u0000',
  '%00',
  'x'.repeat(4_000),
]
const QUERIES = [
  'limit=0',
  'limit=x',
  'cursor=%00',
  'cursor=%27',
  'locale=%00',
  'search=%00',
  'archived=x',
  'from=%00',
  'to=x',
  'interval=x',
  'days=x',
  'state=x',
  'target=x',
  'environment=x',
  'segment=%00',
  'a[b]=c',
]

// --- who asks, about what ---

type Fixture = {
  ws: Workspace
  params: Record<string, string>
  segment: string
  stringImport: string
  stagedImport: string
  endedImport: string
  channel: string
  roles: Record<string, Record<string, string>>
}

async function makeFixture(): Promise<Fixture> {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'kept' } })
  const segment = expectStatus(await ws.admin.post('/segments', SEGMENT), 201).data.id
  expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)
  expectStatus(await ws.write.post('/strings/sync', { strings: [{ key: 'promo', sourceText: 'Promo', values: { ar: 'ar' } }] }), 200)
  const file = { csv: 'key,sourceText,ar\npromo,Promo again,ar\n' }
  const stringImport = expectStatus(await ws.admin.post('/strings/imports', file), 201).data.importId
  const stagedImport = await begin(ws.admin, { more: { saveAsSource: 'saved' } })
  const endedImport = await begin(ws.admin)
  expectStatus(await ws.admin.delete(`/enrichment/imports/${endedImport}`), 200)
  const { sourceId } = expectStatus(await ws.admin.get('/enrichment/sources'), 200).data.sources[0]
  const { jobRef } = await upload(ws.admin, [{ userId: 'U', attributes: { a: 1 } }])
  const channel = expectStatus(await ws.admin.post('/notifications/channels', GATEWAY), 201).data.id
  const roles: Fixture['roles'] = {
    nobody: {},
    stranger: {
      'x-cf-key': 'bad',
      'x-cf-write-key': 'bad',
      authorization: 'Bearer bad',
      'x-tenant-id': ws.id,
      'x-cf-operator-token': 'bad',
    },
    app: { 'x-cf-key': ws.live, 'x-cf-device': 'device' },
    'test app': { 'x-cf-key': ws.test },
    pipeline: { 'x-cf-write-key': ws.writeKey },
    operator: { 'x-cf-operator-token': OPERATOR_TOKEN },
  }
  const password = 'a long enough one'
  for (const role of ['viewer', 'editor', 'admin']) {
    const email = `${role}-${randomUUID()}@example.com`
    expectStatus(await ws.admin.post('/members', { email, name: role, password, role }), 201)
    const { token } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', { email, password }), 200).data
    roles[role] = { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id }
  }
  const params = { key: 'promo', id, number: '1', userId: randomUUID(), locale: 'ar', code: 'ar', sourceId, jobRef }
  return { ws, params, segment, stringImport, stagedImport, endedImport, channel, roles }
}

/** What would make the rest of the sweep ask about nothing: each gets things of its own, and comes after all others. */
const isDestructive = ({ method, path }: Route) =>
  method === 'DELETE' ||
  (method !== 'GET' && /\/(suspend|resume|plan|logout|sandbox|test-environment|sdk-key-policy|cards\/sync|test-hooks\/\w+)$/.test(path))

type Request = { name: string; method: string; address: string; headers: Record<string, string>; raw?: string | Buffer }

function* requestsFor(
  route: Route,
  { ws, params, segment, stringImport, stagedImport, endedImport, channel }: Fixture,
  role: string,
  headers: Record<string, string>,
): Generator<Request> {
  const ids = Object.entries({
    '/operator/': ws.id,
    '/segments/': segment,
    '/strings/imports/': stringImport,
    '/channels/': channel,
    // One that can be matched would be another when it is asked again.
    '/enrichment/imports/': /\/(match|commit)$/.test(route.path) ? endedImport : stagedImport,
  })
  const id = ids.find(([part]) => route.path.includes(part))?.[1] ?? params['id']
  const own = { ...params, id: id ?? '' }
  const base = { method: route.method, headers }
  const name = `${role}: ${route.method} ${route.path}`
  const address = url + fillPath(route.path, own)
  if (route.method === 'GET' || route.method === 'HEAD') {
    yield { ...base, name, address }
    for (const query of QUERIES) yield { ...base, name: `${name}?${query}`, address: `${address}?${query}` }
  } else for (const raw of BODIES) yield { ...base, name: `${name} ${raw.toString().slice(0, 80)}`, address, raw }
  if (route.params.length === 0) return
  for (const odd of PARAMS) {
    const filled = url + fillPath(route.path, Object.fromEntries(route.params.map((param) => [param, odd])))
    yield { ...base, name: `${name} with ${odd.slice(0, 40)}`, address: filled, ...(route.method === 'GET' ? {} : { raw: '{}' }) }
  }
}

/** Sends it, and checks what must hold of every answer there is. */
async function ask({ name, method, address, headers, raw }: Request): Promise<number> {
  const response = await fetch(address, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(raw !== undefined && { 'content-type': 'application/json' }) },
    ...(raw !== undefined && { body: raw as string }),
  })
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return response.status
  }
  const text = await response.text()
  assert.ok(response.status < 500, `${name}: ${response.status} ${text.slice(0, 300)}`)
  if (method === 'HEAD' || text === '') return response.status
  if (response.status < 400) {
    // Below 400 a refusal says so by its code (C-LOC-04, C-IDN-11), but for the words of a provider (G-60).
    const isOfProvider = /POST \S+\/channels\/\S+\/test/.test(name)
    if (text.startsWith('{"success"') && !isOfProvider) assert.notEqual(JSON.parse(text).success, JSON.parse(text).code !== undefined, name)
    return response.status
  }
  const body = JSON.parse(text)
  assertRefusal({ status: response.status, headers: response.headers, text, body, data: undefined } satisfies Answer, response.status, name)
  return response.status
}

async function askAll(requests: Request[]): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < requests.length; i += 16) statuses.push(...(await Promise.all(requests.slice(i, i + 16).map(ask))))
  return statuses
}

const BEHIND = ['imports', 'uploads', 'enrichment-priorities', 'segments']

/** Whether anything was accepted, so that the fixture may be spent. */
async function sweep(route: Route, fixture: Fixture): Promise<boolean> {
  const requests: Request[] = []
  for (const [role, headers] of Object.entries(fixture.roles)) {
    const all = [...requestsFor(route, fixture, role, headers)]
    // Whoever may not call the route is refused before the body is read: a few of them show it.
    const isClosed = !isDestructive(route) && [401, 403].includes(await ask(all[0]!))
    requests.push(...all.filter((_, index) => !isClosed || index % 15 === 0))
  }
  const first = await askAll(requests)
  const refused = requests.filter((_, index) => first[index]! >= 400)
  const statuses = first.filter((status) => status >= 400)
  // What was accepted may go on behind its answer.
  for (const kind of BEHIND) await ctx.due.workOff(kind, fixture.ws.id)
  const before = await hashTables(ctx.db)
  const second = await askAll(refused)
  assert.equal(await hashTables(ctx.db), before, `${route.method} ${route.path}: a refused request changed a row`)
  // What is gone after the first time is refused for another reason, and a wrong password counts.
  if (isDestructive(route) || /\/auth\/(login|password)$/.test(route.path)) assert.ok(second.every((status) => status >= 400))
  else assert.deepEqual(second, statuses, `${route.method} ${route.path}: refused otherwise the second time`)
  return refused.length < requests.length
}

test('C-ERR-28 C-ERR-30 M-ERR-19 odd bodies and parameters to every route with every role: never 5xx, always the envelope, no row changed', async () => {
  assert.ok(routes.length > 60 && NAMES.length > 30)
  const fixture = await makeFixture()
  for (const route of routes.filter((each) => !isDestructive(each))) await sweep(route, fixture)
})

test('C-ERR-28 C-ERR-30 the same for routes that take something away', async () => {
  let fixture = await makeFixture()
  for (const route of routes.filter(isDestructive)) if (await sweep(route, fixture)) fixture = await makeFixture()
})

/** Every copy of `value` in which one member or element, at any depth, is replaced by an odd value. */
function* spoiled(value: unknown): Iterable<unknown> {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) for (const odd of [...VALUES, ...spoiled(each)]) yield value.with(index, odd)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) for (const odd of [...VALUES, ...spoiled(each)]) yield { ...value, [name]: odd }
  }
}

test('every member of a right body, replaced by every odd value, is taken or refused, never a server error, and sync stays JSON', async () => {
  for (const [name, right] of Object.entries(RIGHT)) {
    const [method = '', path = ''] = name.split(' ')
    assert.ok(
      routes.some((route) => route.method === method && route.path === path),
      `${name} is no route`,
    )
    const { ws, params, stagedImport, channel, roles } = await makeFixture()
    const headers = /\/(cards|strings\/(sync|disable))/.test(path)
      ? roles['pipeline']
      : path.startsWith('/sdk/')
        ? { 'x-cf-key': ws.live }
        : /operator|test-hooks/.test(path)
          ? roles['operator']
          : roles['admin']
    if (path.startsWith('/sdk/')) expectStatus(await ws.app.post('/identify', { deviceId: 'd', userId: 'u', consent: true }), 200)
    const own = Object.entries({ '/operator/': ws.id, '/enrichment/': stagedImport, '/channels/': channel })
    const id = own.find(([part]) => path.includes(part))?.[1]
    const address = url + fillPath(path, { ...params, ...(id !== undefined && { id }) })
    const requests = [...spoiled(right)].map((body): Request => {
      const raw = JSON.stringify(body)
      return { name: `${name} ${raw.slice(0, 200)}`, method, address, headers: headers ?? {}, raw }
    })
    // Sign-ups and members cost a password hash each: a sample says the same.
    await askAll(/signup|login|members|password/.test(path) ? requests.filter((_, index) => index % 4 === 0) : requests)
    for (const read of ['/sync', '/strings', '/locales']) {
      const { text } = await ws.app.get(read)
      assert.doesNotThrow(() => JSON.parse(text), name)
      assertNoInside(text, name)
    }
  }
})
