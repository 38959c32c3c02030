/** Whoever leads people past a step that tells an endpoint dies, or does it again: each run and step is one delivery. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus } from '../builders/builders.ts'
import { check, enroll, startJourney, wait } from '../builders/journeys.ts'
import { identify } from '../builders/people.ts'
import { openReceiver } from '../builders/receivers.ts'
import { dieAt } from '../harness/die-at.ts'
import { freshDatabase, startOn } from '../harness/start-app.ts'

/** Longer than a lease, and than the wait between the steps. */
const APART = 120

const database = await freshDatabase()
const receiver = await openReceiver()
const env = { ...database.env, CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
after(async () => {
  await receiver.close()
  await database.remove()
})

test('whoever moves people past a webhook is killed, and the step is taken twice: the endpoint is told of one delivery for each', async () => {
  const before = await startOn(env)
  const ws = await before.workspace()
  const people = ['U', 'V', 'W']
  for (const id of people) await identify(ws.app, id, id)
  const { id: endpoint } = expectStatus(await ws.admin.post('/webhooks', { url: receiver.url, events: ['campaign.approved'] }), 201).data
  const tell = (id: string) => ({ id, type: 'webhook', endpoint, data: { step: id } })
  const id = await startJourney(ws, { steps: [tell('first'), wait(1), tell('second')] })
  await enroll(ws, id, people)
  await before.stop()

  let seconds = APART
  for (const [job, point] of [
    ['journeys', 'journeys: moved'],
    ['journeys', 'journeys: moved'],
    ['webhooks', 'webhooks: sent'],
  ] as const) {
    await dieAt(env, job, point, seconds)
    seconds += APART
  }
  const { ctx, operator, advance, stop } = await startOn(env)
  try {
    await advance(seconds)
    const run = async () => {
      await check(operator)
      for (let pass = 0; pass < 3; pass++) expectStatus(await operator.post('/test-hooks/jobs', { job: 'webhooks' }), 200)
    }
    const told = async () => {
      const rows = await ctx.db.selectFrom('webhook_deliveries').select(['id', 'body']).where('workspace_id', '=', ws.id).execute()
      return rows.map(({ id: delivery, body }) => {
        const { data } = JSON.parse(body)
        return `${delivery} ${data.userId} ${data.step}`
      })
    }
    await run()
    const first = (await told()).toSorted()
    assert.equal(first.length, people.length * 2)
    assert.equal(new Set(first.map((line) => line.split(' ').slice(1).join(' '))).size, people.length * 2)
    // As if nobody had noted that they were led on.
    await sql`
      update journey_runs set status = 'active', step = 'first', reason = null, is_waiting = false, due_at = ${ctx.clock.now()}
      where workspace_id = ${ws.id} and journey_id = ${id}`.execute(ctx.db)
    await run()
    await advance(APART)
    await run()
    assert.deepEqual((await told()).toSorted(), first)
    const idsOf = new Map<string, Set<string>>()
    for (const { event } of receiver.received) {
      const key = `${event.data.userId} ${event.data.step}`
      idsOf.set(key, (idsOf.get(key) ?? new Set()).add(event.id))
    }
    assert.equal(idsOf.size, people.length * 2)
    assert.ok(
      [...idsOf.values()].every((ids) => ids.size === 1),
      'each has one id, however often it arrived',
    )
  } finally {
    await stop()
  }
})
