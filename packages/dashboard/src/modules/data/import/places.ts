import type { Import } from '../api.ts'
import { conversionsOf, draftOf } from './draft.ts'
import type { Conversion, SentColumn } from './file/conversions.ts'
import { recallImport } from './memory.ts'
import type { OpenFile } from './file/open-file.ts'

/** The positions of the import's columns in a file, with their conversions; -1 for a column that the file lacks. */
export function placesOf(
  headers: readonly string[],
  { shape }: Pick<OpenFile, 'shape'>,
  conversions: ReadonlyMap<string, Conversion> = new Map(),
): SentColumn[] {
  return headers.map((name) => ({ at: shape.header.indexOf(name), conversion: conversions.get(name) }))
}

/** The columns of an import that continues, with the conversions it began with; when it began in another browser, with those that leave no choice. */
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
