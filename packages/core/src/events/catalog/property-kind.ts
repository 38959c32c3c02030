/** What kind of value a property has. */
import type { Json } from '../../blocks/field.ts'

/** Kinds that are seen, in the order in which they are listed. `date` is a text in ISO 8601. */
export const PROPERTY_KINDS = ['string', 'integer', 'number', 'boolean', 'date', 'object', 'array', 'null'] as const
export type PropertyKind = (typeof PROPERTY_KINDS)[number]

/** Kinds that a type can declare: whatever has none is left out rather than null. */
export const DECLARED_KINDS = [
  'string',
  'integer',
  'number',
  'boolean',
  'date',
  'object',
  'array',
] as const satisfies readonly PropertyKind[]
export type DeclaredKind = (typeof DECLARED_KINDS)[number]

/** A day, or a moment with its offset. */
const ISO_DATE =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/
const LONGEST_DATE = 35
const DASH = '-'.charCodeAt(0)

export function kindOf(value: Json): PropertyKind {
  switch (typeof value) {
    case 'string':
      return isDate(value) ? 'date' : 'string'
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number'
    case 'boolean':
      return 'boolean'
    default:
      return value === null ? 'null' : Array.isArray(value) ? 'array' : 'object'
  }
}

/** Most texts are told apart by their fifth character. */
function isDate(text: string): boolean {
  return text.charCodeAt(4) === DASH && text.length <= LONGEST_DATE && ISO_DATE.test(text)
}

/** Whether a value of the kind that was found is one of the kind that was declared: each date is a string, each integer a number. */
export function isOfKind(found: PropertyKind, declared: DeclaredKind): boolean {
  return found === declared || (declared === 'string' && found === 'date') || (declared === 'number' && found === 'integer')
}

const BITS = Object.fromEntries(PROPERTY_KINDS.map((kind, index) => [kind, 1 << index])) as Record<PropertyKind, number>

/** A set of kinds as bits, so that a process can remember it for each property it has seen. */
export function bitOf(kind: PropertyKind): number {
  return BITS[kind]
}

export function kindsOf(bits: number): PropertyKind[] {
  return PROPERTY_KINDS.filter((kind) => (bits & bitOf(kind)) !== 0)
}

export function bitsOf(kinds: readonly string[]): number {
  return PROPERTY_KINDS.reduce((bits, kind) => (kinds.includes(kind) ? bits | bitOf(kind) : bits), 0)
}
