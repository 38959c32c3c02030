import type { Schedule } from '../instance.ts'

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

export type RankedInstance = { id: string; priority: number; publishedAt: number }

/** Higher priority first; ties by earlier publication, then id (G-37, A-47). */
export function byPriority(a: RankedInstance, b: RankedInstance): number {
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

/** Why an instance is not sent, or that it is. */
export type DeliveryReason = 'delivered' | 'schedule_not_started' | 'schedule_ended' | 'not_in_segment'

/** The one decision about a published instance; `isIn` answers for the segment it is aimed at. Delivery and explain both ask here. */
export function verdictOf(
  { startsAt, endsAt, target }: { startsAt: number; endsAt: number; /** -1 reaches everyone. */ target: number },
  isIn: (target: number) => boolean,
  now: number,
): DeliveryReason {
  if (!isOnAir(startsAt, endsAt, now)) return now < startsAt ? 'schedule_not_started' : 'schedule_ended'
  return target === -1 || isIn(target) ? 'delivered' : 'not_in_segment'
}

/** Why a caller gets untargeted content only. */
export type TargetingReason =
  'no_device' | 'device_unknown' | 'device_of_other_environment' | 'record_lapsed' | 'consent_unknown' | 'consent_denied'

/**
 * C-SYNC-17, X-INT-41: targeted content needs consent, in the device's own environment, while its record lives.
 * `device`: null when the request names none, undefined when it was never seen.
 */
export function targetingReason(
  device: { environment: string; consent: string; expiresAt: Date } | null | undefined,
  environment: string,
  now: number,
): TargetingReason | undefined {
  if (device === null) return 'no_device'
  if (device === undefined) return 'device_unknown'
  if (device.environment !== environment) return 'device_of_other_environment'
  if (device.expiresAt.getTime() <= now) return 'record_lapsed'
  if (device.consent === 'granted') return undefined
  return device.consent === 'denied' ? 'consent_denied' : 'consent_unknown'
}
