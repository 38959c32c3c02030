/** Describes a file before it is sent: read with the same functions as on the server. */
import { LIMITS } from '@contentflow/core/limits.ts'
import { parseCsv, type CsvRow } from '@contentflow/core/strings/parse-csv.ts'
import { suggestTargets, type ColumnTarget } from '@contentflow/core/strings/import-columns.ts'

type Separator = 'comma' | 'semicolon' | 'tab' | 'none'
type FileColumn = {
  /** Among all columns of the file, from 0. */
  at: number
  /** Empty where the header says nothing. */
  name: string
  /** The first values of the column. */
  samples: string[]
}
export type ReadableFile = {
  name: string
  csv: string
  bytes: number
  separator: Separator
  header: string[]
  /** The columns with a name or a value. */
  columns: FileColumn[]
  /** Suggestions for every column of the header. */
  suggested: ColumnTarget[]
  rows: number
}
export type FileFault =
  | { fault: 'too_large'; bytes: number }
  | { fault: 'not_utf8' }
  | { fault: 'unreadable'; line: number; message: string }
  | { fault: 'no_rows' }
  | { fault: 'too_many_rows'; rows: number }

const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const satisfies Partial<Record<Separator, string>>

type Locales = { source: string; translated: readonly string[] }

export function describeFile(
  name: string,
  content: Uint8Array,
  locales: Locales,
  remembered?: ReadonlyMap<string, ColumnTarget>,
): { ok: true; file: ReadableFile } | { ok: false; fault: FileFault } {
  const refuse = (fault: FileFault) => ({ ok: false as const, fault })
  const bytes = content.byteLength
  if (bytes > LIMITS.importBytes) return refuse({ fault: 'too_large', bytes })
  const csv = decode(content)
  if (csv === undefined) return refuse({ fault: 'not_utf8' })
  const parsed = parseCsv(csv)
  if (!parsed.ok) return refuse({ fault: 'unreadable', line: parsed.line, message: parsed.error })
  const { header } = parsed.table
  // As on the server, a row without any text does not count.
  const filled = parsed.table.rows.filter(({ cells }) => cells.some((cell) => cell !== ''))
  const rows = filled.length
  if (rows === 0) return refuse({ fault: 'no_rows' })
  if (rows > LIMITS.stringsImportRows) return refuse({ fault: 'too_many_rows', rows })
  const columns = header
    .map((column, at) => ({ at, name: column, samples: samplesOf(filled, at) }))
    .filter((column) => column.name !== '' || column.samples.length > 0)
  const suggested = suggestTargets(header, locales, remembered)
  return { ok: true, file: { name, csv, bytes, separator: separatorOf(csv), header, columns, suggested, rows } }
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

const SAMPLES = 2
const SAMPLE_LENGTH = 120

function samplesOf(rows: readonly CsvRow[], at: number): string[] {
  const samples: string[] = []
  for (const { cells } of rows) {
    const text = cells[at]
    if (text) samples.push(text.slice(0, SAMPLE_LENGTH))
    if (samples.length === SAMPLES) break
  }
  return samples
}
