/** Files for spreadsheets, which never come back: so a text may be marked, and nothing is lost. */
import { csvLine } from './write-csv.ts'

export type Cell = string | number | boolean | null

/** So that Excel reads the file as UTF-8: its first character. */
export const SPREADSHEET_MARK = '\uFEFF'

const FORMULA = /^[=+\-@\t\r]/

/** A text that a spreadsheet would take for a formula begins with `'`. A number with a sign stays a number. */
function spreadsheetCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  return FORMULA.test(cell) ? `'${cell}` : cell
}

export function spreadsheetLine(cells: readonly Cell[]): string {
  return csvLine(cells.map(spreadsheetCell))
}
