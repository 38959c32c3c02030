/**
 * A mail as one variant of a campaign says it, while it is edited: what is taken out of it is left out of the variant, and
 * words that are others than those of the mail are the variant's.
 */
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { TEXT_OF, nodesOf, type MailDocument, type MailTexts, type NodeText } from '@contentflow/core/mail/document.ts'
import { layMail, type VariantMail, type VariantTexts } from '@contentflow/core/mail/variants/variant-mail.ts'
import { idOf, partsOf, type Part } from './places.ts'

/** What makes `edited` of the mail; undefined: nothing, the variant is as the mail. */
export function variantOf(mail: MailDocument, edited: MailDocument): VariantMail | undefined {
  const hidden = leftOut(mail, edited).map(idOf)
  const shown = new Set(nodesOf(edited).map(({ id }) => id))
  const texts = Object.entries(mail.texts).flatMap(([locale, said]) => {
    const own = ownTexts(mail, said, edited.texts[locale] ?? said, shown)
    return Object.keys(own).length === 0 ? [] : [[locale, own] as const]
  })
  if (hidden.length === 0 && texts.length === 0) return undefined
  return { ...(texts.length > 0 && { texts: Object.fromEntries(texts) }), ...(hidden.length > 0 && { hidden }) }
}

/** Sections and nodes of the mail that the variant does not have; of a section that is gone, not its nodes besides. */
export function leftOut(mail: MailDocument, edited: MailDocument): Part[] {
  const there = new Set(partsOf(edited).map(idOf))
  const sections = new Set(edited.sections.map(({ id }) => id))
  return partsOf(mail).filter((part) => !there.has(idOf(part)) && (part.kind === 'section' || sections.has(part.place.section)))
}

/** The variant with a part of the mail again, at its place and with the words of the mail. */
export function putBack(mail: MailDocument, edited: MailDocument, id: string): MailDocument {
  const { texts, hidden = [] } = variantOf(mail, edited) ?? {}
  return layMail(mail, { ...(texts && { texts }), hidden: hidden.filter((each) => each !== id) })
}

/** How much a variant says otherwise: texts of nodes, subjects and the like in all languages, and parts that it leaves out. */
export function countOf({ texts = {}, hidden = [] }: VariantMail): { texts: number; hidden: number } {
  const said = Object.values(texts).map(({ nodes = {}, ...rest }) => Object.keys(nodes).length + Object.keys(rest).length)
  return { texts: said.reduce((sum, count) => sum + count, 0), hidden: hidden.length }
}

function ownTexts(mail: MailDocument, said: MailTexts, edited: MailTexts, shown: ReadonlySet<string>): VariantTexts {
  const nodes = nodesOf(mail).flatMap(({ id, type }) => {
    if (!shown.has(id)) return []
    // Words that were taken away: the variant says nothing there.
    const text = edited.nodes[id] ?? (TEXT_OF[type] === 'rich' && said.nodes[id] ? NOTHING : undefined)
    return text === undefined || isSame(text, said.nodes[id]) ? [] : [[id, text] as const]
  })
  return {
    ...(edited.subject !== said.subject && { subject: edited.subject }),
    ...((edited.preheader ?? '') !== (said.preheader ?? '') && { preheader: edited.preheader ?? '' }),
    ...(nodes.length > 0 && { nodes: Object.fromEntries(nodes) }),
  }
}

const NOTHING: NodeText = { blocks: [] }

function isSame(text: NodeText, there: NodeText | undefined): boolean {
  return there !== undefined && canonicalJson(text) === canonicalJson(there)
}
