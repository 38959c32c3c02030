/** Which fields a rule can ask about, and what kind of value each holds. */
import type { Json } from '@contentflow/core/blocks/field.ts'
import { FIXED_FIELDS, isKnownField, parseField, type FieldPrefix } from '@contentflow/core/targeting/fields.ts'
import { LIFECYCLE_STAGES } from '@contentflow/core/targeting/lifecycle.ts'

/** `any`: nothing is known of the values. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'date' | 'list' | 'place' | 'version' | 'any'

type Prefixes = keyof typeof FIXED_FIELDS
export type FixedField = { [P in Prefixes]: `${P}.${(typeof FIXED_FIELDS)[P][number]}` }[Prefixes] | 'lifecycle'

/** A field as the picker offers it. `people`: how many people have it, where that was counted. */
export type OfferedField = { field: string; kind: FieldKind; samples: Json[]; people?: number }

const KINDS: Partial<Record<FixedField, FieldKind>> = {
  'device.sdkVersion': 'version',
  'metadata.createdAt': 'date',
  'metadata.lastSeenAt': 'date',
  'currentLocation.point': 'place',
  'currentLocation.latitude': 'number',
  'currentLocation.longitude': 'number',
  'currentLocation.at': 'date',
}

/** Values of fields that have a fixed list of them. */
const CHOICES: Partial<Record<FixedField, readonly string[]>> = {
  lifecycle: LIFECYCLE_STAGES,
  'metadata.environment': ['live', 'test'],
  'device.platform': ['ios', 'android', 'web'],
}

/** Every fixed field, in the order of the picker. */
export const FIXED: readonly FixedField[] = [
  'lifecycle',
  ...(Object.keys(FIXED_FIELDS) as Prefixes[]).flatMap((prefix) =>
    FIXED_FIELDS[prefix].map((member) => `${prefix}.${member}` as FixedField),
  ),
]

export function isFixedField(field: string): field is FixedField {
  return (FIXED as readonly string[]).includes(field)
}

function fixedKind(field: FixedField): FieldKind {
  if (field.startsWith('behavioral.')) return 'number'
  if (field.startsWith('consent.')) return 'boolean'
  return KINDS[field] ?? 'text'
}

export function choicesOf(field: string): readonly string[] | undefined {
  return isFixedField(field) ? CHOICES[field] : undefined
}

/** The kind of a field: as the server reports it, or as fixed fields have it. */
export function kindOf(field: string, offered: readonly OfferedField[]): FieldKind {
  if (field === 'currentLocation') return 'place'
  if (isFixedField(field)) return fixedKind(field)
  return offered.find((each) => each.field === field)?.kind ?? 'any'
}

/** Whether people can have the field. The server accepts rules on other names too, which then match nobody. */
export function isField(text: string): boolean {
  const parsed = parseField(text)
  return parsed.ok && isKnownField(parsed.value)
}

/** The part of a person that a field belongs to; undefined when it is no field. */
export function prefixOf(field: string): FieldPrefix | undefined {
  const parsed = parseField(field)
  return parsed.ok ? parsed.value.prefix : undefined
}

/** The name without its prefix: all that distinguishes a trait, an attribute or industry data. */
export function memberOf(field: string): string {
  return field.slice(field.indexOf('.') + 1)
}

/** Fields that can be made of what was typed: the text itself when it is a whole field, else a trait of that name and an attribute. */
export function typedFields(text: string): string[] {
  const typed = text.trim()
  if (typed === '') return []
  return [typed, `customAttributes.${typed}`, `enrichment.${typed}`].filter((field) => field !== 'lifecycle' && isField(field))
}

/** Fixed fields and those that occur, without doubles; what occurs comes first. */
export function offerFields(occurring: readonly OfferedField[]): OfferedField[] {
  const open = occurring.filter(({ field }) => !isFixedField(field))
  const fixed = FIXED.map((field): OfferedField => {
    const found = occurring.find((each) => each.field === field)
    return { samples: [...(choicesOf(field) ?? [])], ...found, field, kind: fixedKind(field) }
  })
  return [...open, ...fixed]
}
