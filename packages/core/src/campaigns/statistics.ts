/** What the numbers of variants allow to be said: pure, by published formulas. */

/** `done` of `seen` devices did something; 0 ≤ done ≤ seen. */
export type VariantShare = { done: number; seen: number }
/** Shares from 0 to 1: how large it is, and between which bounds the true one lies with 95 % certainty. */
export type Rate = { rate: number; low: number; high: number }

/** The 97.5th percentile of the normal distribution: two sides of 95 %. */
const Z = 1.959_963_984_540_054
export const ALPHA = 0.05
/** Below this many that did it, or did not, the normal distribution says nothing of a group. */
const LEAST = 10
/** A difference that is found earlier than this is as often as not chance: whoever looks often finds one in the end. */
const SETTLED_DEVICES = 1_000

/** Wilson's interval, which stays right for small groups and rare events (Wilson 1927); undefined of nobody. */
export function rateOf({ done, seen }: VariantShare): Rate | undefined {
  if (seen === 0) return undefined
  const rate = done / seen
  const scale = 1 + Z ** 2 / seen
  const middle = (rate + Z ** 2 / (2 * seen)) / scale
  const half = (Z / scale) * Math.sqrt((rate * (1 - rate)) / seen + Z ** 2 / (4 * seen ** 2))
  return { rate, low: done === 0 ? 0 : Math.max(middle - half, 0), high: done === seen ? 1 : Math.min(middle + half, 1) }
}

/** How likely a difference at least this large is by chance alone, if both were the same: the pooled two-proportion z-test, two-sided. */
export function chanceOf(a: VariantShare, b: VariantShare): number {
  const pooled = (a.done + b.done) / (a.seen + b.seen)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.seen + 1 / b.seen))
  if (!(error > 0)) return 1
  return twoSided(Math.abs(a.done / a.seen - b.done / b.seen) / error)
}

/** The share of a normal distribution that lies further than `z` from its middle, by Abramowitz and Stegun 7.1.26: right to 1.5e-7. */
function twoSided(z: number): number {
  const x = z / Math.SQRT2
  const t = 1 / (1 + 0.327_591_1 * x)
  const series = ((((1.061_405_429 * t - 1.453_152_027) * t + 1.421_413_741) * t - 0.284_496_736) * t + 0.254_829_592) * t
  return series * Math.exp(-(x ** 2))
}

/**
 * `too_few`: no two groups are large enough to be compared. `open`: what differs can be chance. `clear`: `best` does more
 * often what is counted than `than`, the next best. `isEarly`: while a campaign runs and either of them has fewer than a
 * thousand devices, a clear difference is more often chance than α says, because it is looked at again and again.
 */
export type VariantVerdict =
  { kind: 'too_few' } | { kind: 'open'; chance: number } | { kind: 'clear'; best: string; than: string; chance: number; isEarly: boolean }

/** The best group against the next one. With more than two, α is divided by the number of pairs (Bonferroni), because the two are chosen by their numbers. */
export function compareGroups(groups: readonly (VariantShare & { id: string })[], isRunning: boolean): VariantVerdict {
  const able = groups.filter(({ done, seen }) => done >= LEAST && seen - done >= LEAST)
  const [best, next] = able.toSorted((a, b) => b.done / b.seen - a.done / a.seen)
  if (!best || !next) return { kind: 'too_few' }
  const chance = chanceOf(best, next)
  if (chance >= ALPHA / ((able.length * (able.length - 1)) / 2)) return { kind: 'open', chance }
  const isEarly = isRunning && Math.min(best.seen, next.seen) < SETTLED_DEVICES
  return { kind: 'clear', best: best.id, than: next.id, chance, isEarly }
}
