/**
 * A mail of typed sections: the structure once, its texts by language (decision 66). What is drawn from it stands in
 * `render-mail.ts`; nothing else of the product writes HTML of such a mail.
 */
import type { Brand } from './brand/brand.ts'
import { linksOfHtml } from './own-html/html-places.ts'
import type { ProductSection } from './products/product-section.ts'
import type { Colour } from './theme.ts'

export type { Colour }

/** `kind`: `html` is a mail of own HTML (decision 73), which has no sections: each of its languages has an `html` instead. */
export type MailDocument = { version: 1; kind: MailKind; sections: MailSection[]; texts: { [locale: string]: MailTexts } }
export const MAIL_KINDS = ['sections', 'html'] as const
type MailKind = (typeof MAIL_KINDS)[number]

/**
 * `preheader`: what lists of mails show behind the subject. `nodes`: by the id of a node; one without a text is not shown in that
 * language. `html`: of a mail of own HTML the whole page, as `own-html/html-fault.ts` takes it.
 */
export type MailTexts = { subject: string; preheader?: string; nodes: { [nodeId: string]: NodeText }; html?: string }

/** A band across the mail: one to four columns, or the footer with the link by which people leave. Ids hold links and texts, so they stay. */
export type MailSection =
  /** `showTo`: the name of the segment whose members alone get it. */
  | { id: string; type: 'section'; columns: MailColumn[]; background?: Colour; padding?: number; keepColumns?: boolean; showTo?: string }
  | ProductSection
  /** A saved part of the library by its id, whose sections stand here instead when the mail is drawn (decision 70). */
  | { id: string; type: 'part'; part: string }
  | { id: string; type: 'footer' }

/** `width`: percent; the columns of a section make 100. */
export type MailColumn = { width: number; nodes: MailNode[] }

export const ALIGNMENTS = ['start', 'center', 'end'] as const
/** By the direction of the language. */
export type Alignment = (typeof ALIGNMENTS)[number]

export type MailNode = { id: string } & (
  | { type: 'heading'; level: 1 | 2 | 3; align?: Alignment }
  | { type: 'text'; align?: Alignment }
  /** `width`: percent of the column; 100 where it is left out. */
  | { type: 'image'; width?: number; align?: Alignment }
  | { type: 'button'; align?: Alignment; isWide?: boolean }
  | { type: 'divider' }
  /** `height`: pixels. */
  | { type: 'spacer'; height: number }
  /** The logo of the brand, and the links to its social pages; without these, nothing. */
  | { type: 'logo'; align?: Alignment }
  | { type: 'social'; align?: Alignment }
  /** A part of own HTML. */
  | { type: 'html' }
)
export const NODE_TYPES = [
  'heading',
  'text',
  'image',
  'button',
  'divider',
  'spacer',
  'logo',
  'social',
  'html',
] as const satisfies readonly MailNode['type'][]
export type NodeType = MailNode['type']

/** What a node says in one language: which of them it is follows from the node's type. */
export type NodeText = RichText | ButtonText | ImageText | HtmlText
/** `string`: the key of a text of the catalog, which the blocks are made of when the mail is stored or submitted (catalog-texts.ts). */
export type RichText = { blocks: TextBlock[]; string?: string }
export type ButtonText = { label: string; url: string }
/** `alt`: what is read instead of the picture; empty: it is decoration. `url`: where a click on it leads. */
export type ImageText = { src: string; alt: string; url?: string }
/** `html`: as `own-html/html-fault.ts` takes it. */
export type HtmlText = { html: string }

export type TextBlock = { p: TextRun[] } | { ul: TextRun[][] } | { ol: TextRun[][] }
/** A piece of text of one look; its signs are the words of the mail, with tokens. */
export type TextRun = { v: string; b?: true; i?: true; u?: true; s?: true; url?: string; color?: Colour }

/** A mail in the language of one person, with its tokens filled. `brand`: of its workspace; none: as where nobody said anything. */
export type FilledMail = { document: MailDocument; texts: MailTexts; brand?: Brand | null | undefined }

/** The texts that a type of node takes; null: it says nothing. */
export const TEXT_OF: { [type in NodeType]: 'rich' | 'button' | 'image' | 'html' | null } = {
  heading: 'rich',
  text: 'rich',
  image: 'image',
  button: 'button',
  divider: null,
  spacer: null,
  logo: null,
  social: null,
  html: 'html',
}

/** Of all sections, in the order in which they are read. */
export function nodesOf({ sections }: Pick<MailDocument, 'sections'>): MailNode[] {
  return sections.flatMap((section) => (section.type === 'section' ? section.columns.flatMap(({ nodes }) => nodes) : []))
}

/** Whether anything of a mail in one language is HTML that somebody brought. */
export function hasOwnHtml({ texts: { nodes, html } }: Pick<FilledMail, 'texts'>): boolean {
  return html !== undefined || Object.values(nodes).some((text) => 'html' in text)
}

/** The items of a block of text, each a line of runs. */
export function linesOf(block: TextBlock): TextRun[][] {
  if ('p' in block) return [block.p]
  return 'ul' in block ? block.ul : block.ol
}

/** Where a node's text leads, in the order in which its links are numbered, with the words of each. */
export function linksOf(text: NodeText): { url: string; words: string }[] {
  if ('label' in text) return text.url === '' ? [] : [{ url: text.url, words: text.label }]
  if ('src' in text) return text.url === undefined || text.url === '' ? [] : [{ url: text.url, words: text.alt }]
  if ('html' in text) return linksOfHtml(text.html)
  return text.blocks.flatMap(linesOf).flatMap((runs) => runs.flatMap(({ url = '', v }) => (url === '' ? [] : [{ url, words: v }])))
}
