/** Whether what leads an experiment harms something else. */
import { meanOf, type Group } from './judge.ts'
import type { Guardrail } from './metric.ts'
import { ALPHA, pairsOf } from './plan.ts'
import { differenceOfMeans } from './sequential.ts'

export type GuardrailState = 'harmed' | 'safe' | 'unclear'
/** `difference`: what leads less the other; the true one lies between `low` and `high`. Missing while nothing can be said. */
type AgainstOne = { state: GuardrailState; difference?: number; low?: number; high?: number }
/** The numbers are those against `than`, beside which it looks worst. */
export type GuardrailVerdict = AgainstOne & { than?: string; against: (AgainstOne & { variantId: string })[] }

/** Below this many units of either group nothing is said. */
const LEAST_UNITS = 100

export const NOTHING_LEADS: GuardrailVerdict = { state: 'unclear', against: [] }

/**
 * The leading group against each other one, whenever one looks. `harmed`: beside one of them the whole interval lies beyond
 * the margin; `safe`: none of it does, beside any. `groups`: how many the experiment has, because all their pairs are looked at.
 */
export function judgeGuardrail(
  lead: Group,
  others: readonly Group[],
  guardrail: Omit<Guardrail, 'metric'>,
  groups: number,
): GuardrailVerdict {
  const against = others.map((than) => ({ variantId: than.id, ...judgeAgainst(lead, than, guardrail, groups) }))
  const harm = ({ difference = 0 }: AgainstOne) => (guardrail.mustNot === 'fall' ? -difference : difference)
  const harmed = against.filter(({ state }) => state === 'harmed')
  const shown = harmed.length > 0 ? harmed : against.filter(({ difference }) => difference !== undefined)
  const [worst] = shown.toSorted((a, b) => harm(b) - harm(a))
  const isSafe = against.length > 0 && against.every(({ state }) => state === 'safe')
  const state = harmed.length > 0 ? 'harmed' : isSafe ? 'safe' : 'unclear'
  if (!worst) return { state, against }
  const { variantId: than, ...numbers } = worst
  return { ...numbers, state, than, against }
}

function judgeAgainst(lead: Group, than: Group, { mustNot, margin }: Omit<Guardrail, 'metric'>, groups: number): AgainstOne {
  if (Math.min(lead.units, than.units) < LEAST_UNITS) return { state: 'unclear' }
  const [a, b] = [meanOf(lead), meanOf(than)]
  // Nobody did it anywhere, or all did the same: no interval can be had.
  if (a.squaredError + b.squaredError === 0) return { state: 'unclear' }
  const { difference, low, high } = differenceOfMeans(a, b, ALPHA / pairsOf(groups))
  const [nearest, furthest] = mustNot === 'fall' ? [-high, -low] : [low, high]
  const state = nearest > margin ? 'harmed' : furthest <= margin ? 'safe' : 'unclear'
  return { state, difference, low, high }
}
