/** When something that failed is tried again. All times are milliseconds; `random` is from 0 up to 1 and is handed in. */

/** Waits that double from `first` up to `most`; `jitter` is the part of each by which chance makes it longer, or shorter when negative. */
export type BackOff = { first: number; most: number; jitter?: number }

/** Doublings that are counted: by then every wait has reached its bound. */
const MOST_DOUBLINGS = 30

/** The wait after failure number `failures`, counted from 1. */
export function backoff({ first, most, jitter = 0 }: BackOff, failures: number, random: number): number {
  return spread(Math.min(first * 2 ** Math.min(failures - 1, MOST_DOUBLINGS), most), jitter, random)
}

/** A wait made longer by up to this part of it, so that what failed together does not come back together. */
export function spread(milliseconds: number, part: number, random: number): number {
  return milliseconds * (1 + part * random)
}
