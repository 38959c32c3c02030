/** What a row of a file says, and why it is rejected (G-46). */
import type { JsonObject } from '../blocks/field.ts'
import { isOdd } from '../json/odd-characters.ts'
import type { ParsePhone } from '../identity/contacts.ts'
import type { Mapping } from './mapping.ts'
import { isBlank, readCell, type CellType } from './read-cell.ts'
import { maskOf, readIdentity, type Identity, type IdentityFault } from './read-identity.ts'

/** Seen in the row alone, in the order in which one is named. */
export type RowFault = 'too_many_cells' | IdentityFault | `invalid_value:${string}` | 'no_values'
/** Seen beside other rows and the people who are known. */
export type RowMatch = 'matched' | 'unmatched' | 'duplicate_identity' | 'ambiguous_identity'

export type JudgedRow = {
  identity: Identity
  mask: string
  values: JsonObject
  /** Names of the columns with a cell that is no value of their type. */
  invalid: string[]
  /** Cells that are read whose odd characters were replaced (G-85). */
  replacedTexts: number
  fault: RowFault | null
}

type Column = CellType & { at: number; name: string }

/** Says of rows of this file what they hold. */
export function rowJudge(mapping: Mapping, headers: readonly string[], parsePhone: ParsePhone): (cells: readonly string[]) => JudgedRow {
  const identityAt = headers.indexOf(mapping.identity.column)
  const columns = mapping.columns
    .filter(({ include }) => include)
    .map(({ column, name, type, enumValues }): Column => ({
      at: headers.indexOf(column),
      name,
      type,
      // What is compared is trimmed.
      ...(enumValues && { enumValues: new Set(enumValues.map((value) => value.trim())) }),
    }))
  return (cells) => {
    const identity = readIdentity(cells[identityAt] ?? '', mapping.identity.type, parsePhone)
    const values: JsonObject = {}
    const invalid: string[] = []
    let replacedTexts = 0
    for (const column of columns) {
      const cell = cells[column.at] ?? ''
      if (isBlank(cell)) continue
      if (isOdd(cell)) replacedTexts++
      const value = readCell(cell, column)
      if (value === undefined) invalid.push(column.name)
      else values[column.name] = value
    }
    const fault = faultOf(cells.length > headers.length, identity, values, invalid)
    return { identity, mask: maskOf(cells[identityAt] ?? ''), values, invalid, replacedTexts, fault }
  }
}

function faultOf(isTooLong: boolean, identity: Identity, values: JsonObject, [invalid]: readonly string[]): RowFault | null {
  if (isTooLong) return 'too_many_cells'
  if (identity.kind === 'fault') return identity.fault
  if (invalid !== undefined) return `invalid_value:${invalid}`
  return Object.keys(values).length === 0 ? 'no_values' : null
}

/** What was counted of the rows that have arrived. Names come from files: own members of plain objects, read with `Object.entries`. */
export type StagedCounts = {
  rows: number
  rejected: number
  reasons: Record<string, number>
  columns: Record<string, { values: number; invalid: number }>
  /** Left out when there are none. */
  replacedTexts?: number
}

export function emptyCounts(mapping: Mapping): StagedCounts {
  const columns = mapping.columns.filter(({ include }) => include).map(({ name }) => [name, { values: 0, invalid: 0 }] as const)
  return { rows: 0, rejected: 0, reasons: {}, columns: Object.fromEntries(columns) }
}

/** `staged` with these rows, which were not counted before. M-ENR-42: a cell that is no value is one that is filled, too. */
export function withRows(staged: StagedCounts, rows: readonly JudgedRow[]): StagedCounts {
  const reasons = new Map(Object.entries(staged.reasons))
  const columns = new Map(Object.entries(staged.columns).map(([name, counts]) => [name, { ...counts }]))
  const note = (name: string, invalid = 0) => {
    const counts = columns.get(name)
    if (!counts) return
    counts.values++
    counts.invalid += invalid
  }
  let replacedTexts = staged.replacedTexts ?? 0
  for (const { fault, values, invalid, ...row } of rows) {
    replacedTexts += row.replacedTexts
    if (fault !== null) reasons.set(fault, (reasons.get(fault) ?? 0) + 1)
    for (const name of Object.keys(values)) note(name)
    for (const name of invalid) note(name, 1)
  }
  return {
    rows: staged.rows + rows.length,
    rejected: staged.rejected + rows.filter(({ fault }) => fault !== null).length,
    reasons: Object.fromEntries(reasons),
    columns: Object.fromEntries(columns),
    ...(replacedTexts > 0 && { replacedTexts }),
  }
}
