import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../blocks/field.ts'
import { readPreferences } from './preferences.ts'

const read = (body: JsonObject) => readPreferences(body)
const hours = { start: '22:00', end: '07:30' }

test('members that are sent are set, null clears one, others are ignored', () => {
  const body = { quietHours: { ...hours, timezone: 'Asia/Riyadh', odd: 1 }, urgentOnly: false, digest: null, deviceId: 'd', odd: {} }
  assert.deepEqual(read(body), {
    ok: true,
    value: { set: { quietHours: { ...hours, timezone: 'Asia/Riyadh' }, urgentOnly: false }, cleared: ['digest'] },
  })
  assert.deepEqual(read({ quietHours: { ...hours, timezone: null } }), { ok: true, value: { set: { quietHours: hours }, cleared: [] } })
  assert.deepEqual(read({}), { ok: true, value: { set: {}, cleared: [] } })
  for (const digest of ['off', 'daily', 'weekly']) assert.ok(read({ digest }).ok)
  for (const timezone of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'])
    assert.ok(read({ quietHours: { ...hours, timezone } }).ok)
})

test('wrong types are refused', () => {
  const wrong: JsonObject[] = [
    { quietHours: '22:00' },
    { quietHours: [] },
    { quietHours: {} },
    { quietHours: { start: '22:00' } },
    { quietHours: { start: '24:00', end: '07:00' } },
    { quietHours: { start: '7:00', end: '08:00' } },
    { quietHours: { start: '07:60', end: '08:00' } },
    ...['', 'Mars/Base', '+03:00', 'x'.repeat(100), 7, {}].map((timezone) => ({ quietHours: { ...hours, timezone } })),
    { urgentOnly: 'yes' },
    { respectPrayerTimes: 1 },
    { digest: 'hourly' },
    { digest: true },
    { digest: ['off'] },
  ]
  for (const body of wrong) assert.equal(read(body).ok, false, JSON.stringify(body))
})
