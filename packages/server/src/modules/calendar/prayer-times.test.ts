import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { momentOf } from '@contentflow/core/calendar/zoned-time.ts'
import { CalculationMethod, Coordinates, PrayerTimes } from 'adhan'
import { prayerTimes } from './prayer-times.ts'

type City = { zone: string; latitude: number; longitude: number; method: keyof typeof CalculationMethod; rows: string[] }
const PRAYERS = ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'] as const

/** Where they are from, with their licences, stands in the file. */
const { cities } = JSON.parse(readFileSync(new URL('published-times.json', import.meta.url), 'utf8')) as { cities: Record<string, City> }
const SAUDI = ['Makkah', 'Madinah', 'Riyadh', 'Jeddah']

const read = (city: City) =>
  city.rows.map((row) => {
    const [day = '', ...times] = row.split(' ')
    return { day, published: PRAYERS.map((_, index) => momentOf(`${day} ${times[index]}:00`, city.zone)!.getTime()) }
  })
const minutesApart = (computed: number, published: number) => Math.round((computed - published) / 60_000)

test('G-71 prayers of Makkah, Madinah, Riyadh and Jeddah are within a minute of the printed Umm al-Qura calendar, in Ramadan too', () => {
  for (const name of SAUDI) {
    const city = cities[name]!
    assert.ok(city.rows.length >= 12, name)
    for (const { day, published } of read(city))
      for (const [index, at] of prayerTimes(day, city).entries())
        assert.ok(Math.abs(minutesApart(at, published[index]!)) <= 1, `${name}, ${day}, ${PRAYERS[index]}`)
  }
})

test('G-71 Isha is 90 minutes after Maghrib, and 120 from 1 Ramadan until 1 Shawwal', () => {
  const city = cities.Riyadh!
  const between = (day: string) => {
    const [, , , maghrib, isha] = prayerTimes(day, city)
    return minutesApart(isha!, maghrib!)
  }
  assert.deepEqual(['2026-02-17', '2026-02-18', '2026-03-19', '2026-03-20'].map(between), [90, 120, 120, 90])
  assert.deepEqual(['2027-02-07', '2027-02-08', '2027-03-08', '2027-03-09'].map(between), [90, 120, 120, 90])
})

test('G-71 elsewhere the times are those of Umm al-Qura: within 9 minutes of the local authority, Isha within 48', () => {
  for (const name of ['Dubai', 'Istanbul', 'Jakarta']) {
    const city = cities[name]!
    assert.ok(city.rows.length >= 12, name)
    for (const { day, published } of read(city))
      for (const [index, at] of prayerTimes(day, city).entries()) {
        const apart = Math.abs(minutesApart(at, published[index]!))
        assert.ok(apart <= (PRAYERS[index] === 'isha' ? 48 : 9), `${name}, ${day}, ${PRAYERS[index]}: ${apart} minutes`)
      }
  }
})

test('G-71 the library still computes what the authorities of Dubai, Istanbul and Jakarta print', () => {
  for (const [name, tolerance] of [
    ['Dubai', 3],
    ['Istanbul', 2],
    ['Jakarta', 4],
  ] as const) {
    const city = cities[name]!
    for (const { day, published } of read(city)) {
      const place = new Coordinates(city.latitude, city.longitude)
      const times = new PrayerTimes(place, new Date(`${day}T12:00:00`), CalculationMethod[city.method]())
      for (const [index, prayer] of PRAYERS.entries())
        assert.ok(Math.abs(minutesApart(times[prayer].getTime(), published[index]!)) <= tolerance, `${name}, ${day}, ${prayer}`)
    }
  }
})

test('G-71 where the sun does not rise or set there are no times, and no place or day fails', () => {
  assert.deepEqual(prayerTimes('2026-06-21', { latitude: 69.6, longitude: 18.9 }), [])
  assert.deepEqual(prayerTimes('2026-12-21', { latitude: 69.6, longitude: 18.9 }), [])
  for (const latitude of [-90, -89.9, -66.6, -60, 0, 60, 65.7, 66.6, 89.9, 90])
    for (const longitude of [-180, -179.9, 0, 179.9, 180])
      for (let month = 1; month <= 12; month++) {
        const day = `2026-${String(month).padStart(2, '0')}-21`
        const times = prayerTimes(day, { latitude, longitude })
        assert.ok(times.every(Number.isFinite), `${latitude}, ${longitude}, ${day}`)
      }
})
