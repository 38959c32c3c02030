import type { Import } from '../api.ts'
import { conversionsOf, draftOf } from './draft.ts'
import type { Conversion, SentColumn } from './file/conversions.ts'
import { recallImport } from './memory.ts'
import type { OpenFile } from './file/open-file.ts'

/** Where the columns of an import stand in a file, and what their cells become; -1 for one that the file does not have. */
export function placesOf(
  headers: readonly string[],
  { shape }: Pick<OpenFile, 'shape'>,
  conversions: ReadonlyMap<string, Conversion> = new Map(),
): SentColumn[] {
  return headers.map((name) => ({ at: shape.header.indexOf(name), conversion: conversions.get(name) }))
}

/** Those of an import that goes on, with the conversions it began with; of one begun in another browser, those that leave no choice. */
export function placesOfOngoing(
  workspaceId: string,
  { importId, headers, mapping }: Import,
  file: OpenFile,
  timeZone: string,
): SentColumn[] {
  const kept = recallImport(workspaceId, importId)?.conversions
  if (kept) return placesOf(headers, file, new Map(kept))
  const suggested = draftOf(file.shape, 'live')
  const dates = new Set(mapping.columns.filter(({ type }) => type === 'date').map(({ column }) => column))
  const columns = suggested.columns.map((column) => ({ ...column, include: dates.has(column.column) }))
  return placesOf(headers, file, conversionsOf({ ...suggested, columns }, timeZone))
}
