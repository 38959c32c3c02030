import type { Schedule } from './instance.ts'

/** The one name that means everyone (C-BLK, G-36). */
export const EVERYONE = 'All users'

/** The segment an instance is aimed at; undefined for everyone. Names are compared byte for byte and never checked against existing segments. */
export function targetOf(seg: string | null): string | undefined {
  return seg === null || seg === '' || seg === EVERYONE ? undefined : seg
}

/** C-SYNC-20, G-37: the start belongs to the schedule, the end does not. Times are milliseconds. */
export function isOnAir(startsAt: number, endsAt: number, now: number): boolean {
  return startsAt <= now && now < endsAt
}

/** A schedule as two numbers, open ends as infinities. */
export function scheduleBounds(schedule: Schedule | null): { startsAt: number; endsAt: number } {
  return {
    startsAt: schedule?.startTime ? Date.parse(schedule.startTime) : -Infinity,
    endsAt: schedule?.endTime ? Date.parse(schedule.endTime) : Infinity,
  }
}

export type Ranked = { id: string; priority: number; publishedAt: number }

/** Higher priority first; ties by earlier publication, then id (G-37, A-47). */
export function byPriority(a: Ranked, b: Ranked): number {
  return b.priority - a.priority || a.publishedAt - b.publishedAt || (a.id < b.id ? -1 : 1)
}

/**
 * How many of the sorted `boundaries` (start and end times, milliseconds) have passed. A schedule changes
 * an answer without a publish, so this number is part of what an answer depends on.
 */
export function scheduleEpoch(boundaries: readonly number[], now: number): number {
  let low = 0
  let high = boundaries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((boundaries[middle] ?? Infinity) <= now) low = middle + 1
    else high = middle
  }
  return low
}
