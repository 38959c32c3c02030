/**
 * When a delivery is attempted again (G-65), and when an endpoint is given up.
 *
 *   pending ──the receiver takes it──▶ delivered
 *   pending ──it does not, and a wait is left──▶ pending, due after that wait
 *   pending ──it does not, at the last attempt or the only one of a ping──▶ failed
 *   pending, its endpoint off ──not on again within a day──▶ failed
 *   delivered, failed ──sent again by hand──▶ pending
 */
import { LIMITS } from '../limits.ts'
import { PING } from './events.ts'
import { DAY_MS, HOUR_MS } from '../units.ts'

/** Milliseconds from one attempt to the next. After the last of them a delivery has failed. */
const WAITS_MS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000]
/** An endpoint that failed every attempt for so long is switched off. */
const GIVEN_UP_MS = 5 * DAY_MS

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'
export type AttemptOutcome = { status: DeliveryStatus; dueAt: Date | null }

/** What comes of a delivery after an attempt; `attempts`: how many there were of it, this one among them. A ping is for whoever waits for it: it is not repeated. */
export function afterAttempt(event: string, attempts: number, isTaken: boolean, now: Date): AttemptOutcome {
  if (isTaken) return { status: 'delivered', dueAt: null }
  const wait = event === PING ? undefined : WAITS_MS[attempts - 1]
  return wait === undefined ? { status: 'failed', dueAt: null } : { status: 'pending', dueAt: new Date(now.getTime() + wait) }
}

export function isGivenUp(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= GIVEN_UP_MS
}

/** Until when what falls due of an endpoint that is off waits for it to be on again. */
export function waitsUntil(offSince: Date): Date {
  return new Date(offSince.getTime() + LIMITS.webhookOffHours * HOUR_MS)
}
