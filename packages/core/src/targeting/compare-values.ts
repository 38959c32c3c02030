import type { Json } from '../blocks/field.ts'
import { parseTime } from '../time.ts'

/** The expression of G-81, `\d+\.?\d*` written so that a long text of digits has one way to be read: the other takes quadratic time. */
const NUMERIC = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/

/** Longer text is no number to anybody; every evaluator can hold one of this length exactly. */
export const NUMERIC_LENGTH = 1000

/** G-81: finite JSON numbers and decimal text in ASCII digits; everything else is not numeric. Text beyond the range of a double is infinite. */
export function toNumber(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return typeof value === 'string' && value.length <= NUMERIC_LENGTH && NUMERIC.test(value) ? Number(value) : undefined
}

/** G-81: an ISO 8601 date or time in text, to the millisecond; without a zone it is UTC. Milliseconds, or undefined for anything else. */
export function toTime(value: Json | undefined): number | undefined {
  const time = typeof value === 'string' ? parseTime(value) : undefined
  return time === undefined ? undefined : Date.parse(time)
}

/** G-81: strict on type, deep on arrays and objects; the order of an object's members does not matter. Goes no deeper than the shallower value. */
export function isEqual(a: Json, b: Json): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqual(item, b[index] as Json))
  if (Array.isArray(b)) return false
  const members = Object.keys(a)
  return (
    members.length === Object.keys(b).length &&
    members.every((member) => Object.hasOwn(b, member) && isEqual(a[member] as Json, b[member] as Json))
  )
}
