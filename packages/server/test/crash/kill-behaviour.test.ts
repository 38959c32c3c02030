/** Whoever folds events into histories, fills in the past or judges people dies at each step: each event counts once, and who belongs in is in. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail } from '../builders/builders.ts'
import { rollUp, track } from '../builders/events.ts'
import { identify } from '../builders/people.ts'
import { dieAt } from '../harness/die-at.ts'
import { freshDatabase, startOn } from '../harness/start-app.ts'

/** By job, the points it passes. */
const POINTS: [job: string, point: string][] = [
  ['segments', 'trackers: filled'],
  ['rollup', 'event-counts: worked'],
  ['rollup', 'behaviour: claimed'],
  ['rollup', 'behaviour: written'],
]
/** Longer than a lease. */
const APART = 120

const database = await freshDatabase()
after(() => database.remove())

test('whoever works on rules on events is killed at every step, and each event is counted once', async () => {
  const before = await startOn(database.env)
  const email = uniqueEmail()
  const ws = await before.workspace({ email })
  await identify(ws.app, 'D', 'U')
  const buy = (times: number) =>
    track(
      ws.app,
      'D',
      Array.from({ length: times }, () => ({ type: 'purchase' })),
    )
  await buy(3)
  await rollUp(before.operator)
  // The past is not filled in when the answer comes.
  before.ctx.faults.watch((point) => {
    if (point === 'trackers: filled') throw new Error('the past is not filled in')
  })
  const rule = { field: 'events.purchase', operator: 'did', value: { within: { days: 1 }, count: { operator: 'equals', value: 5 } } }
  const body = { name: 'Five', logicalOperator: 'AND', rules: [rule] }
  const { id } = expectStatus(await ws.admin.post('/segments', body), 201).data
  await buy(2)
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
    const { trace } = expectStatus(await admin.get(`/segments/${id}/explain?person=U`), 200).data
    assert.equal(trace.rules[0].found.count, 5)
    assert.deepEqual(expectStatus(await admin.get(`/segments/${id}/members`), 200).data.userIds, ['U'])
    for (const table of ['event_trackers', 'person_behaviour'] as const)
      assert.deepEqual(await ctx.db.selectFrom(table).select('id').where('lease', 'is not', null).execute(), [], table)
  } finally {
    await stop()
  }
})
