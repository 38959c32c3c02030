import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { endOfHolds, prayerHolds, quietHolds } from './holds.ts'
import { toClock } from './zoned-time.ts'

const at = (time: string) => Date.parse(time)
const text = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString().replace(':00.000', ''))
const quietEnd = (from: string, to: string, zone: string, time: string) =>
  text(endOfHolds(quietHolds({ from, to }, zone, at(time)), at(time)))

test('G-71 a hold begins a minute early and ends a minute late, the tolerance of computed times', () => {
  const blackout = { enabled: true, latitude: 0, longitude: 0, minutesBefore: 10, minutesAfter: 20 }
  const holds = prayerHolds([at('2026-05-01T12:00Z')], blackout)
  assert.equal(endOfHolds(holds, at('2026-05-01T11:48:59.999Z')), undefined)
  assert.equal(text(endOfHolds(holds, at('2026-05-01T11:49Z'))), '2026-05-01T12:21Z')
  assert.equal(text(endOfHolds(holds, at('2026-05-01T12:20:59Z'))), '2026-05-01T12:21Z')
  assert.equal(endOfHolds(holds, at('2026-05-01T12:21Z')), undefined)
})

test('G-71 holds that follow on each other hold to the end of the last, whatever their order', () => {
  const hold = (from: number, until: number) => ({ from, until })
  assert.equal(endOfHolds([hold(20, 30), hold(0, 10), hold(8, 20)], 5), 30)
  assert.equal(endOfHolds([hold(0, 10), hold(11, 20)], 5), 10)
  assert.equal(endOfHolds([hold(0, 100), hold(10, 20)], 15), 100)
  assert.equal(endOfHolds([], 5), undefined)
})

test('G-71 quiet hours follow the clock of their zone, over midnight too', () => {
  assert.equal(quietEnd('22:00', '07:00', 'Asia/Riyadh', '2026-05-01T18:59:59Z'), undefined)
  assert.equal(quietEnd('22:00', '07:00', 'Asia/Riyadh', '2026-05-01T19:00Z'), '2026-05-02T04:00Z')
  assert.equal(quietEnd('22:00', '07:00', 'Asia/Riyadh', '2026-05-02T03:59:59Z'), '2026-05-02T04:00Z')
  assert.equal(quietEnd('22:00', '07:00', 'Asia/Riyadh', '2026-05-02T04:00Z'), undefined)
  assert.equal(quietEnd('13:00', '15:30', 'Asia/Kathmandu', '2026-05-01T08:00Z'), '2026-05-01T09:45Z')
})

test('G-71 quiet hours that meet a change of summer time: what is left out ends them, what comes twice is quiet both times', () => {
  // In Cairo 2026-04-24 has no hour from 00:00, and 2026-10-29 has the hour from 23:00 twice.
  assert.equal(quietEnd('21:00', '00:30', 'Africa/Cairo', '2026-04-23T21:59Z'), '2026-04-23T22:00Z')
  assert.equal(quietEnd('00:30', '06:00', 'Africa/Cairo', '2026-04-23T22:00Z'), '2026-04-24T03:00Z')
  assert.equal(quietEnd('00:30', '06:00', 'Africa/Cairo', '2026-04-23T21:59Z'), undefined)
  assert.equal(quietEnd('21:00', '23:30', 'Africa/Cairo', '2026-10-29T20:10Z'), '2026-10-29T21:30Z')
  assert.equal(quietEnd('23:30', '06:00', 'Africa/Cairo', '2026-10-29T21:10Z'), '2026-10-30T04:00Z')
})

test('G-71 property: whatever the zone and the day, nothing leaves while its clock stands in quiet hours', () => {
  const time = fc.integer({ min: 0, max: 95 }).map((quarter) => {
    const two = (value: number) => String(value).padStart(2, '0')
    return `${two(Math.floor(quarter / 4))}:${two((quarter % 4) * 15)}`
  })
  const zone = fc.constantFrom(
    'Asia/Riyadh',
    'Africa/Cairo',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Pacific/Apia',
  )
  const moment = fc
    .integer({ min: at('2024-01-01T00:00Z') / 60_000, max: at('2028-01-01T00:00Z') / 60_000 })
    .map((minutes) => minutes * 60_000)
  const isQuiet = (clock: string, from: string, to: string) => (from < to ? from <= clock && clock < to : from <= clock || clock < to)
  fc.assert(
    fc.property(time, time, zone, moment, (from, to, name, now) => {
      fc.pre(from !== to)
      const until = endOfHolds(quietHolds({ from, to }, name, now), now)
      const clockAt = (ms: number) => toClock(ms, name).slice(11, 16)
      assert.equal(isQuiet(clockAt(until ?? now), from, to), false)
      // Where the clock skips the only minutes of a day that are not quiet, those of the next day end the hold.
      if (isQuiet(clockAt(now), from, to)) assert.ok(until !== undefined && until > now && until - now <= 49 * 3_600_000)
    }),
    { numRuns: 1_500 },
  )
})
