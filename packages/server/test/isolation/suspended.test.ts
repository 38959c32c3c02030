/** G-93: a workspace that is suspended can be read, and people erased; nothing else is done in it or for it, and nothing is lost. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startDispatches } from '../../src/modules/sends/index.ts'
import { enqueueWebhook } from '../../src/modules/webhooks/index.ts'
import { expectStatus, type Client, type Workspace } from '../builders/builders.ts'
import { dispatching } from '../builders/dispatches.ts'
import { begin, stage } from '../builders/imports.ts'
import { check, enroll, IN_APP, runsOf, startJourney, wait } from '../builders/journeys.ts'
import { identify } from '../builders/people.ts'
import { openReceiver } from '../builders/receivers.ts'
import { fillPath, listRoutes } from '../harness/routes.ts'
import { addPeople, openPush } from '../builders/sends.ts'
import { startApp } from '../harness/start-app.ts'
import { until } from '../harness/until.ts'

const { app, ctx, operator, workspace, anyone, advance } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { campaignOf, pushOf } = dispatching({ ctx, operator })
const suspend = async ({ id }: { id: string }) => void expectStatus(await operator.post(`/operator/workspaces/${id}/suspend`), 200)
const resume = async ({ id }: { id: string }) => void expectStatus(await operator.post(`/operator/workspaces/${id}/resume`), 200)

/** Asked with a body, but they only read; and what people may always ask for. */
const OPEN = new Set([
  'POST /api/v1/workspace/code/plan',
  'POST /api/v1/blocks/:key/instances/:id/impact',
  'POST /api/v1/mails/render',
  'POST /api/v1/mails/import-html',
  'POST /api/v1/segments/preview',
  'POST /api/v1/access/check',
  'POST /api/v1/enrichment/source-priorities/preview',
  'POST /api/v1/campaigns/:id/preview',
  'POST /api/v1/journeys/:id/test-run',
  'POST /api/v1/experiments/plan',
  ...['explore', 'funnel', 'funnel/people', 'retention'].map((question) => `POST /api/v1/analysis/${question}`),
  'DELETE /api/v1/users/:userId',
  'POST /api/v1/users/:userId/export',
  'POST /api/v1/erasure-requests/:id/confirm',
  'DELETE /api/v1/workspaces/:id',
  'POST /api/v1/workspaces/:id/restore',
])
/** No workspace is named by who calls them, or a key names it, which is 401 as documented. */
const OTHERS =
  /^\w+ \/api\/v1\/(auth\/|workspaces(\/join)?$|operator\/|test-hooks\/|unsubscribe\/|preferences\/|confirm-(email|erasure)\/|callbacks\/|cards\/|strings\/(sync|disable)$|content\/:id\/upload$|sdk\/)/

const ASK = {
  POST: (by: Client, path: string) => by.post(path, {}),
  PUT: (by: Client, path: string) => by.put(path, {}),
  PATCH: (by: Client, path: string) => by.patch(path, {}),
  DELETE: (by: Client, path: string) => by.delete(path),
}

test('G-93 a suspended workspace is read and people are erased in it; every other route of its members is 403 with a code, until it is resumed', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  await identify(ws.app, 'D', 'U')
  const body = { name: 'Renamed' }
  await suspend(ws)
  const routes = listRoutes(app).filter(({ method, path }) => path.startsWith('/api/v1/') && method !== 'HEAD')
  let refused = 0
  for (const { method, path } of routes) {
    const name = `${method} ${path}`
    if (method === 'GET' || OTHERS.test(name)) continue
    const at = fillPath(path, { userId: 'nobody' }).slice('/api/v1'.length)
    const { status, body: said } = await ASK[method as keyof typeof ASK](ws.admin, at)
    const isSuspended = status === 403 && said?.code === 'WORKSPACE_SUSPENDED'
    assert.equal(isSuspended, !OPEN.has(name), `${name}: ${status} ${JSON.stringify(said)}`)
    refused += isSuspended ? 1 : 0
  }
  assert.ok(refused > 80, String(refused))
  expectStatus(await ws.admin.get('/segments'), 200)
  expectStatus(await ws.admin.get('/users/U'), 200)
  expectStatus(await ws.admin.delete('/users/U'), 200)
  assert.equal((await ws.admin.get('/users/U')).status, 404)
  const mine = async (by: Workspace) => expectStatus(await by.admin.get('/auth/me'), 200).data.workspaces[0]
  assert.equal((await mine(ws)).isSuspended, true)
  assert.equal('isSuspended' in (await mine(other)), false)
  expectStatus(await other.admin.put('/workspaces/current', body), 200)
  await resume(ws)
  expectStatus(await ws.admin.put('/workspaces/current', body), 200)
  assert.equal('isSuspended' in (await mine(ws)), false)
})

test('G-93 whoever may not write is told so, suspended or not, and so is whoever is no member', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const viewer = await ws.viewer()
  await suspend(ws)
  assert.equal((await viewer.put('/workspaces/current', { name: 'x' })).body.code, 'ROLE_REQUIRED')
  const stranger = await other.admin.put('/workspaces/current', { name: 'x' }, { headers: { 'x-tenant-id': ws.id } })
  assert.deepEqual([stranger.status, stranger.body.code], [403, undefined])
})

test('G-93 a sandbox rests with its workspace', async () => {
  const ws = await workspace()
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  const headers = { 'x-tenant-id': sandbox.workspaceId }
  const rename = () => ws.admin.put('/workspaces/current', { name: 'x' }, { headers })
  expectStatus(await rename(), 200)
  await suspend(ws)
  assert.equal((await rename()).body.code, 'WORKSPACE_SUSPENDED')
  await resume(ws)
  expectStatus(await rename(), 200)
})

test('G-93 nobody joins a suspended workspace, nor its sandbox; the invitation can be taken when it is resumed', async () => {
  const [ws, guest, other] = [await workspace(), await workspace(), await workspace()]
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  const invite = async (by: Workspace, headers: Record<string, string> = {}) => {
    const { email } = expectStatus(await by.admin.get('/auth/me'), 200).data.user
    const entry = { email, name: 'Guest', password: 'not their password', role: 'editor' }
    return expectStatus(await ws.admin.post('/members', entry, { headers }), 201).data.invitation.token as string
  }
  const [token, inside] = [await invite(guest), await invite(other, { 'x-tenant-id': sandbox.workspaceId })]
  const join = (by: Workspace, invitation: string) => by.admin.post('/workspaces/join', { token: invitation })
  const memberships = async (by: Workspace) => expectStatus(await by.admin.get('/workspaces'), 200).data.workspaces.length
  await suspend(ws)
  for (const [by, invitation] of [
    [guest, token],
    [other, inside],
  ] as const) {
    const refused = await join(by, invitation)
    assert.deepEqual([refused.status, refused.body.code], [403, 'WORKSPACE_SUSPENDED'])
    assert.equal(await memberships(by), 1)
  }
  await resume(ws)
  expectStatus(await join(guest, token), 200)
  expectStatus(await join(other, inside), 200)
  assert.deepEqual([await memberships(guest), await memberships(other)], [3, 2])
})

test('G-93 an address for an upload that was given out before takes nothing while the workspace is suspended', async () => {
  const ws = await workspace()
  const file = { fileName: 'a.txt', mimeType: 'application/pdf' }
  const { uploadUrl } = expectStatus(await ws.admin.post('/content/generate-upload-url', file), 201).data
  const put = () => fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': file.mimeType }, body: '%PDF-1.7' })
  await suspend(ws)
  const refused = await put()
  assert.deepEqual([refused.status, ((await refused.json()) as any).code], [403, 'WORKSPACE_SUSPENDED'])
  await resume(ws)
  assert.equal((await put()).status, 200)
})

test('G-93 the keys of a sandbox are refused while its workspace is suspended, and open it again at once', async () => {
  const ws = await workspace()
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  const headers = { 'x-tenant-id': sandbox.workspaceId }
  const make = async (kind: string, body: object) => expectStatus(await ws.admin.post(`/settings/${kind}`, body, { headers }), 201).data.key
  const app = await make('sdk-keys', { kind: 'publishable', environment: 'test' })
  const write = await make('write-keys', { name: 'pipeline' })
  const read = await make('read-keys', { name: 'server' })
  const asked = async () => {
    const answers = [
      await ws.sdk({ 'x-cf-key': app }).post('/identify', { deviceId: 'D', consent: true }),
      await anyone.post('/api/v1/cards/register', { key: 'promo' }, { headers: { 'x-cf-write-key': write } }),
      await anyone.get('/api/v1/read/devices/D', { headers: { 'x-cf-read-key': read } }),
    ]
    return answers.map(({ status }) => status)
  }
  const open = await asked()
  assert.ok(
    open.every((status) => status < 300),
    String(open),
  )
  await suspend(ws)
  assert.deepEqual(await asked(), [401, 401, 401])
  await resume(ws)
  assert.deepEqual(
    (await asked()).map((status) => status < 300),
    [true, true, true],
  )
})

test('G-93 what is due of a suspended workspace rests, and goes on when it is resumed: messages, webhooks, publications, journeys, imports', async () => {
  const ws = await workspace()
  const [push, receiver] = [await openPush(), await openReceiver()]
  after(() => receiver.close())
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B'])
  expectStatus(await ws.admin.post('/webhooks', { url: receiver.url, events: ['campaign.status_changed'] }), 201)
  expectStatus(await ws.write.post('/cards/register', { key: 'promo', seedInstance: false }), 201)
  const promo = expectStatus(await ws.admin.post('/blocks/promo/instances?draft=true', { title: 'P', values: {} }), 201).data
  const path = `/blocks/promo/instances/${promo.id}`
  expectStatus(await ws.admin.post(`${path}/publish`, { at: new Date(ctx.clock.ms() + 60_000).toISOString() }), 202)
  const journey = await startJourney(ws, { steps: [wait(1), IN_APP] })
  await enroll(ws, journey, ['A'])
  await check(operator)
  const upload = await begin(ws.admin)
  await stage(ws.admin, upload, [['A', 'x']])
  await suspend(ws)
  const campaign = campaignOf()
  await ctx.change({ workspaceId: ws.id, actor: 'a' }, async (change) => {
    await startDispatches(change, campaign)
    await enqueueWebhook(change, 'campaign.status_changed', {
      campaignId: 'c',
      name: 'Sale',
      type: 'promo',
      from: 'approved',
      to: 'active',
    })
  })
  await ctx.db.updateTable('imports').set({ status: 'matching', due_at: ctx.clock.now() }).where('workspace_id', '=', ws.id).execute()
  const found = async () => ({
    sent: push.calls().length,
    told: receiver.received.length,
    live: expectStatus(await ws.admin.get(path), 200).data.live !== null,
    run: (await runsOf(ws, journey, 'A'))[0]?.status,
    import: expectStatus(await ws.admin.get(`/enrichment/imports/${upload}`), 200).data.status,
  })
  // Hours pass.
  for (let hour = 0; hour < 3; hour++) await advance(3_600)
  assert.deepEqual(await found(), { sent: 0, told: 0, live: false, run: 'active', import: 'matching' })
  await ctx.due.lookAtBacklog()
  const waiting = (await ctx.metrics.registry.metrics()).matchAll(/^contentflow_due_rows\{kind="(\w+)"\} ([1-9]\d*)$/gm)
  assert.deepEqual(
    [...waiting].map(([, kind]) => kind),
    [],
    'nobody is called because of it',
  )
  await resume(ws)
  await advance(1)
  const all = { sent: 2, told: 1, live: true, run: 'completed', import: 'ready' }
  await until('all of it is done', async () => JSON.stringify(await found()) === JSON.stringify(all))
  assert.equal((await pushOf(ws, campaign))?.sent, 2)
})

test('G-93 a message that waited longer than a day is missed, as without a suspension', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A'])
  await suspend(ws)
  const campaign = campaignOf()
  await ctx.change({ workspaceId: ws.id, actor: 'a' }, (change) => startDispatches(change, campaign))
  await advance(25 * 3_600)
  await resume(ws)
  await advance(1)
  assert.equal(push.calls().length, 0)
})
