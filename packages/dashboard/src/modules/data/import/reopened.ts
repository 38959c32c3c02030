/** A file whose columns are changed again after its dry run; it stays open, so that it need not be chosen again. */
import type { Draft } from './draft.ts'
import type { OpenFile } from './file/open-file.ts'
import { letGo } from './sending.ts'

export type Reopened = { file: OpenFile; draft: Draft }

let begun: (Reopened & { importId: string }) | undefined

export function keepBegun(importId: string, reopened: Reopened): void {
  begun = { importId, ...reopened }
}

/** Whether this page still has the file and the mapping that the import began with. */
export function canTakeBack(importId: string): boolean {
  return begun?.importId === importId
}

/** Asked only where `canTakeBack` said so. */
export function takeBack(importId: string): Reopened {
  if (begun?.importId !== importId) throw new Error('the file is not open any more')
  const { file, draft } = begun
  begun = undefined
  letGo()
  return { file, draft }
}
