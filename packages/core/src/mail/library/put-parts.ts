/** Puts saved parts into a mail that holds them by their ids, so that what is drawn, checked and sent knows nothing of parts. */
import { foldTag } from '../../locale/language-tag.ts'
import { pickContentLocale } from '../../messages/content.ts'
import { nodesOf, type MailDocument, type MailNode, type MailSection, type MailTexts } from '../document.ts'

/** A part as it was when the mail that holds it was submitted. */
export type FrozenPart = { id: string; name: string; version: number; document: MailDocument }

/** `parts`: of a draft those that there are now. */
export function wholeMail(mail: MailDocument, parts: readonly FrozenPart[] = []): MailDocument {
  return withParts(mail, new Map(parts.map(({ id, document }) => [id, document])))
}

/** Parts by their ids. */
type KnownParts = ReadonlyMap<string, MailDocument>

/**
 * A part that is not known stays where it is, and nothing is drawn there. Ids of what stands in a part begin with the id of its place, so one part may stand in
 * two places, and links are counted by place. A part speaks the languages of the mail, each as far as it has it or its parent.
 */
export function withParts(mail: MailDocument, parts: KnownParts): MailDocument {
  if (!mail.sections.some(({ type }) => type === 'part')) return mail
  const texts = new Map(Object.entries(mail.texts).map(([locale, said]) => [locale, { ...said, nodes: { ...said.nodes } }]))
  const sections = mail.sections.flatMap((section) => {
    if (section.type !== 'part') return [section]
    const part = parts.get(section.part)
    if (!part) return [section]
    for (const [locale, said] of texts) Object.assign(said.nodes, nodesIn(section.id, part, locale))
    return sectionsIn(section.id, part)
  })
  return { ...mail, sections, texts: Object.fromEntries(texts) }
}

/** No id that somebody gives has this sign, so no two are the same. */
const under = (place: string, id: string) => `${place}:${id}`

function sectionsIn(place: string, part: MailDocument): MailSection[] {
  return part.sections.flatMap((section): MailSection[] => {
    if (section.type === 'products') return [{ ...section, id: under(place, section.id) }]
    if (section.type !== 'section') return []
    const columns = section.columns.map((column) => ({
      ...column,
      nodes: column.nodes.map((node): MailNode => ({ ...node, id: under(place, node.id) })),
    }))
    return [{ ...section, id: under(place, section.id), columns }]
  })
}

function nodesIn(place: string, part: MailDocument, locale: string): MailTexts['nodes'] {
  const said = new Map(Object.entries(part.texts).map(([each, texts]) => [foldTag(each), texts]))
  const found = pickContentLocale([...said.keys()], locale, null)
  const nodes: MailTexts['nodes'] = said.get(found ?? '')?.nodes ?? {}
  const known = nodesOf(part).filter(({ id }) => Object.hasOwn(nodes, id))
  return Object.fromEntries(known.map(({ id }) => [under(place, id), nodes[id]!]))
}
