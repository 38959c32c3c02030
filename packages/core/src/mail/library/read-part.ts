/** Mails and parts of the library as somebody sends them. */
import type { MailDocument } from '../document.ts'
import { readMail, type ReadMail } from '../read-document.ts'

export const MAIL_KINDS = ['template', 'part'] as const
/** `part`: sections that mails share. Its subject says nothing, and its footer is left out. */
export type MailKind = (typeof MAIL_KINDS)[number]

/** A part holds no part, so that nothing stands in itself. */
export function readLibraryMail(at: string, kind: MailKind, value: unknown): ReadMail {
  const read = readMail(at, value)
  if (!read.ok || kind === 'template') return read
  const inner = partsOf(read.value)[0]
  return inner ? { ok: false, error: `${at}.sections[${inner.at}] must not be a saved part: this is one` } : read
}

/** Which parts a mail holds. `at`: the number of the section. */
export function partsOf({ sections }: Pick<MailDocument, 'sections'>): { at: number; section: string; part: string }[] {
  return sections.flatMap((section, at) => (section.type === 'part' ? [{ at, section: section.id, part: section.part }] : []))
}
