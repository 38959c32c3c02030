/** When messages wait: the times around prayers, and quiet hours. The times of prayers are handed in. */
import type { PrayerBlackout, QuietHours } from '../messages/window.ts'
import { PRAYER_TOLERANCE_MS } from './prayers.ts'
import { reachedAt, toClock } from './zoned-time.ts'
import { MINUTE_MS } from '../units.ts'

/** Milliseconds of the epoch; at `until` a message may leave. */
export type HoldWindow = { from: number; until: number }

const DAY_MS = 24 * 60 * MINUTE_MS
/** Days around a moment whose holds can meet it: one that began the day before, and those that follow on it. */
export const DAYS_AROUND = [-1, 0, 1, 2] as const

export function prayerHolds(prayers: readonly number[], { minutesBefore, minutesAfter }: PrayerBlackout): HoldWindow[] {
  return prayers.map((at) => ({
    from: at - minutesBefore * MINUTE_MS - PRAYER_TOLERANCE_MS,
    until: at + minutesAfter * MINUTE_MS + PRAYER_TOLERANCE_MS,
  }))
}

/**
 * Quiet hours by the clock of a zone, over midnight where they end before they begin. What the end of summer time shows
 * twice is quiet from its first beginning to its last end; what its beginning leaves out, begins and ends behind the gap.
 */
export function quietHolds({ from, to }: QuietHours, zone: string, at: number): HoldWindow[] {
  const today = Date.parse(`${toClock(at, zone).slice(0, 10)}T00:00:00Z`)
  const on = (day: number, time: string) => reachedAt(`${new Date(day).toISOString().slice(0, 10)} ${time}:00`, zone)
  return DAYS_AROUND.map((days) => {
    const day = today + days * DAY_MS
    return { from: on(day, from).first, until: on(to > from ? day : day + DAY_MS, to).last }
  })
}

/**
 * The end of the hold that `at` stands in, and of those that follow on it without a break; undefined when none holds it.
 * Where holds leave no gap in all that is handed in, the end of the last one: whoever waits asks again.
 */
export function endOfHolds(holds: readonly HoldWindow[], at: number): number | undefined {
  let until = at
  for (const hold of holds.toSorted((a, b) => a.from - b.from)) {
    if (hold.from <= until && until < hold.until) until = hold.until
  }
  return until === at ? undefined : until
}
