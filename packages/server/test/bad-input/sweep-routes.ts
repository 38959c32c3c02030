/**
 * The same odd bodies, parameters and queries to every route with every credential. Nothing may answer 5xx, nothing
 * of the inside may show, and what was refused is refused again and has changed no row of any table.
 */
import assert from 'node:assert/strict'
import { fillPath, type Route } from '../harness/routes.ts'
import { memberNames } from '../isolation/member-names.ts'
import { ask, askAll, openSweep, VALUES, type Fixture, type Request } from './sweep.ts'
import { hashTables } from '../harness/tables.ts'

/** Beside what the route reads. */
const FURTHER = ['key', 'fields', 'blank', 'values', 'blocks', 'prune', 'features', 'retired', 'target', 'seg']

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
]
/** Each odd value meets each member. */
function* bodiesFor(read: readonly string[]): Iterable<string | Buffer> {
  yield* BODIES
  const names = [...read, ...FURTHER]
  for (const value of VALUES) yield JSON.stringify(Object.fromEntries(names.map((name) => [name, value])))
}
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

/** What would make the rest of the sweep ask about nothing: each gets things of its own, and comes after all others. */
export const isDestructive = ({ method, path }: Route) =>
  method === 'DELETE' ||
  (method !== 'GET' && /\/(suspend|resume|plan|logout|sandbox|test-environment|sdk-key-policy|cards\/sync|test-hooks\/\w+)$/.test(path))

type Asked = { url: string; fixture: Fixture; role: string; /** Members that the route reads. */ names: readonly string[] }

function* requestsFor(route: Route, { url, fixture, role, names }: Asked): Generator<Request> {
  const { ws, params, segment, stringImport, stagedImport, endedImport, channel, campaign, journey, mail } = fixture
  const headers = fixture.roles[role] ?? {}
  const ids = Object.entries({
    '/operator/': ws.id,
    '/segments/': segment,
    '/strings/imports/': stringImport,
    '/channels/': channel,
    '/campaigns/': campaign,
    '/journeys/': journey,
    '/mails/': mail,
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
  } else for (const raw of bodiesFor(names)) yield { ...base, name: `${name} ${raw.toString().slice(0, 80)}`, address, raw }
  if (route.params.length === 0) return
  for (const odd of PARAMS) {
    const filled = url + fillPath(route.path, Object.fromEntries(route.params.map((param) => [param, odd])))
    yield { ...base, name: `${name} with ${odd.slice(0, 40)}`, address: filled, ...(route.method === 'GET' ? {} : { raw: '{}' }) }
  }
}

const BEHIND = ['imports', 'uploads', 'enrichment-priorities', 'segments']

/** What they send takes the same way as that of an admin or of a live app: every third of it shows that, each time another. */
const LIKE_OTHERS = ['editor', 'viewer', 'test app']

/** Whoever may not call a route is refused before the body is read: every so many of the requests show it. */
const OF_CLOSED = 30

/** A server of its own, and a sweep over those of its routes that are wanted. */
export async function openRouteSweep() {
  const { app, ctx, url, routes, makeFixture, addMembers, advance } = await openSweep()
  const namesOf = memberNames(app.http)
  assert.ok(routes.filter((route) => namesOf(route).length > 3).length > 40)

  async function withMembers(): Promise<Fixture> {
    const fixture = await makeFixture()
    await addMembers(fixture)
    return fixture
  }

  async function asked(route: Route, fixture: Fixture): Promise<{ requests: Request[]; again: Set<Request> }> {
    const [requests, again]: [Request[], Set<Request>] = [[], new Set()]
    for (const role of Object.keys(fixture.roles)) {
      const all = [...requestsFor(route, { url, fixture, role, names: namesOf(route) })]
      const isClosed = !isDestructive(route) && [401, 403].includes(await ask(all[0]!))
      const like = LIKE_OTHERS.indexOf(role)
      const some = all.filter((_, index) => (isClosed ? index % OF_CLOSED === 0 : like === -1 || index % LIKE_OTHERS.length === like))
      requests.push(...some)
      if (like === -1) for (const each of some) again.add(each)
    }
    return { requests, again }
  }

  /** Whether anything was accepted, so that the fixture may be spent. */
  async function sweep(route: Route, fixture: Fixture): Promise<boolean> {
    const { requests, again } = await asked(route, fixture)
    const first = await askAll(requests)
    const refused = requests.flatMap((request, index) => (first[index]! >= 400 ? [{ request, status: first[index] }] : []))
    const repeated = refused.filter(({ request }) => again.has(request))
    // What was accepted may go on behind its answer.
    for (const kind of BEHIND) await ctx.due.workOff(kind, fixture.ws.id)
    const before = await hashTables(ctx.db)
    const second = await askAll(repeated.map(({ request }) => request))
    assert.equal(await hashTables(ctx.db), before, `${route.method} ${route.path}: a refused request changed a row`)
    // What is gone after the first time is refused for another reason, and a wrong password or code counts.
    if (isDestructive(route) || /\/auth\/(login(\/second)?|password|totp|device\/:code)$/.test(route.path))
      assert.ok(second.every((status) => status >= 400))
    else {
      const statuses = repeated.map(({ status }) => status)
      assert.deepEqual(second, statuses, `${route.method} ${route.path}: refused otherwise the second time`)
    }
    return refused.length < requests.length
  }
  return { routes, withMembers, sweep, advance }
}
