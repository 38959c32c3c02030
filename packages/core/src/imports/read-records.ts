/** A simple upload: records of user ids and attributes in one body (M-ENR-75 to M-ENR-81, G-47). */
import { cutText } from '../cut-text.ts'
import type { Parsed } from '../blocks/definition.ts'
import { isPlainObject, type Json, type JsonObject } from '../blocks/field.ts'
import { LIMITS } from '../limits.ts'
import { isAttributeName } from '../targeting/fields.ts'
import { isOneOf, COLUMN_TYPES, type ColumnType } from './mapping.ts'
import { isBlank, readCell } from './read-cell.ts'

export type AttributeTypes = ReadonlyMap<string, ColumnType>
export type LoadedRecord = { index: number; userId: string; values: JsonObject }
/** `error` is one of the reasons of an import, or `invalid_name:<name>`. */
type RecordError = { index: number; userId: string | null; error: string }

/** M-ENR-79. */
export function readAttributeTypes(sent: unknown): Parsed<AttributeTypes> {
  if (sent === undefined || sent === null) return { ok: true, value: new Map() }
  if (!isPlainObject(sent)) return { ok: false, error: 'attributeTypes must be an object of names and types' }
  const types = new Map<string, ColumnType>()
  for (const [name, type] of Object.entries(sent)) {
    if (!isAttributeName(name)) return { ok: false, error: `attributeTypes: ${cutText(name, 64)} is no name of an attribute` }
    if (!isOneOf(COLUMN_TYPES, type)) return { ok: false, error: `attributeTypes.${name} must be one of ${COLUMN_TYPES.join(', ')}` }
    types.set(name, type)
  }
  return { ok: true, value: types }
}

/** A record with one thing wrong is left out whole (M-ENR-49). */
export function readLoaded(entry: Json, index: number, types: AttributeTypes): LoadedRecord | RecordError {
  const record = readRecord(entry, types)
  if (typeof record !== 'string') return { index, ...record }
  const userId = userIdOf(entry)
  return { index, userId: userId === undefined ? null : cutText(userId, LIMITS.userIdLength), error: record }
}

function readRecord(entry: Json, types: AttributeTypes): Omit<LoadedRecord, 'index'> | string {
  const userId = userIdOf(entry)?.trim() ?? ''
  if (userId === '') return 'missing_identity'
  if (userId.length > LIMITS.userIdLength) return 'invalid_user_id'
  const attributes = isPlainObject(entry) ? entry['attributes'] : undefined
  if (!isPlainObject(attributes)) return 'no_values'
  const values: JsonObject = {}
  for (const [name, sent] of Object.entries(attributes)) {
    if (!isAttributeName(name)) return `invalid_name:${cutText(name, 64)}`
    if (isNothing(sent)) continue
    const value = readAttribute(sent, types.get(name))
    if (value === undefined) return `invalid_value:${name}`
    values[name] = value
  }
  const count = Object.keys(values).length
  if (count > LIMITS.enrichmentColumns) return 'too_many_values'
  return count === 0 ? 'no_values' : { userId, values }
}

function userIdOf(entry: Json): string | undefined {
  const userId = isPlainObject(entry) ? entry['userId'] : undefined
  return typeof userId === 'string' ? userId : undefined
}

/** A value without a type, as it is stored; undefined: there is none, or none that can be. */
export function attributeOf(value: Json): Json | undefined {
  return isNothing(value) ? undefined : readAttribute(value, undefined)
}

function isNothing(value: Json): boolean {
  return value === null || (typeof value === 'string' && isBlank(value)) || (Array.isArray(value) && value.length === 0)
}

/** Without a type a value is what JSON says it is. */
function readAttribute(value: Json, type: ColumnType | undefined): Json | undefined {
  if (Array.isArray(value)) return (type ?? 'list') === 'list' ? readList(value) : undefined
  if (typeof value === 'object') return undefined
  if (typeof value === 'string') return readCell(value, { type: type ?? 'string' })
  return type === undefined ? value : readCell(String(value), { type })
}

function readList(items: readonly Json[]): Json[] | undefined {
  const isPlain = (item: Json) => typeof item === 'number' || typeof item === 'boolean' || (typeof item === 'string' && isText(item))
  return items.every(isPlain) ? [...items] : undefined
}

function isText(text: string): boolean {
  return readCell(text, { type: 'string' }) !== undefined
}
