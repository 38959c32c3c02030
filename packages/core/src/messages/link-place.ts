/** Where in a link a token stands, and what its value is written as there: it can add nothing to the link but itself. */
import { imageFault, urlFault } from '../blocks/links/safe-url.ts'

/**
 * `text`: in no link. `start`: the link begins with it. `opaque`: behind `mailto:`, `tel:` and their like. `query`: behind the
 * `?` or the `#`.
 */
export type LinkPosition = 'text' | 'start' | 'opaque' | 'host' | 'path' | 'query'

/** Behind a literal text that follows `place`. */
export function placeAfter(place: LinkPosition, literal: string): LinkPosition {
  if (literal === '') return place
  if (place === 'text') return placeInText(literal)
  if (place !== 'start') return within(place, literal)
  if (literal.startsWith('/')) return within('path', literal)
  const [scheme] = /^[a-z][a-z0-9+.-]*:/i.exec(literal) ?? ['']
  const rest = literal.slice(scheme.length)
  if (rest.startsWith('//')) return within('host', rest.slice(2))
  return within(scheme === '' ? 'path' : 'opaque', rest)
}

/** The same in a text, where a link ends with a blank, a quotation mark or an angle bracket. */
export function placeInTextAfter(place: LinkPosition, literal: string): LinkPosition {
  const parts = literal.split(/[\s"<>]/)
  return placeAfter(parts.length > 1 ? 'text' : place, parts.at(-1) ?? '')
}

function placeInText(tail: string): LinkPosition {
  const at = tail.lastIndexOf('://')
  if (at > 0 && /[a-z0-9+.-]/i.test(tail[at - 1] ?? '')) return positionInHost(tail.slice(at + 3))
  const www = tail.toLowerCase().lastIndexOf('www.')
  if (www >= 0) return positionInHost(tail.slice(www))
  // The rest of a link that begins elsewhere, such as in a template.
  return tail.includes('?') && tail.endsWith('=') ? 'query' : 'text'
}

/** A link that is a host alone ends with the first sign that no host has. */
function positionInHost(rest: string): LinkPosition {
  const place = within('host', rest)
  return place === 'host' && /[^\p{L}\p{M}\p{N}.:_-]/u.test(rest) ? 'text' : place
}

function within(place: LinkPosition, rest: string): LinkPosition {
  if (/[?#]/.test(rest)) return 'query'
  return place === 'host' && rest.includes('/') ? 'path' : place
}

const HOST = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._-]{0,251}[\p{L}\p{M}\p{N}])?$/u

/** Empty: the link would lead elsewhere, or nowhere. */
export function valueInLink(place: Exclude<LinkPosition, 'text'>, value: string): string {
  if (place === 'start') return wholeLink(value)
  if (place === 'host') return HOST.test(value) ? value : ''
  // A step up, whatever it is written as.
  if (place === 'path' && (value === '.' || value === '..')) return ''
  const encoded = percentEncode(value)
  return place === 'opaque' ? encoded.replaceAll('%40', '@').replaceAll('%2B', '+') : encoded
}

/** A value that is a link itself, of the web or into an app, without what would end it where it is read in a text. */
function wholeLink(value: string): string {
  const isLink = /^[a-z][a-z0-9+.-]*:/i.test(value) && (urlFault(value) === undefined || imageFault(value) === undefined)
  return isLink ? value.replaceAll(/[\s"'<>`{}|^]/g, percentEncode) : ''
}

/** By RFC 3986: letters, digits and -._~ stay. */
function percentEncode(text: string): string {
  const byte = (sign: string) => `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`
  return encodeURIComponent(text.toWellFormed()).replaceAll(/[!'()*]/g, byte)
}
