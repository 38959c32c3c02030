/** The rejected rows as a file to be put right, with the reason beside each. */
import { LIMITS } from '@contentflow/core/limits.ts'
import { csvLine } from '@contentflow/core/strings/write-csv.ts'
import { call } from '../../../../api.ts'
import { importPath, type RejectedRow } from '../../api.ts'
import type { OpenFile } from './open-file.ts'

type RejectedFileInput = {
  workspaceId: string
  importId: string
  /** The file while this page has it open, with the rows as they are in it. Otherwise only masked identities are known. */
  file: OpenFile | undefined
  titles: { row: string; reason: string; identifier: string }
  say: (reason: string) => string
}

export async function collectRejected({ workspaceId, importId, file, titles, say }: RejectedFileInput): Promise<Blob> {
  // The mark tells Excel that this is UTF-8.
  const lines = ['\ufeff', csvLine([titles.row, titles.reason, ...(file?.shape.header ?? [titles.identifier])].map(harmless))]
  let cursor: string | null | undefined
  do {
    const { data, metadata } = await call<{ rows: RejectedRow[] }>(`${importPath(importId)}/rejected`, {
      query: { limit: LIMITS.enrichmentChunkRows, cursor },
      workspaceId,
    })
    const whole = await file?.rows(data.rows.map(({ row }) => row))
    for (const [at, { row, reason, identifier }] of data.rows.entries())
      lines.push(csvLine([String(row), say(reason), ...(whole?.[at] ?? [identifier])].map(harmless)))
    cursor = metadata?.nextCursor
  } while (cursor)
  return new Blob(lines, { type: 'text/csv;charset=utf-8' })
}

/** Text that a spreadsheet would take for a formula stays text. Numbers with a sign stay numbers. */
function harmless(cell: string): string {
  return /^[=@\t\r]|^[+-](?![\d\s().,-]*$)/.test(cell) ? `'${cell}` : cell
}
