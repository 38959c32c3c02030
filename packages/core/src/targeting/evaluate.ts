/**
 * Whether a person meets the rules of a segment. Rules are compiled once and then asked about one subject after
 * the other; asking does no I/O, takes the time as a parameter and never throws.
 *
 * The compiled and the traced form are made of the same leaves, so an explanation cannot differ from the answer.
 */
import { evidenceOf, holds } from '../behaviour/judge-did.ts'
import type { EventLeaf, EventOperator } from '../behaviour/did.ts'
import { historyIn } from '../behaviour/history.ts'
import { isEventLeaf, trackLeaf } from '../behaviour/tracker.ts'
import type { Json } from '../blocks/field.ts'
import { runToEnd } from '../steps.ts'
import { parseField, type FieldPath } from './fields.ts'
import { DATE_OPERATORS, NEVER, prepareTest, type Operator, type RegexCompiler, type Test } from './operators.ts'
import type { Leaf, LogicalOperator, Rule, SegmentRules } from './rule.ts'
import { fieldReader, type FieldReader, type Subject } from './subject.ts'

export type EvaluationOptions = {
  compileRegex: RegexCompiler
  /**
   * C-SYNC-25 to C-SYNC-27, A-22: what decides about block delivery does not evaluate leaves on `enrichment.*`,
   * geo_radius and in-app consent. Such a leaf is false, a negative operator included; the others of its group
   * still count.
   */
  onBlockPath?: boolean
}

export type Evaluation = (subject: Subject, now: number) => boolean

/** A leaf ready to be asked. `isSkipped`: not evaluated on this path. */
type Condition = { find: FieldReader; test: Test; isSkipped: boolean }

/** C-SEG-13, C-SEG-45: AND needs all, OR needs one, on every level. */
export function compileRules({ logicalOperator, rules }: SegmentRules, options: EvaluationOptions): Evaluation {
  return compileGroup(logicalOperator, rules, options)
}

function compileGroup(logicalOperator: LogicalOperator, rules: readonly Rule[], options: EvaluationOptions): Evaluation {
  const parts = rules.map((rule) =>
    'conditions' in rule ? compileGroup(rule.logicalOperator, rule.conditions, options) : compileLeaf(rule, options),
  )
  return (subject, now) => decide(logicalOperator, parts, (part) => part(subject, now))
}

/**
 * The same with a pause behind each condition, for rules with patterns: looking for one may take long, and others wait
 * meanwhile.
 */
export type SteppedEvaluation = (subject: Subject, now: number) => Generator<undefined, boolean>

export function compileInSteps({ logicalOperator, rules }: SegmentRules, options: EvaluationOptions): SteppedEvaluation {
  const parts = rules.map((rule) =>
    'conditions' in rule
      ? compileInSteps({ logicalOperator: rule.logicalOperator, rules: rule.conditions }, options)
      : inOneStep(compileLeaf(rule, options)),
  )
  const isDecidedBy = logicalOperator === 'OR'
  return function* (subject, now) {
    for (const part of parts) if ((yield* part(subject, now)) === isDecidedBy) return isDecidedBy
    return !isDecidedBy && parts.length > 0
  }
}

function inOneStep(evaluate: Evaluation): SteppedEvaluation {
  return function* (subject, now) {
    const isMet = evaluate(subject, now)
    yield
    return isMet
  }
}

function compileLeaf(leaf: Leaf | EventLeaf, options: EvaluationOptions): Evaluation {
  if (isEventLeaf(leaf)) {
    const find = historyFinder(leaf)
    return (subject, now) => holds(leaf, find(subject), now)
  }
  const { find, test } = toCondition(leaf, options)
  return (subject, now) => test(find(subject, now), now)
}

function historyFinder(leaf: EventLeaf) {
  const { tracker } = trackLeaf(leaf)
  return ({ events }: Subject) => historyIn(events, tracker)
}

/** Nothing asked is nothing met. */
function decide<T>(logicalOperator: LogicalOperator, parts: readonly T[], holds: (part: T) => boolean): boolean {
  return logicalOperator === 'OR' ? parts.some(holds) : parts.length > 0 && parts.every(holds)
}

function toCondition({ field, operator, value }: Leaf, { compileRegex, onBlockPath = false }: EvaluationOptions): Condition {
  const target = parseField(field)
  if (!target.ok) return { find: () => undefined, test: NEVER, isSkipped: false }
  const isSkipped = onBlockPath && isLeftOutOfDelivery(target.value, operator)
  const test = isSkipped || !isMeantFor(target.value, operator) ? NEVER : prepareTest(operator, value, compileRegex)
  return { find: fieldReader(target.value), test, isSkipped }
}

function isLeftOutOfDelivery({ prefix, path }: FieldPath, operator: Operator): boolean {
  return prefix === 'enrichment' || operator === 'geo_radius' || (prefix === 'consent' && path[0] === 'inApp')
}

/** C-SEG-33: dates are not looked for in traits. G-81: only the location itself can lie in a circle. */
export function isMeantFor({ prefix }: FieldPath, operator: Operator): boolean {
  if (operator === 'geo_radius') return prefix === 'currentLocation'
  return prefix !== 'customAttributes' || !DATE_OPERATORS.has(operator)
}

/** A leaf with what was found for it; without `found` the field is missing. */
export type LeafTrace = { field: string; operator: Operator | EventOperator; value?: Json; found?: Json; held: boolean; isSkipped: boolean }
export type GroupTrace = { logicalOperator: LogicalOperator; conditions: RuleTrace[]; held: boolean }
export type RuleTrace = LeafTrace | GroupTrace
export type SegmentTrace = { logicalOperator: LogicalOperator; rules: RuleTrace[]; held: boolean }

/**
 * The same tree with, for every leaf, what was found and whether it held: the answer to "why is this person in or out".
 * With a pause behind each condition, as `compileInSteps`.
 */
export function* traceInSteps(
  { logicalOperator, rules }: SegmentRules,
  options: EvaluationOptions,
  subject: Subject,
  now: number,
): Generator<undefined, SegmentTrace> {
  const traced: RuleTrace[] = []
  for (const rule of rules) traced.push(yield* traceRule(rule, options, subject, now))
  return { logicalOperator, rules: traced, held: decide(logicalOperator, traced, ({ held }) => held) }
}

function* traceRule(rule: Rule, options: EvaluationOptions, subject: Subject, now: number): Generator<undefined, RuleTrace> {
  if (!('conditions' in rule)) {
    const traced = traceLeaf(rule, options, subject, now)
    yield
    return traced
  }
  const { rules: conditions, ...group } = yield* traceInSteps({ ...rule, rules: rule.conditions }, options, subject, now)
  return { ...group, conditions }
}

/** In one go. */
export function traceRules(rules: SegmentRules, options: EvaluationOptions, subject: Subject, now: number): SegmentTrace {
  return runToEnd(traceInSteps(rules, options, subject, now))
}

function traceLeaf(leaf: Leaf | EventLeaf, options: EvaluationOptions, subject: Subject, now: number): LeafTrace {
  if (isEventLeaf(leaf)) {
    const history = historyFinder(leaf)(subject)
    const { field, operator, value } = leaf
    return { field, operator, value, found: evidenceOf(leaf, history, now), held: holds(leaf, history, now), isSkipped: false }
  }
  const { find, test, isSkipped } = toCondition(leaf, options)
  const found = find(subject, now)
  return { ...leaf, ...(found === undefined ? {} : { found }), held: test(found, now), isSkipped }
}
