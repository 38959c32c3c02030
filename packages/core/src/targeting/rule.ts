import type { Parsed } from '../blocks/definition.ts'
import { isPlainObject, type Json, type JsonObject } from '../blocks/field.ts'
import { parseField } from './fields.ts'
import { OPERATOR_NAMES, type Operator } from './operators.ts'
import { valueFault, type RegexCheck } from './rule-value.ts'

export type LogicalOperator = 'AND' | 'OR'
export type Leaf = { field: string; operator: Operator; value?: Json }
export type Group = { logicalOperator: LogicalOperator; conditions: Rule[] }
/** C-SEG-12. */
export type Rule = Leaf | Group
/** The rules of a segment, as a segment body carries them (M-SEG-01). */
export type SegmentRules = { logicalOperator: LogicalOperator; rules: Rule[] }

export const RULE_LIMITS = {
  /** C-SEG-14, A-61: groups inside each other; the segment's own top level is not counted. */
  levels: 6,
  /** Leaves in one segment. Not documented: it keeps one evaluation far below a millisecond. */
  leaves: 500,
} as const

/** What one reading shares over the whole tree. */
type Reading = { isRegexValid: RegexCheck; leaves: number }

/**
 * C-SEG-12 to C-SEG-20, M-SEG-04, M-SEG-05: reads `{logicalOperator, rules}` and says where the first fault is,
 * such as `rules[0].conditions[2]: operator must be …`. Other members are left out.
 * `isRegexValid` belongs to the engine that will run the patterns: it says why one cannot be used.
 */
export function parseRules(input: unknown, isRegexValid: RegexCheck): Parsed<SegmentRules> {
  if (!isPlainObject(input)) return no('a segment must be an object with logicalOperator and rules')
  const { logicalOperator } = input
  if (!isLogicalOperator(logicalOperator)) return no('logicalOperator must be AND or OR')
  if (!isFilledArray(input['rules'])) return no('rules must be an array of at least one rule')
  const rules = parseList(input['rules'], 'rules', 0, { isRegexValid, leaves: 0 })
  return rules.ok ? { ok: true, value: { logicalOperator, rules: rules.value } } : rules
}

function parseList(input: readonly Json[], path: string, level: number, reading: Reading): Parsed<Rule[]> {
  const rules: Rule[] = []
  for (const [index, entry] of input.entries()) {
    const rule = parseRule(entry, `${path}[${index}]`, level, reading)
    if (!rule.ok) return rule
    rules.push(rule.value)
  }
  return { ok: true, value: rules }
}

function parseRule(input: Json, path: string, level: number, reading: Reading): Parsed<Rule> {
  const isGroup = isPlainObject(input) && ('conditions' in input || 'logicalOperator' in input)
  const isLeaf = isPlainObject(input) && ('field' in input || 'operator' in input)
  if (!isPlainObject(input) || isGroup === isLeaf)
    return no(`${path}: must be either {field, operator, value} or {logicalOperator, conditions}`)
  return isGroup ? parseGroup(input, path, level + 1, reading) : parseLeaf(input, path, reading)
}

/** An empty group would hold for everyone or nobody by accident, so it is refused. */
function parseGroup(input: JsonObject, path: string, level: number, reading: Reading): Parsed<Group> {
  if (level > RULE_LIMITS.levels) return no(`${path}: groups nest at most ${RULE_LIMITS.levels} levels deep`)
  const { logicalOperator, conditions } = input
  if (!isLogicalOperator(logicalOperator)) return no(`${path}: logicalOperator must be AND or OR`)
  if (!isFilledArray(conditions)) return no(`${path}: conditions must be an array of at least one rule`)
  const rules = parseList(conditions, `${path}.conditions`, level, reading)
  return rules.ok ? { ok: true, value: { logicalOperator, conditions: rules.value } } : rules
}

function parseLeaf(input: JsonObject, path: string, reading: Reading): Parsed<Leaf> {
  reading.leaves++
  if (reading.leaves > RULE_LIMITS.leaves) return no(`${path}: a segment has at most ${RULE_LIMITS.leaves} conditions`)
  const { field, operator, value } = input
  if (typeof field !== 'string' || field === '') return no(`${path}: field must be a non-empty string`)
  const target = parseField(field)
  if (!target.ok) return no(`${path}: ${target.error}`)
  if (!isOperator(operator)) return no(`${path}: operator must be one of ${OPERATOR_NAMES.join(', ')}`)
  const fault = valueFault(operator, value, reading.isRegexValid)
  if (fault) return no(`${path}: ${fault}`)
  return { ok: true, value: value === undefined ? { field, operator } : { field, operator, value } }
}

function isOperator(value: Json | undefined): value is Operator {
  return (OPERATOR_NAMES as readonly (Json | undefined)[]).includes(value)
}

function isLogicalOperator(value: Json | undefined): value is LogicalOperator {
  return value === 'AND' || value === 'OR'
}

function isFilledArray(value: Json | undefined): value is Json[] {
  return Array.isArray(value) && value.length > 0
}

function no(error: string): { ok: false; error: string } {
  return { ok: false, error }
}
