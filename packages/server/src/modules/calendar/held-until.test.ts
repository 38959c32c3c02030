import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CalculationMethod, Coordinates, PrayerTimes } from 'adhan'
import { heldUntil } from './held-until.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const PLACES = {
  Makkah: { latitude: 21.426666, longitude: 39.831666, zone: 'Asia/Riyadh' },
  Dubai: { latitude: 25.2048, longitude: 55.2708, zone: 'Asia/Dubai' },
  Cairo: { latitude: 30.0444, longitude: 31.2357, zone: 'Africa/Cairo' },
  Jakarta: { latitude: -6.2088, longitude: 106.8456, zone: 'Asia/Jakarta' },
}
const RAMADAN_1447 = { from: '2026-02-18', to: '2026-03-19' }

/** Worked out apart from the module: the library's own rounding, and the days of Ramadan written down. */
function prayersOf(day: string, { latitude, longitude }: { latitude: number; longitude: number }): number[] {
  const parameters = CalculationMethod.UmmAlQura()
  if (day >= RAMADAN_1447.from && day <= RAMADAN_1447.to) parameters.ishaInterval = 120
  const times = new PrayerTimes(new Coordinates(latitude, longitude), new Date(`${day}T12:00:00`), parameters)
  return [times.fajr, times.dhuhr, times.asr, times.maghrib, times.isha].map(Number)
}

for (const [name, { zone, ...place }] of Object.entries(PLACES)) {
  test(`G-71 in a year of ${name} nothing leaves in a prayer blackout, and nothing is held longer than it lasts`, () => {
    const [before, after] = [10, 20]
    const window = { timezone: zone, prayerBlackout: { enabled: true, ...place, minutesBefore: before, minutesAfter: after } }
    const held = (at: number) => heldUntil(window, new Date(at))?.getTime()
    for (let day = Date.parse('2026-01-01'); day < Date.parse('2027-01-01'); day += DAY_MS) {
      for (const prayer of prayersOf(new Date(day).toISOString().slice(0, 10), place)) {
        const said = new Date(prayer).toISOString()
        const [begin, end] = [prayer - before * MINUTE_MS, prayer + after * MINUTE_MS]
        const until = held(begin)
        assert.ok(
          until !== undefined && until >= end && until <= end + 2 * MINUTE_MS,
          `${said}: held until ${new Date(until ?? 0).toISOString()}`,
        )
        assert.equal(held(end - 1), until, `${said}: the same moment for whoever comes last`)
        assert.equal(held(until), undefined, `${said}: it leaves when it was told to`)
        assert.equal(held(begin - 2 * MINUTE_MS), undefined, `${said}: it may leave just before`)
      }
    }
  })
}

test('G-71 a blackout that is off, a place without sunrise and an empty window hold nothing', () => {
  const at = new Date('2026-06-21T12:00:00Z')
  const tromso = { latitude: 69.6, longitude: 18.9, minutesBefore: 60, minutesAfter: 60 }
  assert.equal(heldUntil({}, at), undefined)
  for (let hour = 0; hour < 24; hour++) {
    const then = new Date(at.getTime() + hour * 60 * MINUTE_MS)
    assert.equal(heldUntil({ prayerBlackout: { enabled: true, ...tromso } }, then), undefined)
    assert.equal(heldUntil({ prayerBlackout: { enabled: false, ...PLACES.Makkah, minutesBefore: 60, minutesAfter: 60 } }, then), undefined)
  }
})

test('G-71 quiet hours that end in a prayer blackout hold to its end, and the other way round', () => {
  const { zone: timezone, ...makkah } = PLACES.Makkah
  const prayerBlackout = { enabled: true, ...makkah, minutesBefore: 30, minutesAfter: 30 }
  const fajr = prayersOf('2026-11-23', makkah)[0]!
  const until = heldUntil({ timezone, prayerBlackout, quietHours: { from: '23:00', to: '05:00' } }, new Date('2026-11-22T20:30:00Z'))!
  assert.ok(until.getTime() >= fajr + 30 * MINUTE_MS && until.getTime() <= fajr + 32 * MINUTE_MS, until.toISOString())
  const night = heldUntil({ timezone, prayerBlackout, quietHours: { from: '19:15', to: '04:00' } }, new Date('2026-11-22T15:45:00Z'))
  assert.equal(night?.toISOString(), '2026-11-23T01:00:00.000Z')
})

test('G-71 holds without any gap are answered with a later moment, at which whoever waits asks again', () => {
  const { zone: timezone, ...makkah } = PLACES.Makkah
  const window = {
    timezone,
    prayerBlackout: { enabled: true, ...makkah, minutesBefore: 60, minutesAfter: 60 },
    quietHours: { from: '12:30', to: '12:00' },
  }
  const at = new Date('2026-11-23T06:00:00Z')
  const until = heldUntil(window, at)!
  assert.ok(until.getTime() > at.getTime() + DAY_MS && until.getTime() < at.getTime() + 4 * DAY_MS, until.toISOString())
})
