/** The people of a step of a funnel as a rule on what they did, where a rule can say exactly those. */
import type { Group, LogicalOperator, Rule, SegmentRules } from '../targeting/rule.ts'
import { LIMITS } from '../limits.ts'
import { DAY_MS } from '../units.ts'
import type { EventChoice, FunnelQuestion } from './question.ts'

/** Ways to take some of the steps that are written out; more make no rule that anybody reads. */
const MOST_WAYS = 20

/** `step`: the first is 0; `isDropped`: who took it and not the next one. */
export type PeopleOfStep = { step: number; isDropped: boolean }

/**
 * Undefined where a rule would name other people: rules know neither an order, nor a window that begins with a step, nor members of a
 * segment, nor a period that does not reach to `now` (milliseconds). The period becomes the last days, which move on with the segment.
 */
export function ruleOfStep(question: FunnelQuestion, { step, isDropped }: PeopleOfStep, now: number): SegmentRules | undefined {
  const { steps, period, windowMs, order, segment } = question
  const days = Math.round((period.to - period.from) / DAY_MS)
  if (segment !== undefined || period.to <= now || days > LIMITS.eventWindowDays) return undefined
  const valueOf = ({ where }: EventChoice) => ({ within: { days }, ...(where && { where }) })
  const fieldOf = ({ type }: EventChoice): `events.${string}` => `events.${type}`
  const did = (each: EventChoice): Rule => ({ field: fieldOf(each), operator: 'did', value: valueOf(each) })
  const didNot = (each: EventChoice): Rule => ({ field: fieldOf(each), operator: 'did_not', value: valueOf(each) })
  if (step === 0 && !isDropped) return { logicalOperator: 'OR', rules: firstSteps(question).map(did) }
  const areDifferent = new Set(steps.map(({ type }) => type)).size === steps.length
  if (order === 'in_order' || windowMs < period.to - period.from || !areDifferent) return undefined
  const ways = choose(steps.length, step + 1)
  if (ways.length > MOST_WAYS) return undefined
  const rules = ways.map((taken): Group => {
    const left = isDropped ? steps.filter((_, index) => !taken.includes(index)) : []
    return all([...taken.map((index) => did(steps[index]!)), ...left.map(didNot)])
  })
  return rules.length === 1 ? { logicalOperator: 'AND', rules: rules[0]!.conditions } : { logicalOperator: 'OR', rules }
}

/** In any order each of the steps may be the first. */
function firstSteps({ steps, order }: FunnelQuestion): readonly EventChoice[] {
  return order === 'in_order' ? steps.slice(0, 1) : steps
}

function all(conditions: Rule[]): Group {
  const logicalOperator: LogicalOperator = 'AND'
  return { logicalOperator, conditions }
}

/** Every choice of so many of the numbers from 0 up to `count`. */
function choose(count: number, many: number, from = 0): number[][] {
  if (many === 0) return [[]]
  const found: number[][] = []
  for (let first = from; first <= count - many; first++) for (const rest of choose(count, many - 1, first + 1)) found.push([first, ...rest])
  return found
}
