import { foldTag, languageTag } from './language-tag.ts'

/** G-42: what a locale code looks like. */
export function isLocaleCode(text: string): boolean {
  return text.length <= 35 && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text)
}

/** A code in the one spelling of its language (G-95); undefined for what is none. */
export function readTag(sent: string): string | undefined {
  const tag = languageTag(sent)
  return isLocaleCode(tag) ? tag : undefined
}

/**
 * The tag a client asks for: query `locale`, else the first `Accept-Language` tag. Text that is no locale code, `*` included,
 * counts as absent.
 */
export function askedLocale(query: string | undefined, acceptLanguage: string | undefined): string | undefined {
  const named = query === undefined ? undefined : readTag(query)
  if (named !== undefined) return named
  const first = acceptLanguage?.split(',', 1)[0]?.split(';', 1)[0]?.trim()
  return first === undefined ? undefined : readTag(first)
}

/** The same, else the workspace's source language, else English. */
export function pickLocale(query: string | undefined, acceptLanguage: string | undefined, sourceLocale: string | null): string {
  return askedLocale(query, acceptLanguage) ?? sourceLocale ?? 'en'
}

/** `ar` of `ar-SA`. */
export function languageOf(locale: string): string {
  return foldTag(locale).split('-', 1)[0]!
}

/** The tag and its parents, lower case, nearest first: `zh-Hant-TW` gives `zh-hant-tw`, `zh-hant`, `zh`. Never a sibling. */
export function localeChain(tag: string): string[] {
  const chain: string[] = []
  for (let rest = foldTag(tag); rest !== ''; rest = rest.slice(0, Math.max(0, rest.lastIndexOf('-')))) chain.push(rest)
  return chain
}
