/**
 * Month starts as KACST's month-length service had them in August 2026, by github.com/RandaZraik/omarchy-hijri-date (MIT) and
 * github.com/elixir-localize/calendrical (Apache-2.0). From 1451 AH many libraries carry an earlier table, which is a day off
 * at the four that are marked.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hijriDate, isHijriEvent } from './hijri.ts'

/** Year, 1 Ramadan, 1 Shawwal. */
const STARTS = `
1440 2019-05-06 2019-06-04
1441 2020-04-24 2020-05-24
1442 2021-04-13 2021-05-13
1443 2022-04-02 2022-05-02
1444 2023-03-23 2023-04-21
1445 2024-03-11 2024-04-10
1446 2025-03-01 2025-03-30
1447 2026-02-18 2026-03-20
1448 2027-02-08 2027-03-09
1449 2028-01-28 2028-02-26
1450 2029-01-16 2029-02-14
1451 2030-01-05 2030-02-04
1452 2030-12-26 2031-01-24
1453 2031-12-16* 2032-01-14
1454 2032-12-04 2033-01-03*
1455 2033-11-23 2033-12-23
1456 2034-11-12 2034-12-12
1457 2035-11-01 2035-12-01
1458 2036-10-21* 2036-11-19
1459 2037-10-10 2037-11-09*
1460 2038-09-30 2038-10-29`
  .replaceAll('*', '')
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [year: string, ramadan: string, shawwal: string])

const DAY_MS = 86_400_000

test('G-57 Ramadan and Shawwal of 1440 to 1460 AH begin on the days of the Umm al-Qura calendar, and on no others', () => {
  assert.equal(STARTS.length, 21)
  const begins = { ramadan_start: new Set(STARTS.map(([, day]) => day)), eid_start: new Set(STARTS.map(([, , day]) => day)) }
  for (let at = Date.parse('2018-09-11T12:00Z'); at < Date.parse('2039-01-01T12:00Z'); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10)
    for (const event of ['ramadan_start', 'eid_start'] as const)
      assert.equal(isHijriEvent(new Date(at), 'Asia/Riyadh', event), begins[event].has(day), `${event} on ${day}`)
  }
  for (const [year, ramadan, shawwal] of STARTS) {
    assert.deepEqual(hijriDate(new Date(`${ramadan}T12:00Z`), 'UTC'), { year: Number(year), month: 9, day: 1 })
    assert.deepEqual(hijriDate(new Date(`${shawwal}T12:00Z`), 'UTC'), { year: Number(year), month: 10, day: 1 })
  }
})

test('G-57 a day begins at midnight of the zone', () => {
  const isStart = (at: string, zone: string) => isHijriEvent(new Date(at), zone, 'ramadan_start')
  assert.equal(isStart('2026-02-17T20:59:59Z', 'Asia/Riyadh'), false)
  assert.equal(isStart('2026-02-17T21:00:00Z', 'Asia/Riyadh'), true)
  assert.equal(isStart('2026-02-18T20:59:59Z', 'Asia/Riyadh'), true)
  assert.equal(isStart('2026-02-18T21:00:00Z', 'Asia/Riyadh'), false)
  assert.equal(isStart('2026-02-17T21:00:00Z', 'America/New_York'), false)
  // The first of Shawwal 1446 is the day London's clocks change.
  assert.equal(isHijriEvent(new Date('2025-03-30T22:59:00Z'), 'Europe/London', 'eid_start'), true)
  assert.equal(isHijriEvent(new Date('2025-03-30T23:00:00Z'), 'Europe/London', 'eid_start'), false)
})
