/**
 * What is known of a person as a message says it. Apps bring it, and whoever holds the key of an app can say anything: so it
 * is one line, becomes no link in any program that shows mails or text messages, and turns the words around it nowhere.
 * What is stored stays as it was sent.
 */
import { firstSigns } from '../cut-text.ts'

/** Characters as people count them. */
const NAME_LENGTH = 100

/** Line breaks of every kind, and what else is no character to read. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
/** Nothing to see: soft hyphens, zero-width spaces, and marks that turn the direction of what follows. Those of single letters stay. */
const INVISIBLE = /[\u00ad\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g
/** A dot, of whatever script, in front of what may be a top-level domain; or the first of an IPv4 address. */
const DOT = /(?<=\S)[.\uff0e\u3002\uff61](?=[\p{L}\p{M}]{2}|xn--)|(?<=\d)\.(?=\d{1,3}\.\d{1,3}\.\d)/giu

/** An address of a mailbox and nothing else: it leads to no page, and who signs in by theirs has it as their id. */
const MAILBOX = /^[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,255}$/u

/** Empty when nothing to read is left. */
export function valueInMessage(value: string): string {
  const line = inOneLine(value)
  return MAILBOX.test(line) ? line : withoutLinks(line)
}

export function nameInMessage(name: string): string {
  const shown = withoutLinks(inOneLine(name))
  return firstSigns(shown, NAME_LENGTH).trimEnd()
}

function inOneLine(text: string): string {
  return text.replaceAll(INVISIBLE, '').replaceAll(CONTROLS, ' ').trim()
}

/** `Dr.Sara` reads as well with a blank; `shop.example` is no address with one. */
function withoutLinks(text: string): string {
  return text.replaceAll('://', ' ').replaceAll(DOT, '$& ')
}
