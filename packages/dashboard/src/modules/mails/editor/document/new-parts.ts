/** Sections, nodes and mails as they are begun. */
import { TEXT_OF, type MailDocument, type MailNode, type NodeText, type NodeType } from '@contentflow/core/mail/document.ts'
import type { ProductSection } from '@contentflow/core/mail/products/product-section.ts'
import type { MessageContent } from '@contentflow/core/messages/content.ts'
import type { MakeId } from './change-mail.ts'
import type { ColumnSection } from './places.ts'

/** Widths of columns in percent, for as many as a section may have. */
export const LAYOUTS = { 1: [100], 2: [50, 50], 3: [33, 34, 33], 4: [25, 25, 25, 25] } as const
export type Layout = keyof typeof LAYOUTS

export function newSection(layout: Layout, makeId: MakeId): ColumnSection {
  return { id: makeId(), type: 'section', columns: LAYOUTS[layout].map((width) => ({ width, nodes: [] })) }
}

/** Products of an attribute that the shop has to fill; its name is only a proposal. */
export function newProducts(makeId: MakeId): ProductSection {
  return { id: makeId(), type: 'products', source: { trait: 'products' }, columns: 2, limit: 4, show: ['image', 'name', 'price', 'button'] }
}

/** What a node of each type has when it is new. */
const BEGUN: { [type in NodeType]: (id: string) => Extract<MailNode, { type: type }> } = {
  heading: (id) => ({ id, type: 'heading', level: 2 }),
  text: (id) => ({ id, type: 'text' }),
  image: (id) => ({ id, type: 'image' }),
  button: (id) => ({ id, type: 'button' }),
  divider: (id) => ({ id, type: 'divider' }),
  spacer: (id) => ({ id, type: 'spacer', height: 24 }),
  logo: (id) => ({ id, type: 'logo' }),
  social: (id) => ({ id, type: 'social', align: 'center' }),
  html: (id) => ({ id, type: 'html' }),
}

export function newNode(type: NodeType, makeId: MakeId): MailNode {
  return BEGUN[type](makeId())
}

/** What a new node says; undefined: nothing until somebody writes. A button or a picture without a text would not be seen. */
export function newText(type: NodeType): NodeText | undefined {
  if (TEXT_OF[type] === 'button') return { label: '', url: '' }
  return TEXT_OF[type] === 'image' ? { src: '', alt: '' } : undefined
}

/** A heading, a text and a button in one column, to be written. */
export function blankMail(locale: string, makeId: MakeId): MailDocument {
  const section = newSection(1, makeId)
  const nodes: MailNode[] = [{ id: makeId(), type: 'heading', level: 1 }, newNode('text', makeId)]
  return {
    version: 1,
    kind: 'sections',
    sections: [
      { ...section, columns: [{ width: 100, nodes }] },
      { id: 'footer', type: 'footer' },
    ],
    texts: { [locale]: { subject: '', nodes: {} } },
  }
}

/** A mail that says what the texts of a message say, in each of their languages; where nothing is written, a blank one. */
export function mailOfTexts(content: { [locale: string]: MessageContent }, locale: string, makeId: MakeId): MailDocument {
  const written = Object.entries(content).filter(([, { title, body }]) => Boolean(title || body))
  if (written.length === 0) return blankMail(locale, makeId)
  const has = (member: keyof MessageContent) => written.some(([, said]) => Boolean(said[member]))
  const nodes: MailNode[] = [
    ...(has('imageUrl') ? [newNode('image', makeId)] : []),
    { id: makeId(), type: 'heading', level: 1 },
    newNode('text', makeId),
    ...(has('ctaUrl') ? [newNode('button', makeId)] : []),
  ]
  const texts = written.map(([code, said]) => {
    const spoken = nodes.flatMap((node) => {
      const text = textFrom(node.type, said)
      return text ? [[node.id, text] as const] : []
    })
    return [code, { subject: said.title ?? '', nodes: Object.fromEntries(spoken) }] as const
  })
  const section: ColumnSection = { id: makeId(), type: 'section', columns: [{ width: 100, nodes }] }
  return { version: 1, kind: 'sections', sections: [section, { id: 'footer', type: 'footer' }], texts: Object.fromEntries(texts) }
}

function textFrom(
  type: NodeType,
  { title = '', body = '', imageUrl = '', ctaLabel = '', ctaUrl = '' }: MessageContent,
): NodeText | undefined {
  if (type === 'image') return imageUrl === '' ? undefined : { src: imageUrl, alt: '' }
  if (type === 'button') return ctaUrl === '' ? undefined : { label: ctaLabel, url: ctaUrl }
  const words = type === 'heading' ? title : body
  const lines = words.split(/\n{2,}/).filter((line) => line !== '')
  return lines.length === 0 ? undefined : { blocks: lines.map((v) => ({ p: [{ v }] })) }
}
