import type { Parsed } from '../blocks/definition.ts'
import { textLength } from '../blocks/field.ts'

/** C-PROF-02: what POST /profile may be about. */
export const INDUSTRY_CATEGORIES = ['banking', 'insurance', 'healthcare', 'travel', 'retail', 'food_delivery', 'fintech'] as const

/** The prefixes whose members are a fixed list (G-78). `point` is another way to write the location itself (G-81). */
export const FIXED_FIELDS = {
  demographic: ['name', 'email', 'phone', 'country', 'language'],
  behavioral: ['impressions', 'clicks', 'conversions', 'dismissals', 'eventsTotal', 'lastActiveDays'],
  device: ['platform', 'sdkVersion', 'locale'],
  consent: ['push', 'sms', 'whatsapp', 'email', 'inApp', 'marketing', 'locationTracking', 'analytics'],
  location: ['country', 'region', 'city'],
  metadata: ['createdAt', 'lastSeenAt', 'environment'],
  currentLocation: ['point', 'latitude', 'longitude', 'at'],
} as const

/** C-SEG-15 to C-SEG-17: what a field may begin with. */
export const FIELD_PREFIXES = ['customAttributes', 'enrichment', 'industryProfile', 'lifecycle', ...keysOf(FIXED_FIELDS)] as const
export type FieldPrefix = (typeof FIELD_PREFIXES)[number]

/**
 * A rule's field, taken apart: the part of the subject, then the members to follow inside it.
 * The path is empty for `lifecycle` and for the location as a whole.
 */
export type FieldPath = { prefix: FieldPrefix; path: readonly string[] }

/** Longest field text. The named parts are at most 64 characters; this bounds a path into industry data. */
export const FIELD_LENGTH = 256

/** C-DEV-15, G-81: `__proto__` is no trait key. */
export function isTraitKey(key: string): boolean {
  return /^[a-zA-Z0-9_]{1,64}$/.test(key) && key !== '__proto__'
}

/** M-ENR-21: letters of every script, digits, `_`, `-` and spaces, with a letter, digit or `_` first; at most 64 characters. */
export function isAttributeName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_ -]*$/u.test(name) && textLength(name) <= 64 && name !== '__proto__'
}

/** C-SEG-15 to C-SEG-18: reads a rule's field. A member of the other prefixes may be any (C-SEG-16): nobody has one that is not known. */
export function parseField(field: string): Parsed<FieldPath> {
  if (field.length > FIELD_LENGTH) return no(`field must have at most ${FIELD_LENGTH} characters`)
  const [prefix = '', ...path] = field.split('.')
  if (!isPrefix(prefix)) return no(`field must begin with one of ${FIELD_PREFIXES.join(', ')}`)
  const fault = pathFault(prefix, path)
  return fault ? no(fault) : { ok: true, value: { prefix, path: field === 'currentLocation.point' ? [] : path } }
}

/** Whether somebody can have it: the fixed fields are a list (G-78), and industries are. */
export function isKnownField({ prefix, path }: FieldPath): boolean {
  const [first = ''] = path
  if (prefix === 'industryProfile') return isIndustryCategory(first)
  if (!isFixed(prefix)) return true
  const members: readonly string[] = FIXED_FIELDS[prefix]
  return path.length === 0 || (path.length === 1 && members.includes(first))
}

function pathFault(prefix: FieldPrefix, path: readonly string[]): string | undefined {
  const [first = ''] = path
  switch (prefix) {
    case 'customAttributes':
      return path.length === 1 && isTraitKey(first) ? undefined : 'field must name a trait: customAttributes.<letters, digits, _>'
    case 'enrichment':
      return path.length === 1 && isAttributeName(first) ? undefined : 'field must name an attribute: enrichment.<attribute name>'
    case 'lifecycle':
      return path.length === 0 ? undefined : 'field lifecycle has no members'
    case 'industryProfile':
    case 'demographic':
    case 'behavioral':
    case 'device':
    case 'consent':
    case 'location':
    case 'metadata':
    case 'currentLocation':
      return memberFault(prefix, path)
    default:
      return prefix satisfies never
  }
}

function memberFault(prefix: FieldPrefix, path: readonly string[]): string | undefined {
  if (path.length === 0 && prefix !== 'currentLocation') return `field must name a member: ${prefix}.<name>`
  return path.every((member) => member !== '' && member !== '__proto__') ? undefined : 'field has an empty or impossible member name'
}

export function isIndustryCategory(name: string): boolean {
  return (INDUSTRY_CATEGORIES as readonly string[]).includes(name)
}

function isFixed(prefix: FieldPrefix): prefix is keyof typeof FIXED_FIELDS {
  return Object.hasOwn(FIXED_FIELDS, prefix)
}

function isPrefix(text: string): text is FieldPrefix {
  return (FIELD_PREFIXES as readonly string[]).includes(text)
}

function keysOf<T extends object>(of: T): (keyof T)[] {
  return Object.keys(of) as (keyof T)[]
}

function no(error: string): { ok: false; error: string } {
  return { ok: false, error }
}
