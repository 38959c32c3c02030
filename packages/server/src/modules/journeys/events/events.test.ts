/** Journeys that listen to events: whom they take in, what they wait for, what ends them, and what their messages say of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { rollUp, track } from '../../../../test/builders/events.ts'
import * as journeys from '../../../../test/builders/journeys.ts'
import { enroll, IN_APP, makeJourney, runsOf, setStatus, startJourney, wait } from '../../../../test/builders/journeys.ts'
import { identify } from '../../../../test/builders/people.ts'
import { addPeople, openEmail } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, advance, operator } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const CART = { type: 'custom_event', event: 'cart_updated', key: 'cartId' }
const EACH = { policy: 'every_event' }
const say = (title: string) => ({ type: 'in_app', content: { en: { title } } })
const waitFor = (event: string, more: object = {}) => ({
  type: 'wait_for',
  id: 'w',
  event,
  timeoutMinutes: 60,
  then: [],
  else: [],
  ...more,
})
const cart = (cartId: string, more: object = {}) => ({ type: 'cart_updated', properties: { cartId, ...more } })
const bought = (cartId: string) => ({ type: 'order_completed', properties: { cartId } })

/** Users U and V, each on a device of the same name. */
async function shop() {
  const ws = await workspace()
  for (const id of ['U', 'V']) {
    await identify(ws.app, id, id)
    expectStatus(await ws.app.post('/consent', { deviceId: id, channels: { inApp: true } }), 200)
  }
  return ws
}
/** Counts what arrived, which tells journeys of it, and lets them look. */
async function heard() {
  await rollUp(operator)
  await journeys.check(operator)
}
const told = async (ws: Workspace, id: string) =>
  (await runsOf(ws, id)).map(({ userId, key, status, reason, step, waiting }) => [
    userId,
    key ?? null,
    status,
    reason ?? (waiting ? step : null),
  ])
const report = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`/journeys/${id}/report`), 200).data
const shown = async (ws: Workspace, deviceId: string) =>
  (await ws.blocks(deviceId)).filter(({ key }) => key === 'journey_message').map(({ values }) => values['#title'])

test('any event takes people in, once, when it is as the trigger says', async () => {
  const ws = await shop()
  const where = { logicalOperator: 'AND', conditions: [{ field: 'properties.total', operator: 'greater_than', value: 100 }] }
  const id = await startJourney(ws, { trigger: { type: 'custom_event', event: 'cart_updated', where }, steps: [wait(60)] })
  await track(ws.app, 'U', [cart('1', { total: 99 }), { type: 'other', properties: { total: 200 } }])
  await track(ws.app, 'V', [cart('1', { total: 101 }), cart('1', { total: 102 })])
  await heard()
  assert.deepEqual(await told(ws, id), [['V', null, 'active', (await runsOf(ws, id))[0].step]])
  const [run] = await runsOf(ws, id)
  assert.deepEqual([run.trigger, run.lastEvent.type], [{ type: 'custom_event', event: 'cart_updated' }, 'cart_updated'])
  assert.deepEqual((await report(ws, id)).refused, { entered_before: 1 })
  await advance(3_600)
  await heard()
  assert.equal((await runsOf(ws, id))[0].status, 'completed')
  await track(ws.app, 'V', [cart('2', { total: 500 })])
  await heard()
  assert.equal((await runsOf(ws, id)).length, 1)
})

test('a run for each cart waits for the order of the same cart, and says so; the others time out', async () => {
  const ws = await shop()
  const steps = [
    waitFor('order_completed', {
      sameKey: true,
      then: [say('Thanks for {{lastEvent.cartId}}')],
      else: [say('{{event.cartId}}: {{event.total}}')],
    }),
  ]
  const id = await startJourney(ws, { trigger: CART, entry: EACH, steps })
  // One request that begins and buys; another cart; one without a key.
  await track(ws.app, 'U', [cart('A', { total: 5 }), bought('A'), cart('B', { total: 7 }), { type: 'cart_updated' }])
  await heard()
  assert.deepEqual(await told(ws, id), [
    ['U', 'A', 'completed', 'end'],
    ['U', 'B', 'active', 'w'],
  ])
  assert.deepEqual((await report(ws, id)).refused, { no_key: 1 })
  await track(ws.app, 'U', [bought('C'), { type: 'order_completed' }])
  await advance(3_540)
  await heard()
  assert.deepEqual((await told(ws, id))[1], ['U', 'B', 'active', 'w'])
  await advance(60)
  await heard()
  assert.deepEqual((await told(ws, id))[1], ['U', 'B', 'completed', 'end'])
  assert.deepEqual(await shown(ws, 'U'), ['Thanks for A', 'B: 7'])
  const sums = await report(ws, id)
  assert.deepEqual([sums.entered, sums.completed, sums.steps[0].entered], [2, 2, 2])
})

test('the event wins when it arrived by the deadline, whenever a check comes', async () => {
  const ws = await shop()
  const id = await startJourney(ws, { trigger: CART, entry: EACH, steps: [waitFor('order_completed', { then: [{ type: 'exit' }] })] })
  await track(ws.app, 'U', [cart('A')])
  await track(ws.app, 'V', [cart('A')])
  await rollUp(operator)
  await advance(3_500)
  await track(ws.app, 'U', [bought('A')])
  await advance(101)
  await track(ws.app, 'V', [bought('A')])
  await advance(7_200)
  await heard()
  assert.deepEqual(await told(ws, id), [
    ['U', 'A', 'exited', 'exit'],
    ['V', 'A', 'completed', 'end'],
  ])
})

test('exits end a run wherever it stands, of the same cart only when asked', async () => {
  const ws = await shop()
  const id = await startJourney(ws, {
    trigger: CART,
    entry: EACH,
    steps: [wait(60), IN_APP],
    exitOn: [{ event: 'order_completed', sameKey: true }],
  })
  await track(ws.app, 'U', [cart('A'), cart('B')])
  await heard()
  await track(ws.app, 'U', [bought('A')])
  await heard()
  assert.deepEqual(
    (await runsOf(ws, id)).map(({ key, status, reason }) => [key, status, reason]),
    [
      ['A', 'exited', 'exit_event'],
      ['B', 'active', null],
    ],
  )
  const { because, run } = expectStatus(await ws.admin.get(`/journeys/${id}/explain?userId=U`), 200).data
  assert.deepEqual([because, run.key], ['waits', 'B'], 'the newest run is explained')
})

test('policies: after they left, a gap, how many at a time and in some days, and beginning anew', async () => {
  const ws = await shop()
  const make = (entry: object, steps: object[] = [wait(60)]) => startJourney(ws, { trigger: CART, entry, steps })
  const afterExit = await make({ policy: 'after_exit' })
  const gap = await make({ ...EACH, minGapMinutes: 120 })
  const two = await make({ ...EACH, maxActive: 2 })
  const few = await make({ ...EACH, maxEntries: { count: 1, days: 1 } })
  const anew = await make({ ...EACH, onRepeat: 'restart' })
  await track(ws.app, 'U', [cart('A'), cart('B'), cart('C'), cart('A')])
  await heard()
  const refused = async (id: string) => (await report(ws, id)).refused
  assert.deepEqual([await refused(afterExit), (await runsOf(ws, afterExit)).length], [{ in_it: 3 }, 1])
  assert.deepEqual([await refused(gap), (await runsOf(ws, gap)).length], [{ min_gap: 2, same_key: 1 }, 1])
  assert.deepEqual([await refused(two), (await runsOf(ws, two)).length], [{ max_active: 1, same_key: 1 }, 2])
  assert.deepEqual([await refused(few), (await runsOf(ws, few)).length], [{ max_entries: 2, same_key: 1 }, 1])
  assert.deepEqual(
    (await runsOf(ws, anew)).map(({ key, reason }) => [key, reason]),
    [
      ['A', 'restarted'],
      ['B', null],
      ['C', null],
      ['A', null],
    ],
  )
  await advance(3_600)
  await heard()
  await track(ws.app, 'U', [cart('A')])
  await heard()
  assert.deepEqual([(await runsOf(ws, afterExit)).length, (await runsOf(ws, gap)).length], [2, 1])
})

test('a goal is an event of the same cart', async () => {
  const ws = await shop()
  const goal = { event: 'order_completed', sameKey: true, days: 1 }
  const id = await startJourney(ws, { trigger: CART, entry: EACH, steps: [{ type: 'exit' }], goal })
  await track(ws.app, 'U', [cart('A'), bought('A'), cart('B')])
  await heard()
  await track(ws.app, 'U', [bought('A'), bought('C')])
  await heard()
  assert.deepEqual((await report(ws, id)).goal, { ...goal, converted: 1 })
  await track(ws.app, 'U', [bought('B')])
  await heard()
  assert.equal((await report(ws, id)).goal.converted, 2)
})

test('whoever enters by hand waits for events from that moment, and a pause is no wait', async () => {
  const ws = await shop()
  const id = await startJourney(ws, { steps: [waitFor('order_completed', { then: [{ type: 'exit' }] }), wait(60)] })
  await track(ws.app, 'U', [bought('A')])
  await rollUp(operator)
  await advance(1)
  await enroll(ws, id, ['U', 'V'])
  await track(ws.app, 'V', [bought('A')])
  // Counted before anybody led them on.
  await heard()
  assert.deepEqual(await told(ws, id), [
    ['U', null, 'active', 'w'],
    ['V', null, 'exited', 'exit'],
  ])
  expectStatus(await setStatus(ws.admin, id, 'paused'), 200)
  await track(ws.app, 'U', [bought('A')])
  await rollUp(operator)
  await advance(36_000)
  await heard()
  assert.equal((await told(ws, id))[0]?.[3], 'w')
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  await heard()
  assert.deepEqual((await told(ws, id))[0], ['U', null, 'exited', 'exit'])
})

test('two people who become one have the runs of both; of two that are in it with one cart the older one stays', async () => {
  const ws = await shop()
  const id = await startJourney(ws, {
    trigger: CART,
    entry: EACH,
    steps: [waitFor('order_completed', { sameKey: true }), say('{{event.from}}')],
  })
  await track(ws.app, 'U', [cart('A', { from: 'user' }), cart('B', { from: 'user' })])
  await heard()
  await advance(60)
  await identify(ws.app, 'new phone')
  expectStatus(await ws.app.post('/consent', { deviceId: 'new phone', channels: { inApp: true } }), 200)
  await track(ws.app, 'new phone', [cart('B', { from: 'nobody' }), cart('C', { from: 'nobody' })])
  await heard()
  // What arrived and is not counted yet is of whoever they are by then.
  await track(ws.app, 'new phone', [bought('C')])
  await identify(ws.app, 'new phone', 'U')
  await heard()
  assert.deepEqual((await runsOf(ws, id)).map(({ userId, key, status }) => `${userId} ${key} ${status}`).toSorted(), [
    'U A active',
    'U B active',
    'U C completed',
  ])
  await advance(3_600)
  await heard()
  assert.deepEqual((await shown(ws, 'U')).toSorted(), ['nobody', 'user', 'user'])
})

test('a mail says what the event said, of each cart by itself; one that lacks it is not sent, and the reason is kept', async () => {
  const ws = await shop()
  const mail = await openEmail()
  await mail.connect(ws.admin)
  await addPeople(ws, ['U'])
  const content = { en: { title: 'Cart {{event.cartId}}', body: '{{event.total}} {{event.currency}}' } }
  const id = await startJourney(ws, { trigger: CART, entry: EACH, steps: [{ type: 'send', channel: 'email', content }] })
  await track(ws.app, 'U', [cart('A', { total: 5, currency: 'SAR' }), cart('B', { total: 7, currency: 'USD' }), cart('C', { total: 9 })])
  await heard()
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  const got = mail.mails().map((one) => [one.subject, /\d (SAR|USD)/.exec(JSON.stringify(one))?.[0]].join(': '))
  assert.deepEqual(got.toSorted(), ['Cart A: 5 SAR', 'Cart B: 7 USD'])
  const { sends } = expectStatus(await ws.admin.get('/sends?userId=U'), 200).data
  assert.deepEqual(sends.map(({ state, reason }: { state: string; reason?: string }) => reason ?? state).toSorted(), [
    'sent',
    'sent',
    'unresolvedToken',
  ])
  assert.equal((await runsOf(ws, id)).length, 3)
})

test('what does not go together, or is nothing, is refused with its place', async () => {
  const ws = await shop()
  const no = async (body: object, said: RegExp) => {
    const answer = expectStatus(await ws.admin.post('/journeys', { name: 'N', trigger: CART, steps: [], ...body }), 400)
    assert.match(answer.text, said)
  }
  await no({ trigger: { type: 'custom_event' } }, /trigger\.event must be a text/)
  await no({ trigger: { type: 'event', eventType: 'FOO' } }, /trigger\.eventType/)
  await no(
    { trigger: { ...CART, where: { logicalOperator: 'AND', conditions: [{ field: 'foo', operator: 'equals', value: 1 }] } } },
    /trigger\.where\.conditions\[0\]/,
  )
  await no({ trigger: { ...CART, key: 7 } }, /trigger\.key must name a property/)
  await no({ trigger: { type: 'manual' }, entry: EACH }, /entry\.policy/)
  await no({ trigger: { type: 'manual' }, steps: [waitFor('x', { sameKey: true })] }, /steps\[0\]\.sameKey/)
  await no({ trigger: { type: 'manual' }, exitOn: [{ event: 'x', sameKey: true }] }, /exitOn\[0\]\.sameKey/)
  await no({ trigger: { type: 'manual' }, goal: { event: 'x', sameKey: true } }, /goal\.sameKey/)
  await no({ steps: [waitFor('x', { timeoutMinutes: 0 })] }, /steps\[0\]\.timeoutMinutes/)
  await no({ exitOn: Array.from({ length: 6 }, () => ({ event: 'x' })) }, /exitOn must be an array of at most 5/)
  await no({ entry: { policy: 'often' } }, /entry\.policy must be one of/)
  await no({ entry: { ...EACH, maxEntries: { count: 0, days: 1 } } }, /entry\.maxEntries\.count/)
  const { id, entry, exitOn } = await makeJourney(ws.admin, { trigger: CART, entry: EACH, exitOn: [{ event: 'x' }] })
  assert.deepEqual([entry, exitOn], [EACH, [{ event: 'x' }]])
  const after = expectStatus(await ws.admin.put(`/journeys/${id}`, { entry: null, exitOn: [] }), 200).data
  assert.deepEqual([after.entry, after.exitOn], [undefined, undefined])
})

test('names of the language itself are names, and a key that is too long takes nobody in', async () => {
  const ws = await shop()
  const id = await startJourney(ws, {
    trigger: { type: 'custom_event', event: '__proto__', key: 'constructor' },
    entry: EACH,
    steps: [say('{{event.__proto__}}')],
  })
  await ws.app.post(
    '/events',
    JSON.parse('{"deviceId":"U","events":[{"type":"__proto__","properties":{"constructor":"K","__proto__":"P"}}]}'),
  )
  await track(ws.app, 'V', [{ type: '__proto__', properties: { constructor: 'x'.repeat(201) } }])
  await heard()
  assert.deepEqual(
    (await runsOf(ws, id)).map(({ key }) => key),
    ['K'],
  )
  assert.deepEqual((await report(ws, id)).refused, { no_key: 1 })
})
