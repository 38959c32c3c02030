/** Rules that somebody is still writing: kept as they are, within the bounds of rules, though nobody could be judged by them. */
import { isEventOperator, type EventLeaf, type EventOperator } from '../behaviour/did.ts'
import { isPlainObject, type Json } from '../blocks/field.ts'
import { FIELD_LENGTH } from './fields.ts'
import { OPERATOR_NAMES } from './operators.ts'
import { isOperator, RULE_LIMITS, type LogicalOperator, type Rule, type SegmentRules } from './rule.ts'
import { sizeFault } from './rule-value.ts'

type Read = { ok: true; value: SegmentRules } | { ok: false; error: string }
type Reading = { leaves: number }

class Fault extends Error {}
function fault(message: string): never {
  throw new Fault(message)
}

/** Lists may be empty, fields and values missing; depth, number and sizes are bounded, and operators are known ones. */
export function readUnfinishedRules(input: unknown): Read {
  try {
    if (!isPlainObject(input)) fault('a segment must be an object with logicalOperator and rules')
    const { logicalOperator, rules } = input
    return { ok: true, value: { logicalOperator: readLogical(logicalOperator), rules: readList(rules, 'rules', 1, { leaves: 0 }) } }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { ok: false, error: error.message }
  }
}

function readLogical(value: Json | undefined): LogicalOperator {
  return value === 'AND' || value === 'OR' ? value : fault('logicalOperator must be AND or OR')
}

function readList(value: Json | undefined, at: string, level: number, reading: Reading): Rule[] {
  if (!Array.isArray(value)) fault(`${at} must be an array of rules`)
  return value.map((rule, index) => readRule(rule, `${at}[${index}]`, level, reading))
}

function readRule(value: Json, at: string, level: number, reading: Reading): Rule {
  if (!isPlainObject(value)) fault(`${at} must be {field, operator, value} or {logicalOperator, conditions}`)
  if ('conditions' in value) {
    if (level > RULE_LIMITS.levels) fault(`${at}: groups nest at most ${RULE_LIMITS.levels} levels deep`)
    const { logicalOperator, conditions } = value
    // Each group that holds nothing counts as what will stand in it.
    if (Array.isArray(conditions) && conditions.length === 0) countLeaf(at, reading)
    return { logicalOperator: readLogical(logicalOperator), conditions: readList(conditions, `${at}.conditions`, level + 1, reading) }
  }
  countLeaf(at, reading)
  const { field = '', operator, value: compared } = value
  if (typeof field !== 'string' || field.length > FIELD_LENGTH) fault(`${at}: field must be a text of at most ${FIELD_LENGTH} characters`)
  if (!isOperator(operator) && !isEventOperator(operator)) fault(`${at}: operator must be one of ${OPERATOR_NAMES.join(', ')}`)
  // Of a rule on events the value may be anything yet: nothing asks it before the whole is complete.
  if (isEventOperator(operator)) return readUnfinishedEvent(field, operator, compared ?? {}, at)
  if (compared === undefined) return { field, operator }
  const tooLarge = sizeFault(operator, compared)
  return tooLarge === undefined ? { field, operator, value: compared } : fault(`${at}: ${tooLarge}`)
}

function readUnfinishedEvent(field: string, operator: EventOperator, value: Json, at: string): Rule {
  const tooLarge = sizeFault('equals', value)
  return tooLarge === undefined ? ({ field, operator, value } as EventLeaf) : fault(`${at}: ${tooLarge}`)
}

function countLeaf(at: string, reading: Reading): void {
  reading.leaves++
  if (reading.leaves > RULE_LIMITS.leaves) fault(`${at}: a segment has at most ${RULE_LIMITS.leaves} conditions`)
}
