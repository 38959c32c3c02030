/**
 * HOT PATH. All texts that clients of one workspace can be sent, as one immutable value. Hidden strings are not in it,
 * so nothing that is rendered can show one.
 */
import { foldTag } from '@contentflow/core/locale/language-tag.ts'
import { coverageOf, languageName } from '@contentflow/core/locale/languages.ts'
import { fallbackFor, type Fallback } from '@contentflow/core/locale/fallback.ts'
import type { CatalogRows, StringRow } from './queries-catalog.ts'

export type StringCatalog = {
  /** Differs for every catalog of the process; part of the answer cache's keys. */
  serial: number
  revision: number
  sourceLocale: string | null
  /** Codes as the workspace spells them, by their lower case. */
  locales: ReadonlyMap<string, string>
  /** `"locales":[…]` of GET /locales. */
  localesJson: string
  /** Visible ones, in one order everywhere. */
  strings: readonly StringRow[]
  namespaces: ReadonlySet<string>
  /** Requested tag to where its texts come from; bounded, because tags come from outside. */
  fallbacks: Map<string, Fallback & { name: string }>
  /** Roughly what it takes in memory. */
  bytes: number
}

let serials = 0

/** Pure but for the serial. With `previous`, `rows` are its changes; without, they are the whole catalog. */
export function buildCatalog(rows: CatalogRows, previous?: StringCatalog): StringCatalog {
  const strings = mergeStrings(rows.strings, previous)
  const locales = new Map(rows.locales.map(({ code }) => [foldTag(code), code]))
  return {
    serial: ++serials,
    revision: rows.revision,
    sourceLocale: rows.sourceLocale,
    locales,
    localesJson: JSON.stringify(presentLocales(rows, strings)),
    strings,
    namespaces: new Set(strings.map(({ namespace }) => namespace)),
    fallbacks: new Map(),
    bytes: strings.reduce((bytes, string) => bytes + sizeOf(string), 10_000),
  }
}

/** Replaces a changed string; removes one that is now hidden. */
function mergeStrings(changed: readonly StringRow[], previous: StringCatalog | undefined): StringRow[] {
  const keys = new Set(changed.map(({ key }) => key))
  const kept = previous ? previous.strings.filter(({ key }) => !keys.has(key)) : []
  const strings = [...kept, ...changed.filter(({ isHidden }) => !isHidden)]
  return strings.sort((one, other) => (one.key < other.key ? -1 : 1))
}

function presentLocales({ locales, sourceLocale }: CatalogRows, strings: readonly StringRow[]): object[] {
  const approved = new Map<string, number>()
  for (const { translations } of strings)
    for (const [locale, { isApproved }] of translations) if (isApproved) approved.set(locale, (approved.get(locale) ?? 0) + 1)
  return locales.map(({ code, name, native, rtl }) => ({
    code,
    name: name ?? languageName(code, 'en'),
    native: native ?? languageName(code, code),
    rtl,
    coverage: isSource(code, sourceLocale) ? 100 : coverageOf(approved.get(code) ?? 0, strings.length),
  }))
}

/** English, where a workspace has no source language. */
export function isSource(code: string, sourceLocale: string | null): boolean {
  return foldTag(code) === foldTag(sourceLocale ?? 'en')
}

/** Characters take two bytes, and each string and translation some objects. */
function sizeOf({ key, sourceText, translations }: StringRow): number {
  let bytes = 300 + 2 * (key.length + sourceText.length)
  for (const { text } of translations.values()) bytes += 120 + 2 * text.length
  return bytes
}

/** Requested tags remembered for a catalog before the memory starts anew. */
const TAGS_HELD = 500

/** The languages whose texts `tag` gets; `name` is the same for all tags that get the same answer. */
export function fallbackOf(catalog: StringCatalog, tag: string): Fallback & { name: string } {
  const known = catalog.fallbacks.get(tag)
  if (known) return known
  const found = fallbackFor(tag, catalog.locales, catalog.sourceLocale ?? 'en')
  const fallback = { ...found, name: [found.served, ...found.chain].join(',') }
  if (catalog.fallbacks.size >= TAGS_HELD) catalog.fallbacks.clear()
  catalog.fallbacks.set(tag, fallback)
  return fallback
}
