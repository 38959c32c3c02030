/** A month as people see it on a wall: whole weeks, in the zone of the workspace. */
import { momentOf, toClock } from '@contentflow/core/calendar/zoned-time.ts'
import type { Summary, Turn } from './api.ts'

/** A day of the calendar, as `2026-11-21`. */
export type Day = string
/** `2026-11` */
export type Month = string

/** `isDraft`: published nowhere, so nothing starts or ends. */
export type Entry = { at: Date; change: Turn['change']; isDraft: boolean; instance: Summary }

export function dayOf(at: Date, zone: string): Day {
  return toClock(at, zone).slice(0, 10)
}

export function monthOf(day: Day): Month {
  return day.slice(0, 7)
}

/** The month an address names, or the one of `today`. */
export function readMonth(text: string, today: Day): Month {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : monthOf(today)
}

/** Days are counted in UTC, where each has 24 hours. */
const dateOf = (day: Day) => new Date(`${day}T12:00:00Z`)
const nameOf = (date: Date): Day => date.toISOString().slice(0, 10)

export function dayNumber(day: Day): number {
  return dateOf(day).getUTCDate()
}

/** 0 is Sunday. */
export function weekdayOf(day: Day): number {
  return dateOf(day).getUTCDay()
}

export function addDays(day: Day, count: number): Day {
  const date = dateOf(day)
  date.setUTCDate(date.getUTCDate() + count)
  return nameOf(date)
}

export function shiftMonth(month: Month, by: number): Month {
  const date = dateOf(`${month}-01`)
  date.setUTCMonth(date.getUTCMonth() + by)
  return monthOf(nameOf(date))
}

/** `count` days from this one on. */
export function daysFrom(day: Day, count: number): Day[] {
  return Array.from({ length: count }, (_, index) => addDays(day, index))
}

/** The weeks that hold the days of `month`, each beginning on `firstWeekday` (0: Sunday). */
export function weeksOf(month: Month, firstWeekday: number): Day[][] {
  const first = `${month}-01`
  let day = addDays(first, -((weekdayOf(first) - firstWeekday + 7) % 7))
  const weeks: Day[][] = []
  while (weeks.length === 0 || monthOf(day) === month) {
    weeks.push(daysFrom(day, 7))
    day = addDays(day, 7)
  }
  return weeks
}

/** The range from the first moment of these weeks to the first after them, in UTC. */
export function boundsOf(weeks: readonly Day[][], zone: string): { from: string; to: string } {
  const days = weeks.flat()
  const midnight = (day: Day) => momentOf(`${day} 00:00:00`, zone)?.toISOString() ?? ''
  return { from: midnight(days[0] ?? ''), to: midnight(addDays(days.at(-1) ?? '', 1)) }
}

/** Every start and end of the schedules, and every next publication, in order of time. */
export function entriesOf(instances: readonly Summary[]): Entry[] {
  return instances
    .flatMap((instance): Entry[] => {
      const { startTime, endTime } = instance.schedule ?? {}
      const isDraft = instance.state === 'draft'
      return [
        ...(instance.publishAt ? [{ at: new Date(instance.publishAt), change: 'publishes' as const, isDraft: false, instance }] : []),
        ...(startTime ? [{ at: new Date(startTime), change: 'starts' as const, isDraft, instance }] : []),
        ...(endTime ? [{ at: new Date(endTime), change: 'ends' as const, isDraft, instance }] : []),
      ]
    })
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
}
