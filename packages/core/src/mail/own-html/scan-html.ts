/**
 * Reads HTML of a mail in the one form that is stored (decision 73): names in small letters, every value in double quotes, no
 * `<` or `>` in a value or a text, and no comment but the conditions that Outlook for Windows obeys. In that form a browser
 * sees the same tags as this scanner, wherever they stand, so no tree is needed to say what a mail holds.
 */

/** `from`, `to`: where in the HTML it stands. */
type At = { from: number; to: number }
export type TagPiece = At & { type: 'open'; name: string; attributes: string; isSelfClosing: boolean }
/**
 * `text`: escaped. `attributes`: as they are written, with a blank in front of each. `if`: `isShown` where other programs than
 * Outlook see what follows as well, up to the `endif` of the same kind. `fault`: it is not in that form from here on.
 */
export type Piece =
  | (At & { type: 'text' })
  | TagPiece
  | (At & { type: 'close'; name: string })
  | (At & { type: 'if'; condition: string; isShown: boolean })
  | (At & { type: 'endif'; isShown: boolean })
  | (At & { type: 'doctype' })
  | (At & { type: 'fault' })

export const DOCTYPE = '<!doctype html>'

const TAG =
  /[^<]+|<(\/?)([a-zA-Z][a-zA-Z0-9:]*)((?: [a-zA-Z][a-zA-Z0-9:-]*="[^"<>]*")*)(\/?)>|<!--\[if ([a-zA-Z0-9 ()|&!]{1,60})\]>(<!-->)?|(<!\[endif\]-->)|<!--<!\[endif\]-->|<!doctype html>/y

/** Takes time in proportion to the HTML; ends with the first fault. */
export function* scanHtml(html: string): Generator<Piece, void> {
  let from = 0
  while (from < html.length) {
    TAG.lastIndex = from
    const match = TAG.exec(html)
    if (!match) {
      yield { type: 'fault', from, to: html.length }
      return
    }
    const to = from + match[0].length
    yield pieceOf(match, { from, to })
    from = to
  }
}

function pieceOf(match: RegExpExecArray, at: At): Piece {
  const [whole, slash, name, attributes = '', isSelfClosing, condition, revealed, hiddenEnd] = match
  if (!whole.startsWith('<')) return { type: 'text', ...at }
  if (name !== undefined) {
    if (slash === '/') return attributes === '' && isSelfClosing === '' ? { type: 'close', name, ...at } : { type: 'fault', ...at }
    return { type: 'open', name, attributes, isSelfClosing: isSelfClosing === '/', ...at }
  }
  if (condition !== undefined) return { type: 'if', condition, isShown: revealed !== undefined, ...at }
  if (whole === DOCTYPE) return { type: 'doctype', ...at }
  return { type: 'endif', isShown: hiddenEnd === undefined, ...at }
}

export type Attribute = { name: string; value: string }

const ATTRIBUTE = / ([a-zA-Z][a-zA-Z0-9:-]*)="([^"]*)"/g

/** With their values as they are meant. */
export function attributesOf({ attributes }: Pick<TagPiece, 'attributes'>): Attribute[] {
  return [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => ({ name, value: unescapeHtml(value) }))
}

export function writeTag(name: string, attributes: readonly Attribute[], isSelfClosing = false): string {
  return `<${name}${attributes.map(({ name: of, value }) => ` ${of}="${escapeValue(value)}"`).join('')}${isSelfClosing ? '/' : ''}>`
}

const MEANT: { [entity: string]: string } = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': '\u00a0' }

export function unescapeHtml(text: string): string {
  return text.includes('&') ? text.replaceAll(/&(?:amp|lt|gt|quot|nbsp|#39);/g, (entity) => MEANT[entity] ?? entity) : text
}

const WRITTEN: { [sign: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00a0': '&nbsp;' }

export function escapeText(text: string): string {
  return text.replaceAll(/[&<>\u00a0]/g, (sign) => WRITTEN[sign] ?? sign)
}

function escapeValue(text: string): string {
  return text.replaceAll(/[&<>"\u00a0]/g, (sign) => WRITTEN[sign] ?? sign)
}

/** Elements without an end. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'col', 'wbr', 'meta'])
