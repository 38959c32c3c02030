/** G-86: how names and email addresses of people are read, wherever they come from. */
import { LIMITS } from '../limits.ts'

/** What no reader sees, and what turns the direction of the text around it: the categories Cc and Cf of Unicode, without blanks. */
const INVISIBLE = /(?!\s)[\p{Cc}\p{Cf}]/gu
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
/** What a mailbox or a domain may hold. U+FFFD stands for what was lost on the way; `·` and its like are letters of some languages. */
const LOCAL = String.raw`[^\s\p{C}@<>"()[\]:;,\\\u060c\u061b\ufffd]+`
const LABEL = String.raw`(?:(?!\ufffd)[\p{L}\p{M}\p{N}\p{So}_\u00b7\u30fb\-])+`
const ADDRESS = new RegExp(String.raw`^${LOCAL}@${LABEL}(?:\.${LABEL})+$`, 'u')

/** A mailbox with one @ and a dotted domain. Anything stricter refuses addresses that exist. */
export function isEmail(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LIMITS.contactTextLength && ADDRESS.test(value)
}

/** Without what surely is no part of it: blanks around it, `mailto:`, one `;` or `,` at its end, signs that nobody sees. */
export function mendEmail(text: string): string {
  const seen = text.replaceAll(INVISIBLE, '').trim()
  const address = seen.replace(/^mailto:/i, '').trimStart()
  return /[;,]$/.test(address) ? address.slice(0, -1).trimEnd() : address
}

/** The address that a text is, mended; undefined when it is none. */
export function readEmail(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_SENT) return undefined
  const address = mendEmail(value)
  return isEmail(address) ? address : undefined
}

/** An address with what is taken off it. */
const LONGEST_SENT = 2 * LIMITS.contactTextLength

/** In one line, and turned nowhere; undefined for what is no name. */
export function readName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.replaceAll(DIRECTIONS, '').replaceAll(CONTROLS, ' ')
  return name.trim() === '' || name.length > LIMITS.contactTextLength ? undefined : name
}
