/** What the numbers of variants allow to be said: pure, by published formulas. */
import { ALPHA, ANY_TIME_ALPHA, pairsOf } from '../experiments/plan.ts'
import { differenceOf, unitsMissing, type VariantShare } from '../experiments/sequential.ts'

/** Shares from 0 to 1: how large it is, and between which bounds the true one lies with 95 % certainty. */
export type Rate = { rate: number; low: number; high: number }

/** The 97.5th percentile of the normal distribution: two sides of 95 %. */
const Z = 1.959_963_984_540_054
/** Below this many that did it, or did not, the normal distribution says nothing of a group. */
const LEAST = 10

/** Wilson's interval, which stays right for small groups and rare events (Wilson 1927); undefined of nobody. */
export function rateOf({ done, seen }: VariantShare): Rate | undefined {
  if (seen === 0) return undefined
  const rate = done / seen
  const scale = 1 + Z ** 2 / seen
  const middle = (rate + Z ** 2 / (2 * seen)) / scale
  const half = (Z / scale) * Math.sqrt((rate * (1 - rate)) / seen + Z ** 2 / (4 * seen ** 2))
  return { rate, low: done === 0 ? 0 : Math.max(middle - half, 0), high: done === seen ? 1 : Math.min(middle + half, 1) }
}

/**
 * `too_few`: no two groups are large enough to be compared. `open`: what differs can be chance. `clear`: `best` does more
 * often what is counted than `than`, the next best. `chance` is how likely such a difference is found by chance alone by
 * whoever looks as often as they like; `p` is that, times the pairs of groups, and is to be compared with 0.05. `low` and
 * `high` are the bounds of the difference of the two shares. `needed`: how many more of both, until a difference as it is
 * now would be clear; it is missing where that would be more than a hundred million. `isEarly` is false: looking often
 * finds no more than looking once.
 */
export type VariantVerdict =
  | { kind: 'too_few' }
  | { kind: 'open'; chance: number; low: number; high: number; p: number; needed?: number }
  | { kind: 'clear'; best: string; than: string; chance: number; isEarly: false; low: number; high: number; p: number }

type Group = VariantShare & { id: string }

/** The two that a verdict is about: the best and the next one, of the groups that are large enough. */
function leadersOf(groups: readonly Group[]): { best: Group; than: Group; pairs: number } | undefined {
  const able = groups.filter(({ done, seen }) => done >= LEAST && seen - done >= LEAST)
  const [best, than] = able.toSorted((a, b) => b.done / b.seen - a.done / a.seen)
  return best && than && { best, than, pairs: pairsOf(able.length) }
}

/** The best group against the next one, at any time. `plannedUnits`: of all groups, where their size was planned and its reading takes a share of α. */
export function compareGroups(groups: readonly Group[], plannedUnits?: number): VariantVerdict {
  const leaders = leadersOf(groups)
  if (!leaders) return { kind: 'too_few' }
  const { best, than, pairs } = leaders
  const alpha = (plannedUnits === undefined ? ALPHA : ANY_TIME_ALPHA) / pairs
  const { low, high, p: chance } = differenceOf(best, than, alpha, plannedUnits && (plannedUnits * 2) / groups.length)
  const found = { chance, low, high, p: Math.min(1, (chance * ALPHA) / alpha) }
  if (chance < alpha) return { kind: 'clear', best: best.id, than: than.id, ...found, isEarly: false }
  const needed = unitsMissing(best, than, alpha)
  return { kind: 'open', ...found, ...(needed !== undefined && { needed }) }
}
