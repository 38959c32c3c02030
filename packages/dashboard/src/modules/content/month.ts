/** A month as people see it on a wall: whole weeks, in the zone of the browser. */
import type { Summary } from './api.ts'

/** A day in the browser's zone, as `2026-11-21`. */
export type Day = string
/** `2026-11` */
export type Month = string

export type Entry = { at: Date; change: 'starts' | 'ends'; instance: Summary }

const two = (value: number) => String(value).padStart(2, '0')

export function dayOf(at: Date): Day {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

export function monthOf(at: Date): Month {
  return dayOf(at).slice(0, 7)
}

/** The month an address names, or the one of `now`. */
export function readMonth(text: string, now: Date): Month {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : monthOf(now)
}

/** Midday, which no change of summer time moves to another day. */
export function dateOf(day: Day): Date {
  return new Date(`${day}T12:00:00`)
}

export function shiftMonth(month: Month, by: number): Month {
  const date = dateOf(`${month}-01`)
  date.setMonth(date.getMonth() + by)
  return monthOf(date)
}

/** The weeks that hold the days of `month`, each beginning on `firstWeekday` (0: Sunday). */
export function weeksOf(month: Month, firstWeekday: number): Day[][] {
  const day = dateOf(`${month}-01`)
  day.setDate(day.getDate() - ((day.getDay() - firstWeekday + 7) % 7))
  const weeks: Day[][] = []
  while (weeks.length === 0 || monthOf(day) === month) {
    const week: Day[] = []
    for (let count = 0; count < 7; count++) {
      week.push(dayOf(day))
      day.setDate(day.getDate() + 1)
    }
    weeks.push(week)
  }
  return weeks
}

/** From the first moment of these weeks to the first after them, in UTC. */
export function boundsOf(weeks: readonly Day[][]): { from: string; to: string } {
  const days = weeks.flat()
  const [from, to] = [dateOf(days[0] ?? ''), dateOf(days.at(-1) ?? '')]
  from.setHours(0, 0, 0, 0)
  to.setHours(24, 0, 0, 0)
  return { from: from.toISOString(), to: to.toISOString() }
}

/** `count` days from the one of `from` on. */
export function daysFrom(from: Date, count: number): Day[] {
  const day = dateOf(dayOf(from))
  return Array.from({ length: count }, () => {
    const name = dayOf(day)
    day.setDate(day.getDate() + 1)
    return name
  })
}

/** Every start and end of the schedules, in order of time. */
export function entriesOf(instances: readonly Summary[]): Entry[] {
  return instances
    .flatMap((instance): Entry[] => {
      const { startTime, endTime } = instance.schedule ?? {}
      return [
        ...(startTime ? [{ at: new Date(startTime), change: 'starts' as const, instance }] : []),
        ...(endTime ? [{ at: new Date(endTime), change: 'ends' as const, instance }] : []),
      ]
    })
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
}
