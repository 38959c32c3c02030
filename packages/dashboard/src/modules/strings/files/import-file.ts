/** What a file is, told before anything is sent: read with the very functions the server uses. */
import { LIMITS } from '@contentflow/core/limits.ts'
import { parseCsv } from '@contentflow/core/strings/parse-csv.ts'
import { readImport } from '@contentflow/core/strings/read-import.ts'

type Separator = 'comma' | 'semicolon' | 'tab' | 'none'
type FileColumn = {
  name: string
  /** `skipped`: no locale of the workspace, so the server leaves it out. */
  meaning: 'key' | 'namespace' | 'description' | 'source' | 'translation' | 'skipped'
}
export type ReadableFile = { name: string; csv: string; bytes: number; separator: Separator; columns: FileColumn[]; rows: number }
export type FileFault =
  | { fault: 'too_large'; bytes: number }
  | { fault: 'not_utf8' }
  | { fault: 'unreadable'; line: number; message: string }
  | { fault: 'no_key_column'; message: string }
  | { fault: 'no_rows' }
  | { fault: 'too_many_rows'; rows: number }

const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const satisfies Partial<Record<Separator, string>>

type Locales = { source: string; translated: readonly string[] }

export function describeFile(
  name: string,
  content: Uint8Array,
  locales: Locales,
): { ok: true; file: ReadableFile } | { ok: false; fault: FileFault } {
  const refuse = (fault: FileFault) => ({ ok: false as const, fault })
  const bytes = content.byteLength
  if (bytes > LIMITS.importBytes) return refuse({ fault: 'too_large', bytes })
  const csv = decode(content)
  if (csv === undefined) return refuse({ fault: 'not_utf8' })
  const parsed = parseCsv(csv)
  if (!parsed.ok) return refuse({ fault: 'unreadable', line: parsed.line, message: parsed.error })
  const read = readImport(parsed.table)
  if (!read.ok) return refuse({ fault: 'no_key_column', message: read.error })
  const rows = read.rows.length
  if (rows === 0) return refuse({ fault: 'no_rows' })
  if (rows > LIMITS.importRows) return refuse({ fault: 'too_many_rows', rows })
  const columns = parsed.table.header
    .filter((column) => column !== '')
    .map((column) => ({ name: column, meaning: meaningOf(column, locales) }))
  return { ok: true, file: { name, csv, bytes, separator: separatorOf(csv), columns, rows } }
}

/** Undefined when it is not UTF-8: letters would be lost. */
function decode(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return undefined
  }
}

/** Asks the reader itself: a row of two cells has two only with the separator that it took. */
function separatorOf(csv: string): Separator {
  const header = /[^\r\n]+/.exec(csv)?.[0] ?? ''
  for (const [name, separator] of Object.entries(SEPARATORS)) {
    const probe = parseCsv(`${header}\na${separator}b`)
    if (probe.ok && probe.table.header.length > 1 && probe.table.rows[0]?.cells.length === 2) return name as Separator
  }
  return 'none'
}

function meaningOf(column: string, { source, translated }: Locales): FileColumn['meaning'] {
  const name = column.toLowerCase()
  if (name === 'key' || name === 'namespace' || name === 'description') return name
  if (name === 'sourcetext' || name === source.toLowerCase()) return 'source'
  return translated.some((code) => code.toLowerCase() === name) ? 'translation' : 'skipped'
}
