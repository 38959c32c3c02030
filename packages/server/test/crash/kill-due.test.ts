/** The process that works on what is due dies at every step, one after the other: nothing is lost, nothing is done twice. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { clientOf, expectStatus, PASSWORD, uniqueEmail } from '../builders/builders.ts'
import { dieAt } from '../harness/die-at.ts'
import { repeat, rollUp, track } from '../builders/events.ts'
import { check, IN_APP, runsOf, startJourney, wait } from '../builders/journeys.ts'
import { erase, identify, personRow } from '../builders/people.ts'
import { freshDatabase, startOn } from '../harness/start-app.ts'

/** By job, the points it passes; those of one kind of work in their order. */
const POINTS: [job: string, point: string][] = [
  ['segments', 'segments: claim'],
  ['segments', 'segments: claimed'],
  ['segments', 'segments: worked'],
  ['segments', 'segments: finished'],
  ['erasure', 'erasures: claim'],
  ['erasure', 'erasures: claimed'],
  ['erasure', 'erasures: worked'],
  ['rollup', 'event-counts: claim'],
  ['rollup', 'event-counts: claimed'],
  ['rollup', 'event-counts: worked'],
  ['rollup', 'people: claim'],
  ['rollup', 'people: claimed'],
  ['rollup', 'people: added'],
  ['rollup', 'people: worked'],
  ['rollup', 'people: finished'],
  ['journeys', 'journeys: claim'],
  ['journeys', 'journeys: claimed'],
  ['journeys', 'journeys: entered'],
  ['journeys', 'journeys: moved'],
  ['journeys', 'journeys: worked'],
  ['journeys', 'journeys: finished'],
]
/** Longer than a lease, and than an erasure waits. */
const APART = 120

const database = await freshDatabase()
after(() => database.remove())

test('G-17 G-43 G-66 C-SEG-44 M-JRN-11 M-JRN-12 whoever works on what is due is killed at every step, and all of it is done, once', async () => {
  const before = await startOn(database.env)
  const email = uniqueEmail()
  const ws = await before.workspace({ email })
  await identify(ws.app, 'gone', 'Gone')
  await identify(ws.app, 'D', 'U', { traits: { a: 1 } })
  const rules = [{ field: 'customAttributes.a', operator: 'exists' }]
  const { id } = expectStatus(await ws.admin.post('/segments', { name: 'S', logicalOperator: 'AND', rules }), 201).data
  await before.fault('erase_part', true)
  await erase(ws.app, 'gone')
  // Somebody enters by what is reported next, and has something before them at every check.
  const steps = Array.from({ length: 6 }, () => [wait(1), IN_APP]).flat()
  const journey = await startJourney(ws, { trigger: { type: 'event', eventType: 'BANNER_IMPRESSION' }, steps })
  await track(ws.app, 'D', repeat(7, { type: 'impression', blockKey: 'promo' }))
  // The members are lost and due to be worked out again.
  await before.ctx.db.deleteFrom('segment_members').where('workspace_id', '=', ws.id).execute()
  await sql`update segments set recompute_at = created_at, due_at = created_at`.execute(before.ctx.db)
  await before.stop()

  let seconds = APART
  for (const [job, point] of POINTS) {
    await dieAt(database.env, job, point, seconds)
    seconds += APART
  }

  const { operator, ctx, url, advance, stop } = await startOn(database.env)
  try {
    await advance(seconds)
    await rollUp(operator)
    const { token } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', { email, password: PASSWORD }), 200).data
    const admin = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
    assert.equal(expectStatus(await admin.get('/analytics/blocks/promo'), 200).data.impressions, 7)
    assert.equal((await personRow(ctx, ws.id, 'U'))?.behavioral?.['impressions' as never], 7)
    assert.deepEqual(expectStatus(await admin.get(`/segments/${id}/members`), 200).data.userIds, ['U'])
    for (let i = 0; i < steps.length; i++) {
      await advance(APART)
      await check(operator)
    }
    assert.deepEqual(
      (await runsOf({ admin }, journey)).map(({ userId, status }) => [userId, status]),
      [['U', 'completed']],
    )
    const messages = await ctx.db.selectFrom('in_app_messages').select('id').where('workspace_id', '=', ws.id).execute()
    assert.equal(messages.length, 6)
    assert.equal(await personRow(ctx, ws.id, 'Gone'), undefined)
    const [erasure] = expectStatus(await admin.get('/erasures'), 200).data.erasures
    assert.equal(erasure.status, 'complete')
    for (const table of ['segments', 'erasures', 'roll_ups', 'journey_checks'] as const)
      assert.deepEqual(await ctx.db.selectFrom(table).select('id').where('lease', 'is not', null).execute(), [], table)
  } finally {
    await stop()
  }
})
