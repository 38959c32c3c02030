import assert from 'node:assert/strict'
import { test } from 'node:test'
import { momentOf } from '../calendar/zoned-time.ts'
import { datesComing } from './dates.ts'

const at = (text: string, zone = 'Asia/Riyadh') => momentOf(text, zone)!.getTime()
const coming = (since: string, until: string, { daysBefore = 0, hour = 9, zone = 'Asia/Riyadh' } = {}) =>
  datesComing({ daysBefore, hour }, zone, at(since, zone), at(until, zone))

test('G-57 the date of a day comes at its hour, once', () => {
  assert.deepEqual(coming('2027-05-04 08:00:00', '2027-05-04 08:59:59'), [])
  assert.deepEqual(coming('2027-05-04 08:59:00', '2027-05-04 09:00:00'), [{ date: '2027-05-04', year: 2027, monthDays: ['05-04'] }])
  assert.deepEqual(coming('2027-05-04 09:00:00', '2027-05-05 08:59:00'), [])
  assert.deepEqual(
    coming('2027-12-24 08:59:00', '2027-12-24 09:01:00', { daysBefore: 10 }).map(({ date, year }) => [date, year]),
    [['2028-01-03', 2028]],
  )
})

test('G-57 29 February is 28 February in years without it', () => {
  const on = (day: string) => coming(`${day} 08:00:00`, `${day} 10:00:00`).map(({ monthDays }) => monthDays)
  assert.deepEqual(on('2027-02-28'), [['02-28', '02-29']])
  assert.deepEqual(on('2028-02-28'), [['02-28']])
  assert.deepEqual(on('2028-02-29'), [['02-29']])
  assert.deepEqual(on('2100-02-28'), [['02-28', '02-29']])
  assert.deepEqual(on('2027-03-01'), [['03-01']])
})

test('G-57 a date of more than a day ago is missed, however long nobody looked', () => {
  const dates = (until: string) => coming('2027-05-01 00:00:00', until).map(({ date }) => date)
  assert.deepEqual(dates('2027-05-05 08:59:00'), ['2027-05-04'])
  assert.deepEqual(dates('2027-05-05 09:00:00'), ['2027-05-05'])
})

test('G-57 an hour that summer time leaves out comes behind the gap, one that comes twice comes once', () => {
  const zone = 'Europe/Berlin'
  const minutes = (from: number, hours: number) => Array.from({ length: hours * 60 }, (_, minute) => from + minute * 60_000)
  const times = (day: string) =>
    minutes(at(`${day} 00:00:00`, zone), 6).flatMap((now) =>
      datesComing({ daysBefore: 0, hour: 2 }, zone, now - 60_000, now).map(() => new Date(now).toISOString()),
    )
  assert.deepEqual(times('2026-03-29'), ['2026-03-29T01:00:00.000Z'])
  assert.deepEqual(times('2026-10-25'), ['2026-10-25T00:00:00.000Z'])
})
