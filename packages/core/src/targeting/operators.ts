/**
 * The 24 operators of a rule (C-SEG-19), each with the one meaning it has everywhere (G-80, G-81).
 *
 * An operator is given the rule's value once and answers with a test, so that a rule is read when it is
 * compiled and not for every person. No test throws, whatever it is shown.
 */
import type { Json } from '../blocks/field.ts'
import { isEqual, toNumber, toTime } from './compare-values.ts'
import { compareVersions, parseVersion } from './compare-versions.ts'
import { metersBetween, toCircle, toPoint } from './geo.ts'
import { DAY_MS } from '../units.ts'

/** Whether what was found in a field meets the rule. Undefined: the field is missing. */
export type Test = (found: Json | undefined, now: number) => boolean

/** Turns a pattern into a search, or undefined when it is no pattern. The engine must be linear in time (G-79). */
export type RegexCompiler = (pattern: string) => ((text: string) => boolean) | undefined

type PrepareTest = (value: Json, compileRegex: RegexCompiler) => Test

/** A rule that cannot mean anything holds for nobody, its negative form included. */
export const NEVER: Test = () => false

/** C-SEG-31, C-SEG-35: these look at the field alone. */
export const VALUELESS_OPERATORS: ReadonlySet<string> = new Set(['exists', 'not_exists', 'is_true', 'is_false'])

/** C-SEG-33: false on traits, whatever the value. */
export const DATE_OPERATORS: ReadonlySet<string> = new Set(['date_after', 'date_before', 'days_ago'])

export const OPERATORS = {
  equals,
  not_equals: (value) => not(equals(value)),
  greater_than: compare((found, bound) => found > bound),
  less_than: compare((found, bound) => found < bound),
  greater_than_or_equal: compare((found, bound) => found >= bound),
  less_than_or_equal: compare((found, bound) => found <= bound),
  between,
  contains,
  not_contains: (value) => not(contains(value)),
  in: (value) => (Array.isArray(value) ? isMember(value) : NEVER),
  not_in: (value) => (Array.isArray(value) ? not(isMember(value)) : NEVER),
  exists: () => exists,
  not_exists: () => not(exists),
  regex: (value, compileRegex) => matches(value, compileRegex) ?? NEVER,
  not_regex: (value, compileRegex) => negated(matches(value, compileRegex)),
  starts_with: (value) => textTest(value, (found, text) => found.startsWith(text)),
  ends_with: (value) => textTest(value, (found, text) => found.endsWith(text)),
  date_after: compareTimes((found, bound) => found > bound),
  date_before: compareTimes((found, bound) => found < bound),
  days_ago: daysAgo,
  geo_radius: geoRadius,
  app_version_gte: appVersionGte,
  is_true: () => (found) => found === true,
  is_false: () => (found) => found === false,
} satisfies Record<string, PrepareTest>

export type Operator = keyof typeof OPERATORS
export const OPERATOR_NAMES = Object.keys(OPERATORS) as Operator[]

/** The test of one leaf. An unknown operator, or one without the value it needs, never holds. */
export function prepareTest(operator: string, value: Json | undefined, compileRegex: RegexCompiler): Test {
  if (!Object.hasOwn(OPERATORS, operator)) return NEVER
  if (value === undefined && !VALUELESS_OPERATORS.has(operator)) return NEVER
  const prepare: PrepareTest = OPERATORS[operator as Operator]
  return prepare(value ?? null, compileRegex)
}

/** G-80: true for a missing field too. */
function not(test: Test): Test {
  return (found, now) => !test(found, now)
}

function negated(test: Test | undefined): Test {
  return test ? not(test) : NEVER
}

/** C-SEG-21: strict on type. Null equals only a present null. */
function equals(value: Json): Test {
  if (typeof value !== 'object' || value === null) return (found) => found === value
  return (found) => found !== undefined && isEqual(found, value)
}

/** C-SEG-23, C-SEG-24: both sides as numbers, false when one is none. */
function compare(holds: (found: number, bound: number) => boolean): PrepareTest {
  return (value) => {
    const bound = toNumber(value)
    return (found) => {
      const number = toNumber(found)
      return number !== undefined && bound !== undefined && holds(number, bound)
    }
  }
}

/** C-SEG-25, C-SEG-26: `[min, max]`, both included. */
function between(value: Json): Test {
  if (!Array.isArray(value) || value.length !== 2) return NEVER
  const [min, max] = [toNumber(value[0]), toNumber(value[1])]
  if (min === undefined || max === undefined) return NEVER
  return (found) => {
    const number = toNumber(found)
    return number !== undefined && min <= number && number <= max
  }
}

/** C-SEG-27, C-SEG-28: a piece of a text, or a member of an array. */
function contains(value: Json): Test {
  return (found) => {
    if (typeof found === 'string') return typeof value === 'string' && found.includes(value)
    return Array.isArray(found) && found.some((member) => isEqual(member, value))
  }
}

/** C-SEG-30: equal to one of the members. Plain values are looked up, so a long list costs no more than a short one. */
function isMember(members: readonly Json[]): Test {
  const plain = new Set(members)
  const nested = members.filter((member) => typeof member === 'object' && member !== null)
  return (found) => {
    if (found === undefined) return false
    return plain.has(found) || (typeof found === 'object' && nested.some((member) => isEqual(found, member)))
  }
}

const exists: Test = (found) => found !== undefined

/** C-SEG-34, G-79: found anywhere in a text. Undefined for a pattern that does not compile. */
function matches(value: Json, compileRegex: RegexCompiler): Test | undefined {
  const search = typeof value === 'string' ? compileRegex(value) : undefined
  return search && ((found) => typeof found === 'string' && search(found))
}

/** C-SEG-32: texts only, case counts, never normalised. */
function textTest(value: Json, holds: (found: string, text: string) => boolean): Test {
  return typeof value === 'string' ? (found) => typeof found === 'string' && holds(found, value) : NEVER
}

/** Strict: the moment itself is neither before nor after. */
function compareTimes(holds: (found: number, bound: number) => boolean): PrepareTest {
  return (value) => {
    const bound = toTime(value)
    return (found) => {
      const time = toTime(found)
      return time !== undefined && bound !== undefined && holds(time, bound)
    }
  }
}

/** The date lies within the last N days of 24 hours, both ends included; a date to come does not. */
function daysAgo(value: Json): Test {
  const days = toNumber(value)
  return (found, now) => {
    const time = toTime(found)
    return time !== undefined && days !== undefined && now - days * DAY_MS <= time && time <= now
  }
}

/** C-SEG-37: inside the circle or on its edge. */
function geoRadius(value: Json): Test {
  const circle = toCircle(value)
  return (found) => {
    const point = toPoint(found)
    return point !== undefined && circle !== undefined && metersBetween(point, circle) <= circle.radiusMeters
  }
}

function appVersionGte(value: Json): Test {
  const wanted = parseVersion(value)
  return (found) => {
    const version = parseVersion(found)
    return version !== undefined && wanted !== undefined && compareVersions(version, wanted) >= 0
  }
}
