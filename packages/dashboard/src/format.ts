/** Numbers, times and lists in the dashboard's language. Digits stay Latin, so that tables and codes read alike. */
import { useMemo } from 'react'
import { isolate, useLanguage, type Language } from './i18n.ts'

export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

function makeFormat(language: Language) {
  const tag = language === 'ar' ? 'ar-u-nu-latn-ca-gregory' : 'en-GB'
  const numbers = new Intl.NumberFormat(tag)
  const compact = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 })
  const percents = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })
  const dates = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', year: 'numeric' })
  const days = new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', month: 'short' })
  const times = new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const moments = new Intl.DateTimeFormat(tag, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  })
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  const lists = new Intl.ListFormat(tag, { type: 'conjunction' })
  const languages = new Intl.DisplayNames(tag, { type: 'language' })
  const countries = new Intl.DisplayNames(tag, { type: 'region' })
  return {
    number: (value: number) => numbers.format(value),
    compact: (value: number) => compact.format(value),
    /** Of a part between 0 and 1. */
    percent: (part: number) => percents.format(part),
    date: (at: string | Date) => dates.format(new Date(at)),
    day: (at: string | Date) => days.format(new Date(at)),
    time: (at: string | Date) => times.format(new Date(at)),
    /** With its zone. */
    moment: (at: string | Date) => moments.format(new Date(at)),
    /** "3 minutes ago", "in 2 days". */
    ago: (at: string | Date, now = Date.now()) => sinceText(relative, (new Date(at).getTime() - now) / 1000),
    list: (parts: string[]) => lists.format(parts.map(isolate)),
    /** The name of a language tag, or the tag. */
    language: (code: string) => nameOf(languages, code),
    country: (code: string) => nameOf(countries, code),
  }
}

export type Format = ReturnType<typeof makeFormat>

export function useFormat(): Format {
  const language = useLanguage()
  return useMemo(() => makeFormat(language), [language])
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
    // Not every tag a workspace uses is a well-formed one.
    return code
  }
}
