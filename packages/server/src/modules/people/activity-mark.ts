import { HOUR_MS } from '@contentflow/core/units.ts'

/** The time by which silent people are found: see migration 0032. */

/**
 * How far a mark may lag behind the last activity, in milliseconds. It is shorter than the shortest silence that a journey can
 * ask for, a day: a person with an older mark gets a new one with the next activity.
 */
export const ACTIVITY_LAG = 12 * HOUR_MS

/** A mark before this moment is replaced when its person is active now. */
export function oldestMark(now: Date): Date {
  return new Date(now.getTime() - ACTIVITY_LAG)
}
