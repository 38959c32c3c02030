/** What a message says of the person it goes to: `{{name}}` and its like (G-50). */
import { filledUrlFault, type LinkSchemes } from '../blocks/links/link-schemes.ts'
import { imageFault } from '../blocks/links/safe-url.ts'
import { MESSAGE_MEMBERS, textsOf, type LocalizedContent, type MessageContent, type MessageTexts } from './content.ts'
import { placeAfter, placeInTextAfter, valueInLink, type LinkPosition } from './link-place.ts'
import { readToken, writeTyped, type Token } from './token.ts'
import { nameInMessage, valueInMessage } from './token-value.ts'

/** What tokens are filled with; null where it is not known. */
export type TokenValues = {
  name: string | null
  email: string | null
  phone: string | null
  userId: string | null
  customAttributes: { [name: string]: unknown }
  enrichment: { [name: string]: unknown }
  /** Of a journey: what the event said that began the run, and the last that moved it; by path. */
  event?: { [path: string]: unknown }
  lastEvent?: { [path: string]: unknown }
  /** Where their page of preferences is. */
  preferencesUrl?: (() => string) | undefined
  /** In which dates, numbers and sums are written; English where nobody says. */
  language?: string
}
export type Filled = { ok: true; text: string } | { ok: false; token: string }

/** The token that is filled with the address of the person's page of preferences. */
const PAGE = 'preferencesUrl'

/** Whether the text begins with the address of that page, which is ours and is judged by nobody. */
export function beginsWithPage(text: string): boolean {
  const [, inner] = /^\{\{([^{}]*)\}\}/.exec(text) ?? []
  return inner !== undefined && readToken(inner).path === PAGE
}

/** Whether one of the tokens leads to that page. */
export function namesPage(tokens: readonly string[]): boolean {
  return tokens.includes(PAGE)
}

/** Texts that members look at, with an address in place of that token. */
export function withPage(text: string, url: string): string {
  return text.replaceAll(TOKEN, (token, inner: string) => (readToken(inner).path === PAGE ? url : token))
}

/** Names have no braces, so this takes time in proportion to the text. */
const TOKEN = /\{\{([^{}]*)\}\}/g

/** Members of a message that are addresses: whoever wrote it says where they lead, and what they are checked as once they are filled. */
const ADDRESSES: { [member in keyof MessageTexts]?: (written: string, filled: string, schemes: LinkSchemes) => string | undefined } = {
  imageUrl: (_, filled) => imageFault(filled),
  ctaUrl: filledUrlFault,
}

/** Of a member of a message. An address that is none, or that the workspace does not take, is as if its value were not known. */
export function fillMember(member: keyof MessageTexts, text: string, values: TokenValues, schemes: LinkSchemes): Filled {
  const faultOf = ADDRESSES[member]
  if (!faultOf) return fillTokens(text, values)
  const filled = fill(text, values, { from: 'start', after: placeAfter })
  // For a tester the token stays as it is written.
  if (!filled.ok || filled.text.startsWith('{{') || beginsWithPage(text) || faultOf(text, filled.text, schemes) === undefined) return filled
  return { ok: false, token: tokensIn([text])[0] ?? '' }
}

/** Fills the tokens of a text that people read; values inside its links are percent-encoded. */
export function fillTokens(text: string, values: TokenValues): Filled {
  return fill(text, values, { from: 'text', after: placeInTextAfter })
}

/** Where a text begins, and where it is behind a piece of it. */
type Places = { from: LinkPosition; after(place: LinkPosition, piece: string): LinkPosition }

function written(place: LinkPosition, path: string, value: string): string {
  // To a tester a token stands as it is written.
  if (value === `{{${path}}}`) return value
  if (path === PAGE && (place === 'text' || place === 'start')) return value
  if (place !== 'text') return valueInLink(place, value)
  return path === 'name' ? nameInMessage(value) : valueInMessage(value)
}

/** What a token says here; undefined: it says nothing, and has no words for that. */
function said({ path, as, fallback }: Token, values: TokenValues, place: LinkPosition): string | undefined {
  const known = valueOf(path, values)
  const isExample = known === `{{${path}}}`
  const typed = known === undefined || isExample ? known : writeTyped(known, as, values.language ?? 'en')
  const value = typed === undefined || (isExample && fallback !== undefined) ? '' : written(place, path, typed)
  if (value !== '' || fallback === undefined) return value || undefined
  return fallback === '' ? '' : written(place, '', fallback)
}

/** Braces that are left when all tokens are taken out are a token somebody did not finish: such a text goes to nobody. */
function fill(text: string, values: TokenValues, { from, after }: Places): Filled {
  if (!text.includes('{{')) return { ok: true, text }
  const parts: string[] = []
  let at = 0
  let place = from
  for (const match of text.matchAll(TOKEN)) {
    const token = readToken(match[1] ?? '')
    const literal = text.slice(at, match.index)
    place = after(place, literal)
    const value = said(token, values, place)
    if (value === undefined) return { ok: false, token: token.path }
    // What people are called ends no link and begins none.
    if (place !== 'text') place = after(place, value)
    parts.push(literal, value)
    at = match.index + match[0].length
  }
  parts.push(text.slice(at))
  // Values stand at odd places, and may hold what they like.
  const open = parts.find((part, index) => index % 2 === 0 && part.includes('{{'))
  return open === undefined ? { ok: true, text: parts.join('') } : { ok: false, token: '{{' }
}

/** The texts as they are at least, whatever their tokens are filled with. */
export function withoutTokens(message: MessageContent): MessageContent {
  const texts = MESSAGE_MEMBERS.flatMap((member) =>
    message[member] === undefined ? [] : [[member, message[member].replaceAll(TOKEN, '')]],
  )
  return Object.fromEntries(texts) as MessageContent
}

/** Lists what the tokens of texts name, each once: `customAttributes.total`, also where it is written as money or has a fallback. */
export function tokensIn(texts: readonly string[]): string[] {
  return [...new Set(readTokens(texts).map(({ path }) => path))]
}

/** The same of tokens without a fallback: whoever has no value for one of them gets no message. */
export function neededTokensIn(texts: readonly string[]): string[] {
  return [...new Set(readTokens(texts).flatMap(({ path, fallback }) => (fallback === undefined ? [path] : [])))]
}

function readTokens(texts: readonly string[]): Token[] {
  return texts.flatMap((text) => [...text.matchAll(TOKEN)].map((match) => readToken(match[1] ?? '')))
}

/** The same of a whole content, its variants included. */
export function tokensOf(content: LocalizedContent): string[] {
  const messages = Object.values(content).flatMap(({ variants = [], ...base }) => [base, ...variants.map(({ values }) => values)])
  return tokensIn(messages.flatMap(textsOf))
}

function valueOf(token: string, values: TokenValues): string | undefined {
  if (token === PAGE) return values.preferencesUrl?.()
  if (token === 'name' || token === 'email' || token === 'phone' || token === 'userId') return values[token] || undefined
  const [, kind, name = ''] = /^(customAttributes|enrichment|event|lastEvent)\.(.+)$/s.exec(token) ?? []
  if (kind !== 'customAttributes' && kind !== 'enrichment' && kind !== 'event' && kind !== 'lastEvent') return undefined
  const known = values[kind]
  const value = known && Object.hasOwn(known, name) ? known[name] : undefined
  if (typeof value === 'string') return value || undefined
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
