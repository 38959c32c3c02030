/**
 * Differences that may be looked at whenever one likes: an asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha,
 * Kennedy, Ramdas, arXiv 2103.06476), with the margin of Robbins' normal mixture, so that its p is that of the mixture
 * sequential probability ratio test. Of all tests without a difference at most α ever leave out 0, however often
 * somebody looks and whenever they stop.
 */

/** `done` of `seen` units (devices, people) did something; 0 ≤ done ≤ seen. */
export type VariantShare = { done: number; seen: number }
/** The difference of two shares, between which bounds the true one lies, and `p`: the least α at which they leave out 0. */
export type Difference = { difference: number; low: number; high: number; p: number }

/** Of both groups together: where the interval is narrowest when nobody planned a size. */
const NARROWEST_AT = 10_000

/** x = N ρ²: how far the test has come, in units of the size at which its interval is narrowest. */
export function progressOf(units: number, alpha: number, narrowestAt = NARROWEST_AT): number {
  const twice = -2 * Math.log(alpha)
  return (units * (twice + Math.log(twice + 1))) / narrowestAt
}

/** How many standard errors the interval reaches to each side. */
export function marginOf(progress: number, alpha: number): number {
  return Math.sqrt(((2 * (progress + 1)) / progress) * Math.log(Math.sqrt(progress + 1) / alpha))
}

/** The mean of a group, and the variance of that mean. */
export type GroupMean = { units: number; mean: number; squaredError: number }

/** The difference a − b. `plannedUnits`: of both groups, when their size was planned: the interval is narrowest at half of it. */
export function differenceOfMeans(a: GroupMean, b: GroupMean, alpha: number, plannedUnits?: number): Difference {
  const difference = a.mean - b.mean
  const error = Math.sqrt(a.squaredError + b.squaredError)
  const progress = progressOf(a.units + b.units, alpha, plannedUnits === undefined ? NARROWEST_AT : plannedUnits / 2)
  const reach = marginOf(progress, alpha) * error
  const z = error > 0 ? Math.abs(difference) / error : 0
  const p = Math.min(1, Math.sqrt(progress + 1) * Math.exp((-(z ** 2) * progress) / (2 * (progress + 1))))
  return { difference, low: difference - reach, high: difference + reach, p }
}

/** The same of two shares, which differ by 1 at most. */
export function differenceOf(a: VariantShare, b: VariantShare, alpha: number, plannedUnits?: number): Difference {
  const found = differenceOfMeans(meanOfShare(a), meanOfShare(b), alpha, plannedUnits)
  return { ...found, low: Math.max(found.low, -1), high: Math.min(found.high, 1) }
}

function meanOfShare({ done, seen }: VariantShare): GroupMean {
  const mean = done / seen
  return { units: seen, mean, squaredError: (mean * (1 - mean)) / Math.max(seen - 1, 1) }
}

/** A test that is still open after this many units has no difference worth waiting for. */
const MOST_UNITS = 100_000_000

/**
 * How many units more, of both groups, until a difference as it is now would be clear; undefined when it would take more
 * than a hundred million. An estimate: differences that look large early are smaller later.
 */
export function unitsMissing(a: VariantShare, b: VariantShare, alpha: number): number | undefined {
  return unitsMissingOfMeans(meanOfShare(a), meanOfShare(b), alpha)
}

/** The same of means. */
export function unitsMissingOfMeans(a: GroupMean, b: GroupMean, alpha: number, plannedUnits?: number): number | undefined {
  const units = a.units + b.units
  const isClearAt = (total: number) => {
    const by = total / units
    const grown = ({ units: each, mean, squaredError }: GroupMean) => ({ units: each * by, mean, squaredError: squaredError / by })
    return differenceOfMeans(grown(a), grown(b), alpha, plannedUnits).p < alpha
  }
  if (!isClearAt(MOST_UNITS)) return undefined
  let [low, high] = [units, MOST_UNITS]
  while (high - low > Math.max(1, low / 1_000)) {
    const middle = Math.floor((low + high) / 2)
    if (isClearAt(middle)) high = middle
    else low = middle
  }
  return high - units
}
