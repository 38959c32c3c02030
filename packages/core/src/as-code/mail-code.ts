/** Mails and parts of the library as a document holds them; what is archived is not in it. */
import type { Parsed } from '../blocks/definition.ts'
import type { JsonObject } from '../blocks/field.ts'
import { LIMITS } from '../limits.ts'
import type { MailDocument } from '../mail/document.ts'
import { MAIL_KINDS, partsOf, readLibraryMail, type MailKind } from '../mail/library/read-part.ts'

/** Named by its id, by which mails hold parts. */
export type MailCode = { id: string; kind: MailKind; name: string; category: string | null; document: MailDocument }

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })
const MEMBERS = ['id', 'kind', 'name', 'category', 'document']

export function readMailCode(entry: JsonObject): Parsed<MailCode> {
  const unknown = Object.keys(entry).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined) return no(`${JSON.stringify(unknown)} is not known; it takes ${MEMBERS.join(', ')}`)
  const { id, kind: named, name, category = null, document } = entry
  if (typeof id !== 'string' || !/^[\w-]{1,40}$/.test(id)) return no('id must be 1 to 40 letters, digits, _ and -')
  const kind = MAIL_KINDS.find((each) => each === named)
  if (!kind) return no(`kind must be one of ${MAIL_KINDS.join(', ')}`)
  if (!isWord(name, LIMITS.mailNameLength))
    return no(`name must be a text of 1 to ${LIMITS.mailNameLength} characters without blanks around it`)
  if (category !== null && !isWord(category, LIMITS.mailCategoryLength))
    return no(`category must be null or a text of 1 to ${LIMITS.mailCategoryLength} characters without blanks around it`)
  const read = readLibraryMail('document', kind, document)
  return read.ok ? { ok: true, value: { id, kind, name, category, document: read.value } } : no(read.error)
}

function isWord(value: unknown, most: number): value is string {
  return typeof value === 'string' && value !== '' && value.trim() === value && value.length <= most
}

/** Names of a kind are one where they differ only in capitals, and parts are in the same document. */
export function mailsFault(mails: readonly MailCode[]): string | undefined {
  const names = new Set(mails.map(({ kind, name }) => `${kind} ${name.toLowerCase()}`))
  if (names.size < mails.length) return 'mails: two of a kind have one name, but for capitals'
  const parts = new Set(mails.flatMap(({ id, kind }) => (kind === 'part' ? [id] : [])))
  for (const { id, document } of mails)
    for (const { at, part } of partsOf(document))
      if (!parts.has(part)) return `mails: ${JSON.stringify(id)}: document.sections[${at}].part names no part of the document`
  return undefined
}
