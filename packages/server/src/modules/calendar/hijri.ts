/** Dates by the Umm al-Qura calendar, as the runtime's own table has it. */

export type HijriDate = { year: number; month: number; day: number }
export type HijriEvent = 'ramadan_start' | 'eid_start'

export const RAMADAN = 9
const SHAWWAL = 10
const MONTH_OF: Record<HijriEvent, number> = { ramadan_start: RAMADAN, eid_start: SHAWWAL }

const formats = new Map<string, Intl.DateTimeFormat>()
const MOST_FORMATS = 500

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' })
  // Names of zones come from outside, in any case.
  if (formats.size >= MOST_FORMATS) formats.clear()
  formats.set(timeZone, made)
  return made
}

/** The date that a calendar on a wall in the zone shows; days begin at midnight. */
export function hijriDate(at: Date, timeZone: string): HijriDate {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? Number.NaN
  return { year: part('year'), month: part('month'), day: part('day') }
}

/** G-57: whether it is the first day of Ramadan, or of Shawwal. */
export function isHijriEvent(at: Date, timeZone: string, event: HijriEvent): boolean {
  const { month, day } = hijriDate(at, timeZone)
  return day === 1 && month === MONTH_OF[event]
}
