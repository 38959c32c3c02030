/** Dates that come back every year: which of them a trigger is about at a moment. */
import { reachedAt, toClock } from '../calendar/zoned-time.ts'
import type { Trigger } from './journey.ts'
import { DAY_MS } from '../units.ts'

/** What is later than this is missed, as a campaign is: nobody wants yesterday's wishes. */
const LATEST = DAY_MS

/**
 * A date whose turn came. `monthDays`: what people have who are meant, as `05-04`. `year`: what tells this time from the
 * others (once a year).
 */
export type ComingDate = { date: string; year: number; monthDays: string[] }

/** Of the dates whose hour came after `since` and by `until`, in milliseconds, on clocks of the zone. */
export function datesComing(
  { daysBefore, hour }: Pick<Extract<Trigger, { type: 'date' }>, 'daysBefore' | 'hour'>,
  zone: string,
  since: number,
  until: number,
): ComingDate[] {
  const from = Math.max(since, until - LATEST)
  const found: ComingDate[] = []
  const last = dayOf(until, zone)
  for (let day = dayOf(from, zone); day <= last; day += DAY_MS) {
    const at = reachedAt(`${isoDay(day)} ${String(hour).padStart(2, '0')}:00:00`, zone).first
    if (at > from && at <= until) found.push(comingDate(isoDay(day + daysBefore * DAY_MS)))
  }
  return found
}

/** 29 February is 28 February in years without it. */
function comingDate(date: string): ComingDate {
  const [year, monthDay] = [Number(date.slice(0, 4)), date.slice(5)]
  const isShortYear = isoDay(Date.parse(`${year}-03-01`) - DAY_MS).endsWith('02-28')
  return { date, year, monthDays: monthDay === '02-28' && isShortYear ? [monthDay, '02-29'] : [monthDay] }
}

/** Midnight in UTC of the day that clocks of the zone show. */
function dayOf(at: number, zone: string): number {
  return Date.parse(toClock(at, zone).slice(0, 10))
}

function isoDay(day: number): string {
  return new Date(day).toISOString().slice(0, 10)
}
