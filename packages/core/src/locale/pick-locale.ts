/** G-42: what a locale code looks like. */
export function isLocaleCode(text: string): boolean {
  return text.length <= 35 && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text)
}

/**
 * The tag a client asks for: query `locale`, else the first `Accept-Language` tag. Text that is no locale code, `*` included,
 * counts as absent.
 */
export function askedLocale(query: string | undefined, acceptLanguage: string | undefined): string | undefined {
  if (query !== undefined && isLocaleCode(query)) return query
  const first = acceptLanguage?.split(',', 1)[0]?.split(';', 1)[0]?.trim()
  return first !== undefined && isLocaleCode(first) ? first : undefined
}

/** The same, else the workspace's source language, else English. */
export function pickLocale(query: string | undefined, acceptLanguage: string | undefined, sourceLocale: string | null): string {
  return askedLocale(query, acceptLanguage) ?? sourceLocale ?? 'en'
}

/** `ar` of `ar-SA`. */
export function languageOf(locale: string): string {
  return locale.split('-', 1)[0]!.toLowerCase()
}

/** The tag and its parents, lower case, nearest first: `zh-Hant-TW` gives `zh-hant-tw`, `zh-hant`, `zh`. Never a sibling. */
export function localeChain(tag: string): string[] {
  const chain: string[] = []
  for (let rest = tag.toLowerCase(); rest !== ''; rest = rest.slice(0, Math.max(0, rest.lastIndexOf('-')))) chain.push(rest)
  return chain
}
