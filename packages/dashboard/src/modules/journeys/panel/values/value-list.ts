/** Names and values while they are edited: a list, because two rows may have one name for a while. */
import type { StepValues } from '@contentflow/core/journeys/journey.ts'

export type ValueKind = 'string' | 'number' | 'boolean'
export const VALUE_KINDS = ['string', 'number', 'boolean'] as const satisfies ValueKind[]
export type ValueRow = { name: string; value: string | number | boolean }

export function rowsOf(values: StepValues): ValueRow[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}

/** Of two rows with one name the first counts. */
export function valuesOf(rows: readonly ValueRow[]): StepValues {
  return Object.fromEntries(rows.toReversed().map(({ name, value }) => [name, value]))
}

/** The rows as they were edited, unless the values became others meanwhile, as by undoing. */
export function rowsFor(edited: readonly ValueRow[], values: StepValues): readonly ValueRow[] {
  const sorted = (of: StepValues) => JSON.stringify(Object.entries(of).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return sorted(valuesOf(edited)) === sorted(values) ? edited : rowsOf(values)
}

export function kindOf(value: ValueRow['value']): ValueKind {
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string'
}

/** A value of another kind that says the same where there is one. */
export function asKind(value: ValueRow['value'], kind: ValueKind): ValueRow['value'] {
  if (kind === 'string') return typeof value === 'number' && Number.isNaN(value) ? '' : String(value)
  if (kind === 'boolean') return value === true || value === 'true'
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return typeof value === 'number' ? value : number
}
