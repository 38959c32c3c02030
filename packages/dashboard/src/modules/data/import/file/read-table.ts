/** A file as a table of texts, read off the page (table-worker.ts): what it is, what its columns seem to mean, and its rows on demand. */
import { cutText } from '@contentflow/core/cut-text.ts'
import { suggestMapping, type Suggestion } from '@contentflow/core/imports/suggest-mapping.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { readSeparated, separatorOf } from '@contentflow/core/strings/parse-csv.ts'
import { decodeText, guessEncoding, type Encoding } from '../../../../files/decode-text.ts'
import { openXlsx } from '../../../../files/read-xlsx.ts'
import { convert, notesOf, type ColumnNotes, type SentColumn } from './conversions.ts'

export const SEPARATORS = [',', ';', '\t', '|'] as const
export type Separator = (typeof SEPARATORS)[number]

/** Settings that a person chose where the guess was wrong, or that the import began with. */
export type Choice = {
  encoding?: Encoding | undefined
  separator?: Separator | undefined
  sheet?: number | undefined
  /** The time zone of times in a workbook. */
  timeZone?: string | undefined
}
/** A file as it was read. */
export type Shape = {
  /** Null for an Excel workbook, which states it itself. */
  encoding: Encoding | null
  separator: Separator | null
  sheets: string[]
  sheet: number
  /** The time zone in which its times were read; null: it has no times that depend on one. */
  timeZone: string | null
  /** Each once, and none empty. */
  header: string[]
  rows: number
  /** The first rows. */
  first: string[][]
  /** The first values of each column. */
  samples: string[][]
  suggestion: Suggestion
  /** Findings for each column. */
  notes: ColumnNotes[]
  /** Rows with more cells than there are headings, and the first of them. */
  overfull: { count: number; first: number }
  /** Tells whether it is the same file later. */
  fingerprint: string
}
export type TableFault =
  | { fault: 'too_large' }
  | { fault: 'old_excel' }
  | { fault: 'unreadable'; line: number; message: string }
  | { fault: 'no_rows' }
  | { fault: 'too_many_rows'; rows: number }
export type Table = { shape: Shape; rows: string[][] }
export type Read = { ok: true; table: Table } | ({ ok: false } & TableFault)

type Raw =
  | { ok: true; rows: string[][]; shape: Pick<Shape, 'encoding' | 'separator' | 'sheets' | 'sheet' | 'timeZone'> }
  | ({ ok: false } & TableFault)

/** The header, the rows that are taken, and one more that says there are too many. */
const MOST_ROWS = LIMITS.peopleImportRows + 2
const HEADING_LENGTH = 200
const FIRST_ROWS = 5
const SAMPLES = 3
const SAMPLE_LENGTH = 80
/** Values of a column that are looked at, spread over the whole file. */
const LOOKED_AT = 2_000

export async function readTable(bytes: Uint8Array<ArrayBuffer>, choice: Choice): Promise<Read> {
  if (bytes.byteLength > LIMITS.enrichmentFileBytes) return { ok: false, fault: 'too_large' }
  const raw = startsWith(bytes, [0x50, 0x4b]) ? await readWorkbook(bytes, choice) : readText(bytes, choice)
  if (!raw.ok) return raw
  const [headings, ...rows] = raw.rows.filter((cells) => cells.some((cell) => cell.trim() !== ''))
  if (!headings || rows.length === 0) return { ok: false, fault: 'no_rows' }
  if (rows.length > LIMITS.peopleImportRows) return { ok: false, fault: 'too_many_rows', rows: rows.length }
  const shape = { ...raw.shape, ...describe(headings, rows), fingerprint: fingerprintOf(bytes) }
  return { ok: true, table: { shape, rows } }
}

function readText(bytes: Uint8Array, choice: Choice): Raw {
  // The format of Excel until 2003.
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return { ok: false, fault: 'old_excel' }
  const encoding = choice.encoding ?? guessEncoding(bytes)
  const text = decodeText(bytes, encoding)
  const separator = choice.separator ?? (separatorOf(text, SEPARATORS) as Separator)
  const read = readSeparated(text, separator, MOST_ROWS)
  if (!read.ok) return { ok: false, fault: 'unreadable', line: read.line, message: read.error }
  return { ok: true, rows: read.rows.map(({ cells }) => cells), shape: { encoding, separator, sheets: [], sheet: 0, timeZone: null } }
}

async function readWorkbook(bytes: Uint8Array<ArrayBuffer>, { sheet = 0, timeZone = 'UTC' }: Choice): Promise<Raw> {
  try {
    const workbook = await openXlsx(bytes)
    if (!workbook) return { ok: false, fault: 'unreadable', line: 1, message: 'this is no Excel workbook (.xlsx)' }
    const { rows, hasTimes } = await workbook.readRows(sheet, MOST_ROWS, timeZone)
    const shape = { encoding: null, separator: null, sheets: workbook.sheets, sheet, timeZone: hasTimes ? timeZone : null }
    return { ok: true, rows, shape }
  } catch (error) {
    return { ok: false, fault: 'unreadable', line: 1, message: error instanceof Error ? error.message : String(error) }
  }
}

function describe(
  headings: readonly string[],
  rows: readonly string[][],
): Omit<Shape, 'encoding' | 'separator' | 'sheets' | 'sheet' | 'timeZone' | 'fingerprint'> {
  const header = headerOf(headings, rows)
  const step = Math.max(1, Math.floor(rows.length / LOOKED_AT))
  const looked = rows.filter((_, index) => index % step === 0)
  const seen = header.map((name, at) => ({ name, values: looked.map((cells) => cells[at] ?? '').filter((cell) => cell.trim() !== '') }))
  const overfull = rows.flatMap((cells, index) => (cells.slice(header.length).some((cell) => cell.trim() !== '') ? [index + 1] : []))
  return {
    header,
    rows: rows.length,
    first: rows.slice(0, FIRST_ROWS).map((cells) => header.map((_, at) => cutText(cells[at] ?? '', SAMPLE_LENGTH))),
    samples: seen.map(({ values }) => [...new Set(values.slice(0, 200))].slice(0, SAMPLES).map((value) => cutText(value, SAMPLE_LENGTH))),
    suggestion: suggestMapping(seen),
    notes: seen.map(({ values }) => notesOf(values)),
    overfull: { count: overfull.length, first: overfull[0] ?? 0 },
  }
}

/** The server tells columns apart by their names: what has none, or one that is taken, gets one. Blank ends are no columns. */
function headerOf(headings: readonly string[], rows: readonly string[][]): string[] {
  const last = headings.findLastIndex((name) => name.trim() !== '')
  const isUsed = (at: number) => rows.slice(0, LOOKED_AT).some((cells) => (cells[at] ?? '').trim() !== '')
  const width = headings.findLastIndex((_, at) => at <= last || isUsed(at)) + 1
  const taken = new Set<string>()
  return headings.slice(0, width).map((heading, at) => {
    const plain = cutText(heading.trim(), HEADING_LENGTH) || `Column ${at + 1}`
    let name = plain
    for (let number = 2; taken.has(name); number++) name = `${plain} (${number})`
    taken.add(name)
    return name
  })
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte)
}

/** A hash of all bytes (FNV-1a, twice): the browser's own digests need a page that came by https. */
function fingerprintOf(bytes: Uint8Array): string {
  let a = 0x811c9dc5
  let b = 0x9747b28c
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193)
    b = Math.imul(b ^ byte, 0x5bd1e995)
  }
  return `${bytes.byteLength}-${(a >>> 0).toString(16)}-${(b >>> 0).toString(16)}`
}

/** How many cells one request carries at most: the server limits both their number and the text. */
const CHUNK_CELLS = 60_000
const CHUNK_LENGTH = 2_000_000

/** Rows from `from` (the first is 1) on, of these columns only: what is not imported is not sent. */
export function chunkOf({ rows }: Table, from: number, columns: readonly SentColumn[]): string[][] {
  const most = Math.min(LIMITS.enrichmentChunkRows, Math.max(1, Math.floor(CHUNK_CELLS / columns.length)))
  const chunk: string[][] = []
  let length = 0
  for (const cells of rows.slice(from - 1, from - 1 + most)) {
    const picked = columns.map(({ at, conversion }) => convert(cells[at] ?? '', conversion))
    length += picked.reduce((sum, cell) => sum + cell.length, 0)
    if (chunk.length > 0 && length > CHUNK_LENGTH) break
    chunk.push(picked)
  }
  return chunk
}
