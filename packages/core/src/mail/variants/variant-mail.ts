/** What a variant of a campaign says otherwise in its mail of sections: texts that are laid over it, and what is left out. */
import { nodesOf, TEXT_OF, type MailDocument, type MailSection, type MailTexts, type NodeText } from '../document.ts'

/** `texts`: by language; what it does not say stays. `hidden`: ids of nodes or sections. */
export type VariantMail = { texts?: { [locale: string]: VariantTexts }; hidden?: string[] }
export type VariantTexts = { subject?: string; preheader?: string; nodes?: { [nodeId: string]: NodeText } }

/** The mail as the variant says it. A language or a node that the mail does not have is nowhere in it. */
export function layMail(mail: MailDocument, variant: VariantMail | undefined): MailDocument {
  if (!variant) return mail
  const { hidden = [] } = variant
  const over = new Map(Object.entries(variant.texts ?? {}))
  const texts = Object.entries(mail.texts).map(([locale, said]): [string, MailTexts] => {
    const own = over.get(locale)
    return [locale, own ? { ...said, ...own, nodes: { ...said.nodes, ...own.nodes } } : said]
  })
  const laid = { ...mail, texts: Object.fromEntries(texts) }
  return hidden.length === 0 ? laid : { ...laid, sections: withoutHidden(mail.sections, new Set(hidden)) }
}

/** The footer stays: nobody is written to who could not leave. */
function withoutHidden(sections: readonly MailSection[], hidden: ReadonlySet<string>): MailSection[] {
  return sections.flatMap((section): MailSection[] => {
    if (section.type === 'footer') return [section]
    if (hidden.has(section.id)) return []
    if (section.type !== 'section') return [section]
    const columns = section.columns.map((column) => ({ ...column, nodes: column.nodes.filter(({ id }) => !hidden.has(id)) }))
    return [{ ...section, columns }]
  })
}

/** The places of a variant at which the mail has nothing, or something of another kind; nothing of them would be seen. */
export function misplacedIn(mail: MailDocument, { texts = {}, hidden = [] }: VariantMail): { locale?: string; node?: string }[] {
  const kinds = new Map(nodesOf(mail).map(({ id, type }) => [id, TEXT_OF[type]]))
  const sections = new Set(mail.sections.flatMap(({ id, type }) => (type === 'footer' ? [] : [id])))
  const ofTexts = Object.entries(texts).flatMap(([locale, { nodes = {} }]) => {
    if (!Object.hasOwn(mail.texts, locale)) return [{ locale }]
    const wrong = Object.entries(nodes).filter(([id, text]) => kinds.get(id) !== kindOf(text))
    return wrong.map(([node]) => ({ locale, node }))
  })
  return [...ofTexts, ...hidden.filter((id) => !kinds.has(id) && !sections.has(id)).map((node) => ({ node }))]
}

function kindOf(text: NodeText) {
  if ('label' in text) return 'button'
  return 'src' in text ? 'image' : 'rich'
}
