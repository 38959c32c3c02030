import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOfWindow } from './window-fault.ts'

const blackout = { enabled: true, latitude: 21.4, longitude: 39.8, minutesBefore: 0, minutesAfter: 60 }

test('G-71 a prayer blackout and quiet hours that can be followed have no fault', () => {
  for (const window of [
    {},
    { prayerBlackout: blackout },
    { prayerBlackout: { ...blackout, latitude: -90, longitude: 180 } },
    { prayerBlackout: { enabled: false } },
    { quietHours: { from: '22:00', to: '07:00' } },
    { prayerBlackout: blackout, quietHours: { from: '00:00', to: '23:59' } },
  ])
    assert.equal(faultOfWindow(window), undefined, JSON.stringify(window))
})

test('G-71 a fault names the member and what it takes', () => {
  const faults: [window: Parameters<typeof faultOfWindow>[0], said: RegExp][] = [
    [{ prayerBlackout: null }, /^schedule\.prayerBlackout must be an object/],
    [{ prayerBlackout: [] }, /^schedule\.prayerBlackout must be an object/],
    [{ prayerBlackout: {} }, /^schedule\.prayerBlackout\.enabled/],
    [{ prayerBlackout: { ...blackout, enabled: 'yes' } }, /^schedule\.prayerBlackout\.enabled/],
    [{ prayerBlackout: { enabled: true } }, /^schedule\.prayerBlackout\.latitude .*-90 to 90/],
    [{ prayerBlackout: { ...blackout, latitude: 90.01 } }, /latitude .*-90 to 90/],
    [{ prayerBlackout: { ...blackout, latitude: Number.NaN } }, /latitude .*-90 to 90/],
    [{ prayerBlackout: { ...blackout, longitude: -181 } }, /longitude .*-180 to 180/],
    [{ prayerBlackout: { ...blackout, longitude: '39.8' } }, /longitude .*-180 to 180/],
    [{ prayerBlackout: { ...blackout, minutesBefore: 61 } }, /minutesBefore .*0 to 60/],
    [{ prayerBlackout: { ...blackout, minutesBefore: -1 } }, /minutesBefore .*0 to 60/],
    [{ prayerBlackout: { ...blackout, minutesAfter: 1.5 } }, /minutesAfter .*0 to 60/],
    [{ prayerBlackout: { enabled: false, minutesAfter: 61 } }, /minutesAfter .*0 to 60/],
    [{ prayerBlackout: { ...blackout, method: 'Egyptian' } }, /unknown member "method"/],
    [{ quietHours: '22-7' }, /^schedule\.quietHours must be an object/],
    [{ quietHours: { from: '22:00' } }, /^schedule\.quietHours\.to /],
    [{ quietHours: { from: '24:00', to: '07:00' } }, /^schedule\.quietHours\.from /],
    [{ quietHours: { from: '22:00', to: '22:00' } }, /must differ/],
    [{ quietHours: { from: '22:00', to: '07:00', timezone: 'UTC' } }, /unknown member "timezone"/],
  ]
  for (const [window, said] of faults) assert.match(faultOfWindow(window) ?? 'no fault', said, JSON.stringify(window))
})
