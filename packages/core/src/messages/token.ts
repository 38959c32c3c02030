/** What stands between the braces of a token: `{{name}}`, `{{name | friend}}`, `{{money SAR customAttributes.total | 0}}`. */
import { parseTime } from '../time.ts'

/** `as`: how the value is written. `fallback`: what is said where there is no value; undefined: then the message goes to nobody. */
export type Token = { path: string; as: 'text' | 'date' | 'number' | { currency: string }; fallback: string | undefined }

/** Names of attributes have no `|`, and no token of before began with one of these words. */
const TYPED = /^(?:(date|number)|money ([A-Z]{3})) +(\S.*)$/s

export function readToken(inner: string): Token {
  const bar = inner.indexOf('|')
  const [said, fallback] = bar === -1 ? [inner.trim(), undefined] : [inner.slice(0, bar).trim(), inner.slice(bar + 1).trim()]
  const [, as, currency, path] = TYPED.exec(said) ?? []
  if (path === undefined) return { path: said, as: 'text', fallback }
  return { path, as: currency === undefined ? (as as 'date' | 'number') : { currency }, fallback }
}

/** Digits after the point of a number that is no money. */
const DIGITS = 3

/** The value as people of the language write it; undefined where it is no such thing. Dates are days as they are written, in no time zone. */
export function writeTyped(value: string, as: Token['as'], language: string): string | undefined {
  if (as === 'text') return value
  if (as === 'date') {
    const at = Date.parse(parseTime(value) ?? '')
    return Number.isNaN(at) ? undefined : new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(at)
  }
  const number = value.trim() === '' ? NaN : Number(value)
  if (!Number.isFinite(number)) return undefined
  const options: Intl.NumberFormatOptions =
    as === 'number' ? { maximumFractionDigits: DIGITS } : { style: 'currency', currency: as.currency }
  return new Intl.NumberFormat(localeOf(language), options).format(number)
}

/** A tag that no list of languages knows is written as English. */
function localeOf(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}
