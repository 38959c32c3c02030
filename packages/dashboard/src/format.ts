/** Numbers, times and lists in the dashboard's language, times in the zone of the workspace. Digits stay Latin, so that tables and codes read alike. */
import { ZONE, useCalendar } from './calendar.ts'
import { isolate, useLanguage, type Language } from './i18n.ts'
import { offsetOf } from '@contentflow/core/calendar/zoned-time.ts'

type At = string | number | Date
type Options = Intl.DateTimeFormatOptions

const DATE: Options = { day: 'numeric', month: 'short', year: 'numeric' }
const TIME: Options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }

function makeFormat(language: Language, zone: string, hasHijri: boolean) {
  const tag = language === 'ar' ? 'ar-u-nu-latn-ca-gregory' : 'en-GB'
  const hijriTag = language === 'ar' ? 'ar-u-nu-latn-ca-islamic-umalqura' : 'en-GB-u-ca-islamic-umalqura'
  const numbers = new Intl.NumberFormat(tag)
  const compact = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 })
  // In Arabic the short form of some units is letters that few people know; for others it is the whole word.
  const unitDisplay = tag.startsWith('ar') ? 'long' : 'short'
  const inUnit = (unit: string, maximumFractionDigits: number) =>
    new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay, maximumFractionDigits })
  const percents = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })
  const inZone = (options: Options, timeZone = zone) => new Intl.DateTimeFormat(tag, { ...options, timeZone })
  const dates = inZone(DATE)
  const ownDates = inZone(DATE, ZONE)
  const days = inZone({ weekday: 'short', day: 'numeric', month: 'short' })
  const times = inZone(TIME)
  const moments = inZone({ ...DATE, ...TIME })
  const ownTimes = inZone(TIME, ZONE)
  const ownMoments = inZone({ day: 'numeric', month: 'short', ...TIME }, ZONE)
  const zoneName = clockName(language, zone)
  const ownZoneName = clockName(language, ZONE)
  // A day of a calendar has no zone: it is named by its middle in UTC.
  const calendarDays = inZone({ weekday: 'short', day: 'numeric', month: 'short' }, 'UTC')
  const calendarDates = inZone(DATE, 'UTC')
  const weekdays = inZone({ weekday: 'short' }, 'UTC')
  const longWeekdays = inZone({ weekday: 'long' }, 'UTC')
  const months = inZone({ month: 'long', year: 'numeric' }, 'UTC')
  const hijri = (options: Options, timeZone: string) => new Intl.DateTimeFormat(hijriTag, { ...options, timeZone })
  const hijriDates = hijri(DATE, zone)
  const hijriDays = hijri({ day: 'numeric' }, 'UTC')
  const hijriDayMonths = hijri({ day: 'numeric', month: 'long' }, 'UTC')
  const hijriMonths = hijri({ month: 'long', year: 'numeric' }, 'UTC')
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  const lists = new Intl.ListFormat(tag, { type: 'conjunction' })
  const languages = new Intl.DisplayNames(tag, { type: 'language' })
  const countries = new Intl.DisplayNames(tag, { type: 'region' })
  const middle = (day: string) => new Date(`${day}T12:00:00Z`)
  /** The reader's own clock, where it shows another time than that of the workspace. */
  const own = (at: Date) => {
    if (offsetOf(at.getTime(), zone) === offsetOf(at.getTime(), ZONE)) return ''
    return ` (${(dates.format(at) === ownDates.format(at) ? ownTimes : ownMoments).format(at)} ${ownZoneName})`
  }
  return {
    number: (value: number) => numbers.format(value),
    compact: (value: number) => compact.format(value),
    /** Formats a number of bytes in kilobytes or megabytes. */
    bytes: (bytes: number) => {
      const [unit, size] = bytes < 1_000_000 ? (['kilobyte', 1_000] as const) : (['megabyte', 1_000_000] as const)
      return inUnit(unit, bytes < 10 * size ? 1 : 0).format(bytes / size)
    },
    /** Formats a part between 0 and 1. */
    percent: (part: number) => percents.format(part),
    date: (at: At) => dates.format(new Date(at)),
    day: (at: At) => days.format(new Date(at)),
    time: (at: At) => times.format(new Date(at)),
    /** A time of today. */
    clock: (at: At) => `${times.format(new Date(at))} ${zoneName}${own(new Date(at))}`,
    /** Formats a moment with its zone, and with the reader's own time where that differs. */
    moment: (at: At) => `${moments.format(new Date(at))} ${zoneName}${own(new Date(at))}`,
    /** Names the time zone, to follow a time: "Riyadh time". */
    zoneName,
    /** Undefined where the workspace shows Gregorian dates only. */
    hijriDate: (at: At) => (hasHijri ? hijriDates.format(new Date(at)) : undefined),
    /** Formats a day such as `2026-11-22`. */
    calendarDay: (day: string) => calendarDays.format(middle(day)),
    /** Formats a day with its year. */
    calendarDate: (day: string) => calendarDates.format(middle(day)),
    weekday: (day: string) => weekdays.format(middle(day)),
    longWeekday: (day: string) => longWeekdays.format(middle(day)),
    month: (day: string) => months.format(middle(day)),
    hijriDay: (day: string) => (hasHijri ? hijriDays.format(middle(day)) : undefined),
    hijriDayAndMonth: (day: string) => (hasHijri ? hijriDayMonths.format(middle(day)) : undefined),
    hijriMonth: (day: string) => (hasHijri ? hijriMonths.format(middle(day)) : undefined),
    /** "3 minutes ago", "in 2 days". */
    ago: (at: At, now = Date.now()) => sinceText(relative, (new Date(at).getTime() - now) / 1000),
    list: (parts: string[]) => lists.format(parts.map(isolate)),
    /** The name of a language tag, or the tag. */
    language: (code: string) => nameOf(languages, code),
    country: (code: string) => nameOf(countries, code),
  }
}

/** A zone by its city; in Arabic by its country, for which the browser knows the name. */
function clockName(language: Language, timeZone: string): string {
  if (timeZone === 'UTC') return 'UTC'
  if (language !== 'ar') return `${timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')} time`
  const parts = new Intl.DateTimeFormat('ar', { timeZone, timeZoneName: 'shortGeneric' }).formatToParts()
  return `ب${parts.find(({ type }) => type === 'timeZoneName')?.value}`
}

export type Format = ReturnType<typeof makeFormat>

const made = new Map<string, Format>()

export function useFormat(): Format {
  const language = useLanguage()
  const { timeZone, hijri } = useCalendar()
  return formatOf(language, timeZone, hijri)
}

export function formatOf(language: Language, zone: string, hasHijri: boolean): Format {
  const key = `${language} ${zone} ${hasHijri}`
  const known = made.get(key) ?? makeFormat(language, zone, hasHijri)
  made.set(key, known)
  return known
}

const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

function sinceText(relative: Intl.RelativeTimeFormat, seconds: number): string {
  const [unit, size] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 1]
  return relative.format(Math.trunc(seconds / size), unit)
}

function nameOf(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code
  } catch {
    // Not every language tag of a workspace is well-formed.
    return code
  }
}
