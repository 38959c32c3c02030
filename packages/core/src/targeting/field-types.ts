import { parseTime } from '../time.ts'
import { FIXED_FIELDS } from './fields.ts'
import { LIFECYCLE_STAGES } from './lifecycle.ts'

/** What a value is, for people who choose an operator. `place`: a location as a whole. */
export const VALUE_TYPES = ['string', 'number', 'boolean', 'date', 'array', 'object', 'place'] as const
export type ValueType = (typeof VALUE_TYPES)[number]

/** A field that every workspace has. `values`: the only ones there are. */
export type KnownField = { field: string; type: ValueType; values?: readonly string[] }

/** The fixed fields of the rules' grammar, in its order (G-78). */
export function listFixedFields(): KnownField[] {
  const members = Object.entries(FIXED_FIELDS).flatMap(([prefix, names]) =>
    names.map((name): KnownField => ({ field: `${prefix}.${name}`, type: typeOf(prefix, name) })),
  )
  const environment = members.find(({ field }) => field === 'metadata.environment')
  if (environment) environment.values = ['live', 'test']
  return [...members, { field: 'lifecycle', type: 'string', values: LIFECYCLE_STAGES }]
}

function typeOf(prefix: string, name: string): ValueType {
  if (prefix === 'consent') return 'boolean'
  if (prefix === 'behavioral' || name === 'latitude' || name === 'longitude') return 'number'
  if (name === 'point') return 'place'
  return ['createdAt', 'lastSeenAt', 'at'].includes(name) ? 'date' : 'string'
}

/** The type most values have; `counts` by JSON type. Texts that all read as times are dates. Undefined: there are only nulls. */
export function guessType(counts: Readonly<Record<string, number>>, samples: readonly unknown[]): ValueType | undefined {
  const [most] = Object.entries(counts)
    .filter(([type, count]) => type !== 'null' && count > 0)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const type = VALUE_TYPES.find((each) => each === most?.[0])
  if (type !== 'string') return type
  const texts = samples.filter((value) => typeof value === 'string')
  return texts.length > 0 && texts.every((text) => parseTime(text) !== undefined) ? 'date' : 'string'
}
