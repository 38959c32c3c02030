import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimeZone } from './workspace-calendar.ts'

test('G-83 a time zone is a name of the zone database', () => {
  for (const zone of ['UTC', 'Asia/Riyadh', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3']) assert.equal(isTimeZone(zone), true, zone)
  for (const zone of ['', '+03:00', 'Asia/Nowhere', 'Riyadh ', 3, null, 'x'.repeat(80)]) assert.equal(isTimeZone(zone), false, String(zone))
})
