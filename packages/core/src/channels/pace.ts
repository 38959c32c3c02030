/** How fast one channel of a workspace is asked: as many messages as it takes in about a second, and few calls where each takes long. */

/** `atOnce`: calls under way; `batch`: messages that are taken together, so that none waits long behind the others. */
export type Pace = { atOnce: number; batch: number }

/** A batch is meant to be out within this time, milliseconds. */
const BATCH_MS = 1_000
/** From here on a call is slow: whoever answers so late is asked by half as many. Below the second one it is asked by more again. */
const [SLOW_MS, QUICK_MS] = [3_000, 1_500]

/** Before anything is known of a channel nothing is taken that could not be sent at once. */
export function firstPace(most: Pace): Pace {
  return { atOnce: most.atOnce, batch: Math.min(most.atOnce, most.batch) }
}

/** What follows from how long the last calls took, milliseconds each. */
export function nextPace(pace: Pace, most: Pace, callMs: number): Pace {
  const atOnce = callMs > SLOW_MS ? Math.floor(pace.atOnce / 2) : callMs < QUICK_MS ? pace.atOnce * 2 : pace.atOnce
  const within = between(atOnce, 1, most.atOnce)
  return { atOnce: within, batch: between(Math.floor((within * BATCH_MS) / Math.max(1, callMs)), within, Math.max(within, most.batch)) }
}

/** Whether the next batch may be taken while one is sent whose calls take so long: it will be out soon. */
export function isQuick(callMs: number): boolean {
  return callMs < BATCH_MS
}

/** Of what many share, each takes half of what is left at most: so there is some left for whoever comes. */
export function shareOf(wanted: number, free: number): number {
  return Math.max(1, Math.min(wanted, Math.floor(free / 2)))
}

function between(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}
