import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseTime } from './time.ts'

test('times are written in UTC, and one without a zone is UTC', () => {
  for (const [text, expected] of [
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T09:00', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T09:00:30', '2026-03-01T09:00:30.000Z'],
    ['2026-03-01T09:00:30Z', '2026-03-01T09:00:30.000Z'],
    ['2026-03-01T09:00Z', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T09:00:30.5+04:00', '2026-03-01T05:00:30.500Z'],
    ['2026-03-01T09:00:30.123456789Z', '2026-03-01T09:00:30.123Z'],
    ['2026-03-01T01:00:00+0400', '2026-02-28T21:00:00.000Z'],
    ['2026-12-31T23:00:00-02:00', '2027-01-01T01:00:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ] as const)
    assert.equal(parseTime(text), expected, text)
})

test('anything else is no time, also a day that no calendar has', () => {
  for (const text of [
    '',
    'tomorrow',
    '1772355600000',
    '2026-3-1',
    '2026-03',
    '01.03.2026',
    '2026-03-01 09:00:00',
    '2026-03-01T9:00',
    '2026-03-01T25:00:00Z',
    '2026-03-01T09:60:00Z',
    '2026-03-01T09:00:60Z',
    '2026-03-01T09:00:00+25:00',
    '2026-03-01T09:00:00 Z',
    '2026-13-01',
    '2026-00-10',
    '2026-02-29',
    '2026-02-30T10:00:00Z',
    '2026-04-31',
    '2026-01-32',
    '+012026-03-01T00:00:00Z',
    '9999-12-31T23:59:59-05:00',
    '0000-01-01T00:00:00+01:00',
    'Sun, 01 Mar 2026 09:00:00 GMT',
  ])
    assert.equal(parseTime(text), undefined, text)
})

test('every moment reads back as it was written, and so does what was read', () => {
  const moment = fc.date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  fc.assert(
    fc.property(moment, (date) => assert.equal(parseTime(date.toISOString()), date.toISOString())),
    { seed: 20260301, numRuns: 500 },
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      const time = parseTime(text)
      if (time !== undefined) assert.equal(parseTime(time), time)
    }),
    { seed: 20260301, numRuns: 500 },
  )
})
