/** The rows of a part as texts: JSON for programs, CSV for people with a spreadsheet. */
import { SPREADSHEET_MARK, spreadsheetLine, type Cell } from '@contentflow/core/strings/spreadsheet.ts'
import type { Row } from './queries-export.ts'
import { HIDDEN } from './export-parts.ts'

/** A row as the file says it: members in the spelling of the API, without what is hidden. */
export function shownRow(row: Row, hides: readonly string[] = []): Row {
  const shown = Object.entries(row).filter(([name]) => !HIDDEN.has(name) && !hides.includes(name))
  return Object.fromEntries(shown.map(([name, value]) => [camelOf(name), value]))
}

function camelOf(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** One list, a row in a line. */
export async function* jsonOf(pages: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const rows of pages) {
    if (rows.length === 0) continue
    yield before + rows.map((row) => JSON.stringify(row)).join(',\n')
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

/** What is no single value stands in its cell as JSON. */
export async function* csvOf(pages: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let isFirst = true
  for await (const rows of pages) {
    const [row] = rows
    if (!row) continue
    const head = isFirst ? SPREADSHEET_MARK + spreadsheetLine(Object.keys(row)) : ''
    isFirst = false
    yield head + rows.map((each) => spreadsheetLine(Object.values(each).map(cellOf))).join('')
  }
}

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : JSON.stringify(value)
}
