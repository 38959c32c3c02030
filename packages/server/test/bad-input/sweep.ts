/** What the suites of bad input share: odd values, a workspace with one of everything, and what must hold of every answer. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { SEGMENT } from './right-documents.ts'
import { clientOf, expectStatus, type Answer, type Client, type Workspace } from '../builders/builders.ts'
import { create } from '../builders/campaigns.ts'
import { begin, upload } from '../builders/imports.ts'
import { GATEWAY } from '../isolation/isolation-bodies.ts'
import { makeMail } from '../isolation/isolation-mails.ts'
import { assertRefusal } from '../harness/refusals.ts'
import { makeJourney } from '../builders/journeys.ts'
import { listRoutes } from '../harness/routes.ts'
import { OPERATOR_TOKEN, startApp } from '../harness/start-app.ts'

export const VALUES: unknown[] = [
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

export type Fixture = {
  ws: Workspace
  params: Record<string, string>
  segment: string
  stringImport: string
  stagedImport: string
  endedImport: string
  channel: string
  campaign: string
  journey: string
  mail: string
  roles: Record<string, Record<string, string>>
}

export type Request = { name: string; method: string; address: string; headers: Record<string, string>; raw?: string | Buffer }

/** A server of its own. */
export async function openSweep() {
  const { app, ctx, url, workspace, operator, advance } = await startApp()
  const makeFixture = async () => fixtureIn(await workspace(), operator)
  // Those of SCIM have refusals of their own: modules/scim/scim-bad-input.test.ts asks them.
  const routes = listRoutes(app).filter(({ path }) => !path.startsWith('/scim/'))
  return { app, ctx, url, advance, routes, makeFixture, addMembers: (fixture: Fixture) => addMembers(url, fixture) }
}

async function fixtureIn(ws: Workspace, operator: Client): Promise<Fixture> {
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
  const campaign = (await create(ws.admin)).id
  const journey = (await makeJourney(ws.admin)).id
  const mail = await makeMail(ws.admin, 'kept')
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
    admin: { authorization: `Bearer ${ws.token}`, 'x-tenant-id': ws.id },
  }
  const params = { key: 'promo', id, number: '1', userId: randomUUID(), locale: 'ar', code: 'ar', sourceId, jobRef }
  return { ws, params, segment, stringImport, stagedImport, endedImport, channel, campaign, journey, mail, roles }
}

/** A member of each role; the admin among them may be signed out. Each costs two hashes of a password. */
async function addMembers(url: string, { ws, roles }: Fixture): Promise<void> {
  const password = 'a long enough one'
  for (const role of ['viewer', 'editor', 'admin']) {
    const email = `${role}-${randomUUID()}@example.com`
    expectStatus(await ws.admin.post('/members', { email, name: role, password, role }), 201)
    const { token } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', { email, password }), 200).data
    roles[role] = { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id }
  }
}

/** Sends it, and checks what must hold of every answer there is. */
export async function ask({ name, method, address, headers, raw }: Request): Promise<number> {
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
  // A page for people.
  if (method === 'HEAD' || text === '' || /\/(unsubscribe|preferences|confirm-erasure|confirm-email)\//.test(address))
    return response.status
  if (response.status < 400) {
    // Below 400 a refusal says so by its code (C-LOC-04, C-IDN-11), but for the words of a provider (G-60).
    const isOfProvider = /POST \S+\/notifications\/?\S*/.test(name)
    if (text.startsWith('{"success"') && !isOfProvider) assert.notEqual(JSON.parse(text).success, JSON.parse(text).code !== undefined, name)
    return response.status
  }
  const body = JSON.parse(text)
  assertRefusal({ status: response.status, headers: response.headers, text, body, data: undefined } satisfies Answer, response.status, name)
  return response.status
}

export async function askAll(requests: Request[]): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < requests.length; i += 16) statuses.push(...(await Promise.all(requests.slice(i, i + 16).map(ask))))
  return statuses
}
