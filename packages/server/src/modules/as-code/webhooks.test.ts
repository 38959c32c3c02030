/** Webhooks of the workspace as one document: whom and of what is told, never with which secret. Nothing is called. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { apply, applyPlanned, carry, exported, plan, refused, stale, told } from '../../../test/builders/code.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { openOutbound } from '../../infra/outbound/outbound.ts'

const { ctx, workspace } = await startApp()
ctx.outbound = openOutbound({
  isPrivateAllowed: false,
  metrics: ctx.metrics,
  resolve: async (name) => (name === 'inside.example' ? ['10.0.0.7'] : ['93.184.216.34']),
})

const HOOK = { url: 'https://shop.example/hook', events: ['journey.status_changed', 'campaign.approved'], description: 'no: "chat"' }
const make = async (ws: Workspace) => expectStatus(await ws.admin.post('/webhooks', HOOK), 201).data
const read = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`/webhooks/${id}`), 200).data
const secretOf = async (ws: Workspace, id: string) =>
  (await ctx.db.selectFrom('webhook_endpoints').select('secret').where('workspace_id', '=', ws.id).where('id', '=', id).execute())[0]
    ?.secret

test('webhooks: export, apply to an empty workspace, export: the same bytes; the secret stays behind and a new one is off', async () => {
  const [from, to] = [await workspace(), await workspace()]
  const { id, secret } = await make(from)
  const first = await exported(from, 'webhooks')
  assert.deepEqual(first.data.webhooks, [
    { id, url: HOOK.url, description: HOOK.description, events: ['campaign.approved', 'journey.status_changed'] },
  ])
  assert.ok(!first.text.includes(secret))
  const changes = await carry(from, to)
  assert.deepEqual(
    changes.map(({ kind, key, change, off }) => [kind, key, change, off]),
    [['webhooks', id, 'create', true]],
  )
  assert.deepEqual([(await read(from, id)).active, (await read(to, id)).active], [true, false])
  assert.notEqual(await secretOf(to, id), await secretOf(from, id))
  // Rotated and switched on, it goes by the secret that was shown.
  assert.match(expectStatus(await to.admin.post(`/webhooks/${id}/rotate-secret`, {}), 200).data.secret, /^whsec_/)
  expectStatus(await to.admin.put(`/webhooks/${id}`, { active: true }), 200)
  assert.deepEqual((await plan(to.admin, first.data)).changes, [])
})

test('webhooks change and go exactly as planned; what is there keeps its secret and goes on', async () => {
  const ws = await workspace()
  const [first, second] = [await make(ws), await make(ws)]
  const { data } = await exported(ws, 'webhooks')
  const sealed = await secretOf(ws, first.id)
  const next = { ...data.webhooks[0], url: 'https://shop.example/other', events: ['campaign.rejected'] }
  const changes = await apply(ws, { webhooks: [next] }, ['webhooks'])
  assert.deepEqual(told(changes), [`change webhooks ${first.id}`, `delete webhooks ${second.id}`])
  assert.deepEqual([changes[0].members, changes[0].off], [['url', 'events'], false])
  const after = await read(ws, first.id)
  assert.deepEqual([after.url, after.events, after.active], [next.url, next.events, true])
  assert.equal(await secretOf(ws, first.id), sealed)
  await stale(ws, data, () => ws.admin.put(`/webhooks/${first.id}`, { description: 'meanwhile' }))
})

test('webhooks that cannot be are refused where they stand', async () => {
  const ws = await workspace()
  const hook = { id: 'w', ...HOOK }
  const wrong = (change: object, error: RegExp) => refused(ws, { webhooks: [{ ...hook, ...change }] }, error)
  await wrong({ secret: 'whsec_x' }, /webhooks\[0\]: secret is not a member of a webhook/)
  await wrong({ events: ['block.published'] }, /webhooks\[0\]: events must be/)
  await wrong({ events: [] }, /webhooks\[0\]: events must be/)
  await wrong({ url: 'https://inside.example/' }, /webhook "w": url /)
  await wrong({ url: 'ftp://shop.example/' }, /webhook "w": url /)
  await wrong({ id: 'a b' }, /webhooks\[0\]: id must be/)
  await refused(
    ws,
    { webhooks: Array.from({ length: 21 }, (_, at) => ({ ...hook, id: `w${at}` })) },
    /webhooks must be an array of at most 20/,
  )
})

test('a journey that tells an endpoint comes with it in one document; the endpoint goes only with the step', async () => {
  const [from, to] = [await workspace(), await workspace()]
  const { id } = await make(from)
  const steps = [{ id: 'tell', type: 'webhook', endpoint: id, data: { plan: 'gold' } }]
  const journey = expectStatus(await from.admin.post('/journeys', { name: 'Told', trigger: { type: 'manual' }, steps }), 201).data
  await carry(from, to)
  assert.deepEqual((await to.admin.get(`/journeys/${journey.id}`)).data.steps, steps)
  // It is off until somebody has its secret, so the journey is not activated either.
  assert.match(expectStatus(await to.admin.patch(`/journeys/${journey.id}/status`, { status: 'active' }), 400).text, /switched off/)
  const { data } = await exported(to, 'webhooks,journeys')
  const { version } = await plan(to.admin, { webhooks: [] }, ['webhooks'])
  const applied = await applyPlanned(to.admin, { webhooks: [] }, version, ['webhooks'])
  assert.deepEqual([applied.status, applied.body.code], [409, 'WEBHOOK_IN_USE'])
  const without = { ...data, webhooks: [], journeys: [{ ...data.journeys[0], steps: [] }] }
  assert.deepEqual(told(await apply(to, without, ['webhooks'])).toSorted(), [`change journeys ${journey.id}`, `delete webhooks ${id}`])
})
