import { momentOf, reachedAt } from './calendar/zoned-time.ts'
import { DAY_MS } from './units.ts'

const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const OFFSET = /(Z|[+-]\d{2}:?\d{2})$/
const DAY_LENGTH = 10
/** What times are compared by has four digits of a year. */
const LAST = '9999-12-31T23:59:59.999Z'
/** Of other years clocks of a zone are not asked: nobody knows them, or they show five digits of a year. */
const ZONED_YEARS = { from: 1000, until: 9999 }

/** The time zones that are meant where a text names none (G-90); UTC when left out. */
export type Zones = {
  /** The zone of a day without a time. */
  day?: string | undefined
  /** The zone of a time without an offset. */
  time?: string | undefined
}

/**
 * Reads an ISO 8601 time and writes it in UTC; a day without a time is its beginning. Undefined for anything else, also for a day no
 * calendar has.
 */
export function parseTime(text: string, { day = 'UTC', time = 'UTC' }: Zones = {}): string | undefined {
  if (!ISO.test(text)) return undefined
  const isDayAlone = text.length === DAY_LENGTH
  if (!isInCalendar(text.slice(0, DAY_LENGTH))) return undefined
  const zone = isDayAlone ? day : time
  const hasOffset = !isDayAlone && OFFSET.test(text)
  const year = Number(text.slice(0, 4))
  const isPlain = hasOffset || zone === 'UTC' || year < ZONED_YEARS.from || year >= ZONED_YEARS.until
  const milliseconds = isPlain ? Date.parse(isDayAlone || hasOffset ? text : `${text}Z`) : zonedMs(text, zone)
  if (Number.isNaN(milliseconds)) return undefined
  const read = new Date(milliseconds).toISOString()
  // A zone can carry the first and the last year out of the four digits that times are compared by.
  return read.length === LAST.length ? read : undefined
}

/** The same where something ends: a day without a time is over when the next one begins. */
export function parseEnd(text: string, zones: Zones = {}): string | undefined {
  const begin = parseTime(text, zones)
  if (begin === undefined || text.length !== DAY_LENGTH) return begin
  const next = new Date(Date.parse(text) + DAY_MS).toISOString()
  return next.length === LAST.length ? parseTime(next.slice(0, DAY_LENGTH), zones) : LAST
}

/** Whether a text is a day without a time, of which `parseTime` and `parseEnd` ask where it begins. */
export function isDayAlone(text: unknown): text is string {
  return typeof text === 'string' && text.length === DAY_LENGTH && ISO.test(text)
}

/** Where summer time leaves out midnight, the day begins behind the gap. */
function zonedMs(text: string, zone: string): number {
  if (text.length === DAY_LENGTH) return reachedAt(`${text} 00:00:00`, zone).first
  return momentOf(text.replace('T', ' '), zone)?.getTime() ?? Number.NaN
}

/** Date.parse reads February 30 as March 2. */
function isInCalendar(date: string): boolean {
  const milliseconds = Date.parse(date)
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(date)
}
