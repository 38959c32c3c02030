/**
 * CUPED (Deng, Xu, Kohavi, Walker 2013): what units did before they were exposed explains a part of what they do after,
 * and the variants have no share in it. Taking that part away narrows the interval by √(1 − ρ²) and moves no mean, because
 * chance gave every group the same past.
 */
import type { GroupMean } from './sequential.ts'

/** Sums of a group: y after exposure, x of the same metric before it. */
export type PairedSums = { units: number; y: number; yy: number; x: number; xx: number; xy: number }

/** What units did before is cut here, so that a few extreme ones do not decide the slope. */
export const MOST_BEFORE = 1_000

/**
 * The adjusted mean of each group, in the order of the groups; each has at least two units. The slope θ = Σ Sxy / Σ Sxx is
 * that of all groups, centred within each, so a difference between them does not bend it. Where nobody has a past, nothing
 * is adjusted.
 */
export function adjustedMeans(groups: readonly PairedSums[]): GroupMean[] {
  const centred = groups.map(({ units, y, yy, x, xx, xy }) => ({
    units,
    mean: y / units,
    before: x / units,
    yy: yy - (y * y) / units,
    xx: xx - (x * x) / units,
    xy: xy - (x * y) / units,
  }))
  const sumOf = (name: 'xx' | 'xy') => centred.reduce((sum, group) => sum + group[name], 0)
  const slope = sumOf('xx') > 0 ? sumOf('xy') / sumOf('xx') : 0
  const all = groups.reduce((sum, { x }) => sum + x, 0) / groups.reduce((sum, { units }) => sum + units, 0)
  return centred.map(({ units, mean, before, yy, xx, xy }) => {
    const spread = Math.max(0, yy - 2 * slope * xy + slope ** 2 * xx)
    return { units, mean: mean - slope * (before - all), squaredError: spread / Math.max(units - 1, 1) / units }
  })
}

/** How much narrower the interval of the difference of two groups is by it: 0.18 is 18 %. Undefined where nothing differs in either. */
export function narrowedBy(plain: readonly [GroupMean, GroupMean], adjusted: readonly [GroupMean, GroupMean]): number | undefined {
  const [before, after] = [plain, adjusted].map(([a, b]) => Math.sqrt(a.squaredError + b.squaredError)) as [number, number]
  return before > 0 ? Math.max(0, 1 - after / before) : undefined
}
