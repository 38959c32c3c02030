/** Numbers as people type and paste them, in whichever digits and with whichever signs between them. */

export type NumberFault = 'notNumber' | 'notWhole' | 'tooPrecise' | 'outOfRange'
export type NumberBounds = { min?: number | undefined; max?: number | undefined; isWhole?: boolean | undefined }
/** `value`: undefined for an empty field; NaN when it is no number. */
export type ReadNumber = { value: number | undefined; fault?: NumberFault }

/** Marks of direction, and signs of a unit at the end. */
const UNSEEN = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const UNIT = /\s*[%٪×]$/
const MINUS = /[\u2212\u2013\ufe63\uff0d]/g
/** Between thousands and nowhere else. */
const BETWEEN_THOUSANDS = /[\s\u00a0\u202f\u2009'’٬]/g
/** First digits of Arabic, Persian and full-width ones. */
const ZEROS = [0x660, 0x6f0, 0xff10]
/** How many digits a number of JavaScript always holds exactly. */
const DIGITS = 15

/** `hasDecimalComma`: whether a comma before three digits is meant as a decimal sign, as in German. */
export function readNumber(typed: string, bounds: NumberBounds = {}, hasDecimalComma = false): ReadNumber {
  const text = typed.replaceAll(UNSEEN, '').trim().replace(UNIT, '')
  if (text === '') return { value: undefined }
  const plain = plainNumber(text, hasDecimalComma)
  if (plain === undefined) return { value: Number.NaN, fault: 'notNumber' }
  if (isTooPrecise(plain)) return { value: Number.NaN, fault: 'tooPrecise' }
  const value = Number(plain)
  if (bounds.isWhole && !Number.isInteger(value)) return { value, fault: 'notWhole' }
  const { min = -Infinity, max = Infinity } = bounds
  return value < min || value > max ? { value, fault: 'outOfRange' } : { value }
}

/** The number as it is typed: Latin digits, a decimal point, no separators of thousands. */
export function writeNumber(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return ''
  return value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })
}

/** Digits of other scripts as those of ours; the rest stays. */
export function latinDigits(text: string): string {
  return text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => {
    const code = digit.charCodeAt(0)
    return String(code - (ZEROS.find((zero) => code >= zero && code <= zero + 9) ?? code))
  })
}

/** Undefined: it is no number. */
function plainNumber(text: string, hasDecimalComma: boolean): string | undefined {
  const shaped = latinDigits(text)
    .replaceAll(MINUS, '-')
    // The comma of Arabic is typed for either sign.
    .replaceAll('،', ',')
    .replace(/^([+-])\s+/, '$1')
  const [, sign = '', body = ''] = /^([+-]?)(.*)$/s.exec(shaped) ?? []
  const parted = partsOf(body, hasDecimalComma)
  if (!parted) return undefined
  const [whole, fraction] = parted
  if (whole === '' && fraction === '') return undefined
  return `${sign === '-' ? '-' : ''}${whole || '0'}${fraction === '' ? '' : `.${fraction}`}`
}

/** The digits before the decimal sign, without separators of thousands, and those after it. */
function partsOf(body: string, hasDecimalComma: boolean): [string, string] | undefined {
  const at = decimalAt(body, hasDecimalComma)
  const [whole, fraction] = at === -1 ? [body, ''] : [body.slice(0, at), body.slice(at + 1)]
  if (!/^\d*$/.test(fraction)) return undefined
  const groups = whole.replaceAll(BETWEEN_THOUSANDS, ',').replaceAll('.', ',').split(',')
  if (!groups.every((group) => /^\d*$/.test(group)) || !isGrouped(groups)) return undefined
  return [groups.join(''), fraction]
}

/** Separators are between groups of three digits; in India groups before the last three may have two. */
function isGrouped(groups: readonly string[]): boolean {
  if (groups.length === 1) return true
  const [first = '', ...others] = groups
  return first !== '' && first.length <= 3 && others.at(-1)?.length === 3 && others.every(({ length }) => length === 2 || length === 3)
}

/** The index of the decimal sign; -1: there is none. */
function decimalAt(body: string, hasDecimalComma: boolean): number {
  const arabic = body.indexOf('٫')
  if (arabic !== -1) return arabic
  const [comma, point] = [body.lastIndexOf(','), body.lastIndexOf('.')]
  if (comma !== -1 && point !== -1) return Math.max(comma, point)
  // Several of the same sign are separators of thousands.
  if (point !== -1) return body.indexOf('.') === point ? point : -1
  if (comma === -1 || body.indexOf(',') !== comma) return -1
  const isOfThousands = /^[1-9]\d{0,2}$/.test(body.slice(0, comma)) && /^\d{3}$/.test(body.slice(comma + 1))
  return isOfThousands && !hasDecimalComma ? -1 : comma
}

/** Whether it would become another number by itself. */
function isTooPrecise(plain: string): boolean {
  const digits = plain.replace('-', '').replace(/^0+(?=\d)/, '')
  const written = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
  const significant = written.replace('.', '').replace(/^0+/, '').replace(/0+$/, '')
  return significant.length > DIGITS && writeNumber(Number(plain)).replace('-', '') !== written
}

/** Whether the language writes 12,5. */
export function isDecimalComma(language: string): boolean {
  try {
    const parts = new Intl.NumberFormat(language).formatToParts(1.5)
    return parts.some(({ type, value }) => type === 'decimal' && value === ',')
  } catch {
    return false
  }
}
