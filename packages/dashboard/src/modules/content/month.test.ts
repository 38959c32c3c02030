import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Summary } from './api.ts'
import { boundsOf, dayOf, daysFrom, entriesOf, readMonth, shiftMonth, weeksOf } from './month.ts'

test('a month is whole weeks that hold all its days', () => {
  const weeks = weeksOf('2026-11', 1)
  assert.deepEqual(weeks[0], ['2026-10-26', '2026-10-27', '2026-10-28', '2026-10-29', '2026-10-30', '2026-10-31', '2026-11-01'])
  assert.equal(weeks.at(-1)?.[0], '2026-11-30')
  assert.equal(weeks.length, 6)
  assert.ok(weeks.every((week) => week.length === 7))
})

test('the first day of the week is what the language says', () => {
  assert.deepEqual(weeksOf('2026-11', 0)[0]?.slice(0, 2), ['2026-11-01', '2026-11-02'])
  // February 2026 begins on a Sunday and has four weeks.
  assert.equal(weeksOf('2026-02', 0).length, 4)
  assert.equal(weeksOf('2026-12', 1)[0]?.[0], '2026-11-30')
})

test('months follow each other over the end of a year', () => {
  assert.equal(shiftMonth('2026-12', 1), '2027-01')
  assert.equal(shiftMonth('2026-01', -1), '2025-12')
})

test('an address without a proper month means the present one', () => {
  const now = new Date(2026, 10, 21)
  assert.equal(readMonth('2027-02', now), '2027-02')
  for (const text of ['', '2027-13', '2027-2', 'soon']) assert.equal(readMonth(text, now), '2026-11')
})

test('what is read for a month begins and ends with the weeks that are shown, in the zone of the browser', () => {
  const { from, to } = boundsOf(weeksOf('2026-11', 1))
  assert.deepEqual([new Date(from), new Date(to)], [new Date(2026, 9, 26), new Date(2026, 11, 7)])
})

test('days count on over the end of a month', () => {
  assert.deepEqual(daysFrom(new Date(2026, 10, 29, 23, 59), 3), ['2026-11-29', '2026-11-30', '2026-12-01'])
})

test('a schedule is a start and an end, each at its own time, in order', () => {
  const instance = (id: string, schedule: Summary['schedule']) => ({ id, schedule }) as Summary
  const entries = entriesOf([
    instance('a', { startTime: '2026-11-03T10:00:00.000Z', endTime: '2026-11-09T10:00:00.000Z' }),
    instance('b', null),
    instance('c', { endTime: '2026-11-05T10:00:00.000Z' }),
  ])
  assert.deepEqual(
    entries.map(({ change, instance: { id }, at }) => [change, id, dayOf(at)]),
    [
      ['starts', 'a', dayOf(new Date('2026-11-03T10:00:00Z'))],
      ['ends', 'c', dayOf(new Date('2026-11-05T10:00:00Z'))],
      ['ends', 'a', dayOf(new Date('2026-11-09T10:00:00Z'))],
    ],
  )
})
