/** Products in a mail: a person's own, or content of the workspace, laid into it as sections like any others. */
import { isPlainObject, type Json } from '../../blocks/field.ts'
import { filledUrlFault, type LinkSchemes } from '../../blocks/links/link-schemes.ts'
import { imageFault } from '../../blocks/links/safe-url.ts'
import { writeTyped } from '../../messages/token.ts'
import { nameInMessage } from '../../messages/token-value.ts'
import { MOST_PRODUCTS, PRODUCT_PARTS, type Product, type ProductPart, type ProductSection } from './product-section.ts'
import type { FilledMail, MailColumn, MailDocument, MailNode, MailSection, NodeText } from '../document.ts'

/** The attributes of a person, by where they come from. */
type Attributes = { customAttributes: { [name: string]: unknown }; enrichment: { [name: string]: unknown } }
type Laying = { locale: string; attributes: Attributes; schemes: LinkSchemes }

/** The mail with its products as sections; without the sections that have none. Undefined: nothing is left but the footer. */
export function layProducts(mail: FilledMail, laying: Laying): FilledMail | undefined {
  if (!hasProducts(mail.document)) return mail
  const nodes: { [id: string]: NodeText } = { ...mail.texts.nodes }
  const sections = mail.document.sections.flatMap((section): MailSection[] => {
    if (section.type !== 'products') return [section]
    const products = productsOf(section, laying)
    return rowsOf(section, products.length).map((row) => ({
      id: `${section.id}.${row[0] ?? 0}`,
      type: 'section',
      columns: row.map((number, at) => columnOf(section, { number, product: products[number], nodes, at, locale: laying.locale })),
    }))
  })
  if (sections.every(({ type }) => type === 'footer')) return undefined
  return { document: { ...mail.document, sections }, texts: { ...mail.texts, nodes } }
}

function hasProducts({ sections }: Pick<MailDocument, 'sections'>): boolean {
  return sections.some(({ type }) => type === 'products')
}

/** For a mail that is drawn for nobody: as many products as there may be, which say what they are. */
export function exampleAttributes({ sections }: Pick<MailDocument, 'sections'>): Attributes {
  const product = {
    name: 'Product',
    image: 'https://example.com/product.png',
    price: 100,
    currency: 'SAR',
    url: 'https://example.com/product',
  }
  const traits = sections.flatMap((section) => (section.type === 'products' && 'trait' in section.source ? [section.source.trait] : []))
  const items = Array.from({ length: MOST_PRODUCTS }, (_, index) => ({ ...product, name: `${product.name} ${index + 1}` }))
  return { customAttributes: Object.fromEntries(traits.map((name) => [name, items])), enrichment: {} }
}

function productsOf({ source, limit }: ProductSection, { locale, attributes, schemes }: Laying): Product[] {
  if ('trait' in source) return productsOfTrait(source.trait, attributes, schemes).slice(0, limit)
  const items = new Map(Object.entries(source.items ?? {}))
  return (items.get(locale) ?? []).slice(0, limit)
}

/** What an app said of them is read as if it were said by a stranger: a product without a name is none, and addresses are whole ones. */
function productsOfTrait(name: string, { customAttributes, enrichment }: Attributes, schemes: LinkSchemes): Product[] {
  const found = [customAttributes, enrichment].find((each) => Object.hasOwn(each, name))?.[name]
  if (!Array.isArray(found)) return []
  return found.slice(0, MOST_PRODUCTS).flatMap((item: unknown): Product[] => {
    if (!isPlainObject(item)) return []
    const said = nameInMessage(textOf(item['name']))
    if (said === '') return []
    return [{ name: said, ...addressesOf(item, schemes), ...priceOf(textOf(item['price']), textOf(item['currency'])) }]
  })
}

/** Those that lead somewhere in a mail: pages and pictures of the web. */
export function addressesOf(item: { [name: string]: Json }, schemes: LinkSchemes): Pick<Product, 'image' | 'url'> {
  const [image, url] = [textOf(item['image']), textOf(item['url'])]
  const isWhole = (text: string) => /^https:\/\//i.test(text)
  return {
    ...(isWhole(image) && imageFault(image) === undefined && { image }),
    ...(isWhole(url) && filledUrlFault('', url, schemes) === undefined && { url }),
  }
}

export function priceOf(price: string, currency: string): Pick<Product, 'price' | 'currency'> {
  if (price.trim() === '' || !Number.isFinite(Number(price))) return {}
  return { price, ...(/^[A-Z]{3}$/.test(currency) && { currency }) }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** Numbers of products, row by row; a row that is not full has places without one. */
function rowsOf({ columns }: ProductSection, count: number): number[][] {
  const rows = Array.from({ length: Math.ceil(count / columns) }, (_, row) => row * columns)
  return rows.map((first) => Array.from({ length: columns }, (_, at) => first + at))
}

/** Percent of a row. */
const WIDTHS = { 1: [100], 2: [50, 50], 3: [33, 34, 33] } as const

type Placing = { number: number; product: Product | undefined; nodes: { [id: string]: NodeText }; at: number; locale: string }

function columnOf({ id, columns, show }: ProductSection, { number, product, nodes, at, locale }: Placing): MailColumn {
  const width = WIDTHS[columns][at] ?? 100
  if (!product) return { width, nodes: [] }
  const { name, image, price, currency, url } = product
  const said: { [part in ProductPart]: { node: MailNode; text: NodeText } | undefined } = {
    image:
      image === undefined
        ? undefined
        : { node: { id: '', type: 'image' }, text: { src: image, alt: name, ...(url !== undefined && { url }) } },
    name: { node: { id: '', type: 'heading', level: 3 }, text: { blocks: [{ p: [{ v: name }] }] } },
    price:
      price === undefined
        ? undefined
        : { node: { id: '', type: 'text' }, text: { blocks: [{ p: [{ v: priceWords(price, currency, locale) }] }] } },
    button: url === undefined ? undefined : { node: { id: '', type: 'button' }, text: { label: viewWords(locale), url } },
  }
  const drawn = PRODUCT_PARTS.flatMap((part): MailNode[] => {
    const of = show.includes(part) ? said[part] : undefined
    if (!of) return []
    const place = `${id}.${number + 1}.${part}`
    nodes[place] = of.text
    return [{ ...of.node, id: place }]
  })
  return { width, nodes: drawn }
}

function priceWords(price: string, currency: string | undefined, locale: string): string {
  return writeTyped(price, currency === undefined ? 'number' : { currency }, locale) ?? price
}

function viewWords(locale: string): string {
  return locale.toLowerCase().startsWith('ar') ? 'عرض' : 'View'
}

/** What an instance of a block says in a language; undefined: it is not there, or no product. */
export type ProductItems = (block: string, instance: string, locale: string) => Product | undefined

/** The mail with what the content of its products says now, in each of its languages. */
export function withItems(mail: MailDocument, itemOf: ProductItems): MailDocument {
  return mapSources(mail, ({ block, instances }) => {
    const items = Object.keys(mail.texts).map((locale) => [locale, instances.flatMap((id) => itemOf(block, id, locale) ?? [])])
    return { block, instances, items: Object.fromEntries(items) }
  })
}

/** As somebody writes it; what a variant says in a mail has no products. */
export function withoutItems<T extends object>(said: T): T {
  return mapSources(said, ({ block, instances }) => ({ block, instances }))
}

type OfBlock = Extract<ProductSection['source'], { block: string }>

function mapSources<T extends object>(said: T, map: (source: OfBlock) => OfBlock): T {
  const before = 'sections' in said ? (said.sections as MailSection[]) : []
  if (!hasProducts({ sections: before })) return said
  const sections = before.map((section) =>
    section.type === 'products' && 'block' in section.source ? { ...section, source: map(section.source) } : section,
  )
  return { ...said, sections }
}
