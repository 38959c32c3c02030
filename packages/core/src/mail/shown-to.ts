/** Sections that only members of a segment get. */
import { EVERYONE } from '../blocks/serving/select-blocks.ts'
import type { MailDocument } from './document.ts'

/** Names of segments that a person is in, of those that a mail asks for; `all`: whoever tries it sees all of it. */
export type SegmentsOfPerson = ReadonlySet<string> | 'all'

/** The names of the segments that its sections are for, each once; none where there is no such mail. */
export function segmentsOfMail(mail: MailDocument | null | undefined): string[] {
  const names = (mail?.sections ?? []).flatMap((section) => ('showTo' in section && section.showTo !== undefined ? [section.showTo] : []))
  return [...new Set(names)].filter((name) => name !== EVERYONE)
}

/** The mail as this person gets it; undefined: nothing of it is for them. */
export function mailShownTo(mail: MailDocument, segments: SegmentsOfPerson = new Set()): MailDocument | undefined {
  if (segments === 'all' || segmentsOfMail(mail).length === 0) return mail
  const isFor = (name: string | undefined) => name === undefined || name === EVERYONE || segments.has(name)
  const sections = mail.sections.filter((section) => !('showTo' in section) || isFor(section.showTo))
  return sections.every(({ type }) => type === 'footer') ? undefined : { ...mail, sections }
}
