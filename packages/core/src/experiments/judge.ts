/** What the groups of an experiment allow to be said: at any time, and by the one reading at the planned size. */
import type { MetricKind } from './metric.ts'
import { ALPHA, ANY_TIME_ALPHA, chanceOnce, pairsOf, PLANNED_ALPHA } from './plan.ts'
import { differenceOfMeans, unitsMissingOfMeans, type GroupMean } from './sequential.ts'
import { twoSided, zOfTail } from './tails.ts'

/** Units of a group, how many of them did anything at all, and the sums of what each did and of its squares. */
export type GroupSums = { units: number; did: number; sum: number; squares: number }
/** `adjusted`: its mean without what the past of its units explains (`cuped.ts`), which is judged instead. */
export type Group = GroupSums & { id: string; adjusted?: GroupMean }

/** Below this many that did it, or did not, the normal distribution says nothing of a group. */
const LEAST = 10
/** The 97.5th percentile of the normal distribution: two sides of 95 %. */
const Z = 1.959_963_984_540_054

/** The mean of what each unit did. At least one unit. */
export function meanOf({ units, sum, squares, adjusted }: GroupSums & Pick<Group, 'adjusted'>): GroupMean {
  if (adjusted) return adjusted
  const mean = sum / units
  const variance = Math.max(0, squares - sum * mean) / Math.max(units - 1, 1)
  return { units, mean, squaredError: variance / units }
}

/** The mean with its 95 % interval for one look; of nobody undefined. */
export function intervalOf(group: GroupSums & Pick<Group, 'adjusted'>): { mean: number; low: number; high: number } | undefined {
  if (group.units === 0) return undefined
  const { mean, squaredError } = meanOf(group)
  const reach = Z * Math.sqrt(squaredError)
  return { mean, low: mean - reach, high: mean + reach }
}

/** The two that are compared: the best and the next one, of the groups that are large enough. */
export function leadersOf(groups: readonly Group[], of: MetricKind): { best: Group; than: Group; pairs: number } | undefined {
  const able = groups.filter(({ units, did }) => did >= LEAST && (of === 'people' ? units - did >= LEAST : units >= 2 * LEAST))
  const [best, than] = able.toSorted((a, b) => meanOf(b).mean - meanOf(a).mean)
  return best && than && { best, than, pairs: pairsOf(able.length) }
}

/** The planned reading: a two-sided test, taken once. `isClear`: at its share of α, for all pairs of groups. */
export type Reading = { best: string; than: string; difference: number; low: number; high: number; chance: number; isClear: boolean }

/** Undefined: no two groups are large enough. */
export function takeReading(groups: readonly Group[], of: MetricKind): Reading | undefined {
  const leaders = leadersOf(groups, of)
  if (!leaders) return undefined
  const { best, than, pairs } = leaders
  const [a, b] = [meanOf(best), meanOf(than)]
  const error = Math.sqrt(a.squaredError + b.squaredError)
  const difference = a.mean - b.mean
  const alpha = PLANNED_ALPHA / pairs
  const shareOf = ({ units, did }: Group) => ({ seen: units, done: did })
  const byMeans = error > 0 ? twoSided(difference / error) : 1
  const chance = of === 'people' && !best.adjusted ? chanceOnce(shareOf(best), shareOf(than)) : byMeans
  const reach = zOfTail(alpha / 2) * error
  return { best: best.id, than: than.id, difference, low: difference - reach, high: difference + reach, chance, isClear: chance < alpha }
}

/**
 * `too_few`: no two groups are large enough. `open`: what differs can be chance. `clear`: `best` is better than `than`, the
 * next one. The true difference lies between `low` and `high`. `p`: for all pairs of groups, against 0.05. `needed`: units
 * that the two need besides, until a difference as it is now would be clear at any time; missing where very many.
 */
export type ExperimentVerdict =
  | { kind: 'too_few' }
  | ({ kind: 'open'; p: number; needed?: number } & Compared)
  | ({ kind: 'clear'; p: number; by: 'any_time' | 'planned_reading' } & Compared)
type Compared = { best: string; than: string; difference: number; low: number; high: number }

/** `plannedUnits`: of all groups, where their size was planned; `reading`: what was read when it was reached. */
export type Judging = { of: MetricKind; plannedUnits?: number | undefined; reading?: Reading | undefined }

export function judgeExperiment(groups: readonly Group[], { of, plannedUnits, reading }: Judging): ExperimentVerdict {
  const leaders = leadersOf(groups, of)
  if (!leaders) return { kind: 'too_few' }
  const { best, than, pairs } = leaders
  const alpha = (plannedUnits === undefined ? ALPHA : ANY_TIME_ALPHA) / pairs
  const ofTwo = plannedUnits && (plannedUnits * 2) / groups.length
  const found = differenceOfMeans(meanOf(best), meanOf(than), alpha, ofTwo)
  const compared = { best: best.id, than: than.id, difference: found.difference, low: found.low, high: found.high }
  const p = Math.min(1, (found.p * ALPHA) / alpha)
  if (found.p < alpha) return { kind: 'clear', by: 'any_time', p, ...compared }
  if (reading?.isClear) {
    const { chance, best: read, than: next, difference, low, high } = reading
    return {
      kind: 'clear',
      by: 'planned_reading',
      p: Math.min(1, (chance * pairs * ALPHA) / PLANNED_ALPHA),
      best: read,
      than: next,
      difference,
      low,
      high,
    }
  }
  const needed = unitsMissingOfMeans(meanOf(best), meanOf(than), alpha, ofTwo)
  return { kind: 'open', p, ...compared, ...(needed !== undefined && { needed }) }
}

/** One group against another whenever one looks: what the interval of a day was. Undefined while either has too few. */
export function differenceSoFar(a: Group, b: Group, { of, plannedUnits }: Judging, groups: number): Compared | undefined {
  const leaders = leadersOf([a, b], of)
  if (!leaders) return undefined
  const alpha = (plannedUnits === undefined ? ALPHA : ANY_TIME_ALPHA) / pairsOf(groups)
  const { difference, low, high } = differenceOfMeans(meanOf(a), meanOf(b), alpha, plannedUnits && (plannedUnits * 2) / groups)
  return { best: a.id, than: b.id, difference, low, high }
}
