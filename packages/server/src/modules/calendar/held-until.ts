import { DAYS_AROUND, endOfHolds, prayerHolds, quietHolds, type Hold } from '@contentflow/core/calendar/holds.ts'
import type { SendWindow } from '@contentflow/core/messages/window.ts'
import { prayerTimes } from './prayer-times.ts'

const DAY_MS = 86_400_000

/**
 * The moment a message may leave (M-DISP-02, G-71) when `at` is in a prayer blackout or in quiet hours: the end of the hold
 * and of those that follow on it; undefined when it may leave now. Start and end of the window are the caller's, and so is
 * the time zone of the workspace, where the window names none: without one, quiet hours are UTC.
 */
export function heldUntil({ prayerBlackout, quietHours, timezone = 'UTC' }: SendWindow, at: Date): Date | undefined {
  const holds: Hold[] = quietHours === undefined ? [] : quietHolds(quietHours, timezone, at.getTime())
  if (prayerBlackout?.enabled === true) {
    const days = DAYS_AROUND.map((days) => new Date(at.getTime() + days * DAY_MS).toISOString().slice(0, 10))
    const prayers = days.flatMap((day) => prayerTimes(day, prayerBlackout))
    holds.push(...prayerHolds(prayers, prayerBlackout))
  }
  const until = endOfHolds(holds, at.getTime())
  return until === undefined ? undefined : new Date(until)
}
