/** The days of a strip calendar in the browser's zone, with the part of each day that the content is on air. */
import type { Schedule } from '@contentflow/core/blocks/instance.ts'
import { scheduleBounds } from '@contentflow/core/blocks/select-blocks.ts'

export type StripDay = {
  /** Midnight at which the day begins. */
  at: Date
  isToday: boolean
  isWeekend: boolean
  /** Part of the day on air, from 0 to 1; `from` equals `to` when it is not. */
  from: number
  to: number
}

export function stripDays(schedule: Schedule | null, first: Date, count: number, now: Date): StripDay[] {
  const { startsAt, endsAt } = scheduleBounds(schedule)
  return Array.from({ length: count }, (_, index) => {
    const at = midnight(first, index)
    const next = midnight(first, index + 1).getTime()
    const part = (time: number) => Math.min(1, Math.max(0, (time - at.getTime()) / (next - at.getTime())))
    const from = part(startsAt)
    return {
      at,
      isToday: at.getTime() <= now.getTime() && now.getTime() < next,
      isWeekend: at.getDay() === 5 || at.getDay() === 6,
      from,
      to: Math.max(from, part(endsAt)),
    }
  })
}

/** The strip shows today unless what is planned lies elsewhere: then the start, or the end of what is over. */
export function firstDay(schedule: Schedule | null, now: Date): Date {
  const { startsAt, endsAt } = scheduleBounds(schedule)
  const wanted = startsAt > now.getTime() ? startsAt : Math.min(now.getTime(), endsAt)
  return midnight(new Date(wanted), -2)
}

/** Of the day so many days later. Days have 23 to 25 hours, so they are counted by the calendar. */
export function midnight(day: Date, later: number): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + later)
}
