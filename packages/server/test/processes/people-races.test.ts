/** What changes between the moment a request has looked at a person and the moment it writes: PostgreSQL only, where two can be at work at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '../../src/db/open.ts'
import { deleteProfile } from '../../src/modules/people/index.ts'
import { expectStatus, type Answer } from '../builders/builders.ts'
import { identify, personRow } from '../builders/people.ts'
import { startApp } from '../harness/start-app.ts'
import { countWaiting } from '../harness/waiting.ts'

const { ctx, workspace } = await startApp()
const races = { skip: ctx.engine !== 'postgres' }

const RIYADH = { latitude: 24.7136, longitude: 46.6753 }

/** Sends the request once `hold` has locked what it runs into; `change` happens while it waits, and is committed then. */
async function meanwhile(hold: (tx: Db) => Promise<unknown>, request: () => Promise<Answer>, change: (tx: Db) => Promise<unknown>) {
  const sent = await ctx.db.transaction().execute(async (tx) => {
    await hold(tx)
    const answer = request()
    while ((await countWaiting(ctx.db)) === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    await change(tx)
    return { answer }
  })
  return sent.answer
}

test('C-LOC-04 a position is not stored for somebody who has just refused', races, async () => {
  const ws = await workspace()
  await identify(ws.app, 'd', 'U')
  const devices = sql`update devices set consent = 'denied', revision = revision + 1 where workspace_id = ${ws.id}`
  const people = sql`update profiles set analytics = false where workspace_id = ${ws.id}`
  const answer = await meanwhile(
    async (tx) => {
      await devices.execute(tx)
      await people.execute(tx)
    },
    () => ws.app.post('/location', { deviceId: 'd', points: [RIYADH] }),
    async () => {},
  )
  assert.deepEqual([answer.status, answer.body.code], [202, 'LOCATION_CONSENT_REQUIRED'])
  assert.equal((await personRow(ctx, ws.id, 'U'))?.current_location, null)
})

test('G-67 a crossing of a fence that is deleted meanwhile is dropped', races, async () => {
  const ws = await workspace()
  await identify(ws.app, 'd', 'U')
  const fence = async () => expectStatus(await ws.admin.post('/geofences', { name: 'Store', ...RIYADH, radiusMeters: 200 }), 201).data.id
  const [gone, kept] = [await fence(), await fence()]
  const answer = await meanwhile(
    // Read after the fences were found.
    (tx) => sql`lock table geofence_events in access exclusive mode`.execute(tx),
    () =>
      ws.app.post('/location', {
        deviceId: 'd',
        points: [RIYADH],
        geofenceEvents: [gone, kept].map((fenceId) => ({ fenceId, type: 'enter' })),
      }),
    (tx) => sql`delete from geofences where workspace_id = ${ws.id} and id = ${gone}`.execute(tx),
  )
  assert.deepEqual(expectStatus(answer, 202).data, { accepted: 1, dropped: 1, geofenceEvents: 1 })
  const events = await ctx.db.selectFrom('geofence_events').select('fence_id').where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(events, [{ fence_id: kept }])
})

test('M-BULK-17 whoever is erased while they are added to a segment is left out', races, async () => {
  const ws = await workspace()
  for (const userId of ['U', 'gone']) await identify(ws.app, `d-${userId}`, userId)
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  const { id } = expectStatus(await ws.admin.post('/segments', { name: 'VIP', logicalOperator: 'AND', rules }), 201).data
  const gone = (await personRow(ctx, ws.id, 'gone'))?.id ?? ''
  const answer = await meanwhile(
    (tx) => deleteProfile(tx, ws.id, gone),
    () => ws.admin.post('/users/bulk/segments', { segmentId: id, userIds: ['U', 'gone'] }),
    async () => {},
  )
  assert.equal(expectStatus(answer, 200).data.modified, 1)
  const members = await ctx.db.selectFrom('segment_members').select('is_member').where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(members, [{ is_member: true }])
})

test('M-SEG-08 whoever is erased while a segment is worked out is left out', races, async () => {
  const ws = await workspace()
  for (const userId of ['U', 'gone']) await identify(ws.app, `d-${userId}`, userId, { traits: { plan: 'gold' } })
  const gone = (await personRow(ctx, ws.id, 'gone'))?.id ?? ''
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  const answer = await meanwhile(
    (tx) => deleteProfile(tx, ws.id, gone),
    () => ws.admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules }),
    async () => {},
  )
  const { id } = expectStatus(answer, 201).data
  const members = await ctx.db.selectFrom('segment_members').select('segment_id').where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(members, [{ segment_id: id }])
})
