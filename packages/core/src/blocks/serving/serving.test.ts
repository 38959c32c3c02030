import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Schedule } from '../instance.ts'
import { isOnAir, scheduleBounds } from './select-blocks.ts'
import { servingPeriods, servingWarnings, withStep, type Period, type ServingStep } from './serving.ts'

const at = (day: number) => Date.parse('2026-03-01T00:00:00Z') + day * 86_400_000
const on = (day: number) => new Date(at(day)).toISOString()
const schedule = (start?: number, end?: number): Schedule | null =>
  start === undefined && end === undefined
    ? null
    : { ...(start !== undefined && { startTime: on(start) }), ...(end !== undefined && { endTime: on(end) }) }
const step = (day: number, id: string | null, start?: number, end?: number): ServingStep<string> => ({
  at: at(day),
  published: id === null ? null : { id, schedule: schedule(start, end) },
})
const told = (periods: Period<string>[]) =>
  periods.map(({ from, until, shown }) => [(from - at(0)) / 86_400_000, until === Infinity ? null : (until - at(0)) / 86_400_000, shown])

test('what is shown when', () => {
  for (const [steps, expected] of [
    [[], []],
    [[step(0, null)], [[1, null, null]]],
    [[step(0, 'a')], [[1, null, 'a']]],
    [
      [step(3, 'a')],
      [
        [1, 3, null],
        [3, null, 'a'],
      ],
    ],
    [
      [step(0, 'a', 2, 4)],
      [
        [1, 2, null],
        [2, 4, 'a'],
        [4, null, null],
      ],
    ],
    [[step(0, 'a', undefined, 1)], [[1, null, null]]],
    [
      [step(0, 'a'), step(3, 'b')],
      [
        [1, 3, 'a'],
        [3, null, 'b'],
      ],
    ],
    [
      [step(0, 'a'), step(3, 'b', undefined, 2)],
      [
        [1, 3, 'a'],
        [3, null, null],
      ],
    ],
    [
      [step(0, 'a'), step(3, 'b', 5)],
      [
        [1, 3, 'a'],
        [3, 5, null],
        [5, null, 'b'],
      ],
    ],
    [
      [step(0, 'a', undefined, 2), step(3, 'b')],
      [
        [1, 2, 'a'],
        [2, 3, null],
        [3, null, 'b'],
      ],
    ],
    [
      [step(0, 'a'), step(3, 'b', 6), step(5, 'c')],
      [
        [1, 3, 'a'],
        [3, 5, null],
        [5, null, 'c'],
      ],
    ],
    [
      [step(0, 'a'), step(3, 'b'), step(3, 'c')],
      [
        [1, 3, 'a'],
        [3, null, 'c'],
      ],
    ],
    [
      [step(0, 'a'), step(3, 'a', undefined, 6)],
      [
        [1, 6, 'a'],
        [6, null, null],
      ],
    ],
    [
      [step(0, 'a'), step(3, null)],
      [
        [1, 3, 'a'],
        [3, null, null],
      ],
    ],
  ] as const)
    assert.deepEqual(told(servingPeriods(steps, at(1))), expected)
})

test('at each moment that is shown which delivery would send', () => {
  const day = fc.integer({ min: 0, max: 12 })
  const some = fc.record({
    at: day,
    start: fc.option(day, { nil: undefined }),
    length: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
    isThere: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(some, { maxLength: 5 }), day, (list, now) => {
      const steps = list
        .map((each, index) =>
          step(each.at, each.isThere ? String(index) : null, each.start, each.length && (each.start ?? 0) + each.length),
        )
        .toSorted((a, b) => a.at - b.at)
      const periods = servingPeriods(steps, at(now))
      if (steps.length > 0) assert.deepEqual([periods[0]?.from, periods.at(-1)?.until], [at(now), Infinity])
      for (let moment = at(now); moment < at(20); moment += 43_200_000) {
        const { published } = steps.findLast((each) => each.at <= moment) ?? {}
        const bounds = published && scheduleBounds(published.schedule)
        const expected = bounds && isOnAir(bounds.startsAt, bounds.endsAt, moment) ? published.id : null
        assert.equal(periods.find(({ from, until }) => from <= moment && moment < until)?.shown ?? null, expected)
      }
    }),
    { seed: 20260301, numRuns: 500 },
  )
})

test('what somebody should know who publishes', () => {
  const warn = (
    day: number,
    [start, end]: [start?: number | undefined, end?: number],
    before: ServingStep<string>[],
    weights: number[] = [],
  ) =>
    servingWarnings(
      { at: at(day), published: { id: 'new', schedule: schedule(start, end) } },
      before,
      weights.map((weight, index) => ({ id: `v${index}`, weight })),
      at(1),
    )
  const live = [step(0, 'old')]
  assert.deepEqual(warn(3, [], live), [])
  assert.deepEqual(warn(3, [undefined, 5], live), [])
  assert.deepEqual(warn(3, [5], []), [], 'nobody loses anything')
  assert.deepEqual(warn(3, [], [step(0, 'old', undefined, 2)]), [])
  // At or after its own end.
  for (const end of [2, 3]) assert.deepEqual(warn(3, [undefined, end], []), [{ code: 'never_shown', because: 'ended', endsAt: at(end) }])
  assert.deepEqual(
    warn(0, [undefined, 1], []),
    [{ code: 'never_shown', because: 'ended', endsAt: at(1) }],
    'a moment that has passed is now',
  )
  assert.deepEqual(warn(3, [undefined, 2], live), [
    { code: 'never_shown', because: 'ended', endsAt: at(2) },
    { code: 'nothing_shown', from: at(3), until: Infinity },
  ])
  // Before its start.
  assert.deepEqual(warn(3, [5], live), [{ code: 'nothing_shown', from: at(3), until: at(5) }])
  assert.deepEqual(warn(3, [5], [...live, step(4, 'other')]), [
    { code: 'never_shown', because: 'replaced', at: at(4) },
    { code: 'nothing_shown', from: at(3), until: at(4) },
  ])
  assert.deepEqual(warn(3, [5], [...live, step(6, 'other')]), [{ code: 'nothing_shown', from: at(3), until: at(5) }])
  assert.deepEqual(warn(3, [], [...live, step(3, 'other')]), [], 'what is published last at a moment counts')
  assert.deepEqual(warn(3, [], live, [1, 0, 0]), [{ code: 'variants_never_shown', variants: ['v1', 'v2'] }])
  assert.deepEqual(
    withStep(step(3, 'x'), [step(1, 'a'), step(3, 'b'), step(4, 'c')]).map(({ published }) => published?.id),
    ['a', 'b', 'x', 'c'],
  )
})
