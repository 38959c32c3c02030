import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { byPriority, isOnAir, scheduleBounds, scheduleEpoch, targetOf } from './select-blocks.ts'

const SEED = { seed: 20260301, numRuns: 500 }

test('no segment, an empty one and "All users" reach everyone; other names are taken byte for byte', () => {
  for (const seg of [null, '', 'All users']) assert.equal(targetOf(seg), undefined)
  for (const seg of ['Gold', 'gold', ' Gold', 'all users', 'All users ', 'constructor']) assert.equal(targetOf(seg), seg)
})

test('the start belongs to a schedule, the end does not, and a missing end is open', () => {
  assert.deepEqual(
    [9, 10, 19, 20].map((now) => isOnAir(10, 20, now)),
    [false, true, true, false],
  )
  const noon = Date.parse('2026-03-01T12:00:00Z')
  assert.deepEqual(scheduleBounds(null), { startsAt: -Infinity, endsAt: Infinity })
  assert.deepEqual(scheduleBounds({ startTime: '2026-03-01T12:00:00.000Z' }), { startsAt: noon, endsAt: Infinity })
  assert.deepEqual(scheduleBounds({ endTime: '2026-03-01T12:00:00.000Z' }), { startsAt: -Infinity, endsAt: noon })
})

test('higher priority comes first, then earlier publication, then the smaller id', () => {
  const ranked = [
    { id: 'd', priority: 1, publishedAt: 1 },
    { id: 'c', priority: 9, publishedAt: 5 },
    { id: 'b', priority: 9, publishedAt: 5 },
    { id: 'a', priority: 9, publishedAt: 7 },
    { id: 'e', priority: -2, publishedAt: 0 },
  ]
  assert.deepEqual(
    ranked.toSorted(byPriority).map(({ id }) => id),
    ['b', 'c', 'a', 'd', 'e'],
  )
})

test('the order of instances does not depend on the order they come in', () => {
  const ranked = fc.uniqueArray(
    fc.record({ id: fc.string(), priority: fc.integer({ min: 0, max: 3 }), publishedAt: fc.integer({ min: 0, max: 3 }) }),
    {
      selector: ({ id }) => id,
      maxLength: 12,
    },
  )
  fc.assert(
    fc.property(ranked, (items) => assert.deepEqual(items.toSorted(byPriority), items.toReversed().toSorted(byPriority))),
    SEED,
  )
})

test('the epoch counts the boundaries that have passed', () => {
  const boundaries = [10, 20, 20, 30]
  assert.deepEqual(
    [0, 9, 10, 19, 20, 29, 30, 99].map((now) => scheduleEpoch(boundaries, now)),
    [0, 0, 1, 1, 3, 3, 4, 4],
  )
  assert.equal(scheduleEpoch([], 5), 0)
  const sorted = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 30 }).map((times) => times.toSorted((a, b) => a - b))
  fc.assert(
    fc.property(sorted, fc.integer({ min: -5, max: 60 }), (times, now) => {
      assert.equal(scheduleEpoch(times, now), times.filter((time) => time <= now).length)
    }),
    SEED,
  )
})

test('while the epoch stays the same, what is on air stays the same', () => {
  const schedule = fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 50 }))
  const time = fc.integer({ min: -5, max: 60 })
  fc.assert(
    fc.property(fc.array(schedule, { maxLength: 8 }), time, time, (schedules, one, other) => {
      const boundaries = schedules.flat().toSorted((a, b) => a - b)
      if (scheduleEpoch(boundaries, one) !== scheduleEpoch(boundaries, other)) return
      for (const [start, end] of schedules) assert.equal(isOnAir(start, end, one), isOnAir(start, end, other))
    }),
    { ...SEED, numRuns: 2000 },
  )
})
