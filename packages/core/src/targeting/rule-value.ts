/**
 * What a rule may compare with. Where the documents say that a value never matches (`in` without an array,
 * `between` with three bounds, text in a numeric comparison), it is stored and never matches; only what they
 * give no meaning at all is refused.
 */
import { isPlainObject, textLength, type Json } from '../blocks/field.ts'
import { LIMITS } from '../limits.ts'
import { toNumber, toTime } from './compare-values.ts'
import { toCircle } from './geo.ts'
import { VALUELESS_OPERATORS, type Operator } from './operators.ts'

/** Why a pattern cannot be used, or undefined when it can. */
export type RegexCheck = (pattern: string) => string | undefined

export const VALUE_LIMITS = {
  /** G-79. */
  regexLength: 500,
  /** UTF-16 units of a text that a pattern is looked for in: more than a trait can hold. */
  searchedLength: 10_000,
  /** Members of `in` and `not_in`. */
  members: 1000,
  /** Text and members of one value: as much as a trait can hold (C-DEV-20). */
  size: 4096,
} as const

/** Why `value` cannot stand beside `operator`. */
export function ruleValueFault(operator: Operator, value: Json | undefined, isRegexValid: RegexCheck): string | undefined {
  if (value === undefined) return VALUELESS_OPERATORS.has(operator) ? undefined : `value is required for ${operator}`
  return sizeFault(operator, value) ?? shapeFault(operator, value, isRegexValid)
}

function shapeFault(operator: Operator, value: Json, isRegexValid: RegexCheck): string | undefined {
  switch (operator) {
    case 'regex':
    case 'not_regex':
      return patternFault(value, isRegexValid)
    case 'date_after':
    case 'date_before':
      return toTime(value) === undefined ? 'value must be an ISO 8601 date or time' : undefined
    case 'days_ago':
      return (toNumber(value) ?? -1) < 0 ? 'value must be a number of days, 0 or more' : undefined
    case 'geo_radius':
      return toCircle(value) ? undefined : 'value must be {latitude, longitude, radiusMeters} with a radius above 0'
    // They compare with whatever stands there.
    case 'equals':
    case 'not_equals':
    case 'greater_than':
    case 'less_than':
    case 'greater_than_or_equal':
    case 'less_than_or_equal':
    case 'between':
    case 'contains':
    case 'not_contains':
    case 'in':
    case 'not_in':
    case 'exists':
    case 'not_exists':
    case 'starts_with':
    case 'ends_with':
    case 'app_version_gte':
    case 'is_true':
    case 'is_false':
      return undefined
    default:
      return operator satisfies never
  }
}

function patternFault(value: Json, isRegexValid: RegexCheck): string | undefined {
  if (typeof value !== 'string') return 'value must be a regular expression in a string'
  if (textLength(value) > VALUE_LIMITS.regexLength) return `value must have at most ${VALUE_LIMITS.regexLength} characters`
  const fault = isRegexValid(value)
  return fault === undefined ? undefined : `value is not a usable regular expression: ${fault}`
}

/** Why it is more than a rule may hold. */
export function sizeFault(operator: Operator, value: Json): string | undefined {
  const isList = (operator === 'in' || operator === 'not_in') && Array.isArray(value)
  if (isList && value.length > VALUE_LIMITS.members) return `value must have at most ${VALUE_LIMITS.members} members`
  const isTooLarge = isList ? value.some((member) => sizeLeft(member, VALUE_LIMITS.size, 1) < 0) : sizeLeft(value, VALUE_LIMITS.size, 0) < 0
  return isTooLarge ? 'value is too large or nested too deeply' : undefined
}

/** What is left of `budget` after the value, or something below 0. */
function sizeLeft(value: Json, budget: number, depth: number): number {
  if (budget < 0 || depth > LIMITS.jsonDepth) return -1
  if (typeof value === 'string') return budget - value.length
  if (!Array.isArray(value) && !isPlainObject(value)) return budget - 1
  let left = budget - 1
  for (const [member, inner] of Object.entries(value)) {
    left = sizeLeft(inner, Array.isArray(value) ? left : left - member.length, depth + 1)
    if (left < 0) return left
  }
  return left
}
