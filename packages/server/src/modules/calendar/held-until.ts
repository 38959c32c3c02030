import { endOfHolds, prayerHolds, quietHolds, type HoldWindow } from '@contentflow/core/calendar/holds.ts'
import type { SendWindow } from '@contentflow/core/messages/window.ts'
import { prayersAround } from './prayer-times.ts'

/**
 * The moment a message may leave (M-DISP-02, G-71) when `at` is in a prayer blackout or in quiet hours: the end of the hold
 * and of those that follow on it; undefined when it may leave now. Start and end of the window are the caller's, and so is
 * the time zone of the workspace, where the window names none: without one, quiet hours are UTC.
 */
export function heldUntil({ prayerBlackout, quietHours, timezone = 'UTC' }: SendWindow, at: Date): Date | undefined {
  const holds: HoldWindow[] = quietHours === undefined ? [] : quietHolds(quietHours, timezone, at.getTime())
  if (prayerBlackout?.enabled === true) holds.push(...prayerHolds(prayersAround(at.getTime(), prayerBlackout), prayerBlackout))
  const until = endOfHolds(holds, at.getTime())
  return until === undefined ? undefined : new Date(until)
}
