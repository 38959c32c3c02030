/**
 * Texts in ICU MessageFormat, by the same rules of apostrophes and placeholders as the server checks them by, filled in
 * through Intl while they are read. `{{name}}` and `%{name}` of other formats are filled in too.
 */
import { DEPTH } from './limits.ts'
import type { MessageValues } from './types.ts'

type Value = Exclude<MessageValues[string], null | undefined>
/** undefined: no option fits, and there is no `other`. */
type Format = (value: Value, locale: string) => string | undefined
type Reader = { text: string; at: number; values: MessageValues; locale: string }

// All sticky: they match at one position only.
const PLAIN = /[^{}%'#]+/y
const QUOTED = /'([{}#](?:[^']|'')*)(?:'|$)/y
const NAMED = /\{\{\{\s{0,20}([\w$.@-]{1,200})\s{0,20}\}\}\}|\{\{[&#/^]?\s{0,20}([\w$.@-]{1,200})\s{0,20}\}\}|%\{([\w.-]{1,200})\}/y
const NAME = /[\s\u200e\u200f]*([^\s{},'"<>#|=]{1,200})[\s\u200e\u200f]*/y
const SELECTOR = /[\s\u200e\u200f]*(=\d{1,15}|[^\s{},'"<>#|=]{1,200})[\s\u200e\u200f]*\{/y
const OFFSET = /[\s\u200e\u200f]*offset:\s{0,20}(-?\d{1,15})/y
const STYLE = /(?:[^{}']|'[^']*')*/y
const END = /[\s\u200e\u200f]*\}/y
const COMMA = /,/y

/** A text that is not in the format is shown as it is; what has no value, or no option that fits, is left as it is written. */
export function formatMessage(text: string, values: MessageValues, locale: string): string {
  return fillMessage(text, values, locale) ?? text
}

/** undefined: not a text of this format, or with a style that Intl does not know. */
export function fillMessage(text: string, values: MessageValues, locale: string): string | undefined {
  if (!/[{%']/.test(text)) return text
  try {
    return readText({ text, at: 0, values, locale: supported(locale) }, 0)
  } catch {
    return undefined
  }
}

/** Up to the brace that closes it, or to the end. `count` is the number of the plural around, as `#` shows it. */
function readText(reader: Reader, depth: number, count?: string): string {
  let filled = ''
  for (; reader.at < reader.text.length;) {
    const plain = take(reader, PLAIN)
    if (plain) filled += plain[0]
    const sign = reader.text.charAt(reader.at)
    if (sign === '}' && depth > 0) return filled
    const quoted = sign === "'" && (count !== undefined || reader.text.charAt(reader.at + 1) !== '#') ? take(reader, QUOTED) : undefined
    const named = quoted ? undefined : take(reader, NAMED)
    if (quoted) filled += (quoted[1] ?? '').replaceAll("''", "'")
    else if (named) filled += show(reader, named[1] ?? named[2] ?? named[3] ?? '', named[0], plainly)
    else if (sign === '{') filled += readArgument(reader, depth, count)
    else {
      filled += sign === '#' ? (count ?? sign) : sign
      reader.at += reader.text.startsWith("''", reader.at) ? 2 : 1
    }
  }
  must(depth === 0)
  return filled
}

function readArgument(reader: Reader, depth: number, count: string | undefined): string {
  const start = reader.at++
  const name = must(take(reader, NAME))[1] ?? ''
  let format: Format = plainly
  if (take(reader, COMMA)) {
    const type = must(take(reader, NAME))[1] ?? ''
    const isSimple = /^(number|date|time|spellout|ordinal|duration|choice)$/.test(type)
    must(isSimple || /^(plural|select|selectordinal)$/.test(type))
    format = isSimple ? readStyle(reader, type) : readOptions(reader, name, type, depth, count)
  }
  must(take(reader, END))
  return show(reader, name, reader.text.slice(start, reader.at), format)
}

function readStyle(reader: Reader, type: string): (value: Value, locale: string) => string {
  const style = take(reader, COMMA) ? must(take(reader, STYLE))[0].trim() : undefined
  must(style !== '')
  return (value, locale) =>
    type === 'date' || type === 'time' ? dated(value, locale, type, style) : numbered(Number(value), locale, numberStyle(style ?? ''))
}

function readOptions(reader: Reader, name: string, type: string, depth: number, count: string | undefined): Format {
  must(take(reader, COMMA) && depth < DEPTH)
  const { locale, values } = reader
  const isSelect = type === 'select'
  const offset = Number((isSelect ? undefined : take(reader, OFFSET))?.[1] ?? 0)
  const number = Number(values[name]) - offset
  const options = new Map<string | undefined, string>()
  for (let option = take(reader, SELECTOR)?.[1]; option !== undefined; option = take(reader, SELECTOR)?.[1]) {
    must(!options.has(option) && !(isSelect && option.startsWith('=')))
    options.set(option, readText(reader, depth + 1, isSelect ? count : numbered(number, locale)))
    reader.at++
  }
  must(options.size)
  return (value) => {
    // Hermes, the engine of React Native, comes without the rules.
    const { PluralRules } = Intl as Partial<typeof Intl>
    const category = isSelect
      ? String(value)
      : PluralRules && new PluralRules(locale, { type: type === 'plural' ? 'cardinal' : 'ordinal' }).select(number)
    return options.get(`=${String(value)}`) ?? options.get(category) ?? options.get('other')
  }
}

function take(reader: Reader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text) ?? undefined
  reader.at += found?.[0].length ?? 0
  return found
}

/** Ends the reading when the text does not follow the format. */
function must<Found>(found: Found): NonNullable<Found> {
  if (!found) throw new Error()
  return found
}

function show({ values, locale }: Reader, name: string, source: string, format: Format): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  return (value === undefined || value === null ? undefined : format(value, locale)) ?? source
}

/** A bare number is written as the language writes numbers, a bare date as a date of medium length. */
function plainly(value: Value, locale: string): string {
  if (typeof value === 'number') return numbered(value, locale)
  return value instanceof Date ? dated(value, locale, 'date') : String(value)
}

function numbered(value: number, locale: string, style?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locale, style).format(value)
}

/** The named styles and the skeletons of currency and percent; others are plain numbers. */
function numberStyle(style: string): Intl.NumberFormatOptions {
  const currency = /^::currency\/([A-Z]{3})$/.exec(style)?.[1]
  if (currency) return { style: 'currency', currency }
  if (/^(::)?percent$/.test(style)) return { style: 'percent' }
  return style === 'integer' ? { maximumFractionDigits: 0 } : {}
}

/** Dates are medium and times short unless they say otherwise. */
function dated(value: Value, locale: string, type: string, style?: string): string {
  const date = new Date(value instanceof Date ? value : typeof value === 'string' ? value : Number(value))
  if (Number.isNaN(date.getTime())) return String(value)
  const length = style ?? (type === 'date' ? 'medium' : 'short')
  return new Intl.DateTimeFormat(locale, { [`${type}Style`]: length }).format(date)
}

/** A code that Intl does not take, such as one of the workspace's own, is formatted like English. */
function supported(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en'
  } catch {
    return 'en'
  }
}
