/** The mapping while somebody works on it: a suggestion, or a saved source laid over the columns of a file. */
import type { IdentityType, MappedColumn, Mapping, ValueType } from '@contentflow/core/imports/mapping.ts'
import type { LoadedSource } from '@contentflow/core/imports/priorities.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { isAttributeName } from '@contentflow/core/targeting/fields.ts'
import type { Shape } from './read-table.ts'

export type DraftColumn = {
  /** The heading in the file. */
  column: string
  name: string
  type: ValueType
  include: boolean
  pii: boolean
  label: { en?: string; ar?: string }
  /** Empty: any. */
  enumValues: string[]
}
export type Draft = {
  source: LoadedSource
  identity: { column: string; type: IdentityType }
  columns: DraftColumn[]
  environment: 'live' | 'test'
  ends: 'never' | 'days' | 'date'
  days: number | undefined
  /** ISO 8601. */
  date: string | undefined
  /** Empty: the mapping is not saved. */
  saveAs: string
}

/** Without an identity column when nothing looks like one. */
export function draftOf({ header, suggestion: { identity, columns } }: Shape, environment: Draft['environment']): Draft {
  return {
    source: 'csv_upload',
    identity: { column: identity ? (header[identity.at] ?? '') : '', type: identity?.type ?? 'userId' },
    columns: columns.map(({ name, type, pii }, at) => ({
      column: header[at] ?? '',
      name,
      type,
      // Personal data is brought in by whoever means to.
      include: at !== identity?.at && !pii,
      pii,
      label: {},
      enumValues: [],
    })),
    environment,
    ends: 'never',
    days: 365,
    date: undefined,
    saveAs: '',
  }
}

/** What a saved source says of the columns this file has; the others are left out. */
export function withSource(draft: Draft, { source, identity, columns, expiresInDays, expiresAt }: Mapping): Draft {
  const saved = new Map(columns.map((column) => [column.column, column]))
  const isThere = draft.columns.some(({ column }) => column === identity.column)
  return {
    ...draft,
    source,
    identity: isThere ? identity : { ...identity, column: '' },
    columns: draft.columns.map((column) => overlaid(column, saved.get(column.column))),
    ends: expiresInDays === undefined ? (expiresAt === undefined ? 'never' : 'date') : 'days',
    days: expiresInDays ?? draft.days,
    date: expiresAt,
  }
}

function overlaid(column: DraftColumn, saved: MappedColumn | undefined): DraftColumn {
  if (!saved) return { ...column, include: false }
  const { name, type, include, pii, label = {}, enumValues = [] } = saved
  return { column: column.column, name, type, include, pii, label, enumValues }
}

/** Columns of a saved source that a file does not have. */
export function missingColumns({ columns, identity }: Mapping, header: readonly string[]): string[] {
  const wanted = [identity.column, ...columns.filter(({ include }) => include).map(({ column }) => column)]
  return [...new Set(wanted)].filter((column) => !header.includes(column))
}

/** Only what is imported is named, so nothing else leaves the browser. */
export function mappingOf({ source, identity, columns, ends, days, date }: Draft): Mapping {
  return {
    source,
    identity,
    columns: columns
      .filter(({ include }) => include)
      .map(({ label, enumValues, ...column }) => ({
        ...column,
        ...(Object.values(label).some((text) => text !== '') && { label }),
        ...(column.type === 'enum' && enumValues.length > 0 && { enumValues }),
      })),
    ...(ends === 'days' && { expiresInDays: days ?? 0 }),
    ...(ends === 'date' && date !== undefined && { expiresAt: date }),
  }
}

/** The columns that are sent: whom a row is about, and what is imported. */
export function headersOf({ identity, columns }: Pick<Mapping, 'identity' | 'columns'>): string[] {
  return [...new Set([identity.column, ...columns.filter(({ include }) => include).map(({ column }) => column)])]
}

export type DraftFault = 'noIdentity' | 'noColumns' | 'tooManyColumns' | 'badNames' | 'badDays' | 'badDate'

/** Why it cannot begin yet; what is wrong with a name stands beside the name. */
export function faultOf(draft: Draft, now: number): DraftFault | undefined {
  const included = draft.columns.filter(({ include }) => include)
  if (draft.identity.column === '') return 'noIdentity'
  if (included.length === 0) return 'noColumns'
  if (included.length > LIMITS.enrichmentColumns) return 'tooManyColumns'
  if (included.some((column) => nameFaultOf(column, draft.columns))) return 'badNames'
  const days = draft.days ?? 0
  if (draft.ends === 'days' && !(Number.isInteger(days) && days >= 1 && days <= LIMITS.enrichmentDaysMax)) return 'badDays'
  if (draft.ends === 'date' && !(draft.date !== undefined && Date.parse(draft.date) > now)) return 'badDate'
  return undefined
}

export function nameFaultOf(column: DraftColumn, all: readonly DraftColumn[]): 'badName' | 'takenName' | undefined {
  if (!column.include) return undefined
  if (!isAttributeName(column.name)) return 'badName'
  return all.some((other) => other.include && other.column !== column.column && other.name === column.name) ? 'takenName' : undefined
}
