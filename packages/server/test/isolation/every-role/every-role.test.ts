/**
 * Every route of members against the documented roles and many that are drawn, with permissions and limits, on what is
 * theirs and on what is another workspace's: let in exactly when the oracle says so; what is refused changes no row; and no answer
 * tells of another workspace, of a module that the role does not read, or how somebody is reached.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, request, uniqueEmail, type Answer, type Workspace } from '../../builders/builders.ts'
import { drawsFrom } from '../../harness/draws.ts'
import { fillPath, listRoutes, type Route } from '../../harness/routes.ts'
import { startApp } from '../../harness/start-app.ts'
import { hashTables } from '../../harness/tables.ts'
import { isAudited } from '../isolation-audit.ts'
import type { Twins } from '../isolation-bodies.ts'
import { parametersOf } from '../isolation-params.ts'
import { bodyFor, CANARY, openTwins } from '../twins.ts'
import { documentedHolds, drawRole, entersRoute, may, permissionFor, readsModule, ROUTES, type Asker } from './oracle.ts'
import { openTargets, TARGETED, UNIVERSE, type On, type Picked, type Prepared, type TargetedCall } from './targets.ts'
import { CONTACT_TEXTS, fillModules, MODULES, wordOf, type Things } from './things.ts'
import { TOLD_BY } from './told-by.ts'

const server = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { app, ctx, url } = server
const API = '/api/v1'
const SEED = 20_261_129
/** `CF_ROLES`: more; 200 take some ten minutes. */
const RANDOM_ROLES = Number(process.env['CF_ROLES'] ?? 40)
/** Of all routes, for each role: each route meets this share of the roles. */
const SHARE = 1 / 8

type Called = {
  route: Route
  name: string
  right: Record<string, string>
  wrong: Record<string, string> | undefined
  body: object | string | undefined
}

const { twins, things, ws } = await open()
const calls = await listCalls(twins, things)
const subject = await join(ws)

async function open() {
  const { makeTwins, signInAdmin } = openTwins(server)
  const twins = await makeTwins()
  await signInAdmin(twins.a)
  await openTargets(twins.a)
  return { twins, things: await fillModules(twins.a), ws: twins.a }
}

/** Each route with what of A it is asked about, and what of B. */
async function listCalls(twins: Twins, things: Things): Promise<Called[]> {
  const { paramsFor } = openTwins(server)
  const routes = new Map(listRoutes(app).map((route) => [`${route.method} ${route.path}`, route]))
  const found: Called[] = []
  for (const name of ROUTES) {
    const [method = '', path = ''] = name.split(' ')
    const route = routes.get(`${method} ${API}${path}`) ?? assert.fail(name)
    // A delivery is of the endpoint that was pinged.
    const own = path.includes(':deliveryId') ? undefined : things.find(([part]) => path.startsWith(part))?.[1]
    const right = route.params.length === 0 ? {} : { ...(await paramsFor(route, twins)), ...own }
    found.push({
      route,
      name,
      right,
      wrong: route.params.length === 0 ? undefined : parametersOf(route, twins)[0]?.foreign,
      body: bodyFor(route, twins),
    })
  }
  return found
}

type Subject = { userId: string; roleId: string; service: string; asMember: Record<string, string>; asProgram: Record<string, string> }

/** Somebody, and a program, whose role becomes each of those that are drawn. */
async function join({ id, admin }: Workspace): Promise<Subject> {
  const email = uniqueEmail()
  const roleId = expectStatus(await admin.post('/roles', { name: 'Drawn', permissions: [] }), 201).data.id
  expectStatus(await admin.post('/members', { email, name: 'Bo', password: PASSWORD, role: 'viewer', roleId }), 201)
  const { token, user } = expectStatus(await clientOf(url + API).post('/auth/login', { email, password: PASSWORD }), 200).data
  const service = expectStatus(await admin.post('/service-accounts', { name: 'Program', roleId }), 201).data.id
  const { token: own } = expectStatus(await admin.post(`/service-accounts/${service}/tokens`, {}), 201).data
  const as = (bearer: string) => ({ authorization: `Bearer ${bearer}`, 'x-tenant-id': id })
  return { userId: user.userId, roleId, service, asMember: as(token), asProgram: as(own) }
}

const DOCUMENTED = [
  { documented: 'viewer', mayApprove: false },
  { documented: 'viewer', mayApprove: true },
  { documented: 'editor', mayApprove: false },
  { documented: 'editor', mayApprove: true },
  { documented: 'admin', mayApprove: true },
] as const

async function become(asker: Asker): Promise<Record<string, string>> {
  const { userId, roleId, asMember, asProgram } = subject
  const { documented, mayApprove = false, holds, limits, isProgram } = asker
  if (documented) {
    expectStatus(await ws.admin.put(`/members/${userId}`, { role: documented, canApprove: mayApprove }), 200)
    return asMember
  }
  if (!isProgram) expectStatus(await ws.admin.put(`/members/${userId}`, { roleId }), 200)
  expectStatus(await ws.admin.put(`/roles/${roleId}`, { name: 'Drawn', permissions: [...holds], limits }), 200)
  return isProgram ? asProgram : asMember
}

function* askers(next: () => number): Generator<Asker> {
  for (const role of DOCUMENTED) yield { ...role, holds: documentedHolds(role.documented, role.mayApprove), limits: {}, isProgram: false }
  for (let i = 0; i < RANDOM_ROLES; i++) {
    const { permissions, limits } = drawRole(next, UNIVERSE)
    yield { holds: new Set(permissions), limits, isProgram: i % 4 === 3 }
  }
}

const isRead = ({ route }: Called) => route.method === 'GET' || (route.method === 'POST' && !isAudited(route))
const QUERIES: Record<string, string> = {
  'GET /segments/:id/explain': '?person=zq-user',
  'GET /campaigns/:id/explain': '?userId=zq-user',
  'GET /journeys/:id/explain': '?userId=zq-user',
}

function send(
  { route, name, body }: Called,
  headers: Record<string, string>,
  params: Record<string, string>,
  sent = body,
): Promise<Answer> {
  const address = url + fillPath(route.path, params) + (QUERIES[name] ?? '')
  return request(route.method, address, { headers, ...(typeof sent === 'string' ? { raw: sent } : { body: sent }) })
}

const told = ({ status, body, text }: Answer) => `${status} ${body?.code ?? ''} ${text.slice(0, 120)}`
const isRefusal = ({ status, body }: Answer) => status === 403 && body?.code === 'ROLE_REQUIRED'

/** What an answer must not hold for whoever asks. */
function leaksOf(asker: Asker, name: string, { text }: Answer): string[] {
  const module = permissionFor(name).split(':')[0] ?? ''
  const leaks = MODULES.filter(
    (each) => text.includes(wordOf(each)) && each !== module && !readsModule(asker, each) && !TOLD_BY[name]?.includes(each),
  ).map((each) => `tells of ${each}`)
  if (text.includes(CANARY) || text.includes(twins.b.id)) leaks.push('tells of B')
  if (!asker.holds.has('people:contacts') && CONTACT_TEXTS.some((each) => text.includes(each))) leaks.push('tells how somebody is reached')
  return leaks
}

/** Work that the preparation has woken is over. */
async function settled(except: string[]): Promise<string> {
  for (let last = ''; ;) {
    const now = await hashTables(ctx.db, { workspaceId: ws.id, except })
    if (now === last) return now
    last = now
  }
}

/** What was wrong of a route, each once, with the first who met it. */
type Wrong = Map<string, string>
function noted(wrong: Wrong, asker: Asker, name: string, said: string): void {
  const { documented, mayApprove, isProgram, limits, holds } = asker
  const own = { isProgram, limits, holds: [...holds].filter((each) => each.startsWith(permissionFor(name).split(':')[0] ?? '')) }
  const key = `${name}: ${said.replaceAll(/[0-9a-f]{8}-[0-9a-f-]+/g, '…')}`
  if (!wrong.has(key)) wrong.set(key, JSON.stringify(documented ? { documented, mayApprove } : own))
}

/** A use of a token is noted with it. */
const exceptFor = ({ isProgram }: Asker) => (isProgram ? ['api_tokens'] : [])

async function askPlain(asker: Asker, headers: Record<string, string>, sample: readonly Called[], wrong: Wrong): Promise<number> {
  let pairs = 0
  const refused = sample.filter(({ name }) => !entersRoute(asker, name))
  const before = await settled(exceptFor(asker))
  for (const call of refused)
    for (const params of [call.right, ...(call.wrong ? [call.wrong] : [])]) {
      const answer = await send(call, headers, params)
      pairs++
      const said = asker.documented || answer.body?.required?.permission === permissionFor(call.name)
      if (!isRefusal(answer) || !said) noted(wrong, asker, call.name, `let in, ${told(answer)}`)
      for (const leak of leaksOf(asker, call.name, answer)) noted(wrong, asker, call.name, leak)
    }
  if ((await hashTables(ctx.db, { workspaceId: ws.id, except: exceptFor(asker) })) !== before)
    noted(wrong, asker, refused[0]?.name ?? '', 'changed rows')
  for (const call of sample.filter(({ name }) => entersRoute(asker, name))) pairs += await askAllowed(asker, headers, call, wrong)
  return pairs
}

/** Reads of what is theirs answer; writes are sent with a body that nobody can read, so that what the others ask about stays. */
async function askAllowed(asker: Asker, headers: Record<string, string>, call: Called, wrong: Wrong): Promise<number> {
  const { name, right, route } = call
  const isAllowed = may(asker, { route: name })
  const own = await (isRead(call) ? send(call, headers, right) : send(call, headers, route.params.length > 0 ? NOBODY : {}, '{'))
  const isLetIn = isRead(call) ? own.status < 300 || UNANSWERED.has(name) : true
  if (isAllowed ? isRefusal(own) || own.status >= 500 || !isLetIn : !isRefusal(own) && own.status < 400)
    noted(wrong, asker, name, told(own))
  for (const leak of leaksOf(asker, name, own)) noted(wrong, asker, name, leak)
  if (!call.wrong) return 1
  const foreign = await send(call, headers, call.wrong)
  if (foreign.status !== 404 && (isAllowed || !isRefusal(foreign))) noted(wrong, asker, name, `of B: ${told(foreign)}`)
  for (const leak of leaksOf(asker, name, foreign)) noted(wrong, asker, name, leak)
  return 2
}

const NOBODY = { id: 'nobody', key: 'nobody', userId: 'nobody', eventType: 'nobody', code: 'xx', locale: 'xx', number: '7' }
/** Reads that answer with less than 300 only where more was asked or done before. */
const UNANSWERED = new Set(['GET /sends'])

type Drawn = { call: TargetedCall; picked: Picked; prepared: Prepared }

async function draw(on: On, next: () => number, wrong: Wrong): Promise<Drawn[]> {
  const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] ?? assert.fail()
  const { content, keys, strings, types } = TARGETED
  const drawn: Drawn[] = []
  // Types last: what stands on them is asked about before.
  for (const call of [one(content), one(content), one(content), one(strings), one(keys), one(keys), one(types)]) {
    const picked: Picked = {
      blockKey: one(UNIVERSE.blockKeys),
      environment: one(UNIVERSE.environments),
      locale: one(['ar', 'tr'] as const),
      namespace: one(UNIVERSE.namespaces),
    }
    try {
      drawn.push({ call, picked, prepared: await call.prepare(on, picked) })
    } catch (error) {
      wrong.set(`${call.route} cannot be prepared: ${(error as Error).message.slice(0, 200)}`, JSON.stringify(picked))
    }
  }
  return drawn
}

/** Calls that would take effect: those that are refused change nothing, all others do. */
async function askTargeted(asker: Asker, headers: Record<string, string>, drawn: readonly Drawn[], on: On, wrong: Wrong): Promise<number> {
  const ask = ({ call, prepared: { path, body } }: Drawn) => {
    const [method = ''] = call.route.split(' ')
    return request(method, `${url}${API}${path}`, { headers, body })
  }
  const isAllowed = ({ call, picked }: Drawn) => may(asker, { route: call.route, also: call.also(picked) ?? [] })
  const before = await settled(exceptFor(asker))
  for (const each of drawn.filter((one) => !isAllowed(one))) {
    const answer = await ask(each)
    if (!isRefusal(answer)) noted(wrong, asker, each.call.route, `let in, ${JSON.stringify(each.picked)} ${told(answer)}`)
  }
  if ((await hashTables(ctx.db, { workspaceId: ws.id, except: exceptFor(asker) })) !== before)
    noted(wrong, asker, drawn[0]?.call.route ?? '', 'a refused call changed rows')
  for (const each of drawn.filter(isAllowed)) {
    const answer = await ask(each)
    if (answer.status >= 300) noted(wrong, asker, each.call.route, `${JSON.stringify(each.picked)} ${told(answer)}`)
    else await each.call.after?.(on, each.picked)
  }
  return drawn.length
}

test('every route lets in exactly whom the oracle lets in, refusals change nothing, and answers tell of nothing else', async (t) => {
  const next = drawsFrom(SEED)
  const order = calls.map((call) => ({ call, at: next() })).sort((a, b) => a.at - b.at)
  const on: On = { ws, admin: ws.admin, editor: await ws.editor(), at: () => new Date(ctx.clock.ms() + 86_400_000).toISOString() }
  const atOnce = Math.ceil(calls.length * SHARE)
  const wrong: Wrong = new Map()
  const met = new Map<string, number>()
  let [pairs, targeted, roles] = [0, 0, 0]
  for (const asker of askers(next)) {
    // Documented roles meet all routes; of the others each meets the next part of them.
    const sample = asker.documented
      ? calls
      : Array.from({ length: atOnce }, (_, index) => order[(roles * atOnce + index) % order.length]!.call)
    const drawn = await draw(on, next, wrong)
    const headers = await become(asker)
    pairs += await askPlain(asker, headers, sample, wrong)
    targeted += await askTargeted(asker, headers, drawn, on, wrong)
    for (const { name } of sample) met.set(name, (met.get(name) ?? 0) + 1)
    roles++
  }
  const least = Math.min(...met.values())
  t.diagnostic(
    `${roles} roles, ${calls.length} routes, ${pairs} pairs with a right or a wrong target, ${targeted} with effect; each route met ${least} roles or more`,
  )
  assert.equal([...wrong].map(([what, who]) => `${what} | ${who}`).join('\n'), '')
  assert.equal(met.size, ROUTES.length)
  if (RANDOM_ROLES >= 200) assert.ok(least >= 25 && pairs > 10_000, `${least} ${pairs}`)
})
