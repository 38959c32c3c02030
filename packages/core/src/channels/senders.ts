/** Who an email is from and to. Nothing of it may begin a line of its own or turn the direction of what follows. */
import type { Configuration, Message } from './channel.ts'
import { textOf } from './channel.ts'

export type Mailbox = { name: string; address: string }

const ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/
/** Line breaks and other controls: nothing that is sent in a header or an address may have one. */
export const CONTROLS = /[\p{Cc}\u2028\u2029]/u
/** Marks of direction pass unseen and show a name as another one. */
const DIRECTIONS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** `a@b.c` or `A name <a@b.c>`; undefined when it is neither, or has a line break or another control character. */
export function readMailbox(text: string): Mailbox | undefined {
  if (CONTROLS.test(text)) return undefined
  const [, name = '', address = ''] = /^(.*)<([^<>]*)>$/.exec(text.trim()) ?? ['', '', text.trim()]
  if (!isAddress(address)) return undefined
  return { name: cleanName(name.trim().replace(/^"(.*)"$/, '$1')), address }
}

export function isAddress(text: string): boolean {
  return ADDRESS.test(text) && text.length <= 320 && !CONTROLS.test(text) && text.search(DIRECTIONS) === -1
}

/** A name, or a subject, in one line. */
export function cleanName(text: string): string {
  return text
    .replaceAll(DIRECTIONS, '')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}

export function senderOf(configuration: Configuration): Mailbox {
  const from = readMailbox(textOf(configuration, 'from')) ?? { name: '', address: '' }
  return { ...from, name: cleanName(textOf(configuration, 'fromName')) || from.name }
}

export function recipientOf({ to, toName = '' }: Message): Mailbox {
  return { name: cleanName(toName), address: to }
}

/** As one text; a name with signs that mean something there is quoted. */
export function mailboxText({ name, address }: Mailbox): string {
  if (name === '') return address
  const shown = /^[\p{L}\p{M}\p{N} ]+$/u.test(name) ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`
  return `${shown} <${address}>`
}

/** What a mail needs so that its reader is rid of it with one click. */
export function unsubscribeHeaders({ unsubscribeUrl }: Message): Record<string, string> {
  return unsubscribeUrl === undefined
    ? {}
    : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}
