/** One cell of a file as a value of its column's type (M-ENR-15 to M-ENR-20). */
import type { Json } from '../blocks/field.ts'
import { replaceOdd } from '../json/odd-characters.ts'
import { LIMITS } from '../limits.ts'
import { parseTime } from '../time.ts'
import type { ColumnType } from './mapping.ts'

/** A column's type, with the texts an enum takes. */
export type CellType = { type: ColumnType; enumValues?: ReadonlySet<string> }

/** Digits as Arabic and Persian write them, with their signs for thousands and decimals. */
const EASTERN = /[\u0660-\u0669\u06f0-\u06f9\u066b\u066c]/g
/** Thousands are set apart by commas in groups of three, or not at all. */
const NUMBER = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+|(?<=\d)\.)?(?:e[+-]?\d{1,4})?$/i
const LONGEST_NUMBER = 400
const TRUE = new Set(['true', 'yes', '1'])
const FALSE = new Set(['false', 'no', '0'])

/** White space alone is no value (M-ENR-53). */
export function isBlank(cell: string): boolean {
  return cell.trim() === ''
}

/** The value of a cell that is not blank; undefined when it is none of this type. */
export function readCell(cell: string, { type, enumValues }: CellType): Json | undefined {
  const text = replaceOdd(cell.trim())
  if (text.length > LIMITS.enrichmentTextLength) return undefined
  switch (type) {
    case 'string':
      return text
    case 'number':
      return readNumber(text)
    case 'boolean': {
      const lower = text.toLowerCase()
      return TRUE.has(lower) ? true : FALSE.has(lower) ? false : undefined
    }
    case 'date':
      // A day stays a day; a time is kept in UTC.
      return parseTime(text) && (text.length === 10 ? text : parseTime(text))
    case 'enum':
      return enumValues === undefined || enumValues.has(text) ? text : undefined
    case 'list': {
      const items = text.split('|').map((item) => item.trim())
      return items.filter((item) => item !== '')
    }
    default:
      return type satisfies never
  }
}

function readNumber(text: string): number | undefined {
  if (text.length > LONGEST_NUMBER) return undefined
  const ascii = text.replaceAll(EASTERN, (sign) => (sign === '\u066b' ? '.' : sign === '\u066c' ? ',' : String(sign.charCodeAt(0) & 0xf)))
  if (!NUMBER.test(ascii) || !/\d/.test(ascii)) return undefined
  const number = Number(ascii.replaceAll(',', ''))
  // -0 is 0 in JSON.
  return Number.isFinite(number) ? number + 0 : undefined
}
