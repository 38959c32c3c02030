import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gregorianOfHijri } from '../calendar/hijri-days.ts'
import { dateReadingsOf, readDate, type DateReading } from './date-reading.ts'

const said = (...values: string[]) => dateReadingsOf(values).map(({ order, calendar }) => `${order} ${calendar}`)

test('the order of a column is told from all of its values; where two are possible both are named', () => {
  const cases: [readings: string[], values: string[]][] = [
    [['dmy gregorian'], ['03/03/2024', '31/12/2023']],
    [['mdy gregorian'], ['3/3/2024', '12/31/2023']],
    [
      ['dmy gregorian', 'mdy gregorian'],
      ['03/03/2024', '04/05/2024'],
    ],
    [['ymd gregorian'], ['2024/3/3', '2023/12/31']],
    [['ymd gregorian'], ['2024.03.03']],
    [['dmy gregorian'], ['٣١/١٢/٢٠٢٣', '\u200f٠١/٠٢/٢٠٢٤\u200f']],
    [['ymd hijri'], ['1445-09-01', '1445-10-29']],
    [['dmy hijri'], ['30/09/1445 هـ', '01/02/1446']],
    [['dmy gregorian'], ['31/12/2023 18:30', '01/01/2024 06:00 PM']],
    // Nothing to ask or to convert.
    [[], ['2024-03-03', '2023-12-31']],
    [[], ['2024-03-03T10:00:00Z']],
    [[], ['03/03/24']],
    [[], ['31/12/2023', '12/31/2023']],
    [[], ['gold', '03/03/2024']],
    [[], ['1,200', '12']],
    [[], ['1.2.3', '10.0.0.1']],
    [[], []],
  ]
  for (const [readings, values] of cases) assert.deepEqual(said(...values), readings, values.join(' '))
})

test('dates become days, and times moments of the zone; what does not exist is none', () => {
  const dmy: DateReading = { order: 'dmy', calendar: 'gregorian' }
  const cases: [text: string, reading: DateReading, day: string | undefined][] = [
    ['03/04/2024', dmy, '2024-04-03'],
    ['03/04/2024', { order: 'mdy', calendar: 'gregorian' }, '2024-03-04'],
    ['29/02/2023', dmy, undefined],
    ['31.12.2023 18:30', dmy, '2023-12-31T15:30:00.000Z'],
    ['31-12-2023 12:05:09 am', dmy, '2023-12-30T21:05:09.000Z'],
    ['31-12-2023 25:00', dmy, undefined],
    ['2024-03-03', dmy, undefined],
    ['1445/09/01', { order: 'ymd', calendar: 'hijri' }, '2024-03-11'],
    ['٠١/١٠/١٤٤٥هـ', { order: 'dmy', calendar: 'hijri' }, '2024-04-10'],
    ['x', dmy, undefined],
  ]
  for (const [text, reading, day] of cases) assert.equal(readDate(text, reading, 'Asia/Riyadh'), day, text)
})

test('Hijri days by Umm al-Qura; months have the days of that year', () => {
  assert.equal(gregorianOfHijri(1446, 9, 1), '2025-03-01')
  assert.equal(gregorianOfHijri(1447, 1, 1), '2025-06-26')
  assert.equal(gregorianOfHijri(1356, 1, 1), '1937-03-14')
  assert.equal(gregorianOfHijri(1445, 10, 30), undefined, 'Shawwal 1445 had 29 days')
  assert.equal(gregorianOfHijri(1445, 9, 30), '2024-04-09')
  for (const [year, month, day] of [
    [1445, 13, 1],
    [1445, 0, 1],
    [1445, 1, 0],
    [1445, 1, 31],
    [1200, 1, 1],
    [1700, 1, 1],
  ] as const)
    assert.equal(gregorianOfHijri(year, month, day), undefined, `${year}-${month}-${day}`)
  let days = 0
  for (let month = 1; month <= 12; month++) for (let day = 1; day <= 30; day++) if (gregorianOfHijri(1446, month, day)) days++
  assert.equal(days, 354)
})
