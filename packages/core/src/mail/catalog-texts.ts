/** Headings and texts of a mail that are taken from the catalog of texts: `{ string: key }`, with what the catalog says written beside it. */
import type { MailDocument, NodeText, RichText, TextBlock } from './document.ts'
import type { VariantMail } from './variants/variant-mail.ts'

/** What the catalog says in a language; undefined: it has no such text. */
export type CatalogText = (key: string, locale: string) => string | undefined

/** A mail, or what a variant says in one. */
type Said = MailDocument | VariantMail

/** The keys that it takes texts by, each once. */
export function catalogKeysIn(said: Said): string[] {
  const texts = Object.values(said.texts ?? {}).flatMap(({ nodes = {} }) => Object.values(nodes))
  return [...new Set(texts.flatMap((text) => ('blocks' in text && text.string !== undefined ? [text.string] : [])))]
}

/** The same with what the catalog says now; a text that it does not have says nothing, which the checks before sending name. */
export function withCatalogTexts<T extends Said>(said: T, textOf: CatalogText): T {
  return mapTexts(said, (text, key, locale) => ({ ...text, blocks: catalogBlocks(textOf(key, locale)) }))
}

/** The same without what the catalog said: as somebody writes it. */
export function withoutCatalogTexts<T extends Said>(said: T): T {
  return mapTexts(said, (text) => ({ ...text, blocks: [] }))
}

function mapTexts<T extends Said>(said: T, map: (text: RichText, key: string, locale: string) => RichText): T {
  if (catalogKeysIn(said).length === 0) return said
  const texts = Object.entries(said.texts ?? {}).map(([locale, { nodes = {}, ...rest }]) => {
    const mapped = Object.entries(nodes).map(([id, text]): [string, NodeText] => [
      id,
      'blocks' in text && text.string !== undefined ? map(text, text.string, locale) : text,
    ])
    return [locale, { ...rest, nodes: Object.fromEntries(mapped) }]
  })
  return { ...said, texts: Object.fromEntries(texts) }
}

/** What stands in a mail for a text of the catalog: a blank line ends a paragraph. */
export function catalogBlocks(text: string | undefined): TextBlock[] {
  if (text === undefined) return []
  return text.split(/\n[ \t]*\n/).map((paragraph) => ({ p: [{ v: paragraph.trim() }] }))
}
