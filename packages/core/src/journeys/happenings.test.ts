import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOBODY } from '../targeting/subject.ts'
import { afterHappenings, goalReachedAt, readHappenings, type Happening } from './happenings.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-03-01T10:20:00Z')

test('G-57 what happens in a test run is read in the order of time, behind its beginning', () => {
  const read = readHappenings(
    [
      { type: 'CONVERSION', afterMinutes: 90 },
      { type: 'SIGN_IN', at: '2026-03-01T13:30+03:00' },
    ],
    START,
  )
  assert.deepEqual(read.ok && read.value.map(({ type }) => type), ['SIGN_IN', 'CONVERSION'])
  assert.equal(readHappenings([{ type: 'CTA_CLICK', at: '2026-03-01T13:20+03:00' }], START).ok, false, 'not at the very beginning')
})

test('G-57 C-SEG-44 an event counts for its person once its hour is over; a sign-in counts as nothing', () => {
  const events: Happening[] = [
    { type: 'SIGN_IN', at: START },
    { type: 'BANNER_CLICK', at: START + 1 },
    { type: 'CONVERSION', at: START + 2 * HOUR },
  ]
  const person = { ...NOBODY, behavioral: { clicks: 2, lastActiveDays: 9 }, lifecycle: { createdAt: 0, recentEvents: 1 } }
  const seen = (now: string) => afterHappenings(person, events, Date.parse(now)).behavioral
  assert.equal(afterHappenings(person, events, Date.parse('2026-03-01T10:59:59.999Z')), person)
  assert.deepEqual(seen('2026-03-01T11:00:00Z'), {
    clicks: 3,
    impressions: 0,
    dismissals: 0,
    conversions: 0,
    eventsTotal: 1,
    lastActiveDays: 0,
  })
  assert.deepEqual(seen('2026-03-03T13:00:00Z'), {
    clicks: 3,
    impressions: 0,
    dismissals: 0,
    conversions: 1,
    eventsTotal: 2,
    lastActiveDays: 2,
  })
  assert.deepEqual(afterHappenings(person, events, START + 48 * HOUR).lifecycle, {
    createdAt: 0,
    recentEvents: 3,
    lastActiveAt: START + 2 * HOUR,
  })
})

test('G-57 the goal is reached by the first event of its type that comes in time', () => {
  const goal = { eventType: 'CONVERSION', days: 1 } as const
  const at = (hours: number): Happening => ({ type: 'CONVERSION', at: START + hours * HOUR })
  assert.equal(goalReachedAt(goal, [{ type: 'CTA_CLICK', at: START + 1 }, at(24), at(25)], START), START + 24 * HOUR)
  assert.equal(goalReachedAt(goal, [at(24.001)], START), undefined)
  assert.equal(goalReachedAt(null, [at(1)], START), undefined)
})
