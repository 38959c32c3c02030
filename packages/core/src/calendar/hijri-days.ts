/** Days of the Umm al-Qura calendar as Gregorian ones, as the runtime's own table has it. */
import { DAY_MS } from '../units.ts'

/** Years of the table. */
export const HIJRI_YEARS = { first: 1300, last: 1600 } as const

/** Days from 1 Muharram 1 to 1970-01-01, and of a month on average: close enough to find a first day within `SLACK`. */
const EPOCH_DAYS = 492_148
const MONTH_DAYS = 29.530_588
const SLACK = 4
const MONTHS = 12

const format = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
})
/** First days of months, in days since 1970; at most `MONTHS` for each year of the table. */
const firstDays = new Map<number, number | undefined>()

/** The Gregorian day as `2024-03-11`; undefined for what the calendar does not have. */
export function gregorianOfHijri(year: number, month: number, day: number): string | undefined {
  const isInTable = year >= HIJRI_YEARS.first && year < HIJRI_YEARS.last && month >= 1 && month <= MONTHS && day >= 1
  const first = isInTable ? firstDayOf(year * MONTHS + month - 1) : undefined
  const next = isInTable ? firstDayOf(year * MONTHS + month) : undefined
  if (first === undefined || next === undefined || first + day - 1 >= next) return undefined
  return new Date((first + day - 1) * DAY_MS).toISOString().slice(0, 10)
}

/** `index`: months since the year 0. */
function firstDayOf(index: number): number | undefined {
  if (!firstDays.has(index)) firstDays.set(index, findFirstDay(Math.floor(index / MONTHS), (index % MONTHS) + 1))
  return firstDays.get(index)
}

function findFirstDay(year: number, month: number): number | undefined {
  const near = Math.round(((year - 1) * MONTHS + month - 1) * MONTH_DAYS) - EPOCH_DAYS
  for (let day = near - SLACK; day <= near + SLACK; day++) {
    const parts = new Map(format.formatToParts(new Date(day * DAY_MS)).map(({ type, value }) => [type, Number(value)]))
    if (parts.get('year') === year && parts.get('month') === month && parts.get('day') === 1) return day
  }
  return undefined
}
