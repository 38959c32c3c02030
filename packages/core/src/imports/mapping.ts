/** What a column of a file means: read once when an import begins or a source is saved (M-ENR-07 to M-ENR-27, M-SRC-09). */
import type { Parsed } from '../blocks/definition.ts'
import { isPlainObject, textLength, type JsonObject } from '../blocks/field.ts'
import { LIMITS } from '../limits.ts'
import { isAttributeName } from '../targeting/fields.ts'
import { parseEnd } from '../time.ts'
import { LOADED_SOURCES, type LoadedSource } from './priorities.ts'

export const IDENTITY_TYPES = ['userId', 'email', 'phone', 'email_sha256', 'phone_sha256'] as const
export type IdentityType = (typeof IDENTITY_TYPES)[number]
export const COLUMN_TYPES = ['string', 'number', 'boolean', 'date', 'enum', 'list'] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

export type MappedColumn = {
  column: string
  name: string
  type: ColumnType
  include: boolean
  /** Shown to nobody but who may edit. */
  pii: boolean
  label?: { en?: string; ar?: string }
  enumValues?: string[]
}
export type Mapping = {
  source: LoadedSource
  identity: { column: string; type: IdentityType }
  columns: MappedColumn[]
  expiresInDays?: number
  /** ISO 8601, UTC. */
  expiresAt?: string
}

/** Not documented: as long as any heading a person writes. */
const COLUMN_LENGTH = 500
const LABEL_LENGTH = 200
const ENUM_VALUES = 1_000

/**
 * The mapping, with everything left out filled in. The columns it names are looked for by `fitMapping`. `day`: the zone in which a day
 * without a time is whole.
 */
export function readMapping(sent: unknown, day?: string): Parsed<Mapping> {
  if (!isPlainObject(sent)) return no('mapping must be an object')
  const { source = LOADED_SOURCES[0], identity, columns, expiresInDays = null, expiresAt = null } = sent
  if (!isOneOf(LOADED_SOURCES, source)) return no(`mapping.source must be one of ${LOADED_SOURCES.join(', ')}`)
  if (!isPlainObject(identity)) return no('mapping.identity must be an object with column and type')
  if (!isOneOf(IDENTITY_TYPES, identity['type'])) return no(`mapping.identity.type must be one of ${IDENTITY_TYPES.join(', ')}`)
  const column = readColumnName(identity['column'])
  if (column === undefined) return no('mapping.identity.column must name a column of the file')
  const read = readColumns(columns)
  if (!read.ok) return read
  if (expiresInDays !== null && !isDays(expiresInDays))
    return no(`mapping.expiresInDays must be a whole number from 1 to ${LIMITS.enrichmentDaysMax}`)
  const end = readExpiry('mapping.expiresAt', expiresAt, day)
  if (!end.ok) return end
  return {
    ok: true,
    value: {
      source,
      identity: { column, type: identity['type'] },
      columns: read.value,
      ...(typeof expiresInDays === 'number' && { expiresInDays }),
      ...(end.value !== undefined && { expiresAt: end.value }),
    },
  }
}

/** M-ENR-24: an ISO 8601 time, or the last day that counts; undefined when none was sent. */
export function readExpiry(name: string, sent: unknown, day?: string): Parsed<string | undefined> {
  if (sent === undefined || sent === null) return { ok: true, value: undefined }
  const time = typeof sent === 'string' ? parseEnd(sent.trim(), { day }) : undefined
  return time === undefined ? no(`${name} must be an ISO 8601 date, such as 2030-01-31`) : { ok: true, value: time }
}

/** M-ENR-03, M-ENR-26: the headings of the file, trimmed. Whichever nobody maps may be there several times. */
export function readHeaders(sent: unknown): Parsed<string[]> {
  if (!Array.isArray(sent) || !sent.every((header) => typeof header === 'string')) return no('headers must be an array of strings')
  if (sent.length === 0 || sent.length > LIMITS.enrichmentHeaders) return no(`headers must name 1 to ${LIMITS.enrichmentHeaders} columns`)
  return { ok: true, value: sent.map((header) => header.trim()) }
}

/** M-ENR-09, M-ENR-10, M-SRC-08: undefined when every column that the mapping names is there, those that are skipped too, and what is read is there once. */
export function misfitOf(mapping: Mapping, headers: readonly string[]): string | undefined {
  const known = new Set(headers)
  if (!known.has(mapping.identity.column)) return `headers has no column ${mapping.identity.column}, which mapping.identity names`
  const missing = mapping.columns.find(({ column }) => !known.has(column))
  if (missing) return `headers has no column ${missing.column}, which mapping.columns names`
  const read = [mapping.identity.column, ...mapping.columns.filter(({ include }) => include).map(({ column }) => column)]
  const twice = read.find((column) => headers.indexOf(column) !== headers.lastIndexOf(column))
  return twice && `headers names ${twice} twice, and the mapping reads it`
}

function readColumns(sent: unknown): Parsed<MappedColumn[]> {
  if (!Array.isArray(sent)) return no('mapping.columns must be an array')
  if (sent.length > LIMITS.enrichmentHeaders) return no(`mapping.columns must have at most ${LIMITS.enrichmentHeaders} entries`)
  const columns: MappedColumn[] = []
  const names = new Set<string>()
  for (const [index, entry] of sent.entries()) {
    const column = readColumn(entry)
    if (!column.ok) return no(`mapping.columns.${index}${column.error}`)
    const { name, include } = column.value
    if (include && names.has(name)) return no(`mapping.columns.${index}.name ${name} is the name of another column`)
    if (include) names.add(name)
    columns.push(column.value)
  }
  if (names.size === 0) return no('mapping.columns must include at least one column')
  if (names.size > LIMITS.enrichmentColumns) return no(`mapping.columns must include at most ${LIMITS.enrichmentColumns} columns`)
  return { ok: true, value: columns }
}

function readColumn(entry: unknown): Parsed<MappedColumn> {
  if (!isPlainObject(entry)) return no(' must be an object')
  const { include = true, pii = false, label, enumValues } = entry
  if (typeof include !== 'boolean') return no('.include must be a boolean')
  if (typeof pii !== 'boolean') return no('.pii must be a boolean')
  const column = readColumnName(entry['column'])
  if (column === undefined) return no('.column must name a column of the file')
  if (!include) return { ok: true, value: { column, ...keptOf(entry, column), include, pii } }
  const { name, type } = entry
  if (!isOneOf(COLUMN_TYPES, type)) return no(`.type must be one of ${COLUMN_TYPES.join(', ')}`)
  if (typeof name !== 'string' || !isAttributeName(name))
    return no('.name must be letters, digits, _, - and spaces, begin with a letter, a digit or _, and have at most 64 characters')
  const texts = readLabel(label)
  if (!texts) return no(`.label must be { en, ar } with texts of up to ${LABEL_LENGTH} characters`)
  const values = type === 'enum' ? readEnum(enumValues) : { ok: true as const, value: undefined }
  if (!values.ok) return values
  return {
    ok: true,
    value: {
      column,
      name,
      type,
      include,
      pii,
      ...(label !== undefined && label !== null && { label: texts }),
      ...(values.value && { enumValues: values.value }),
    },
  }
}

/** Of a column that is left out: what was said of it, as far as it can be read, for when it is taken in again (M-SRC-02). */
function keptOf(
  { name, type, label, enumValues }: JsonObject,
  column: string,
): Pick<MappedColumn, 'name' | 'type' | 'label' | 'enumValues'> {
  const texts = label === undefined || label === null ? undefined : readLabel(label)
  const values = type === 'enum' ? readEnum(enumValues) : undefined
  return {
    name: readColumnName(name) ?? column,
    type: isOneOf(COLUMN_TYPES, type) ? type : 'string',
    ...(texts && { label: texts }),
    ...(values?.ok && values.value && { enumValues: values.value }),
  }
}

function readLabel(label: unknown): { en?: string; ar?: string } | undefined {
  if (label === undefined || label === null) return {}
  if (!isPlainObject(label)) return undefined
  const texts = Object.entries({ en: label['en'], ar: label['ar'] }).filter(([, text]) => text !== undefined && text !== null)
  return texts.every(([, text]) => typeof text === 'string' && textLength(text) <= LABEL_LENGTH) ? Object.fromEntries(texts) : undefined
}

/** M-ENR-15. Without a list every text is one of it. */
function readEnum(sent: unknown): Parsed<string[] | undefined> {
  if (sent === undefined || sent === null) return { ok: true, value: undefined }
  const isList = Array.isArray(sent) && sent.length > 0 && sent.length <= ENUM_VALUES && sent.every((value) => typeof value === 'string')
  return isList ? { ok: true, value: sent } : no(`.enumValues must be 1 to ${ENUM_VALUES} strings`)
}

function readColumnName(sent: unknown): string | undefined {
  const column = typeof sent === 'string' ? sent.trim() : ''
  return column === '' || textLength(column) > COLUMN_LENGTH ? undefined : column
}

function isDays(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= LIMITS.enrichmentDaysMax
}

export function isOneOf<T extends string>(list: readonly T[], value: unknown): value is T {
  return (list as readonly unknown[]).includes(value)
}

function no(error: string): { ok: false; error: string } {
  return { ok: false, error }
}
