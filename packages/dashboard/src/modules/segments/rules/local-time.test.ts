import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toLocal, toMoment } from './local-time.ts'

test('a moment survives the way through the clock time of any zone', () => {
  const before = process.env['TZ']
  for (const zone of ['UTC', 'Asia/Riyadh', 'America/St_Johns']) {
    process.env['TZ'] = zone
    for (const iso of ['2026-03-01T00:00:00.000Z', '2026-12-31T21:30:59.000Z']) assert.equal(toMoment(toLocal(iso)), iso, zone)
  }
  process.env['TZ'] = 'Asia/Riyadh'
  assert.equal(toLocal('2026-02-28T23:05:00Z'), '2026-03-01 02:05:00')
  process.env['TZ'] = before
})
