/** G-42: what a locale code looks like. */
export function isLocaleCode(text: string): boolean {
  return text.length <= 35 && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text)
}

/**
 * The tag a client asks for: query `locale`, else the first `Accept-Language` tag, else the workspace's
 * source language, else English. Text that is no locale code, `*` included, counts as absent.
 */
export function pickLocale(query: string | undefined, acceptLanguage: string | undefined, sourceLocale: string | null): string {
  if (query !== undefined && isLocaleCode(query)) return query
  const first = acceptLanguage?.split(',', 1)[0]?.split(';', 1)[0]?.trim()
  if (first !== undefined && isLocaleCode(first)) return first
  return sourceLocale ?? 'en'
}

/** The tag and its parents, lower case, nearest first: `zh-Hant-TW` gives `zh-hant-tw`, `zh-hant`, `zh`. Never a sibling. */
export function localeChain(tag: string): string[] {
  const chain: string[] = []
  for (let rest = tag.toLowerCase(); rest !== ''; rest = rest.slice(0, Math.max(0, rest.lastIndexOf('-')))) chain.push(rest)
  return chain
}
