import { LIMITS } from '../limits.ts'
import { FIELD_TYPES, isPlainObject, textLength, valueAt, valueFault, type Field, type Json, type JsonObject } from './field.ts'

export const DESIGN_TYPES = ['banner', 'card', 'tile', 'hero', 'carousel', 'list', 'popup', 'tooltip', 'toast', 'panel'] as const
export type DesignType = (typeof DESIGN_TYPES)[number]

/** What a build pipeline or the dashboard declares about a block type (M-REG, G-35). */
export type Definition = {
  key: string
  name: string
  screen: string
  crumb: string
  fields: Field[]
  /** Starting values by field id. */
  blank: JsonObject
  inCampaigns: boolean
  interruptive: boolean | null
  designType: DesignType | null
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; error: string }

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

/** Campaign and journey messages are delivered under this key, so no block type may take it (G-33). */
export const RESERVED_BLOCK_KEY = 'journey_message'

/** M-REG-08 to M-REG-10: why `key` cannot name a block type. */
export function blockKeyFault(key: unknown): string | undefined {
  if (key === undefined || key === null) return 'key is required'
  if (typeof key !== 'string' || !/^[a-z0-9_]+$/.test(key)) return 'key must match ^[a-z0-9_]+$'
  if (key.length > LIMITS.blockKeyLength) return `key must have at most ${LIMITS.blockKeyLength} characters`
  if (key === RESERVED_BLOCK_KEY) return `key ${RESERVED_BLOCK_KEY} is reserved for messages`
  return undefined
}

/** Reads one flat block definition as sent to register, sync or the dashboard; unknown members are ignored. */
export function parseDefinition(input: unknown): Parsed<Definition> {
  if (!isPlainObject(input)) return no('a block definition must be a JSON object')
  const keyFault = blockKeyFault(input['key'])
  if (keyFault) return no(keyFault)
  const key = input['key'] as string

  const name = input['name'] ?? key
  if (typeof name !== 'string' || name === '') return no('name must be a non-empty string')
  if (textLength(name) > LIMITS.blockNameLength) return no(`name must have at most ${LIMITS.blockNameLength} characters`)
  const screen = input['screen'] ?? ''
  if (typeof screen !== 'string' || textLength(screen) > LIMITS.screenLength)
    return no(`screen must be a string of at most ${LIMITS.screenLength} characters`)
  const crumb = input['crumb'] ?? ''
  if (typeof crumb !== 'string' || textLength(crumb) > LIMITS.crumbLength)
    return no(`crumb must be a string of at most ${LIMITS.crumbLength} characters`)
  for (const flag of ['inCampaigns', 'interruptive'] as const) {
    if (input[flag] !== undefined && input[flag] !== null && typeof input[flag] !== 'boolean') return no(`${flag} must be a boolean`)
  }
  const designType = input['designType'] ?? null
  if (designType !== null && !DESIGN_TYPES.includes(designType as DesignType))
    return no(`designType must be one of ${DESIGN_TYPES.join(', ')}`)

  const fields = parseFields(input['fields'] ?? [])
  if (!fields.ok) return fields
  const blank = parseBlank(input['blank'] ?? {}, fields.value)
  if (!blank.ok) return blank
  return {
    ok: true,
    value: {
      key,
      name,
      screen,
      crumb,
      fields: fields.value,
      blank: blank.value,
      inCampaigns: input['inCampaigns'] === true,
      interruptive: (input['interruptive'] as boolean | null | undefined) ?? null,
      designType: designType as DesignType | null,
    },
  }
}

function parseFields(input: Json): Parsed<Field[]> {
  if (!Array.isArray(input)) return no('fields must be an array')
  if (input.length > LIMITS.fieldsPerDefinition) return no(`fields must have at most ${LIMITS.fieldsPerDefinition} entries`)
  const fields: Field[] = []
  const ids = new Set<string>()
  for (const [index, entry] of input.entries()) {
    const field = parseField(entry, ids)
    if (!field.ok) return no(`fields[${index}]: ${field.error}`)
    ids.add(field.value.id)
    fields.push(field.value)
  }
  return { ok: true, value: fields }
}

function parseField(input: Json, taken: ReadonlySet<string>): Parsed<Field> {
  if (!isPlainObject(input)) return no('must be an object')
  const { tag, type } = input
  if (!isShortText(tag)) return no(`tag must be a non-empty string of at most ${LIMITS.fieldTextLength} characters`)
  if (!isShortText(type)) return no('type must be a non-empty string')
  if ('fields' in input) return no('an inline fields sub-schema is not allowed; a collection names other block types in allowedBlockKeys')

  const id = parseFieldId(input['id'], tag, taken)
  if (!id.ok) return id
  const field: Field = { id: id.value, tag, type }

  if (input['label'] != null) {
    if (typeof input['label'] !== 'string') return no('label must be a string')
    field.label = input['label']
  }
  if (input['options'] != null) {
    if (!Array.isArray(input['options'])) return no('options must be an array')
    field.options = input['options']
  }
  if (input['maxLength'] != null) {
    if (!isInteger(input['maxLength'], 1)) return no('maxLength must be a positive integer')
    field.maxLength = input['maxLength']
  }
  if (input['required'] != null) {
    if (typeof input['required'] !== 'boolean') return no('required must be a boolean')
    field.required = input['required']
  }
  const bounded = parseCollectionRules(input, field)
  if (!bounded.ok) return bounded
  if (input['default'] != null) {
    const fault = FIELD_TYPES.includes(type as never) ? valueFault(field, input['default']) : undefined
    if (fault) return no(`default ${fault}`)
    field.default = input['default']
  }
  return { ok: true, value: field }
}

/** A missing id falls back to the tag, which two fields may share (C-BLK-45), so a number keeps them apart. */
function parseFieldId(input: Json | undefined, tag: string, taken: ReadonlySet<string>): Parsed<string> {
  if (input == null) {
    let id = tag
    for (let n = 2; taken.has(id); n++) id = `${tag}~${n}`
    return { ok: true, value: id }
  }
  if (!isShortText(input)) return no(`id must be a non-empty string of at most ${LIMITS.fieldTextLength} characters`)
  return taken.has(input) ? no(`id ${input} is used by another field`) : { ok: true, value: input }
}

/** M-REG-33 to M-REG-38: members that only a collection has. */
function parseCollectionRules(input: JsonObject, field: Field): Parsed<null> {
  const { allowedBlockKeys, minItems, maxItems } = input
  if (field.type !== 'collection') {
    for (const member of ['allowedBlockKeys', 'minItems', 'maxItems']) {
      if (input[member] !== undefined) return no(`${member} is only allowed on a collection`)
    }
    return { ok: true, value: null }
  }
  if (!Array.isArray(allowedBlockKeys)) return no('a collection needs allowedBlockKeys, an array of block keys')
  if (!allowedBlockKeys.every((key) => blockKeyFault(key) === undefined))
    return no('allowedBlockKeys must hold block keys, not display names')
  field.allowedBlockKeys = allowedBlockKeys as string[]
  if (minItems != null) {
    if (!isInteger(minItems, 0)) return no('minItems must be a non-negative integer')
    field.minItems = minItems
  }
  if (maxItems != null) {
    if (!isInteger(maxItems, 0)) return no('maxItems must be a non-negative integer')
    field.maxItems = maxItems
  }
  if ((field.minItems ?? 0) > (field.maxItems ?? Infinity)) return no('minItems must not be above maxItems')
  return { ok: true, value: null }
}

/** M-REG-17: keyed by field id. Ids the definition lacks are dropped. */
function parseBlank(input: Json, fields: readonly Field[]): Parsed<JsonObject> {
  if (!isPlainObject(input)) return no('blank must be an object keyed by field id')
  const blank: [string, Json][] = []
  for (const field of fields) {
    const value = valueAt(input, field.id)
    if (value == null) continue
    const fault = valueFault(field, value)
    if (fault) return no(`blank.${field.id} ${fault}`)
    blank.push([field.id, value])
  }
  return { ok: true, value: Object.fromEntries(blank) }
}

/** M-REG-17, M-REG-28: what a new instance starts with, by field id. */
export function startingValues(definition: Pick<Definition, 'fields' | 'blank'>): JsonObject {
  const values: [string, Json][] = []
  for (const field of definition.fields) {
    const value = valueAt(definition.blank, field.id) ?? field.default
    if (value != null) values.push([field.id, value])
  }
  return Object.fromEntries(values)
}

function isShortText(value: Json | undefined): value is string {
  // Values are kept in objects by id and tag; this one name would be a prototype there.
  return typeof value === 'string' && value !== '' && value !== '__proto__' && textLength(value) <= LIMITS.fieldTextLength
}

function isInteger(value: Json, min: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= min
}
