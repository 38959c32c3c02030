/** The mapping in the editor: a suggestion, or a saved source applied to the columns of a file. */
import type { IdentityType, MappedColumn, Mapping, ColumnType } from '@contentflow/core/imports/mapping.ts'
import type { LoadedSource } from '@contentflow/core/imports/priorities.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { isAttributeName } from '@contentflow/core/targeting/fields.ts'
import type { DateReading } from '@contentflow/core/imports/date-reading.ts'
import type { Conversion } from './file/conversions.ts'
import type { Shape } from './file/read-table.ts'

export type DraftColumn = {
  /** The heading in the file. */
  column: string
  name: string
  type: ColumnType
  include: boolean
  pii: boolean
  label: { en?: string; ar?: string }
  /** Empty: any. */
  enumValues: string[]
  /** How its dates may be written; empty where that is no question. */
  readings: DateReading[]
  /** How dates are read; undefined until somebody chooses. */
  reading: DateReading | undefined
}
export type Draft = {
  source: LoadedSource
  identity: { column: string; type: IdentityType }
  /** The digits put before phone numbers without a country code; empty: they are sent as they are. */
  countryCode: string
  columns: DraftColumn[]
  environment: 'live' | 'test'
  ends: 'never' | 'days' | 'date'
  days: number | undefined
  /** ISO 8601. */
  date: string | undefined
  /** Empty: the mapping is not saved. */
  saveAs: string
}

/** Has no identity column when none looks like one. */
export function draftOf({ header, suggestion: { identity, columns }, notes }: Shape, environment: Draft['environment']): Draft {
  return {
    source: 'csv_upload',
    identity: { column: identity ? (header[identity.at] ?? '') : '', type: identity?.type ?? 'userId' },
    countryCode: '',
    columns: columns.map(({ name, type, pii }, at) => ({
      column: header[at] ?? '',
      name,
      type: (notes[at]?.dates.length ?? 0) > 0 ? 'date' : type,
      // Personal data is only included by choice.
      include: at !== identity?.at && !pii,
      pii,
      label: {},
      enumValues: [],
      readings: notes[at]?.dates ?? [],
      reading: notes[at]?.dates.length === 1 ? notes[at].dates[0] : undefined,
    })),
    environment,
    ends: 'never',
    days: 365,
    date: undefined,
    saveAs: '',
  }
}

/** Applies a saved source to the columns of this file; columns that the file lacks are left out. */
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
  return { ...column, name, type, include, pii, label, enumValues }
}

/** Chooses another column as the identity; how it is read is suggested from its values. */
export function withIdentity(draft: Draft, column: string, { header, suggestion }: Shape): Draft {
  const type = suggestion.columns[header.indexOf(column)]?.identity ?? draft.identity.type
  return { ...draft, identity: { column, type } }
}

/** How the cells of each column are converted before they are sent, by its heading. */
export function conversionsOf({ identity, countryCode, columns }: Draft, timeZone: string): Map<string, Conversion> {
  const dates = columns.flatMap(({ column, include, type, reading }): [string, Conversion][] =>
    include && type === 'date' && reading ? [[column, { kind: 'date', reading, timeZone }]] : [],
  )
  const isPhone = identity.type === 'phone' && countryCode !== ''
  return new Map(isPhone ? [...dates, [identity.column, { kind: 'phone', countryCode }]] : dates)
}

/** Columns of a saved source that a file does not have. */
export function missingColumns({ columns, identity }: Mapping, header: readonly string[]): string[] {
  const wanted = [identity.column, ...columns.filter(({ include }) => include).map(({ column }) => column)]
  return [...new Set(wanted)].filter((column) => !header.includes(column))
}

/** Names only imported columns, so nothing else leaves the browser. */
export function mappingOf({ source, identity, columns, ends, days, date }: Draft): Mapping {
  return {
    source,
    identity,
    columns: columns
      .filter(({ include }) => include)
      .map(({ column, name, type, include, pii, label, enumValues }) => ({
        column,
        name,
        type,
        include,
        pii,
        ...(Object.values(label).some((text) => text !== '') && { label }),
        ...(type === 'enum' && enumValues.length > 0 && { enumValues }),
      })),
    ...(ends === 'days' && { expiresInDays: days ?? 0 }),
    ...(ends === 'date' && date !== undefined && { expiresAt: date }),
  }
}

/** The columns that are sent: whom a row is about, and what is imported. */
export function headersOf({ identity, columns }: Pick<Mapping, 'identity' | 'columns'>): string[] {
  return [...new Set([identity.column, ...columns.filter(({ include }) => include).map(({ column }) => column)])]
}

export type DraftFault =
  'noIdentity' | 'badCountryCode' | 'noColumns' | 'tooManyColumns' | 'badNames' | 'noDateOrder' | 'badDays' | 'badDate'

/** Why the import cannot begin yet; faults of a name are shown beside the name. */
export function faultOf(draft: Draft, now: number): DraftFault | undefined {
  const included = draft.columns.filter(({ include }) => include)
  if (draft.identity.column === '') return 'noIdentity'
  if (draft.identity.type === 'phone' && !/^(?:[1-9]\d{0,3})?$/.test(draft.countryCode)) return 'badCountryCode'
  if (included.length === 0) return 'noColumns'
  if (included.length > LIMITS.enrichmentColumns) return 'tooManyColumns'
  if (included.some((column) => nameFaultOf(column, draft.columns))) return 'badNames'
  if (included.some(({ type, readings, reading }) => type === 'date' && readings.length > 1 && !reading)) return 'noDateOrder'
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
