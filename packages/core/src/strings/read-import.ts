import { cutText } from '../cut-text.ts'
import { isOdd, replaceOdd } from '../json/odd-characters.ts'
import type { CsvRow, CsvTable } from './parse-csv.ts'
import type { SyncOutcome, StringRow, SyncPlan } from './plan-sync.ts'
import type { Warning } from './placeholders.ts'
import { rowFault } from './read-rows.ts'

export type ImportFault = { reason: 'missing_key' | 'too_many_cells' | 'limit_exceeded'; message: string }
/** One row of a file: what it says of a string, or why it says nothing. */
/** `replacedTexts`: those that had odd characters (G-85). */
export type ImportRow = { line: number; key: string; replacedTexts?: number } & (
  { row: StringRow; isOverridden: boolean; fault?: never } | { row?: never; isOverridden: false; fault: ImportFault }
)

/** Where each column of a file goes: a member of the row, or the locale it is named after. */
type Columns = {
  key: number
  namespace: number
  description: number
  sourceText: number
  locales: [name: string, at: number][]
  count: number
}

/**
 * The rows of an import (M63): `key`, `namespace`, `description`, `sourceText` and one column per locale, in any order
 * and case. Rows without any text are none. Of rows with the same key the last one counts (G-41). A step for each row.
 */
export function* readImport({
  header,
  rows,
}: CsvTable): Generator<undefined, { ok: true; rows: ImportRow[] } | { ok: false; error: string }> {
  const columns = columnsOf(header)
  if (columns.key === -1)
    return { ok: false, error: `the header has no column "key"; it has ${cutText(header.slice(0, 10).join(', '), 200)}` }
  const read: ImportRow[] = []
  for (const row of rows) {
    const names = [row.cells[columns.key] ?? '', row.cells[columns.namespace] ?? '']
    if (names.some(isOdd)) return { ok: false, error: `line ${row.line}: key and namespace must not have a NUL character` }
    if (row.cells.some((cell) => cell !== '')) read.push(readWithout(row, columns))
    yield
  }
  const last = new Map<string, number>()
  for (const [index, row] of read.entries()) if (row.row) last.set(row.key, index)
  for (const [index, row] of read.entries()) if (row.row) row.isOverridden = last.get(row.key) !== index
  return { ok: true, rows: read }
}

function columnsOf(header: readonly string[]): Columns {
  const names = header.map((name) => name.toLowerCase())
  const members = ['key', 'namespace', 'description', 'sourcetext']
  const [key = -1, namespace = -1, description = -1, sourceText = -1] = members.map((name) => names.indexOf(name))
  const locales = header.flatMap((name, at): [string, number][] => (name === '' || members.includes(names[at] ?? '') ? [] : [[name, at]]))
  return { key, namespace, description, sourceText, locales, count: header.length }
}

/** Without odd characters in its texts. */
function readWithout({ line, cells }: CsvRow, columns: Columns): ImportRow {
  const replacedTexts = cells.filter(isOdd).length
  if (replacedTexts === 0) return readRow({ line, cells }, columns)
  return { ...readRow({ line, cells: cells.map(replaceOdd) }, columns), replacedTexts }
}

function readRow({ line, cells }: CsvRow, columns: Columns): ImportRow {
  const key = cells[columns.key] ?? ''
  const refused = (reason: ImportFault['reason'], message: string): ImportRow => ({
    line,
    key: cutText(key, 200),
    isOverridden: false,
    fault: { reason, message },
  })
  if (key === '') return refused('missing_key', 'the row has no key')
  if (cells.slice(columns.count).some((cell) => cell !== ''))
    return refused('too_many_cells', 'the row has more cells than the header; quote cells that hold the separator')
  const row: StringRow = { key, values: valuesOf(cells, columns) }
  for (const member of ['namespace', 'description', 'sourceText'] as const) {
    const text = cells[columns[member]]
    if (text) row[member] = text
  }
  const fault = rowFault(row)
  return fault === undefined ? { line, key, row, isOverridden: false } : refused('limit_exceeded', fault)
}

function valuesOf(cells: readonly string[], { locales }: Columns): Map<string, string> {
  const values = new Map<string, string>()
  for (const [locale, at] of locales) {
    const text = cells[at]
    if (text) values.set(locale, text)
  }
  return values
}

export type ImportRejection = { line: number; key: string; reason: ImportFault['reason'] | 'missing_source_text'; message: string }
export type ImportMismatch = { line: number; key: string; locale: string; warnings: Warning[] }
export type ImportSummary = {
  rows: number
  created: number
  updated: number
  unchanged: number
  /** Rows that a later row with the same key takes the place of. */
  overridden: number
  translationsWritten: number
  rejectedCount: number
  /** The first of them. */
  rejected: ImportRejection[]
  skippedLocales: string[]
  /** Translations that wait for review because of their placeholders; absent when there are none. */
  mismatchCount?: number
  /** The first of them, by line. */
  mismatches?: ImportMismatch[]
  /** Absent when there are none. */
  replacedTexts?: number
}

const NO_SOURCE_TEXT = 'a new key needs its source text'
/** More are counted, and seen in the rows. */
const MOST_MISMATCHES = 1_000
const MOST_REJECTIONS = 1_000

/** What a file does, put together of the plans of its parts. */
export class ImportTally {
  readonly #summary: ImportSummary
  readonly #skipped = new Map<string, string>()
  readonly #mismatches: ImportMismatch[] = []
  #mismatchCount = 0

  constructor(rows: readonly ImportRow[]) {
    const zero = { created: 0, updated: 0, unchanged: 0, translationsWritten: 0, rejectedCount: 0 }
    this.#summary = { rows: rows.length, ...zero, overridden: 0, rejected: [], skippedLocales: [] }
    let replacedTexts = 0
    for (const { line, key, fault, isOverridden, replacedTexts: own = 0 } of rows) {
      replacedTexts += own
      if (isOverridden) this.#summary.overridden++
      if (fault) this.#reject({ line, key, ...fault })
    }
    if (replacedTexts > 0) this.#summary.replacedTexts = replacedTexts
  }

  /** `rows`: those the plan was made of. */
  add(rows: readonly ImportRow[], plan: SyncPlan): void {
    for (const count of ['created', 'updated', 'unchanged', 'translationsWritten'] as const) this.#summary[count] += plan[count]
    for (const { index, key, reason } of plan.rejected) this.#reject({ line: rows[index]?.line ?? 0, key, reason, message: NO_SOURCE_TEXT })
    this.#mismatchCount += plan.mismatches.length
    for (const { index, ...mismatch } of plan.mismatches.slice(0, MOST_MISMATCHES - this.#mismatches.length))
      this.#mismatches.push({ line: rows[index]?.line ?? 0, ...mismatch })
    for (const code of plan.skippedLocales) this.#skipped.set(code.toLowerCase(), code)
  }

  summary(): ImportSummary {
    const rejected = this.#summary.rejected.sort((a, b) => a.line - b.line)
    const summary: ImportSummary = { ...this.#summary, rejected, skippedLocales: [...this.#skipped.values()] }
    if (this.#mismatchCount === 0) return summary
    return { ...summary, mismatchCount: this.#mismatchCount, mismatches: this.#mismatches }
  }

  #reject(rejection: ImportRejection): void {
    this.#summary.rejectedCount++
    if (this.#summary.rejected.length < MOST_REJECTIONS) this.#summary.rejected.push(rejection)
  }
}

/** What one row does; `null` when the import is over and nobody can say any more. */
export type ImportEffect = {
  line: number
  key: string
  outcome: SyncOutcome | 'overridden'
  reason: ImportRejection['reason'] | null
  message: string | null
  /** Its source text is another, so its translations go to review. */
  sendsToReview: boolean
  translations: {
    locale: string
    text: string
    status: 'ok' | 'review'
    /** Why applications would show it wrong; absent when they would not. */
    warnings?: Warning[]
  }[]
}

/** `rows` in their order, with the plan of those that count. */
export function describeRows(rows: readonly ImportRow[], plan: SyncPlan): ImportEffect[] {
  const counted = rows.filter(counts)
  const outcomes = new Map(counted.map((row, index) => [row, plan.outcomes[index] ?? 'unchanged']))
  const translations = Map.groupBy(plan.translations, ({ key }) => key)
  const changed = new Set(plan.toReview)
  const mismatches = Map.groupBy(plan.mismatches, ({ key }) => key)
  return rows.map((row) => {
    const { line, key, fault, isOverridden } = row
    const outcome: ImportEffect['outcome'] = fault ? 'rejected' : isOverridden ? 'overridden' : (outcomes.get(row) ?? 'unchanged')
    const effect = { line, key, outcome, reason: null, message: null, sendsToReview: false, translations: [] }
    if (fault) return { ...effect, ...fault }
    if (outcome === 'rejected') return { ...effect, reason: 'missing_source_text' as const, message: NO_SOURCE_TEXT }
    if (isOverridden) return { ...effect, message: 'a later row has the same key' }
    const written = (translations.get(key) ?? []).map(({ locale, text, status }) => {
      const warnings = mismatches.get(key)?.find((mismatch) => mismatch.locale === locale)?.warnings
      return { locale, text, status, ...(warnings && { warnings }) }
    })
    return { ...effect, sendsToReview: changed.has(key), translations: written }
  })
}

/** Whether the row is one to plan and write. */
export function counts(row: ImportRow): row is ImportRow & { row: StringRow } {
  return row.row !== undefined && !row.isOverridden
}
