/** People who are entered by hand once more, and what runs keep of events that are erased with a device. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { rollUp, track } from '../../../../test/builders/events.ts'
import * as journeys from '../../../../test/builders/journeys.ts'
import { enroll, runsOf, startJourney, wait } from '../../../../test/builders/journeys.ts'
import { erase, identify, personRow } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { ctx, workspace, advance, operator } = await startApp()

const tellOf = async (ws: Workspace, id: string) => (await runsOf(ws, id)).map(({ userId, status }) => `${userId} ${status}`)

test('G-58 with after_exit people are entered by hand again when they are out of it, as often as its entries allow', async () => {
  const ws = await workspace()
  for (const id of ['U', 'V']) await identify(ws.app, id, id)
  const once = await startJourney(ws, { steps: [wait(1)] })
  const again = await startJourney(ws, { steps: [wait(1)], entry: { policy: 'after_exit' } })
  const rarely = await startJourney(ws, {
    steps: [wait(1)],
    entry: { policy: 'after_exit', minGapMinutes: 60, maxEntries: { count: 2, days: 1 } },
  })
  const all = [once, again, rarely]
  const enter = async () => {
    const answers = []
    for (const id of all) answers.push((await enroll(ws, id, ['U', 'V'])).enrolled)
    return answers
  }
  const leave = async (seconds: number) => {
    await journeys.check(operator)
    await advance(seconds)
    await journeys.check(operator)
  }
  assert.deepEqual(await enter(), [2, 2, 2])
  assert.deepEqual(await enter(), [0, 0, 0], 'they are in it')
  await leave(60)
  assert.deepEqual(await enter(), [0, 2, 0], 'the gap is not over')
  await leave(3_600)
  assert.deepEqual(await enter(), [0, 2, 2])
  await leave(3_600)
  assert.deepEqual(await enter(), [0, 2, 0], 'twice a day at most')
  assert.deepEqual((await tellOf(ws, again)).toSorted(), [
    'U active',
    ...Array.from({ length: 3 }, () => 'U completed'),
    'V active',
    ...Array.from({ length: 3 }, () => 'V completed'),
  ])
  const { alreadyEnrolled } = expectStatus(await ws.admin.post(`/journeys/${again}/enroll`, { userIds: ['U', 'nobody'] }), 200).data
  assert.deepEqual(alreadyEnrolled, ['U'])
})

test('C-ERASE-07 what somebody did on a device that another person is erased with is no longer said of their runs', async () => {
  const ws = await workspace()
  const id = await startJourney(ws, {
    trigger: { type: 'custom_event', event: 'cart_updated', key: 'cartId' },
    entry: { policy: 'every_event' },
    steps: [
      { ...wait(60), id: 'pause' },
      { type: 'in_app', content: { en: { title: '{{event.note}}' } } },
    ],
  })
  const heard = async () => {
    await rollUp(operator)
    await journeys.check(operator)
  }
  await identify(ws.app, 'shared', 'U')
  await track(ws.app, 'shared', [{ type: 'cart_updated', properties: { cartId: 'A', note: 'of the shared device' } }])
  await identify(ws.app, 'own', 'U')
  await heard()
  await advance(1)
  await track(ws.app, 'own', [{ type: 'cart_updated', properties: { cartId: 'B', note: 'of the own device' } }])
  await heard()
  await identify(ws.app, 'shared', 'V')
  expectStatus(await erase(ws.app, 'shared'), 200)
  assert.equal(await personRow(ctx, ws.id, 'V'), undefined)
  const runs = await ctx.db
    .selectFrom('journey_runs')
    .selectAll()
    .where('workspace_id', '=', ws.id)
    .where('journey_id', '=', id)
    .orderBy('occasion')
    .execute()
  const notes = runs.map(({ run_key, event, last_event }) => [
    run_key,
    (event as any).type,
    (event as any).properties.note,
    (last_event as any).properties.note,
  ])
  assert.deepEqual(notes, [
    ['A', 'cart_updated', undefined, undefined],
    ['B', 'cart_updated', 'of the own device', 'of the own device'],
  ])
  await advance(3_600)
  await heard()
  assert.deepEqual(
    (await runsOf(ws, id)).map(({ status }) => status),
    ['completed', 'completed'],
    'the runs go on all the same',
  )
})
