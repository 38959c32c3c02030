/** Which file an import was begun with and how it was read, kept in this browser so that the import can be taken up again. */
import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import type { Conversion } from './file/conversions.ts'
import type { Choice } from './file/read-table.ts'

type Kept = {
  importId: string
  fingerprint: string
  rows: number
  choice: Choice
  /** By the headings of columns; missing in data that an earlier version stored. */
  conversions?: [heading: string, Conversion][]
}

const MOST_KEPT = 10

const nameOf = (workspaceId: string) => `cf.data-imports.${workspaceId}`

export function recallImport(workspaceId: string, importId: string): Kept | undefined {
  return read(workspaceId).find((kept) => kept.importId === importId)
}

export function rememberImport(workspaceId: string, kept: Kept): void {
  write(workspaceId, [...others(workspaceId, kept.importId), kept].slice(-MOST_KEPT))
}

export function forgetImport(workspaceId: string, importId: string): void {
  write(workspaceId, others(workspaceId, importId))
}

function others(workspaceId: string, importId: string): Kept[] {
  return read(workspaceId).filter((kept) => kept.importId !== importId)
}

function write(workspaceId: string, kept: Kept[]): void {
  localStorage.setItem(nameOf(workspaceId), JSON.stringify(kept))
}

/** The storage of a browser may contain anything. */
function read(workspaceId: string): Kept[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(workspaceId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isKept) : []
  } catch {
    return []
  }
}

function isKept(entry: unknown): entry is Kept {
  if (!isPlainObject(entry)) return false
  const { importId, fingerprint, rows, choice, conversions } = entry
  const isList = conversions === undefined || Array.isArray(conversions)
  return typeof importId === 'string' && typeof fingerprint === 'string' && typeof rows === 'number' && isPlainObject(choice) && isList
}
