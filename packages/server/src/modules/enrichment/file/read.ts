/** Rows of a CSV on the disk, read as they are asked for. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { separatorLine, separatorOf } from '@contentflow/core/strings/parse-csv.ts'
import { ApiError, failWith } from '../../../errors.ts'

const SEPARATORS = [',', ';', '\t', '|']
/** Characters of one row; more is a quotation mark that is never closed. */
const ROW_LENGTH = 1_000_000
/** Bytes in which the line of headings ends. */
const HEAD_BYTES = 65_536
const MARKS: [encoding: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
const PACKED = [0x50, 0x4b, 0x03, 0x04]
/** What a charset may name; without one, and without a mark in the file, it is UTF-8. */
const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1256', 'windows-1252']

/** `namedBy`: characters of a first line that names the separator; 0 without one. */
export type CsvFile = { path: string; encoding: string; separator: string; namedBy: number }

/** How the file is written: its first bytes say so, else `charset`. */
export async function inspectFile(path: string, charset = 'utf-8'): Promise<CsvFile> {
  const head = await readHead(path)
  const begins = (mark: number[]) => mark.every((byte, at) => head[at] === byte)
  if (begins(PACKED)) failWith(400, 'This is an Excel or ZIP file; save it as CSV')
  const encoding = MARKS.find(([, mark]) => begins(mark))?.[0] ?? charset.toLowerCase()
  if (!ENCODINGS.includes(encoding)) failWith(400, `The charset of the file must be ${ENCODINGS.join(', ')}`)
  const text = new TextDecoder(encoding).decode(head)
  if (text.includes('\0')) failWith(400, 'The file is no text; save it as CSV in UTF-8')
  return { path, encoding, separator: separatorOf(text, SEPARATORS), namedBy: separatorLine(text)?.length ?? 0 }
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Cells of each line that holds anything, the headings first. Throws a refusal that names the line. */
export async function* readLines({ path, encoding, separator, namedBy }: CsvFile): AsyncGenerator<string[]> {
  const lines = parse({
    delimiter: separator,
    relax_column_count: true,
    // A quotation mark in the middle of a cell is a character, as in 5" screen.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: ROW_LENGTH,
  })
  // What goes wrong before it is thrown to whoever reads the lines.
  pipeline(Readable.from(decoded(path, encoding, namedBy)), lines, () => undefined)
  try {
    yield* lines as AsyncIterable<string[]>
  } catch (error) {
    throw error instanceof CsvError ? new ApiError(400, describeCsvError(error, namedBy === 0 ? 0 : 1)) : error
  }
}

/** Without its first `skipped` characters, which stand in the first chunk. */
async function* decoded(path: string, encoding: string, skipped: number): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const watch = watchLength()
  let rest = skipped
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      const text = decoder.decode(chunk, { stream: true })
      watch(text)
      yield text.slice(rest)
      rest = 0
    }
    yield decoder.decode()
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    failWith(400, `The file is not in ${encoding}; save it as UTF-8, or say its charset in Content-Type`)
  }
}

/** The parser counts what stands in cells alone: a line of nothing but separators would become a row of millions of them. */
function watchLength(): (text: string) => void {
  let [line, length] = [1, 0]
  return (text) => {
    const end = text.includes('\n') ? '\n' : '\r'
    let start = 0
    for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end, start)) {
      line++
      length = 0
      start = at + 1
    }
    length += text.length - start
    if (length > ROW_LENGTH) failWith(400, tooLong(line))
  }
}

const tooLong = (line: number) => `Line ${line}: the row is longer than ${ROW_LENGTH} characters`

function describeCsvError(error: CsvError, linesAbove: number): string {
  const line = Number(error['lines'] ?? 0) + linesAbove
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return `Line ${line}: a quoted cell begins here or before and is never closed`
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLong(line)
  return `Line ${line}: the file cannot be read as CSV`
}
