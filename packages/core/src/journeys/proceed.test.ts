/** Runs that listen to events: what comes of them, and that it does not depend on when somebody looks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NOBODY } from '../targeting/subject.ts'
import { MINUTE_MS } from '../units.ts'
import { compileJourney } from './advance.ts'
import { judgeEntry } from './entry.ts'
import { compileHearing, type Heard, type TypedEvent } from './hearing.ts'
import type { Entry, Journey, Step } from './journey.ts'
import { proceed, type ListeningRun } from './proceed.ts'

const START = Date.UTC(2026, 0, 1)
const minutes = (count: number) => START + count * MINUTE_MS
const person = { id: 'P', subject: NOBODY }
const compile = (steps: readonly Step[]) =>
  compileJourney(steps, { journeyId: 'J', compileRegex: () => () => false, hash32: () => 0, prayersAround: () => [] })

const say = (id: string): Step => ({ id, type: 'in_app', content: { en: { title: id } } })
const eventAt = (type: string, minute: number, key: string | undefined, number: number): TypedEvent => ({
  type,
  at: minutes(minute),
  batch: number,
  place: 0,
  properties: key === undefined ? {} : { cart: key },
  value: null,
  currency: null,
  blockKey: null,
  instanceId: null,
  campaignId: null,
  screen: null,
  fenceId: null,
  platform: null,
  sessionId: null,
})
const CART: Journey = {
  name: 'Cart',
  trigger: { type: 'custom_event', event: 'cart', key: 'cart' },
  entry: { policy: 'every_event', maxActive: 20 },
  steps: [
    { id: 'wait', type: 'wait', minutes: 10 },
    say('reminder'),
    { id: 'order', type: 'wait_for', event: 'order', sameKey: true, timeoutMinutes: 60, then: [say('thanks')], else: [say('offer')] },
    { id: 'again', type: 'wait_for', event: 'order', timeoutMinutes: 30, then: [{ id: 'out', type: 'exit' }], else: [] },
  ],
  exitOn: [{ event: 'cleared', sameKey: true }],
  goal: { event: 'order', sameKey: true, days: 1 },
}

type Reported = { type: string; minute: number; key: string | undefined }

/** What was sent, and how each run ended, when somebody looks at these minutes; an event is known as soon as it arrived. */
function play(journey: Journey, reported: readonly Reported[], looks: readonly number[]) {
  const program = compile(journey.steps)
  const { hear } = compileHearing(journey, () => () => false)
  const events = reported
    .map(({ type, minute, key }, index) => hear(eventAt(type, minute, key, index + 1)))
    .filter((heard): heard is Heard => heard !== undefined)
  const runs = new Map<number, ListeningRun>()
  const sent: string[] = []
  const refused = new Map<string, number>()
  let before = -1
  for (const look of [...looks, 10_000].toSorted((a, b) => a - b)) {
    const fresh = events.filter(({ position: [at] }) => at > minutes(before) && at <= minutes(look))
    const clock = { now: minutes(look), upTo: minutes(look), activeSince: minutes(-1) }
    const proceeded = proceed(journey, program, person, { runs: [...runs.values()], events: fresh }, clock)
    for (const { run, effects } of proceeded.runs) {
      runs.set(run.occasion, run)
      sent.push(...effects.map(({ stepId, lastEvent }) => `${run.key} ${stepId} ${lastEvent?.type}`))
    }
    for (const [reason, count] of proceeded.refused) refused.set(reason, (refused.get(reason) ?? 0) + count)
    before = look
  }
  const ended = [...runs.values()]
    .toSorted((a, b) => a.occasion - b.occasion)
    .map(({ key, status, reason, enteredAt, convertedAt }) => [key, status, reason, enteredAt, convertedAt])
  return { ended, sent: sent.toSorted(), refused: Object.fromEntries(refused) }
}
const story = (reported: readonly Reported[], looks: readonly number[] = []) => {
  const { ended, sent } = play(CART, reported, looks)
  return { ended: ended.map(([key, status, reason]) => `${key} ${status} ${reason}`), sent }
}

test('a run waits for the order of its own cart; what came before it stood there does not count', () => {
  const cases: [what: string, reported: Reported[], ended: string[], sent: string[]][] = [
    [
      'in time',
      [
        { type: 'cart', minute: 0, key: 'A' },
        { type: 'order', minute: 20, key: 'A' },
      ],
      ['A completed end'],
      ['A reminder cart', 'A thanks order'],
    ],
    [
      'at the deadline',
      [
        { type: 'cart', minute: 0, key: 'A' },
        { type: 'order', minute: 70, key: 'A' },
      ],
      ['A completed end'],
      ['A reminder cart', 'A thanks order'],
    ],
    [
      'a minute late: the second wait has it',
      [
        { type: 'cart', minute: 0, key: 'A' },
        { type: 'order', minute: 71, key: 'A' },
      ],
      ['A exited exit'],
      ['A offer cart', 'A reminder cart'],
    ],
    [
      'during the wait before',
      [
        { type: 'cart', minute: 0, key: 'A' },
        { type: 'order', minute: 5, key: 'A' },
      ],
      ['A completed end'],
      ['A offer cart', 'A reminder cart'],
    ],
    [
      'of another cart, and twice',
      [
        { type: 'cart', minute: 0, key: 'A' },
        { type: 'order', minute: 20, key: 'B' },
        { type: 'order', minute: 21, key: 'A' },
        { type: 'order', minute: 22, key: 'B' },
      ],
      ['A exited exit'],
      ['A reminder cart', 'A thanks order'],
    ],
    [
      'cleared while it waits, also for another cart',
      [
        { type: 'cart', minute: 0, key: 'A' },
        { type: 'cart', minute: 1, key: 'B' },
        { type: 'cleared', minute: 5, key: 'A' },
      ],
      ['A exited exit_event', 'B completed end'],
      ['B offer cart', 'B reminder cart'],
    ],
    ['without a key', [{ type: 'cart', minute: 0, key: undefined }], [], []],
  ]
  for (const [what, reported, ended, sent] of cases) assert.deepEqual(story(reported), { ended, sent }, what)
})

test('what comes of it does not depend on when checks come', () => {
  const reported = fc.array(
    fc.record({
      type: fc.constantFrom('cart', 'cart', 'order', 'cleared', 'other'),
      minute: fc.nat({ max: 200 }),
      key: fc.constantFrom('A', 'B', 'C', undefined),
    }),
    { maxLength: 14 },
  )
  const entry = fc.constantFrom<Entry>(
    { policy: 'once' },
    { policy: 'after_exit', minGapMinutes: 30 },
    { policy: 'every_event', onRepeat: 'restart' },
    { policy: 'every_event', maxActive: 2 },
    { policy: 'every_event', maxEntries: { count: 2, days: 1 }, minGapMinutes: 5 },
  )
  const looks = fc.array(fc.nat({ max: 400 }), { maxLength: 12 })
  fc.assert(
    fc.property(reported, entry, looks, looks, (events, chosen, one, other) => {
      const ordered = events.toSorted((a, b) => a.minute - b.minute)
      const journey = { ...CART, entry: chosen }
      assert.deepEqual(play(journey, ordered, one), play(journey, ordered, other))
    }),
    { seed: 57, numRuns: 2_000 },
  )
})

test('a pause is no wait, and what happened during it ends a run but begins none', () => {
  const program = compile(CART.steps)
  const { hear } = compileHearing(CART, () => () => false)
  const [begun] = proceed(
    CART,
    program,
    person,
    { runs: [], events: [hear(eventAt('cart', 0, 'A', 1))!] },
    {
      now: minutes(1),
      upTo: minutes(1),
      activeSince: minutes(-1),
    },
  ).runs
  assert.ok(begun)
  const resumed = { now: minutes(1_001), upTo: minutes(1_001), activeSince: minutes(1_000) }
  const quiet = proceed(CART, program, person, { runs: [begun.run], events: [] }, resumed)
  assert.deepEqual([quiet.runs[0]?.run.step, quiet.runs[0]?.run.dueAt], ['order', minutes(1_060)])
  const meanwhile = [hear(eventAt('cleared', 500, 'A', 2))!, hear(eventAt('cart', 501, 'B', 3))!]
  const { runs } = proceed(CART, program, person, { runs: [begun.run], events: meanwhile }, resumed)
  assert.deepEqual(
    runs.map(({ run: { key, reason }, effects }) => [key, reason, effects.length]),
    [['A', 'exit_event', 0]],
  )
})

test('who is taken in, by what they were in before', () => {
  const run = (key: string, minute: number, status: 'active' | 'completed' = 'active') =>
    ({ key, status, reason: null, enteredAt: minutes(minute) }) as const
  const taken = { takes: true, restarts: undefined }
  const no = (reason: string) => ({ takes: false, reason })
  const cases: [Entry | null, ReturnType<typeof run>[], string | null, object][] = [
    [null, [], 'A', taken],
    [null, [run('A', 0, 'completed')], 'A', no('entered_before')],
    [{ policy: 'after_exit' }, [run('A', 0)], 'B', no('in_it')],
    [{ policy: 'after_exit' }, [run('A', 0, 'completed')], 'A', taken],
    [{ policy: 'every_event' }, [run('A', 0)], 'A', no('same_key')],
    [{ policy: 'every_event' }, ['A', 'B', 'C', 'D', 'E'].map((key) => run(key, 0)), 'F', no('max_active')],
    [{ policy: 'every_event', minGapMinutes: 101 }, [run('A', 0)], 'B', no('min_gap')],
    [{ policy: 'every_event', minGapMinutes: 100 }, [run('A', 0)], 'B', taken],
    [{ policy: 'every_event', maxEntries: { count: 1, days: 1 } }, [run('A', 0, 'completed')], 'B', no('max_entries')],
    [{ policy: 'every_event' }, [], null, no('no_key')],
  ]
  for (const [entry, runs, key, expected] of cases) assert.deepEqual(judgeEntry(entry, runs, key, minutes(100)), expected)
})
