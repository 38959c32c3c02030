import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Summary } from './api.ts'
import { boundsOf, dayOf, daysFrom, entriesOf, readMonth, shiftMonth, weekdayOf, weeksOf } from './month.ts'

test('a month is whole weeks that hold all its days', () => {
  const weeks = weeksOf('2026-11', 1)
  assert.deepEqual(weeks[0], ['2026-10-26', '2026-10-27', '2026-10-28', '2026-10-29', '2026-10-30', '2026-10-31', '2026-11-01'])
  assert.equal(weeks.at(-1)?.[0], '2026-11-30')
  assert.equal(weeks.length, 6)
  assert.ok(weeks.every((week) => week.length === 7))
})

test('G-83 the first day of the week is what the workspace says', () => {
  assert.deepEqual(weeksOf('2026-11', 0)[0]?.slice(0, 2), ['2026-11-01', '2026-11-02'])
  // February 2026 begins on a Sunday and has four weeks.
  assert.equal(weeksOf('2026-02', 0).length, 4)
  assert.equal(weeksOf('2026-12', 1)[0]?.[0], '2026-11-30')
  assert.deepEqual(weeksOf('2026-11', 6)[0]?.map(weekdayOf), [6, 0, 1, 2, 3, 4, 5])
})

test('months follow each other over the end of a year', () => {
  assert.equal(shiftMonth('2026-12', 1), '2027-01')
  assert.equal(shiftMonth('2026-01', -1), '2025-12')
})

test('an address without a proper month means the present one', () => {
  assert.equal(readMonth('2027-02', '2026-11-21'), '2027-02')
  for (const text of ['', '2027-13', '2027-2', 'soon']) assert.equal(readMonth(text, '2026-11-21'), '2026-11')
})

test('G-83 days and what is read of them go by the zone of the workspace, over the end of summer time too', () => {
  const late = new Date('2026-11-20T23:30:00Z')
  assert.deepEqual(
    [dayOf(late, 'Asia/Riyadh'), dayOf(late, 'UTC'), dayOf(late, 'America/New_York')],
    ['2026-11-21', '2026-11-20', '2026-11-20'],
  )
  assert.deepEqual(boundsOf(weeksOf('2026-11', 1), 'Asia/Riyadh'), { from: '2026-10-25T21:00:00.000Z', to: '2026-12-06T21:00:00.000Z' })
  assert.deepEqual(boundsOf(weeksOf('2026-10', 1), 'Europe/Berlin'), { from: '2026-09-27T22:00:00.000Z', to: '2026-11-01T23:00:00.000Z' })
})

test('days count on over the end of a month', () => {
  assert.deepEqual(daysFrom('2026-11-29', 3), ['2026-11-29', '2026-11-30', '2026-12-01'])
})

test('a schedule is a start and an end, a plan a publication, each at its own time, in order; of a draft none happens', () => {
  const instance = (id: string, schedule: Summary['schedule'], state: Summary['state'] = 'live', publishAt: string | null = null) =>
    ({ id, schedule, state, publishAt }) as Summary
  const entries = entriesOf([
    instance('a', { startTime: '2026-11-03T10:00:00.000Z', endTime: '2026-11-09T10:00:00.000Z' }),
    instance('b', null),
    instance('c', { endTime: '2026-11-05T10:00:00.000Z' }, 'draft'),
    instance('d', null, 'scheduled', '2026-11-04T10:00:00.000Z'),
  ])
  assert.deepEqual(
    entries.map(({ change, isDraft, instance: { id }, at }) => [change, isDraft, id, dayOf(at, 'UTC')]),
    [
      ['starts', false, 'a', '2026-11-03'],
      ['publishes', false, 'd', '2026-11-04'],
      ['ends', true, 'c', '2026-11-05'],
      ['ends', false, 'a', '2026-11-09'],
    ],
  )
})
