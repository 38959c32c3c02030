/** The position in the table, and where a key moves it. */
import type { Status } from '../api.ts'

/** `at` is where the row stood when it was last seen: when it leaves the list, the one that took its place is next. */
export type Cursor = { key: string; locale: string; at: number }
export type Cell = { row: number; column: number }

export type TableAct = 'down' | 'up' | 'forward' | 'back' | 'first' | 'last' | 'edit' | 'approve' | 'next' | 'select' | 'open' | 'help'

const ACTS: Record<string, TableAct> = {
  j: 'down',
  ArrowDown: 'down',
  k: 'up',
  ArrowUp: 'up',
  Home: 'first',
  End: 'last',
  e: 'edit',
  Enter: 'edit',
  a: 'approve',
  n: 'next',
  x: 'select',
  o: 'open',
  '?': 'help',
  '؟': 'help',
}
const TO_THE_RIGHT = new Set(['ArrowRight', 'l'])
const TO_THE_LEFT = new Set(['ArrowLeft', 'h'])

type Press = { key: string; code: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }

/** The action of a key in the table. */
export function actOf({ key, code, ctrlKey, metaKey, altKey }: Press, isRightToLeft: boolean): TableAct | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  const name = nameOf(key, code)
  if (TO_THE_RIGHT.has(name)) return isRightToLeft ? 'back' : 'forward'
  if (TO_THE_LEFT.has(name)) return isRightToLeft ? 'forward' : 'back'
  return ACTS[name]
}

/** Translators have other keyboards switched on: the key where J is on a Latin one is J. */
function nameOf(key: string, code: string): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  if (key.length === 1 && /^Key[A-Z]$/.test(code)) return code.slice(3).toLowerCase()
  return key
}

/** The cell a cursor is at, in the rows there are now; undefined when there are none. */
export function cellOf(cursor: Cursor | undefined, keys: readonly string[], locales: readonly string[]): Cell | undefined {
  if (keys.length === 0 || locales.length === 0) return undefined
  if (!cursor) return { row: 0, column: 0 }
  const found = keys.indexOf(cursor.key)
  return {
    row: found === -1 ? Math.min(cursor.at, keys.length - 1) : found,
    column: Math.max(0, locales.indexOf(cursor.locale)),
  }
}

export function moved({ row, column }: Cell, act: TableAct, rows: number, columns: number): Cell {
  const within = (value: number, count: number) => Math.min(Math.max(value, 0), count - 1)
  if (act === 'down') return { row: within(row + 1, rows), column }
  if (act === 'up') return { row: within(row - 1, rows), column }
  if (act === 'forward') return { row, column: within(column + 1, columns) }
  if (act === 'back') return { row, column: within(column - 1, columns) }
  if (act === 'first') return { row: 0, column }
  if (act === 'last') return { row: rows - 1, column }
  return { row, column }
}

/** The next cell in review after `from`: down its own column, round again, then the other columns. */
export function nextInReview(from: Cell, statuses: readonly (readonly Status[])[]): Cell | undefined {
  const rows = statuses.length
  const columns = statuses[0]?.length ?? 0
  for (let aside = 0; aside < columns; aside++) {
    const column = (from.column + aside) % columns
    const [start, count] = aside === 0 ? [from.row + 1, rows - 1] : [0, rows]
    for (let step = 0; step < count; step++) {
      const row = (start + step) % rows
      if (statuses[row]?.[column] === 'review') return { row, column }
    }
  }
  return undefined
}
