/** The days of a strip calendar in the zone of the workspace, with the part of each day that the content is on air. */
import type { Schedule } from '@contentflow/core/blocks/instance.ts'
import { scheduleBounds } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { momentOf } from '@contentflow/core/calendar/zoned-time.ts'
import { addDays, dayOf, daysFrom, weekdayOf, type Day } from '../../month.ts'

export type StripDay = {
  day: Day
  isToday: boolean
  isWeekend: boolean
  /** Part of the day on air, from 0 to 1; `from` equals `to` when it is not. */
  from: number
  to: number
}

/** The time zone and weekend by which days are counted. */
export type Days = { now: Date; timeZone: string; weekend: readonly number[] }

export function stripDays(schedule: Schedule | null, first: Day, count: number, { now, timeZone, weekend }: Days): StripDay[] {
  const { startsAt, endsAt } = scheduleBounds(schedule)
  const today = dayOf(now, timeZone)
  // Days have 23 to 25 hours, so each goes to the beginning of the next one.
  const midnight = (day: Day) => momentOf(`${day} 00:00:00`, timeZone)?.getTime() ?? 0
  return daysFrom(first, count).map((day) => {
    const [start, end] = [midnight(day), midnight(addDays(day, 1))]
    const part = (time: number) => Math.min(1, Math.max(0, (time - start) / (end - start)))
    const from = part(startsAt)
    return { day, isToday: day === today, isWeekend: weekend.includes(weekdayOf(day)), from, to: Math.max(from, part(endsAt)) }
  })
}

/** The strip shows today unless what is planned lies elsewhere: then the start, or the end of what is over. */
export function firstDay(schedule: Schedule | null, now: Date, timeZone: string): Day {
  const { startsAt, endsAt } = scheduleBounds(schedule)
  const wanted = startsAt > now.getTime() ? startsAt : Math.min(now.getTime(), endsAt)
  return addDays(dayOf(new Date(wanted), timeZone), -2)
}
