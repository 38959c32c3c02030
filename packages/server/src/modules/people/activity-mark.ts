import { HOUR_MS } from '@contentflow/core/units.ts'

/** The moment that silence is looked for by: see migration 0032. */

/**
 * So far a mark may lie behind what somebody does, in milliseconds. Shorter than the shortest silence that a journey asks
 * about, a day: whoever had a mark that old and then does something gets a new one.
 */
export const ACTIVITY_LAG = 12 * HOUR_MS

/** A mark before this moment is replaced when somebody is active now. */
export function oldestMark(now: Date): Date {
  return new Date(now.getTime() - ACTIVITY_LAG)
}
