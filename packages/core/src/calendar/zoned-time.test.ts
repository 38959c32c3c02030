import assert from 'node:assert/strict'
import { test } from 'node:test'
import { momentOf, toClock } from './zoned-time.ts'

test('G-83 a clock time of a zone is a moment and back', () => {
  assert.equal(toClock('2026-11-22T21:30:00Z', 'Asia/Riyadh'), '2026-11-23 00:30:00')
  assert.equal(momentOf('2026-11-23 00:30:00', 'Asia/Riyadh')?.toISOString(), '2026-11-22T21:30:00.000Z')
  assert.equal(momentOf('2026-07-01 12:00:00', 'America/New_York')?.toISOString(), '2026-07-01T16:00:00.000Z')
  assert.equal(momentOf('2026-01-01 12:00:00', 'Asia/Kathmandu')?.toISOString(), '2026-01-01T06:15:00.000Z')
  assert.equal(momentOf('soon', 'UTC'), undefined)
})

test('G-83 an hour that summer time leaves out is the one behind it, one that comes twice is the first', () => {
  // 2026-03-29 02:00 to 03:00 is left out in Berlin, 2026-10-25 02:00 to 03:00 comes twice.
  assert.equal(momentOf('2026-03-29 02:30:00', 'Europe/Berlin')?.toISOString(), '2026-03-29T01:30:00.000Z')
  assert.equal(momentOf('2026-10-25 02:30:00', 'Europe/Berlin')?.toISOString(), '2026-10-25T00:30:00.000Z')
})
