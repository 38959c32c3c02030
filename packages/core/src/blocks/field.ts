import { LIMITS } from '../limits.ts'
import { urlFault, imageFault } from './links/safe-url.ts'

/** JSON as it comes from outside. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json }
export type JsonObject = { [member: string]: Json }

export const FIELD_TYPES = ['text', 'textarea', 'image', 'number', 'select', 'toggle', 'url', 'collection'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** One slot of a block definition (M-REG-23 to M-REG-39). A `type` outside FIELD_TYPES is kept and never checked (M-REG-26). */
export type Field = {
  id: string
  tag: string
  type: string
  label?: string
  default?: Json
  options?: Json[]
  maxLength?: number
  required?: boolean
  allowedBlockKeys?: string[]
  minItems?: number
  maxItems?: number
}

export function isPlainObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value stored under `id`. Ids come from outside, and a plain look-up would find what every object inherits, such as `constructor`. */
export function valueAt(values: JsonObject, id: string): Json | undefined {
  return Object.hasOwn(values, id) ? values[id] : undefined
}

/** What "the field must not be empty" means (M-REG-32): `false` and `0` are values. */
export function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** The value a `select` option stands for: options are plain values or `{value, label}`. */
export function optionValue(option: Json): Json {
  return isPlainObject(option) && 'value' in option ? (option['value'] ?? null) : option
}

/** Characters as people count them: code points, not UTF-16 units. */
export function textLength(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

/** Whether it has so many characters at most; of most texts known without counting them. */
export function isWithin(text: string, characters: number): boolean {
  return text.length <= characters || (text.length <= 2 * characters && textLength(text) <= characters)
}

/**
 * Why `value` cannot be stored in `field`, or undefined when it can.
 * References of a collection are only checked for their form here: whether they exist needs the store.
 */
export function valueFault(field: Field, value: Json): string | undefined {
  if (isEmpty(value) && !Array.isArray(value)) return undefined
  if (isFieldType(field.type)) return VALUE_FAULTS[field.type](field, value)
  // M-REG-26: of a type of their own apps read whatever they like.
  return JSON.stringify(value).length > LIMITS.valueBytes ? 'is too large' : undefined
}

const VALUE_FAULTS: Record<FieldType, (field: Field, value: Json) => string | undefined> = {
  text: textFault,
  textarea: textFault,
  image: (_, value) => (typeof value === 'string' ? imageFault(value) : 'must be a URL string'),
  url: (_, value) => (typeof value === 'string' ? urlFault(value) : 'must be a string'),
  number: (_, value) => (typeof value === 'number' ? undefined : 'must be a number'),
  toggle: (_, value) => (typeof value === 'boolean' ? undefined : 'must be a boolean'),
  select: ({ options = [] }, value) => (options.some((option) => optionValue(option) === value) ? undefined : 'must be one of the options'),
  collection: collectionFault,
}

/** Whether the platform knows this type; a definition may name others. */
export function isFieldType(type: string): type is FieldType {
  return Object.hasOwn(VALUE_FAULTS, type)
}

function textFault(field: Field, value: Json): string | undefined {
  if (typeof value !== 'string') return 'must be a string'
  if (field.type === 'text' && /[\r\n]/.test(value)) return 'must be a single line'
  const max = field.maxLength ?? LIMITS.valueBytes
  return textLength(value) > max ? `must have at most ${max} characters` : undefined
}

function collectionFault(field: Field, value: Json): string | undefined {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string' && item !== '')) return 'must be an array of instance ids'
  const max = field.maxItems ?? LIMITS.referencesPerCollection
  return value.length > max ? `must have at most ${max} items` : undefined
}

/** Whether a stored value still is what its field promises clients, after the definition may have changed: text saved before its field was a link may be an unsafe one. */
export function hasFieldType(field: Field, value: Json): boolean {
  return !isFieldType(field.type) || HAS_TYPE[field.type](value)
}

const isText = (value: Json) => typeof value === 'string'
const HAS_TYPE: Record<FieldType, (value: Json) => boolean> = {
  text: isText,
  textarea: isText,
  image: (value) => typeof value === 'string' && imageFault(value) === undefined,
  url: (value) => typeof value === 'string' && urlFault(value) === undefined,
  number: (value) => typeof value === 'number',
  toggle: (value) => typeof value === 'boolean',
  // Its options may have changed since.
  select: () => true,
  collection: (value) => Array.isArray(value),
}
