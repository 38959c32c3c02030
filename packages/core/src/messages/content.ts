/** What a message says, by locale: the same shape for campaigns, steps of journeys and one-off messages (G-50). */
import { imageFault, urlFault } from '../blocks/safe-url.ts'
import { isLocaleCode, localeChain } from '../locale/pick-locale.ts'

export type MessageContent = { title?: string; body?: string; imageUrl?: string; ctaLabel?: string; ctaUrl?: string }
/** G-73: one of them is laid over the content, by weight. */
export type ContentVariant = { id: string; weight: number; values: MessageContent }
/** `variants` as they stand; the other members of a campaign's content are its own. */
export type LocalizedContent = { [locale: string]: MessageContent & { variants?: ContentVariant[] } }

/** Instead of locales: one text for everybody, as one-off messages have it. */
export const ANY_LOCALE = '*'

/** Characters. Not documented: bounds that keep one message readable. */
const LENGTHS = { title: 500, body: 20_000, imageUrl: 2_048, ctaLabel: 100, ctaUrl: 2_048 } as const
export const MESSAGE_MEMBERS = Object.keys(LENGTHS) as (keyof MessageContent)[]

/** Says what is wrong with one member of a content object; undefined when nothing is. `at` is its path for the caller. */
export function faultOfMember(at: string, name: keyof MessageContent, value: unknown): string | undefined {
  if (typeof value !== 'string') return `${at}.${name} must be a text`
  if (value.length > LENGTHS[name]) return `${at}.${name} must have at most ${LENGTHS[name]} characters`
  const faultOf = { imageUrl: imageFault, ctaUrl: urlFault }[name as string]
  // An address with a token is checked once it is filled.
  const fault = value === '' || value.includes('{{') ? undefined : faultOf?.(value)
  return fault && `${at}.${name} ${fault}`
}

export function faultOfLocale(locale: string): string | undefined {
  return isLocaleCode(locale) ? undefined : `content: ${JSON.stringify(locale.slice(0, 50))} is not a locale code`
}

/** The locale of the content a person gets: the one they asked for last, its parents, the workspace's source language (G-50). */
export function pickContentLocale(locales: readonly string[], asked: string | null, sourceLocale: string | null): string | undefined {
  const byLower = new Map(locales.map((locale) => [locale.toLowerCase(), locale]))
  const wanted = [...(asked === null ? [] : localeChain(asked)), ...(sourceLocale === null ? [] : [sourceLocale.toLowerCase()])]
  const found = wanted.find((locale) => byLower.has(locale))
  return found === undefined ? undefined : byLower.get(found)
}
