/** When people hear that a token or a key is about to end. */
import { DAY_MS } from '../units.ts'

/** Days before the end, the most first. */
export const WARNED_DAYS = [14, 3] as const

/** The next moment after `now` at which somebody is told; undefined: none is left. One whose moments are over when it is made is never told of. */
export function nextWarning(endsAt: Date, now: Date): Date | undefined {
  const moments = WARNED_DAYS.map((days) => new Date(endsAt.getTime() - days * DAY_MS))
  return moments.find((moment) => moment > now)
}

/** The days of the last such moment that has come; undefined: none has. */
export function stageOf(endsAt: Date, now: Date): number | undefined {
  return WARNED_DAYS.findLast((days) => endsAt.getTime() - days * DAY_MS <= now.getTime())
}
