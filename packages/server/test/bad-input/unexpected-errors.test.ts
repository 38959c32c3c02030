/** What nobody thought of, forced in every route: its tables are gone. The answer says nothing of the inside, and where the log has it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { SCHEMA_NAMES } from '@contentflow/core/schemas/schemas.ts'
import { sql } from 'kysely'
import { VERSION } from '../../src/http/openapi/install.ts'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Workspace } from '../builders/builders.ts'
import { assertRefusal } from '../harness/refusals.ts'
import { fillPath, listRoutes, type Route } from '../harness/routes.ts'
import { OPERATOR_TOKEN, startApp } from '../harness/start-app.ts'
import { listTables } from '../harness/tables.ts'

const { app, ctx, url, workspace } = await startApp()
// Those of SCIM have refusals of their own: modules/scim/scim-bad-input.test.ts asks them.
const routes = listRoutes(app).filter(({ path }) => !path.startsWith('/scim/'))

/** `METHOD /path` as the server has it, under every root; the registration of blocks stands under all three. */
function atEveryRoot(names: readonly string[]): string[] {
  return ['/sdk/v1', '/api/v1/sdk', '/api/v1'].flatMap((root) => names.map((name) => name.replace(' ', ` ${root}`)))
}

/** Whom a request comes from is found here; without them no handler is reached. */
const GUARDED_BY = new Set(['accounts', 'sessions', 'members', 'workspaces', 'keys', 'sign_in_settings'])
/** No database stands behind these, or, as for readiness and a stream, one that is away is their ordinary business. */
const WITHOUT_DATABASE = new Set([
  'GET /',
  'GET /docs',
  'GET /healthz',
  'GET /metrics',
  'GET /readyz',
  'GET /api/v1/openapi.json',
  'GET /push/worker.js',
  'GET /sdk/contentflow.js',
  `GET /sdk/contentflow-${VERSION}.js`,
  ...SCHEMA_NAMES.map((name) => `GET /schemas/${name}.json`),
  // An address that is not whole names nobody.
  'GET /api/v1/confirm-email/:token',
  'POST /api/v1/confirm-email/:token',
  'GET /api/v1/confirm-erasure/:token',
  'POST /api/v1/confirm-erasure/:token',
  'GET /api/v1/unsubscribe/:token',
  'POST /api/v1/unsubscribe/:token',
  'GET /api/v1/preferences/:token',
  'POST /api/v1/preferences/:token',
  // What is asked is stored once it was answered, and this address has no passkeys.
  'POST /api/v1/auth/passkeys/sign-in/options',
  'POST /api/v1/auth/passkeys/sign-in',
  // Looks for the account behind its answer, which is the same for all.
  'POST /api/v1/auth/password-reset',
  'POST /api/v1/test-hooks/clock',
  'POST /api/v1/test-hooks/faults',
  ...atEveryRoot(['GET /stream', 'GET /location/ip', 'GET /consent/config/:preset']),
])
const account = { email: uniqueEmail(), password: 'a long enough one', name: 'n', workspaceName: 'w' }
/** Where a body is read before the database is asked; elsewhere an empty one gets far enough. */
const BODIES: Record<string, object> = {
  'POST /api/v1/auth/signup': account,
  'POST /api/v1/auth/login': account,
  'POST /api/v1/auth/session': account,
  'POST /api/v1/auth/device/token': { deviceCode: 'of nobody' },
  'POST /api/v1/auth/login/second': { challenge: 'of.nobody', otp: '123456' },
  'PUT /api/v1/auth/password-reset': { token: 't', next: 'a good one to keep' },
  'POST /api/v1/operator/accounts/reset-link': { email: account.email },
  'POST /api/v1/operator/accounts/second-factor': { email: account.email },
  'POST /api/v1/operator/workspaces': { email: account.email, name: 'w' },
  'PUT /api/v1/operator/workspaces/:id/plan': { requestsPerMinute: 5 },
  'PUT /api/v1/operator/identity-providers/:id': { name: 'n', issuer: 'https://login.example', clientId: 'c', mapping: [], domains: [] },
  'POST /api/v1/test-hooks/jobs': { job: 'segments' },
}
const CLIENT_BODIES: Record<string, object> = {
  'POST /cards/register': { key: 'promo', fields: [] },
  'POST /cards/sync': { blocks: [{ key: 'promo', fields: [] }] },
  'POST /events': { events: [{ type: 'impression', eventId: 'e' }] },
  'POST /strings/sync': { strings: [{ key: 'promo', sourceText: 'Promo' }] },
  'POST /strings/disable': { keys: ['promo'] },
  'PUT /event-types': { types: [] },
  'POST /identify': { userId: 'u', consent: true },
  'POST /profile': { userId: 'u', category: 'banking', data: { tier: 'gold' } },
  'POST /location': { points: [{ latitude: 24.7, longitude: 46.7, timestamp: new Date().toISOString() }] },
  'POST /push/topics': { topic: 'news' },
  'POST /inbox/read-all': { upTo: 'm' },
  'PUT /preferences': { tracking: true },
  'POST /register-push': { token: 't', platform: 'ios' },
  'POST /consent': { channels: { push: true } },
  'POST /consent/full': { channels: { push: true } },
}
for (const [name, body] of Object.entries(CLIENT_BODIES))
  for (const full of atEveryRoot([name])) BODIES[full] = { deviceId: 'device', ...body }

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const credentialsOf = (ws: Workspace, { path }: Route, token: string): Record<string, string> => {
  if (/\/(cards\/|strings\/(sync|disable)$|sdk(\/v1)?\/event-types$)/.test(path)) return { 'x-cf-write-key': ws.writeKey }
  if (/^\/(sdk\/v1|api\/v1\/sdk)\//.test(path)) return { 'x-cf-key': ws.live, 'x-cf-device': 'device' }
  return {
    authorization: `Bearer ${token}`,
    'x-tenant-id': ws.id,
    'x-cf-operator-token': OPERATOR_TOKEN,
    'x-cf-read-key': ws.readKey,
    'x-cf-dashboard': '1',
  }
}

/** The routes that answered 500, each answer looked at. */
async function askEverywhere(ws: Workspace, token: string): Promise<Set<string>> {
  const forced = new Set<string>()
  // Signing out comes last: the others need the session.
  const isLast = (route: Route) => Number(/\/auth\/(logout|session)$/.test(route.path))
  for (const route of routes.toSorted((a, b) => isLast(a) - isLast(b))) {
    const params = {
      key: 'promo',
      id: route.path.includes('identity-providers') ? 'acme' : route.path.includes('/operator/') ? ws.id : randomUUID(),
      number: '1',
      userId: 'u',
      deviceId: 'd',
      provider: 'resend',
    }
    const isReading = route.method === 'GET' || route.method === 'HEAD'
    const response = await fetch(url + fillPath(route.path, params), {
      method: route.method,
      redirect: 'manual',
      headers: { ...credentialsOf(ws, route, token), ...(!isReading && { 'content-type': 'application/json' }) },
      ...(!isReading && { body: JSON.stringify(BODIES[nameOf(route)] ?? {}) }),
    })
    if (response.status !== 500) {
      await response.body?.cancel()
      continue
    }
    forced.add(nameOf(route))
    const text = await response.text()
    const answer = { status: 500, headers: response.headers, text, body: JSON.parse(text), data: undefined }
    assertRefusal(answer, 500, nameOf(route))
    assert.deepEqual(Object.keys(answer.body), ['success', 'error'], nameOf(route))
    assert.match(answer.body.error, /^Unexpected error\. The log has it under request [\w-]+$/, nameOf(route))
  }
  return forced
}

async function takeAway(isMeant: (table: string) => boolean): Promise<void> {
  for (const table of await listTables(ctx.db))
    if (isMeant(table)) await sql`alter table ${sql.table(table)} rename to ${sql.table(`gone_${table}`)}`.execute(ctx.db)
}

test('an unexpected error in any route is a plain 500 that names the request and nothing of the inside', async () => {
  const ws = await workspace({ email: account.email })
  const signIn = async (): Promise<string> =>
    expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', { email: account.email, password: PASSWORD }), 200).data.token
  const [first, second] = [await signIn(), await signIn()]
  await takeAway((table) => !GUARDED_BY.has(table))
  const inHandlers = await askEverywhere(ws, first)
  assert.ok(inHandlers.size > 40, [...inHandlers].join('\n'))
  // Keys that nobody has used are not in memory.
  const fresh = { ...ws, live: ws.test }
  await takeAway((table) => GUARDED_BY.has(table))
  const inGuards = await askEverywhere(fresh, second)
  const missed = routes.map(nameOf).filter((name) => !inHandlers.has(name) && !inGuards.has(name) && !WITHOUT_DATABASE.has(name))
  assert.deepEqual(missed, [])
})
