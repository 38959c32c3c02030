import { isEventOperator, isEventsField, readEventLeaf, type EventLeaf } from '../behaviour/did.ts'
import { isPlainObject, type Json, type JsonObject } from '../blocks/field.ts'
import { parseField } from './fields.ts'
import { OPERATOR_NAMES, type Operator } from './operators.ts'
import { ruleValueFault, type RegexCheck } from './rule-value.ts'

export type LogicalOperator = 'AND' | 'OR'
export type Leaf = { field: string; operator: Operator; value?: Json }
export type Group = { logicalOperator: LogicalOperator; conditions: Rule[] }
/** C-SEG-12. */
export type Rule = Leaf | EventLeaf | Group
/** The rules of a segment, as a segment body carries them (M-SEG-01). */
export type SegmentRules = { logicalOperator: LogicalOperator; rules: Rule[] }

export const RULE_LIMITS = {
  /** C-SEG-14, A-61: groups inside each other; the segment's own top level is not counted. */
  levels: 6,
  /** Leaves in one segment. Not documented: it keeps one evaluation far below a millisecond. */
  leaves: 500,
} as const

/** Where a rule stands: of `rules[1].conditions[0]` the indices 1 and 0. */
export type RulePath = readonly number[]
/** `at`: the rule that is wrong, when it is one, and why. */
export type RulesFault = { ok: false; error: string; at?: { path: RulePath; reason: string } }
type Read<T> = { ok: true; value: T } | RulesFault

/** What one reading shares over the whole tree. */
type Reading = { isRegexValid: RegexCheck; leaves: number }

/**
 * C-SEG-12 to C-SEG-20, M-SEG-04, M-SEG-05: reads `{logicalOperator, rules}` and says where the first fault is,
 * such as `rules[0].conditions[2]: operator must be …`. Other members are left out.
 * `isRegexValid` belongs to the engine that will run the patterns: it says why one cannot be used.
 */
export function parseRules(input: unknown, isRegexValid: RegexCheck): Read<SegmentRules> {
  if (!isPlainObject(input)) return no('a segment must be an object with logicalOperator and rules')
  const { logicalOperator } = input
  if (!isLogicalOperator(logicalOperator)) return no('logicalOperator must be AND or OR')
  if (!isFilledArray(input['rules'])) return no('rules must be an array of at least one rule')
  const rules = parseList(input['rules'], [], { isRegexValid, leaves: 0 })
  return rules.ok ? { ok: true, value: { logicalOperator, rules: rules.value } } : rules
}

function parseList(input: readonly Json[], path: RulePath, reading: Reading): Read<Rule[]> {
  const rules: Rule[] = []
  for (const [index, entry] of input.entries()) {
    const rule = parseRule(entry, [...path, index], reading)
    if (!rule.ok) return rule
    rules.push(rule.value)
  }
  return { ok: true, value: rules }
}

function parseRule(input: Json, path: RulePath, reading: Reading): Read<Rule> {
  const isGroup = isPlainObject(input) && ('conditions' in input || 'logicalOperator' in input)
  const isLeaf = isPlainObject(input) && ('field' in input || 'operator' in input)
  if (!isPlainObject(input) || isGroup === isLeaf)
    return wrong(path, 'must be either {field, operator, value} or {logicalOperator, conditions}')
  return isGroup ? parseGroup(input, path, reading) : parseLeaf(input, path, reading)
}

/** An empty group would hold for everyone or nobody by accident, so it is refused. */
function parseGroup(input: JsonObject, path: RulePath, reading: Reading): Read<Group> {
  if (path.length > RULE_LIMITS.levels) return wrong(path, `groups nest at most ${RULE_LIMITS.levels} levels deep`)
  const { logicalOperator, conditions } = input
  if (!isLogicalOperator(logicalOperator)) return wrong(path, 'logicalOperator must be AND or OR')
  if (!isFilledArray(conditions)) return wrong(path, 'conditions must be an array of at least one rule')
  const rules = parseList(conditions, path, reading)
  return rules.ok ? { ok: true, value: { logicalOperator, conditions: rules.value } } : rules
}

function parseLeaf(input: JsonObject, path: RulePath, reading: Reading): Read<Leaf | EventLeaf> {
  reading.leaves++
  if (reading.leaves > RULE_LIMITS.leaves) return wrong(path, `a segment has at most ${RULE_LIMITS.leaves} conditions`)
  const { field, operator, value } = input
  if (typeof field !== 'string' || field === '') return wrong(path, 'field must be a non-empty string')
  if (isEventsField(field)) {
    const read = readEventLeaf({ field, operator, value }, reading.isRegexValid)
    return read.ok ? read : wrong(path, read.error)
  }
  const target = parseField(field)
  if (!target.ok) return wrong(path, target.error)
  if (isEventOperator(operator)) return wrong(path, `${operator} needs a field of events: events.<type>`)
  if (!isOperator(operator)) return wrong(path, `operator must be one of ${OPERATOR_NAMES.join(', ')}`)
  const fault = ruleValueFault(operator, value, reading.isRegexValid)
  if (fault) return wrong(path, fault)
  return { ok: true, value: value === undefined ? { field, operator } : { field, operator, value } }
}

export function isOperator(value: Json | undefined): value is Operator {
  return (OPERATOR_NAMES as readonly (Json | undefined)[]).includes(value)
}

function isLogicalOperator(value: Json | undefined): value is LogicalOperator {
  return value === 'AND' || value === 'OR'
}

function isFilledArray(value: Json | undefined): value is Json[] {
  return Array.isArray(value) && value.length > 0
}

function wrong(path: RulePath, reason: string): RulesFault {
  return { ok: false, error: `rules${path.map((index) => `[${index}]`).join('.conditions')}: ${reason}`, at: { path, reason } }
}

function no(error: string): RulesFault {
  return { ok: false, error }
}
