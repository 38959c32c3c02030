/**
 * Which links a workspace takes besides what is refused everywhere (`safe-url.ts`). Null, as long as nobody has said: links of
 * every scheme that is not refused. A list: those of `COMMON_SCHEMES`, paths, and those of the apps that the list names.
 */
import { LIMITS } from '../../limits.ts'
import type { Parsed } from '../definition.ts'
import { isUnsafeScheme, schemeOf, urlFault } from './safe-url.ts'

export type LinkSchemes = readonly string[] | null

/** What browsers, mail programs and phones open for everybody, whatever the list says. Plain http is refused in links everywhere. */
export const COMMON_SCHEMES: readonly string[] = ['https', 'mailto', 'tel', 'sms']

/** Why a list cannot name this; a word for each, so that the dashboard says it in the reader's language. */
export type SchemeNameFault = 'syntax' | 'unsafe' | 'common'

const NAME_FAULTS: { [fault in SchemeNameFault]: string } = {
  syntax: `is no name of a scheme: a small letter, then at most ${LIMITS.linkSchemeLength - 1} small letters, digits, +, - and ., without :// (RFC 3986)`,
  unsafe: 'may not be named: it runs code, reads local files or opens programs of the system',
  common: 'need not be named: it is always accepted',
}

export function schemeNameFault(name: string): SchemeNameFault | undefined {
  if (name.length > LIMITS.linkSchemeLength || !/^[a-z][a-z0-9+.-]*$/.test(name)) return 'syntax'
  if (COMMON_SCHEMES.includes(name)) return 'common'
  return isUnsafeScheme(name) ? 'unsafe' : undefined
}

/** The list as somebody sends it: in the order of letters, so that the same schemes are the same list. */
export function readLinkSchemes(input: unknown): Parsed<string[] | null> {
  const no = (error: string): { ok: false; error: string } => ({ ok: false, error })
  if (input === null) return { ok: true, value: null }
  if (!Array.isArray(input) || !input.every((name) => typeof name === 'string')) return no('must be an array of names of schemes, or null')
  if (input.length > LIMITS.linkSchemes) return no(`must name at most ${LIMITS.linkSchemes} schemes`)
  for (const name of input) {
    const fault = schemeNameFault(name)
    if (fault) return no(`: ${JSON.stringify(name.slice(0, LIMITS.linkSchemeLength))} ${NAME_FAULTS[fault]}`)
  }
  if (new Set(input).size < input.length) return no('names a scheme twice')
  return { ok: true, value: input.toSorted() }
}

/** Why the workspace does not take a link that is not refused everywhere. Of a link that begins with a token nothing is known yet. */
export function schemeFault(link: string, schemes: LinkSchemes): string | undefined {
  if (schemes === null) return undefined
  const scheme = schemeOf(link)
  if (scheme === undefined || COMMON_SCHEMES.includes(scheme) || schemes.includes(scheme)) return undefined
  return `must not use ${scheme}: links: this workspace takes ${[...COMMON_SCHEMES, ...schemes].join(', ')} and paths`
}

/**
 * Why a link may not leave once its tokens are filled. `written`: with them. A scheme that stands there as somebody wrote it was
 * judged then; one that a token brings is judged now, because whoever holds the key of an app says what a token is filled with.
 */
export function filledUrlFault(written: string, filled: string, schemes: LinkSchemes): string | undefined {
  return urlFault(filled) ?? (schemeOf(written) === undefined ? schemeFault(filled, schemes) : undefined)
}

/** `at`: where it stands, for whoever reads a refusal. */
export type Link = { at: string; url: string }

/** Those of `after` that `before` has not, and that only some workspaces take: what was stored once stays, wherever it stands. */
export function newAppLinks(after: readonly Link[], before: readonly Link[]): Link[] {
  const kept = new Set(before.map(({ url }) => url))
  return after.filter(({ url }) => !kept.has(url) && schemeFault(url, []) !== undefined)
}

/** The first of these links that the workspace does not take, and why. */
export function linksFault(links: readonly Link[], schemes: LinkSchemes): string | undefined {
  for (const { at, url } of links) {
    const fault = schemeFault(url, schemes)
    if (fault !== undefined) return `${at} ${fault}`
  }
  return undefined
}
