import { foldTag } from '@contentflow/core/locale/language-tag.ts'
import { parseCsv } from '@contentflow/core/strings/parse-csv.ts'
import { csvLine } from '@contentflow/core/strings/write-csv.ts'
import { openApi, type Api, type Page } from '../api.ts'
import { formatOf, printValue, readText, readValue, VALUES, writeText } from '../files.ts'
import { DIFFERS, Problem, SAME, type Exit, type Io } from '../io.ts'
import { fileOf, filesOf } from '../project.ts'

const TABLES = ['csv', 'tsv'] as const
const FORMATS = [...VALUES, ...TABLES]

/** Rows of one request. */
const ROWS = 2_000

export type StringRow = { key: string; namespace?: string; description?: string; sourceText?: string; values?: Record<string, string> }
type DeclaredString = Required<StringRow> & { review: string[] }
export type DeclaredCatalog = { sourceLocale: string | null; locales: string[]; strings: DeclaredString[] }
export type StringsReport = {
  created: number
  updated: number
  unchanged: number
  translationsWritten: number
  rejected: { key: string; reason: string }[]
  skippedLocales: string[]
  warnings?: { key: string; locale: string; warnings: { message: string }[] }[]
}

/** Sends what the files have, in steps; what is not named stays. */
export async function stringsPush(io: Io, { json }: { json?: boolean }, typed?: string): Promise<Exit> {
  const rows = readAllRows(io, typed)
  const total = await sendRows(openApi(io), rows)
  if (json) io.out(`${JSON.stringify(total)}\n`)
  else describe(io, total)
  refuseRejected(total)
  return SAME
}

export function refuseRejected({ rejected }: StringsReport): void {
  if (rejected.length > 0)
    throw new Problem(rejected.map(({ key }) => `${key}: a new text needs its source text, in sourceText`).join('\n'))
}

/** The texts of the file that was typed, otherwise of every file of the project; of a key that stands twice the last one counts. */
export function readAllRows(io: Io, typed: string | undefined): StringRow[] {
  return filesOf(io, typed, 'texts').flatMap((file) => readRows(io, file))
}

/** Sends rows, as many at once as the server takes. */
export async function sendRows(api: Api, rows: readonly StringRow[]): Promise<StringsReport> {
  const total: StringsReport = {
    created: 0,
    updated: 0,
    unchanged: 0,
    translationsWritten: 0,
    rejected: [],
    skippedLocales: [],
    warnings: [],
  }
  for (let at = 0; at < rows.length; at += ROWS) {
    const report = await api.call<StringsReport>('write', 'POST', '/sdk/v1/strings/sync', { body: { strings: rows.slice(at, at + ROWS) } })
    for (const name of ['created', 'updated', 'unchanged', 'translationsWritten'] as const) total[name] += report[name]
    total.rejected.push(...report.rejected)
    total.warnings?.push(...(report.warnings ?? []))
    total.skippedLocales = [...new Set([...total.skippedLocales, ...report.skippedLocales])]
  }
  return total
}

function describe(io: Io, { created, updated, unchanged, translationsWritten, skippedLocales, warnings = [] }: StringsReport): void {
  io.out(`${created} created, ${updated} updated, ${unchanged} unchanged; ${translationsWritten} translations written\n`)
  if (skippedLocales.length > 0) io.out(`Left out, because the workspace has no such language: ${skippedLocales.join(', ')}\n`)
  for (const { key, locale, warnings: found } of warnings) io.out(`${key} (${locale}): ${found.map(({ message }) => message).join('; ')}\n`)
}

export function readRows(io: Io, file: string): StringRow[] {
  const isTable = TABLES.some((each) => each === formatOf(file, FORMATS, 'json'))
  const rows = isTable ? readCsvRows(readText(io, file), file) : listOf(readValue(io, file))
  if (!rows || rows.length === 0)
    throw new Problem(`${file} has no texts: a list of {key, sourceText, values}, or {strings: [...]}`, 'FILE')
  return rows
}

function listOf(value: unknown): StringRow[] | undefined {
  const list = Array.isArray(value) ? value : (value as { strings?: unknown } | null)?.strings
  // Members that the server returns for a text and does not accept are removed.
  return Array.isArray(list)
    ? (list as StringRow[]).map(({ key, namespace, description, sourceText, values }) => ({
        key,
        ...(namespace !== undefined && { namespace }),
        ...(description !== undefined && { description }),
        ...(sourceText !== undefined && { sourceText }),
        ...(values !== undefined && { values }),
      }))
    : undefined
}

const COLUMNS = ['key', 'namespace', 'description', 'sourceText']

function readCsvRows(text: string, file: string): StringRow[] {
  const read = parseCsv(text)
  if (!read.ok) throw new Problem(`${file}, line ${read.line}: ${read.error}`, 'FILE')
  const { header, rows } = read.table
  if (!header.includes('key')) throw new Problem(`${file} needs a column key; it has ${header.join(', ')}`, 'FILE')
  const locales = header.filter((name) => name !== '' && !COLUMNS.includes(name))
  return rows.map(({ cells }) => {
    const cell = (name: string) => cells[header.indexOf(name)] ?? ''
    const told = Object.fromEntries(COLUMNS.slice(1).flatMap((name) => (cell(name) === '' ? [] : [[name, cell(name)]])))
    const values = Object.fromEntries(locales.flatMap((locale) => (cell(locale) === '' ? [] : [[locale, cell(locale)]])))
    return { key: cell('key'), ...told, ...(Object.keys(values).length > 0 && { values }) }
  })
}

/** Writes every text there is, approved translations only: pushed again, nothing changes. */
export async function stringsPull(io: Io, { json }: { json?: boolean }, typed?: string): Promise<Exit> {
  const file = fileOf(io, typed, 'texts')
  const format = formatOf(file, FORMATS)
  const { locales, sourceLocale, strings } = await readCatalog(openApi(io))
  const rows = strings.map(({ review, values, ...row }) => ({
    ...row,
    values: Object.fromEntries(Object.entries(values).filter(([locale]) => !review.includes(locale))),
  }))
  const columns = locales.filter((locale) => locale !== sourceLocale)
  const lines = [
    [...COLUMNS, ...columns],
    ...rows.map((row) => [row.key, row.namespace, row.description, row.sourceText, ...columns.map((code) => row.values[code] ?? '')]),
  ]
  const separator = format === 'csv' ? ',' : format === 'tsv' ? '\t' : undefined
  const text = separator ? lines.map((cells) => csvLine(cells, separator)).join('') : printValue(format, { strings: rows })
  writeText(io, file, text, json ? `${JSON.stringify({ strings: rows.length, file })}\n` : `${rows.length} texts in ${file}\n`)
  return SAME
}

/** Shows for each language how many texts are approved, in review and missing. */
export async function stringsStatus(io: Io, { json, locale }: { json?: boolean; locale?: string }): Promise<Exit> {
  const { locales, sourceLocale, strings } = await readCatalog(openApi(io))
  const wanted = locales.filter((code) => code !== sourceLocale && (locale === undefined || foldTag(code) === foldTag(locale)))
  if (locale !== undefined && wanted.length === 0)
    throw new Problem(`The workspace does not translate into ${locale}. Its languages: ${locales.join(', ')}`, 'USAGE')
  const found = wanted.map((code) => {
    const review = strings.filter((row) => row.review.includes(code)).length
    const missing = strings.filter((row) => row.values[code] === undefined).length
    return { locale: code, ok: strings.length - review - missing, review, missing }
  })
  if (json) io.out(`${JSON.stringify({ sourceLocale, strings: strings.length, locales: found })}\n`)
  else {
    io.out(`${strings.length} texts in ${sourceLocale ?? 'en'}\n`)
    for (const { locale: code, ok, review, missing } of found) io.out(`${code}: ${ok} approved, ${review} in review, ${missing} missing\n`)
  }
  return found.every(({ review, missing }) => review + missing === 0) ? SAME : DIFFERS
}

/** Every text of the workspace, page by page. */
export async function readCatalog(api: Api): Promise<DeclaredCatalog> {
  const strings: DeclaredString[] = []
  for (let cursor: string | null = ''; ;) {
    const query: string = cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''
    const { data, metadata } = (await api.page('write', `/api/v1/strings/sync${query}`)) as Page<DeclaredCatalog>
    strings.push(...data.strings)
    cursor = metadata.nextCursor
    if (cursor === null) return { ...data, strings }
  }
}
