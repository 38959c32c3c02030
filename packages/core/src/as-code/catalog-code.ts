/** Languages and texts of a workspace as a document holds them. */
import { cutText } from '../cut-text.ts'
import type { Parsed } from '../blocks/definition.ts'
import { isPlainObject, type JsonObject } from '../blocks/field.ts'
import { foldTag } from '../locale/language-tag.ts'
import { readTag } from '../locale/pick-locale.ts'
import { readLocale, type Locale } from '../locale/read-locale.ts'
import { DEFAULT_NAMESPACE } from '../strings/plan-sync.ts'
import { rowFault } from '../strings/read-rows.ts'

/** `source`: the language that source texts are in. */
export type LocaleCode = Locale & { source: boolean }
/** `draft`: proposed by the server and not yet touched by anybody; it is in review too. */
const TEXT_STATUSES = ['ok', 'review', 'draft'] as const
export type TextCode = { text: string; status: (typeof TEXT_STATUSES)[number] }
export type StringCode = {
  key: string
  namespace: string
  description: string
  sourceText: string
  /** Texts by locale, without the source language. */
  values: { [locale: string]: TextCode }
}

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

export function readLocaleCode({ source = false, name = null, native = null, ...entry }: JsonObject): Parsed<LocaleCode> {
  if (typeof source !== 'boolean') return no('source must be a boolean')
  const read = readLocale({ ...entry, ...(name !== null && { name }), ...(native !== null && { native }) })
  return read.ok ? { ok: true, value: { ...read.value, source } } : read
}

export function readStringCode(entry: JsonObject): Parsed<StringCode> {
  const { key, namespace = DEFAULT_NAMESPACE, description = '', sourceText, values = {} } = entry
  if (typeof key !== 'string') return no('key must be a string')
  if (typeof sourceText !== 'string' || sourceText === '') return no('sourceText must be a string that is not empty')
  if (typeof namespace !== 'string' || namespace === '') return no('namespace must be a string that is not empty')
  if (typeof description !== 'string') return no('description must be a string')
  if (!isPlainObject(values)) return no('values must be an object of locale codes and {text, status}')
  const texts = new Map<string, TextCode>()
  for (const [named, sent] of Object.entries(values)) {
    const at = `values.${cutText(named, 40)}`
    const locale = readTag(named)
    if (locale === undefined) return no(`${at}: this is no locale code`)
    const { text, status: said = 'ok' } = isPlainObject(sent) ? sent : {}
    if (typeof text !== 'string' || text === '') return no(`${at}.text must be a string that is not empty`)
    const status = TEXT_STATUSES.find((each) => each === said)
    if (!status) return no(`${at}.status must be one of ${TEXT_STATUSES.join(', ')}`)
    texts.set(locale, { text, status })
  }
  const fault = rowFault({ key, namespace, description, sourceText, values: new Map([...texts].map(([code, { text }]) => [code, text])) })
  if (fault !== undefined) return no(fault)
  return { ok: true, value: { key, namespace, description, sourceText, values: Object.fromEntries(texts) } }
}

/** What no single language shows. */
export function localesFault(locales: readonly LocaleCode[]): string | undefined {
  if (locales.filter(({ source }) => source).length > 1) return 'locales: only one of them can be the source'
  const spelled = new Map<string, string>()
  for (const { code } of locales) {
    const other = spelled.get(foldTag(code))
    if (other !== undefined) return `locales: ${other} and ${code} are one language`
    spelled.set(foldTag(code), code)
  }
  const isEnglish = spelled.get('en') !== undefined && locales.every(({ source }) => !source)
  return isEnglish ? `locales: ${spelled.get('en')} is the source where no other one is; say source: true` : undefined
}

/** What a text is written in that the workspace would not translate into. */
export function valuesFault(locales: readonly LocaleCode[]): (string: StringCode) => string | undefined {
  const known = new Map(locales.map((locale) => [locale.code, locale]))
  return ({ key, values }) => {
    for (const locale of Object.keys(values)) {
      const at = `string ${JSON.stringify(key)}: values.${locale}`
      const found = known.get(locale)
      if (!found) return `${at} is in a language that is not among the locales, as they are spelled there`
      if (found.source) return `${at} is in the source language, whose text is sourceText`
    }
    return undefined
  }
}
