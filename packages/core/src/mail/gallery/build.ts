/** Short words for templates: what stands in a mail, once, with its texts in English and Arabic beside each other. */
import type { Alignment, MailDocument, MailNode, MailSection, MailTexts, NodeText, TextBlock, TextRun } from '../document.ts'

export const GALLERY_CATEGORIES = ['start', 'account', 'orders', 'shopping', 'seasons', 'news', 'relationship'] as const
export type GalleryCategory = (typeof GALLERY_CATEGORIES)[number]

/** In English and in Arabic. Between two `**` words are bold. */
export type Words = readonly [en: string, ar: string]
type Bare = MailNode extends infer Node ? (Node extends MailNode ? Omit<Node, 'id'> : never) : never
type Piece = { node: Bare; en: NodeText | undefined; ar: NodeText | undefined }
/** `background`: by its part in the brand, because a template is of every workspace. */
type Band = {
  background?: 'primary' | 'soft'
  columns: readonly { width: number; pieces: readonly Piece[] }[]
  padding?: number
  keepColumns?: true
}
export type Template = {
  id: string
  category: GalleryCategory
  names: { en: string; ar: string }
  subject: Words
  preheader: Words
  bands: readonly Band[]
}
/** Colours of bands. */
export type Look = { primary: string; soft: string }

const LOCALES = ['en', 'ar'] as const

const rich = (each: readonly Words[], at: 0 | 1): NodeText => ({ blocks: each.map((words): TextBlock => ({ p: runsOf(words[at]) })) })

export function heading(level: 1 | 2 | 3, words: Words, align?: Alignment): Piece {
  return { node: { type: 'heading', level, ...aligned(align) }, en: rich([words], 0), ar: rich([words], 1) }
}

/** A paragraph for each. */
export function text(...paragraphs: readonly Words[]): Piece {
  return { node: { type: 'text' }, en: rich(paragraphs, 0), ar: rich(paragraphs, 1) }
}

export function centered(...paragraphs: readonly Words[]): Piece {
  return { ...text(...paragraphs), node: { type: 'text', align: 'center' } }
}

export function bullets(...items: readonly Words[]): Piece {
  const list = (at: 0 | 1): NodeText => ({ blocks: [{ ul: items.map((words) => runsOf(words[at])) }] })
  return { node: { type: 'text' }, en: list(0), ar: list(1) }
}

export function steps(...items: readonly Words[]): Piece {
  const list = (at: 0 | 1): NodeText => ({ blocks: [{ ol: items.map((words) => runsOf(words[at])) }] })
  return { node: { type: 'text' }, en: list(0), ar: list(1) }
}

/** `url`: a path on the pages of the workspace. */
export function button(words: Words, url: string, align?: Alignment): Piece {
  return { node: { type: 'button', ...aligned(align) }, en: { label: words[0], url }, ar: { label: words[1], url } }
}

export const divider: Piece = { node: { type: 'divider' }, en: undefined, ar: undefined }

/** Logo above everything, social pages below: the same in every template. */
const TOP: Band = { columns: [{ width: 100, pieces: [{ node: { type: 'logo' }, en: undefined, ar: undefined }] }], padding: 24 }
const END: Band = { columns: [{ width: 100, pieces: [{ node: { type: 'social', align: 'center' }, en: undefined, ar: undefined }] }] }

export function band(...pieces: readonly Piece[]): Band {
  return { columns: [{ width: 100, pieces }] }
}

export function primary(...pieces: readonly Piece[]): Band {
  return { ...band(...pieces), background: 'primary', padding: 40 }
}

export function soft(...pieces: readonly Piece[]): Band {
  return { ...band(...pieces), background: 'soft', padding: 24 }
}

/** Beside each other, of one width. */
export function beside(...columns: readonly (readonly Piece[])[]): Band {
  const width = Math.floor(100 / columns.length)
  return { columns: columns.map((pieces, index) => ({ width: index === 0 ? 100 - width * (columns.length - 1) : width, pieces })) }
}

/** What is said of something, and beside it how much; side by side on phones too. */
export function line(said: Piece, value: Piece): Band {
  return {
    columns: [
      { width: 65, pieces: [said] },
      { width: 35, pieces: [{ ...value, node: { type: 'text', align: 'end' } }] },
    ],
    padding: 4,
    keepColumns: true,
  }
}

export function documentOf({ subject, preheader, bands }: Template, look: Look): MailDocument {
  const nodes: { en: MailTexts['nodes']; ar: MailTexts['nodes'] } = { en: {}, ar: {} }
  let count = 0
  const built = (piece: Piece): MailNode => {
    const id = `n${++count}`
    for (const locale of LOCALES) if (piece[locale]) nodes[locale][id] = piece[locale]
    return { id, ...piece.node }
  }
  const sections = [TOP, ...bands, END].map(({ background, columns, padding, keepColumns }, index): MailSection => ({
    id: `s${index + 1}`,
    type: 'section',
    ...(background && { background: look[background] }),
    ...(padding !== undefined && { padding }),
    ...(keepColumns && { keepColumns }),
    columns: columns.map(({ width, pieces }) => ({ width, nodes: pieces.map(built) })),
  }))
  const said = (at: 0 | 1) => ({ subject: subject[at], preheader: preheader[at] })
  const texts = { en: { ...said(0), nodes: nodes.en }, ar: { ...said(1), nodes: nodes.ar } }
  return { version: 1, kind: 'sections', sections: [...sections, { id: 'footer', type: 'footer' }], texts }
}

function aligned(align: Alignment | undefined): { align?: Alignment } {
  return align === undefined ? {} : { align }
}

function runsOf(words: string): TextRun[] {
  return words.split('**').flatMap((v, index): TextRun[] => (v === '' ? [] : [index % 2 === 1 ? { v, b: true } : { v }]))
}
