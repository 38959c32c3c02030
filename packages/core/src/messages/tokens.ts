/** What a message says of the person it goes to: `{{name}}` and its like (G-50). */
import { textsOf, type LocalizedContent } from './content.ts'

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

/** Braces that are left when all tokens are taken out are a token somebody did not finish: such a text goes to nobody. */
export function fillTokens(text: string, values: TokenValues): Filled {
  if (!text.includes('{{')) return { ok: true, text }
  const parts: string[] = []
  let from = 0
  for (const match of text.matchAll(TOKEN)) {
    const token = (match[1] ?? '').trim()
    const value = valueOf(token, values)
    if (value === undefined) return { ok: false, token }
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
