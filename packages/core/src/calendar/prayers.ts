/** The five daily prayers, by name. Their times are worked out elsewhere and handed in. */
import { MINUTE_MS } from '../units.ts'

export const PRAYERS = ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'] as const
export type Prayer = (typeof PRAYERS)[number]

/** Degrees. */
export type PrayerLocation = { latitude: number; longitude: number }

/**
 * What computed times differ from the official ones at most (Umm al-Qura, Saudi cities), either way: so long a hold begins
 * early and ends late.
 */
export const PRAYER_TOLERANCE_MS = MINUTE_MS
/** A computed time may be a minute before the official one, and a minute after that one nobody is early by any clock. */
const BEHIND_MS = 2 * PRAYER_TOLERANCE_MS

/** The first of these times of a prayer that lies so many minutes back only after `now`; undefined: all lie behind. Milliseconds. */
export function nextAfterPrayer(times: readonly number[], minutesAfter: number, now: number): number | undefined {
  const ends = times.map((at) => at + minutesAfter * MINUTE_MS + BEHIND_MS)
  return ends.toSorted((a, b) => a - b).find((at) => at > now)
}
