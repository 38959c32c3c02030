/** How the dates of a column are written: in which order, by which calendar. Told from all of its values; whoever imports decides where two orders are possible. */
import { gregorianOfHijri } from '../calendar/hijri-days.ts'
import { momentOf } from '../calendar/zoned-time.ts'

export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const
type DateOrder = (typeof DATE_ORDERS)[number]
export type DateReading = { order: DateOrder; calendar: 'gregorian' | 'hijri' }

type Written = { numbers: [number, number, number]; isYearFirst: boolean; clock: string | undefined }

/** One slip among twenty does not change what a column is. */
const ENOUGH = 0.95
/** Years of people that only the Hijri calendar has. */
const HIJRI = { first: 1300, last: 1500 }
const GREGORIAN = { first: 1600, last: 2999 }
/** Marks of direction, which Arabic spreadsheets put around numbers. */
const MARKS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g
const EASTERN = /[\u0660-\u0669\u06f0-\u06f9]/g
const DATE = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:[ T,]{1,2}(\d{1,2}):(\d{2})(?::(\d{2}))? ?([ap])?\.?m?\.?)? ?(?:هـ|ه|م|ah|h|ad)?$/i

/** The readings by which every date of these values exists, the likelier first; none when they are no dates, or no reading is needed. */
export function dateReadingsOf(values: readonly string[]): DateReading[] {
  const written = values.flatMap((value) => writtenIn(value) ?? [])
  if (written.length === 0 || written.length < values.length * ENOUGH) return []
  const orders: DateOrder[] = written.every(({ isYearFirst }) => isYearFirst) ? ['ymd'] : ['dmy', 'mdy']
  const readings = orders
    .flatMap((order): DateReading[] => [
      { order, calendar: 'gregorian' },
      { order, calendar: 'hijri' },
    ])
    .filter((reading) => written.every((one) => dayOf(one, reading) !== undefined))
  return readings.length === 1 && readings[0]?.order === 'ymd' && readings[0].calendar === 'gregorian' && values.every(isIso)
    ? []
    : readings
}

/** `2024-03-31`, or the moment that a clock in the zone shows; undefined for what is no such date. */
export function readDate(text: string, reading: DateReading, timeZone: string): string | undefined {
  const written = writtenIn(text)
  const day = written && dayOf(written, reading)
  if (day === undefined || written?.clock === undefined) return day
  return momentOf(`${day}T${written.clock}`, timeZone)?.toISOString()
}

function writtenIn(text: string): Written | undefined {
  const plain = text
    .replaceAll(MARKS, '')
    .replaceAll(EASTERN, (digit) => String(digit.charCodeAt(0) & 0xf))
    .trim()
  const [, first = '', , second = '', third = '', hours, minutes = '', seconds = '00', half] = DATE.exec(plain) ?? []
  const isYearFirst = first.length === 4
  // The century of a year of two digits is unknown.
  if (isYearFirst ? third.length > 2 : third.length !== 4 || first.length > 2) return undefined
  return { numbers: [Number(first), Number(second), Number(third)], isYearFirst, clock: clockOf(hours, minutes, seconds, half) }
}

function clockOf(hours: string | undefined, minutes: string, seconds: string, half: string | undefined): string | undefined {
  if (hours === undefined) return undefined
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`
}

function dayOf({ numbers: [first, second, third], isYearFirst }: Written, { order, calendar }: DateReading): string | undefined {
  if (isYearFirst !== (order === 'ymd')) return undefined
  const [year, month, day] =
    order === 'ymd' ? [first, second, third] : order === 'dmy' ? [third, second, first] : ([third, first, second] as const)
  const years = calendar === 'hijri' ? HIJRI : GREGORIAN
  if (year < years.first || year > years.last) return undefined
  return calendar === 'hijri' ? gregorianOfHijri(year, month, day) : gregorianDay(year, month, day)
}

function gregorianDay(year: number, month: number, day: number): string | undefined {
  const at = new Date(Date.UTC(year, month - 1, day))
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day ? at.toISOString().slice(0, 10) : undefined
}

/** As imports take it. */
function isIso(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(value.trim())
}
