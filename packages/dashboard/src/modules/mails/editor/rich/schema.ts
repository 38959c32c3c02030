/** What words of a mail may be: exactly the members of `TextBlock` and `TextRun`, so nothing can be written that is not kept. */
import { Schema, type MarkSpec, type NodeSpec } from 'prosemirror-model'
import { urlFault } from '@contentflow/core/blocks/links/safe-url.ts'

const paragraph: NodeSpec = {
  content: 'inline*',
  group: 'block',
  parseDOM: [{ tag: 'p' }, { tag: 'h1,h2,h3,h4,h5,h6' }],
  toDOM: () => ['p', 0],
}
const lists: { [name: string]: NodeSpec } = {
  bullet_list: { content: 'list_item+', group: 'block', parseDOM: [{ tag: 'ul' }], toDOM: () => ['ul', 0] },
  ordered_list: { content: 'list_item+', group: 'block', parseDOM: [{ tag: 'ol' }], toDOM: () => ['ol', 0] },
  list_item: { content: 'paragraph', defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', 0] },
}
const inline: { [name: string]: NodeSpec } = {
  hard_break: {
    inline: true,
    group: 'inline',
    selectable: false,
    linebreakReplacement: true,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
  text: { group: 'inline' },
}

/** An address that may be stored; what is pasted with another one keeps its words alone. */
export function isAddress(url: string): boolean {
  return url !== '' && (url.includes('{{') || urlFault(url) === undefined)
}

const marks: { [name: string]: MarkSpec } = {
  link: {
    attrs: { url: { validate: 'string' } },
    inclusive: false,
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (element) => {
          const url = element.getAttribute('href') ?? ''
          return isAddress(url) ? { url } : false
        },
      },
    ],
    // Nothing is opened by a click while it is written.
    toDOM: ({ attrs: { url } }) => ['a', { href: String(url), title: String(url), rel: 'noreferrer' }, 0],
  },
  color: {
    attrs: { color: { validate: 'string' } },
    // Colours of other programs are those of their pages.
    parseDOM: [{ tag: 'span[data-color]', getAttrs: (element) => colourOf(element.getAttribute('data-color')) }],
    toDOM: ({ attrs: { color } }) => ['span', { 'data-color': String(color), style: `color:${String(color)}` }, 0],
  },
  strong: {
    parseDOM: [
      { tag: 'strong' },
      // Google Docs wraps everything it copies in one that says it is not bold.
      { tag: 'b', getAttrs: (element) => (element.style.fontWeight === 'normal' ? false : null) },
      { style: 'font-weight', getAttrs: (weight) => (/^(bold(er)?|[5-9]\d{2})$/.test(weight) ? null : false) },
    ],
    toDOM: () => ['strong', 0],
  },
  em: { parseDOM: [{ tag: 'i' }, { tag: 'em' }, { style: 'font-style=italic' }], toDOM: () => ['em', 0] },
  underline: { parseDOM: [{ tag: 'u' }], toDOM: () => ['u', 0] },
  strike: { parseDOM: [{ tag: 's' }, { tag: 'del' }, { tag: 'strike' }], toDOM: () => ['s', 0] },
}

function colourOf(color: string | null): { color: string } | false {
  return color !== null && /^#[0-9a-f]{6}$/.test(color) ? { color } : false
}

/** Of texts: paragraphs and lists. */
export const textSchema = new Schema({ nodes: { doc: { content: 'block+' }, paragraph, ...lists, ...inline }, marks })
/** Of headings: lines alone. */
export const headingSchema = new Schema({ nodes: { doc: { content: 'block+' }, paragraph, ...inline }, marks })
