/** How many units a test needs, said before it starts, and its one planned reading. */
import { twoSided, zOfTail } from './tails.ts'
import type { VariantShare } from './sequential.ts'

/**
 * Two ways lead to a verdict, and share α = 0.05 (union bound): a look at any time, and one reading when the planned
 * size is reached. Without a plan all of it is for looks at any time.
 */
export const ALPHA = 0.05
export const ANY_TIME_ALPHA = 0.02
export const PLANNED_ALPHA = 0.03
/** How likely a difference of the planned size is found by the planned reading. */
const POWER = 0.8

/** With more than two groups the two that are compared are chosen by their numbers, so each pair gets its share of α (Bonferroni). */
export const pairsOf = (groups: number): number => (groups * (groups - 1)) / 2

/** Units of each group, for telling a share of `from` from one of `to` (0 < both < 1, not equal) by the planned reading. */
export function unitsPerGroup(from: number, to: number, alpha = PLANNED_ALPHA): number {
  const middle = (from + to) / 2
  const chance = zOfTail(alpha / 2) * Math.sqrt(2 * middle * (1 - middle))
  const power = zOfTail(1 - POWER) * Math.sqrt(from * (1 - from) + to * (1 - to))
  return ((chance + power) / (to - from)) ** 2
}

/** `smaller`: of two groups of unequal size, the part of all units that the smaller one has, which `perVariant` is then of; undefined: all groups are equal. */
export type PlanQuestion = {
  baseline: number
  relativeEffect: number
  variants: number
  dailyUnits?: number | undefined
  smaller?: number | undefined
}
/** `days` and `smallestIn14Days` (a relative effect) need `dailyUnits`; the latter is null when two weeks show none below +100 %. */
export type Plan = { perVariant: number; total: number; days: number | null; smallestIn14Days: number | null }

/** How many people, and how many days, a test needs. Undefined: the share that is looked for is not between 0 and 1. */
export function planOf({ baseline, relativeEffect, variants, dailyUnits, smaller }: PlanQuestion): Plan | undefined {
  const wanted = baseline * (1 + relativeEffect)
  if (!(wanted > 0 && wanted < 1)) return undefined
  const alpha = PLANNED_ALPHA / pairsOf(variants)
  const ofEqual = Math.ceil(unitsPerGroup(baseline, wanted, alpha))
  // The error of a difference goes by 1/n + 1/m, which is 4/(n + m) when both are equal.
  const evenness = smaller === undefined ? 1 : 4 * smaller * (1 - smaller)
  const total = Math.ceil((ofEqual * variants) / evenness)
  const perVariant = smaller === undefined ? ofEqual : Math.ceil(total * smaller)
  if (dailyUnits === undefined) return { perVariant, total, days: null, smallestIn14Days: null }
  return {
    perVariant,
    total,
    days: Math.ceil(total / dailyUnits),
    smallestIn14Days: smallestEffect(baseline, (dailyUnits * 14 * evenness) / variants, alpha),
  }
}

/** The smallest relative rise that `units` of each group would show, to a thousandth; null: none up to +100 %. */
function smallestEffect(baseline: number, units: number, alpha: number): number | null {
  const most = Math.min(1, (1 - baseline) / baseline)
  for (let thousandths = 1; thousandths / 1_000 < most; thousandths++) {
    if (unitsPerGroup(baseline, baseline * (1 + thousandths / 1_000), alpha) <= units) return thousandths / 1_000
  }
  return null
}

/** How likely a difference at least this large is by chance alone, when it is looked at once: the pooled two-proportion z-test, two-sided. */
export function chanceOnce(a: VariantShare, b: VariantShare): number {
  const pooled = (a.done + b.done) / (a.seen + b.seen)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.seen + 1 / b.seen))
  return error > 0 ? twoSided(Math.abs(a.done / a.seen - b.done / b.seen) / error) : 1
}
