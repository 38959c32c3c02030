import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { deny, identify, personRow } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { ctx, workspace } = await startApp()

/** Messages come from campaigns and journeys; here only their end is looked at. */
async function addMessages(ws: Workspace, userId: string, ids: Record<string, string | null>): Promise<void> {
  const person = await personRow(ctx, ws.id, userId)
  assert.ok(person)
  const rows = Object.entries(ids).map(([id, campaign_id], index) => ({
    workspace_id: ws.id,
    id,
    profile_id: person.id,
    campaign_id,
    created_at: new Date(ctx.clock.ms() - 10_000 + index),
  }))
  await ctx.db.insertInto('in_app_messages').values(rows).execute()
}

const ended = async ({ id }: Workspace) => {
  const rows = await ctx.db.selectFrom('in_app_messages').select(['id', 'ended_by']).where('workspace_id', '=', id).orderBy('id').execute()
  return Object.fromEntries(rows.flatMap((row) => (row.ended_by === null ? [] : [[row.id, row.ended_by]])))
}
const report = async (ws: Workspace, deviceId: string, event: object) =>
  expectStatus(await ws.app.post('/events', { deviceId, events: [{ blockKey: 'journey_message', ...event }] }), 202)

test('C-BLK-23 G-33 a dismissal or a tap ends the message it names, else the oldest one, of the campaign when one is named', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'E', 'V')
  await addMessages(ws, 'U', { m1: 'c1', m2: 'c2', m3: 'c2', m4: null })
  await addMessages(ws, 'V', { v1: 'c1' })
  await report(ws, 'D', { type: 'impression', instanceId: 'msg_m1' })
  await report(ws, 'D', { type: 'dismiss', instanceId: 'msg_v1' })
  await report(ws, 'D', { type: 'dismiss', instanceId: 'msg_m1', blockKey: 'promo' })
  assert.deepEqual(await ended(ws), {})
  await report(ws, 'D', { type: 'cta_click', instanceId: 'msg_m4' })
  assert.deepEqual(await ended(ws), { m4: 'cta_click' })
  await report(ws, 'D', { type: 'dismiss', campaignId: 'c2' })
  assert.deepEqual(await ended(ws), { m2: 'dismiss', m4: 'cta_click' })
  await report(ws, 'D', { type: 'dismiss' })
  assert.deepEqual(await ended(ws), { m1: 'dismiss', m2: 'dismiss', m4: 'cta_click' })
})

test('C-BLK-23 G-33 the id of a message is enough, also without the key of its block; nothing else without that key ends one', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'E', 'V')
  await addMessages(ws, 'U', { m1: 'c1', m2: 'c1' })
  const bare = (event: object) => report(ws, 'D', { ...event, blockKey: undefined })
  await bare({ type: 'dismiss' })
  await bare({ type: 'dismiss', campaignId: 'c1' })
  await bare({ type: 'dismiss', instanceId: 'm1' })
  await bare({ type: 'dismiss', instanceId: 'msg_', campaignId: 'c1' })
  await bare({ type: 'impression', instanceId: 'msg_m2' })
  await report(ws, 'E', { type: 'dismiss', instanceId: 'msg_m2', blockKey: undefined })
  assert.deepEqual(await ended(ws), {})
  await bare({ type: 'dismiss', instanceId: 'msg_m2' })
  await bare({ type: 'cta_click', instanceId: 'msg_m1' })
  assert.deepEqual(await ended(ws), { m1: 'cta_click', m2: 'dismiss' })
})

test('X-INT-30 a dismissal that is dropped ends nothing', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await addMessages(ws, 'U', { m1: null })
  await deny(ws.app, 'D')
  await report(ws, 'D', { type: 'dismiss', instanceId: 'msg_m1' })
  assert.deepEqual(await ended(ws), {})
})
