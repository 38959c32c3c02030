/** A journey tried out, and what became of one that runs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../test/builders/builders.ts'
import * as journeys from '../../../test/builders/journeys.ts'
import { enroll, IN_APP, makeJourney, runsOf, startJourney, wait } from '../../../test/builders/journeys.ts'
import { addPeople, openPush } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { hashTables } from '../../../test/harness/tables.ts'

const { workspace, advance, operator, ctx } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const rule = { field: 'consent.push', operator: 'equals', value: true }
const STEPS = [
  { ...IN_APP, id: 'hello' },
  { ...wait(600), id: 'day' },
  {
    id: 'may push',
    type: 'condition',
    rule,
    then: [{ id: 'push', type: 'send', channel: 'push', content: { en: { title: 'Hi', body: 'x' } } }],
    else: [{ id: 'out', type: 'exit' }],
  },
  { id: 'name', type: 'send', channel: 'push', content: { en: { title: 'Hi {{name}}', body: 'x' } } },
  { ...wait(43_200), id: 'month' },
]

test('M-JRN-12 M-JRN-13 a test run says what each step would do, the same each time, and does nothing; the engine does the same', async () => {
  const ws = await workspace()
  await (await openPush()).connect(ws.admin)
  await addPeople(ws, ['A', 'B', 'C'], (id) => (id === 'B' ? { consent: { inApp: true } } : {}))
  const { id } = await makeJourney(ws.admin, { steps: STEPS })
  const before = await hashTables(ctx.db)
  const run = async (body: object) => expectStatus(await ws.admin.post(`/journeys/${id}/test-run`, body), 200)
  const first = await run({ userIds: ['B', 'A', 'C', 'nobody'] })
  assert.equal(first.text, (await run({ userIds: ['C', 'B', 'A', 'nobody'] })).text)
  const { steps, timelines, ...sums } = first.data
  assert.deepEqual(sums, { people: 3, notFound: ['nobody'], active: 2, completed: 0, exited: 1, goalMinute: null })
  const tally = (step: string) => steps.find((one: any) => one.step === step)
  assert.deepEqual([tally('hello').sent, tally('day').came, tally('may push').then, tally('may push').else], [3, 3, 2, 1])
  assert.deepEqual(
    [tally('push').sent, tally('name').sent, tally('name').skipped, tally('month').waiting],
    [2, 0, { unresolvedToken: 2 }, 2],
  )
  assert.deepEqual(timelines.find(({ userId }: any) => userId === 'B').moments, [
    { minute: 0, step: 'hello', did: 'sent' },
    { minute: 0, step: 'day', did: 'began_wait' },
    { minute: 600, step: 'day', did: 'waited' },
    { minute: 600, step: 'may push', did: 'else' },
    { minute: 600, step: 'out', did: 'exited' },
  ])
  assert.equal((await run({ userIds: ['A'], days: 1 })).data.active, 1)
  assert.equal(await hashTables(ctx.db), before)
  const segment = { name: 'S', logicalOperator: 'AND', rules: [rule] }
  expectStatus(await ws.admin.post('/segments', segment), 201)
  assert.deepEqual(
    (await run({ segment: 'S' })).data.timelines.map(({ userId }: any) => userId),
    ['A', 'C'],
  )
  for (const body of [
    {},
    { userIds: [] },
    { userIds: ['A'], segment: 'S' },
    { segment: 'no such' },
    { userIds: ['A'], days: 91 },
    { userIds: ['A'], x: 1 },
  ])
    expectStatus(await ws.admin.post(`/journeys/${id}/test-run`, body), 400)
  expectStatus(await ws.admin.post('/journeys/no-such/test-run', { userIds: ['A'] }), 404)

  const real = await startJourney(ws, { steps: STEPS })
  await enroll(ws, real, ['A', 'B', 'C'])
  const work = async () => {
    await journeys.check(operator)
    expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  }
  await work()
  await advance(36_060)
  await work()
  assert.deepEqual(
    (await runsOf(ws, real)).map(({ userId, status, step }) => [userId, status, step]).toSorted(),
    timelines.map(({ userId, status, step }: any) => [userId, status, step]).toSorted(),
  )
  const report = expectStatus(await ws.admin.get(`/journeys/${real}/report`), 200).data
  assert.deepEqual([report.entered, report.active, report.completed, report.exited], [3, 2, 0, 1])
  const of = (step: string) => report.steps.find((one: any) => one.step === step)
  assert.deepEqual([of('month').waiting, of('out').left, of('hello').inApp], [2, 1, { opened: 3, ended: 0 }])
  assert.deepEqual([of('push').sends.channels.push.sent, of('name').sends.channels.push.skipped], [2, { unresolvedToken: 2 }])
  expectStatus(await ws.admin.get('/journeys/no-such/report'), 404)
  const because = async (journeyId: string, userId: string) => {
    const { data } = expectStatus(await ws.admin.get(`/journeys/${journeyId}/explain?userId=${userId}`), 200)
    return [data.because, data.run?.step]
  }
  assert.deepEqual(await because(real, 'A'), ['waits', 'month'])
  assert.deepEqual(await because(real, 'B'), ['exit', 'out'])
  assert.deepEqual(await because(id, 'A'), ['journey_not_active', undefined])
  await addPeople(ws, ['D'])
  assert.deepEqual(await because(real, 'D'), ['manual_only', undefined])
  expectStatus(await ws.admin.get(`/journeys/${real}/explain?userId=nobody`), 404)
  expectStatus(await ws.admin.get(`/journeys/${real}/explain`), 400)
})

test('G-57 what people would do meanwhile is tried too: conditions see it when its hour is over, and it may be the goal', async () => {
  const ws = await workspace()
  await addPeople(ws, ['A'])
  const bought = { field: 'behavioral.conversions', operator: 'greater_than', value: 0 }
  const goal = { eventType: 'CONVERSION', days: 2 }
  const steps = [
    { ...wait(120), id: 'two hours' },
    { id: 'bought', type: 'condition', rule: bought, then: [{ ...IN_APP, id: 'thanks' }], else: [{ ...IN_APP, id: 'reminder' }] },
  ]
  const { id } = await makeJourney(ws.admin, { steps, goal })
  const run = async (events?: object[]) => ws.admin.post(`/journeys/${id}/test-run`, { userIds: ['A'], ...(events && { events }) })
  const came = async (events?: object[]) => {
    const { data } = expectStatus(await run(events), 200)
    return [data.steps.find(({ came: count, step }: any) => count > 0 && /thanks|reminder/.test(step))?.step, data.goalMinute]
  }
  const inMinutes = (minutes: number) => new Date(ctx.clock.ms() + minutes * 60_000).toISOString()
  const before = await hashTables(ctx.db)
  assert.deepEqual(await came(), ['reminder', null])
  assert.deepEqual(await came([{ type: 'CONVERSION', afterMinutes: 30 }]), ['thanks', 30])
  assert.deepEqual(await came([{ type: 'CTA_CLICK', afterMinutes: 30 }]), ['reminder', null])
  // Too late for the condition, in time for the goal; then too late for both.
  const [step, minute] = await came([{ type: 'CONVERSION', at: inMinutes(2_000) }])
  assert.equal(step, 'reminder')
  // The run begins after the moment was worked out.
  assert.ok(minute > 1_900 && minute <= 2_000, String(minute))
  assert.deepEqual(await came([{ type: 'CONVERSION', afterMinutes: 2_881 }]), ['reminder', null])
  assert.deepEqual(
    await came([
      { type: 'CONVERSION', afterMinutes: 500 },
      { type: 'CONVERSION', afterMinutes: 40 },
    ]),
    ['thanks', 40],
  )
  assert.equal(await hashTables(ctx.db), before)
  for (const [event, says] of [
    [{ type: 'CONVERSION' }, /events\[0\]: say when/],
    [{ type: 'CONVERSION', afterMinutes: 1, at: inMinutes(5) }, /events\[0\]: say when/],
    [{ type: 'CONVERSION', at: 'soon' }, /ISO 8601/],
    [{ type: 'CONVERSION', at: inMinutes(-1) }, /after now/],
    [{ type: 'CONVERSION', afterMinutes: 0 }, /afterMinutes/],
    [{ type: 'purchase', afterMinutes: 1 }, /type/],
    [{ type: 'CONVERSION', afterMinutes: 1, x: 1 }, /additional/],
  ] as const)
    assert.match(expectStatus(await run([event]), 400).body.error, says)
  expectStatus(await run(Array.from({ length: 51 }, () => ({ type: 'CONVERSION', afterMinutes: 1 }))), 400)
})
