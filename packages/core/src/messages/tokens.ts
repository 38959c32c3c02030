/** What a message says of the person it goes to: `{{name}}` and its like (G-50). */
import { textsOf, type LocalizedContent, type MessageTexts } from './content.ts'
import { nameInMessage, valueInMessage } from './token-value.ts'

/** What tokens are filled with; null where it is not known. */
export type TokenValues = {
  name: string | null
  email: string | null
  phone: string | null
  userId: string | null
  customAttributes: { [name: string]: unknown }
  enrichment: { [name: string]: unknown }
}
export type Filled = { ok: true; text: string } | { ok: false; token: string }

/** Names have no braces, so this takes time in proportion to the text. */
const TOKEN = /\{\{([^{}]*)\}\}/g

/** Members of a message that are addresses: what stands in them is where they lead, as whoever wrote it meant it. */
const ADDRESSES: ReadonlySet<string> = new Set<keyof MessageTexts>(['imageUrl', 'ctaUrl'])

/** Of a member of a message. */
export function fillMember(member: keyof MessageTexts, text: string, values: TokenValues): Filled {
  return fill(text, values, ADDRESSES.has(member) ? (_token, value) => value : readable)
}

/** Of a text that people read. */
export function fillTokens(text: string, values: TokenValues): Filled {
  return fill(text, values, readable)
}

function readable(token: string, value: string): string {
  // To a tester a token stands as it is written.
  if (value === `{{${token}}}`) return value
  return token === 'name' ? nameInMessage(value) : valueInMessage(value)
}

/** Braces that are left when all tokens are taken out are a token somebody did not finish: such a text goes to nobody. */
function fill(text: string, values: TokenValues, shown: (token: string, value: string) => string): Filled {
  if (!text.includes('{{')) return { ok: true, text }
  const parts: string[] = []
  let from = 0
  for (const match of text.matchAll(TOKEN)) {
    const token = (match[1] ?? '').trim()
    const known = valueOf(token, values)
    const value = known === undefined ? '' : shown(token, known)
    if (value === '') return { ok: false, token }
    parts.push(text.slice(from, match.index), value)
    from = match.index + match[0].length
  }
  parts.push(text.slice(from))
  // Values stand at odd places, and may hold what they like.
  const open = parts.find((part, index) => index % 2 === 0 && part.includes('{{'))
  return open === undefined ? { ok: true, text: parts.join('') } : { ok: false, token: '{{' }
}

/** Of texts that a message is made of, which tokens they name. */
export function tokensIn(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(TOKEN)].map((match) => (match[1] ?? '').trim())))]
}

/** The same of a whole content, its variants included. */
export function tokensOf(content: LocalizedContent): string[] {
  const messages = Object.values(content).flatMap(({ variants = [], ...base }) => [base, ...variants.map(({ values }) => values)])
  return tokensIn(messages.flatMap(textsOf))
}

function valueOf(token: string, values: TokenValues): string | undefined {
  if (token === 'name' || token === 'email' || token === 'phone' || token === 'userId') return values[token] || undefined
  const [, kind, name = ''] = /^(customAttributes|enrichment)\.(.+)$/s.exec(token) ?? []
  if (kind !== 'customAttributes' && kind !== 'enrichment') return undefined
  const value = Object.hasOwn(values[kind], name) ? values[kind][name] : undefined
  if (typeof value === 'string') return value || undefined
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
