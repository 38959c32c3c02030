import { hash } from 'node:crypto'
import type { Fallback } from '@contentflow/core/locale/fallback.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { StringCatalog } from './catalog.ts'
import type { StringRow } from './queries-catalog.ts'

/** Strings written before other work gets a turn; about a millisecond. */
const SLICE = 2_000

/**
 * The answer of GET /strings as text, in steps: it yields where other work may get a turn. Undefined: it would be too long.
 * `namespace` undefined is every one.
 */
export function* renderStrings(
  catalog: StringCatalog,
  { served, chain }: Fallback,
  namespace: string | undefined,
): Generator<undefined, string | undefined> {
  let room = LIMITS.answerLength
  const texts: string[] = []
  const sensors: string[] = []
  const withheld: string[] = []
  for (const [index, string] of catalog.strings.entries()) {
    if (index % SLICE === SLICE - 1) yield
    if (namespace !== undefined && string.namespace !== namespace) continue
    const key = JSON.stringify(string.key)
    const { text, isWithheld } = resolveText(string, chain)
    texts.push(`${key}:${JSON.stringify(text)}`)
    room -= text.length
    if (room < 0) return undefined
    if (string.isSensor) sensors.push(key)
    if (isWithheld) withheld.push(key)
  }
  const content = `"locale":${JSON.stringify(served)},"strings":{${texts.join(',')}},"smartKeys":[${sensors.join(',')}],"withheldKeys":[${withheld.join(',')}]`
  // The version is that of what this client is sent: a change in another language leaves it, and the ETag, as they are.
  return answer(content, hash('sha256', content, 'hex').slice(0, 16))
}

/** G-07: switched off, a catalog is a success with nothing in it. */
export function renderNothing({ served }: Fallback): string {
  return answer(`"locale":${JSON.stringify(served)},"strings":{},"smartKeys":[],"withheldKeys":[]`, '0')
}

export function renderLocales({ localesJson }: StringCatalog): string {
  return `{"success":true,"data":{"locales":${localesJson}}}`
}

function answer(content: string, version: string): string {
  return `{"success":true,"data":{${content},"version":${JSON.stringify(version)}}}`
}

/** C89: the first approved text of the chain, else the source text; withheld where that is so only for want of approval (C84, X-INT-10). */
function resolveText({ sourceText, translations }: StringRow, chain: readonly string[]): { text: string; isWithheld: boolean } {
  let isWithheld = false
  for (const locale of chain) {
    const translation = translations.get(locale)
    if (translation?.isApproved) return { text: translation.text, isWithheld: false }
    if (translation) isWithheld = true
  }
  return { text: sourceText, isWithheld }
}
