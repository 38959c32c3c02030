import { isOdd } from '../json/odd-characters.ts'
import { runToEnd } from '../steps.ts'

export type CsvRow = {
  /** Where the row begins; the first line of the text is 1. */
  line: number
  cells: string[]
}
export type CsvTable = { header: string[]; rows: CsvRow[] }
export type CsvResult = { ok: true; table: CsvTable } | { ok: false; line: number; error: string }

const QUOTE = 0x22
const LF = 0x0a
const CR = 0x0d
const SEPARATORS: readonly string[] = [',', ';', '\t']
/** Cells of one row. A file with more is no catalog. */
const MOST_CELLS = 1_000

/**
 * Reads separated values (RFC 4180) with one header row. The separator is what a first line `sep=;` names, as
 * Excel writes it, else the one that stands most often in the header; lines end in CRLF, LF or CR; a quoted cell holds separators, doubled quotes and line ends as they
 * are. Lines without any character are no rows. Names of columns are trimmed, texts of cells never. What comes after
 * `mostRows` and one more is not read: whoever takes so many refuses the file, and need not wait for its end. A step for
 * each row.
 */
export function* readCsv(input: string, mostRows = Infinity): Generator<undefined, CsvResult> {
  const text = input.startsWith('\ufeff') ? input.slice(1) : input
  const nul = text.indexOf('\0')
  if (nul !== -1) return { ok: false, line: lineAt(text, nul), error: 'the text has a NUL character; save the file as UTF-8 text' }
  const read = yield* new Reader(text, separatorOf(text)).run(mostRows + 2)
  if (!read.ok) return read
  const [first, ...rows] = read.rows
  if (!first) return { ok: false, line: 1, error: 'the file is empty; it needs a header row' }
  if (first.cells.some(isOdd))
    return { ok: false, line: first.line, error: 'the header has half of a character; save the file as UTF-8 text' }
  const header = first.cells.map((name) => name.trim())
  const twice = repeated(header)
  if (twice !== undefined) return { ok: false, line: first.line, error: `the header names the column ${twice} twice` }
  return { ok: true, table: { header, rows } }
}

/** At one go. */
export function parseCsv(input: string, mostRows?: number): CsvResult {
  return runToEnd(readCsv(input, mostRows))
}

/** The text with other names in its header, as many as it has columns; every row stays in its line. */
export function replaceHeader(input: string, names: readonly string[]): string {
  const text = input.startsWith('\ufeff') ? input.slice(1) : input
  const separator = separatorOf(text)
  const reader = new Reader(text, separator)
  runToEnd(reader.run(1))
  const above = separatorLine(text)?.length ?? 0
  const start = above + Math.max(0, text.slice(above).search(/[^\r\n]/))
  const lines = countLineEnds(text, start, reader.at)
  return `${text.slice(0, start)}${names.join(separator)}${'\n'.repeat(lines)}${text.slice(reader.at)}`
}

/** The first name that stands for a second time, whatever its case. Columns without a name may be many. */
function repeated(header: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return header.find((name) => {
    const known = seen.has(name.toLowerCase())
    if (name !== '') seen.add(name.toLowerCase())
    return known
  })
}

/** The rows of a text, its header among them; for who knows the separator and what a header may be. */
export function readSeparated(text: string, separator: string, mostRows = Infinity): CsvRows {
  return runToEnd(new Reader(text, separator).run(mostRows))
}

/** The line of Excel that names the separator, with its end, and what it names; undefined when the file has none. */
export function separatorLine(text: string): { separator: string; length: number } | undefined {
  const [line, separator] = /^\ufeff?"?sep=([,;\t|])"?(?:\r\n|\r|\n|$)/i.exec(text) ?? []
  return line === undefined || separator === undefined ? undefined : { separator, length: line.length }
}

/** What a line of Excel names, else the one that is most often in the first line that holds anything, quoted cells aside; the comma when none is. */
export function separatorOf(text: string, separators: readonly string[] = SEPARATORS): string {
  const named = separatorLine(text)
  if (named) return named.separator
  const counts = separators.map(() => 0)
  let isQuoted = false
  for (let at = text.search(/[^\r\n]/); at !== -1 && at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (code === LF || code === CR) break
    else {
      const which = separators.indexOf(text.charAt(at))
      if (which !== -1) counts[which] = (counts[which] ?? 0) + 1
    }
  }
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

function lineAt(text: string, end: number): number {
  return countLineEnds(text, 0, end) + 1
}

/** Line ends that begin in `text` from `start` up to `end`; CR and LF together are one. */
function countLineEnds(text: string, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === CR || (code === LF && text.charCodeAt(at - 1) !== CR)) count++
  }
  return count
}

export type CsvRows = { ok: true; rows: CsvRow[] } | { ok: false; line: number; error: string }

class Reader {
  readonly #text: string
  readonly #separator: number
  #at = 0
  #line = 1

  constructor(text: string, separator: string) {
    this.#text = text
    this.#separator = separator.charCodeAt(0)
    const named = separatorLine(text)
    if (!named) return
    this.#at = named.length
    this.#line = 2
  }

  /** Where reading goes on. */
  get at(): number {
    return this.#at
  }

  /** `most`: rows to read, the header with them. */
  *run(most: number): Generator<undefined, CsvRows> {
    const rows: CsvRow[] = []
    while (this.#at < this.#text.length && rows.length < most) {
      if (this.#skipLineEnd()) continue
      const row: CsvRow = { line: this.#line, cells: [] }
      do {
        const cell = this.#text.charCodeAt(this.#at) === QUOTE ? this.#quoted() : this.#plain()
        if (typeof cell !== 'string') return { ok: false, ...cell }
        row.cells.push(cell)
        if (row.cells.length > MOST_CELLS) return { ok: false, line: row.line, error: `the row has more than ${MOST_CELLS} cells` }
      } while (this.#skipSeparator())
      rows.push(row)
      this.#skipLineEnd()
      yield
    }
    return { ok: true, rows }
  }

  #skipSeparator(): boolean {
    if (this.#text.charCodeAt(this.#at) !== this.#separator) return false
    this.#at++
    return true
  }

  #skipLineEnd(): boolean {
    const code = this.#text.charCodeAt(this.#at)
    if (code !== CR && code !== LF) return false
    this.#at += code === CR && this.#text.charCodeAt(this.#at + 1) === LF ? 2 : 1
    this.#line++
    return true
  }

  /** A quote inside it is a character like any other. */
  #plain(): string {
    const start = this.#at
    while (this.#at < this.#text.length) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === this.#separator || code === LF || code === CR) break
      this.#at++
    }
    return this.#text.slice(start, this.#at)
  }

  #quoted(): string | { line: number; error: string } {
    const start = this.#at + 1
    let close = this.#text.indexOf('"', start)
    let hasDoubled = false
    while (close !== -1 && this.#text.charCodeAt(close + 1) === QUOTE) {
      hasDoubled = true
      close = this.#text.indexOf('"', close + 2)
    }
    if (close === -1) return { line: this.#line, error: 'a quoted cell that begins here is never closed' }
    this.#line += countLineEnds(this.#text, start, close)
    this.#at = close + 1
    const next = this.#text.charCodeAt(this.#at)
    if (this.#at < this.#text.length && next !== this.#separator && next !== LF && next !== CR)
      return { line: this.#line, error: 'text follows the closing quote of a cell; double the quotes inside quoted cells' }
    const cell = this.#text.slice(start, close)
    return hasDoubled ? cell.replaceAll('""', '"') : cell
  }
}
