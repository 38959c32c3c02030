import { isDesignBlock, type DesignBlock } from './design-block.ts'
import { roleOf, type Role } from './field-role.ts'
import { formatPrice } from './format-price.ts'
import { readImageAddress, readLink, type Link } from './read-link.ts'
import { readLook, type Look } from './read-look.ts'
import { humanize, linkStem, wordsOf } from './tag-words.ts'
import { itemCountText, linkWord, wordOf, type Words } from './words.ts'

export type Picture = {
  tag: string
  /** Undefined: the picture is missing or its address is not allowed. */ src: string | undefined
  alt: string
}
export type Action = { tag: string; stem: string; label: string; link: Link; /** Whether the block has a text for it. */ isNamed: boolean }
export type Paragraph = { tag: string; text: string; isList: boolean }

/** The content of a block, sorted by role. Every design draws from this and never looks at a tag itself. */
export type Content = {
  eyebrow: string | undefined
  title: string | undefined
  subtitle: string | undefined
  /** Body text, then every text whose tag says nothing known, in field order: no text of a customer is lost. */
  paragraphs: Paragraph[]
  pictures: Picture[]
  badge: string | undefined
  /** An offer such as `20%`. */
  discount: string | undefined
  state: string | undefined
  isSoldOut: boolean
  price: { now: string; was: string | undefined } | undefined
  code: string | undefined
  count: string | undefined
  actions: Action[]
  /** Text of a second button that only closes. */
  closeLabel: string | undefined
  collections: { tag: string; blocks: DesignBlock[] }[]
  look: Look
}

export type Reading = { locale: string; assetOrigin: string | undefined; words: Words | undefined }

/** Sorts the values of a block by their field descriptors. Values without a descriptor, or of another type than it says, are left out. */
export function readBlock(block: DesignBlock, reading: Reading): Content {
  const { values, fields } = block
  const texts = readTexts(block)
  const numbers = readNumbers(block)
  const toggle = (name: string) => fields.some(({ tag, type }) => isNamed(tag, name) && type === 'toggle' && own(values, tag) === true)
  const soldOut = fields.some(({ tag, type }) => isNamed(tag, 'in_stock') && type === 'toggle' && own(values, tag) === false)
  const title = texts.take('title')
  const currency = texts.take('currency')
  const content: Content = {
    eyebrow: texts.take('eyebrow'),
    title,
    subtitle: texts.take('subtitle'),
    paragraphs: [],
    pictures: readPictures(block, reading),
    badge: badgeText(texts.take('badge'), reading) ?? (toggle('is_new') ? wordOf('badge.new', reading.locale, reading.words) : undefined),
    discount: numbers.discount === undefined ? undefined : percentText(numbers.discount, reading.locale),
    state: stateText(texts.take('state'), reading),
    isSoldOut: soldOut,
    price: readPrice(numbers, texts, currency, reading),
    code: texts.take('code'),
    count: numbers.count === undefined ? undefined : itemCountText(numbers.count, reading.locale, reading.words),
    actions: readActions(block, reading),
    closeLabel: texts.take('closeLabel'),
    collections: fields
      .filter(({ type }) => type === 'collection')
      .map(({ tag }) => ({ tag, blocks: asArray(own(values, tag)).filter(isDesignBlock) })),
    look: readLook(block),
  }
  content.paragraphs = texts.rest()
  return title === undefined ? withFirstLineAsTitle(content) : content
}

type Text = { tag: string; role: Role; text: string }

/** The texts of a block: each role is taken once, and texts without a role are body text. */
function readTexts({ values, fields }: DesignBlock): { take: (role: Role) => string | undefined; rest: () => Paragraph[] } {
  const linkStems = new Set(fields.filter(({ type }) => type === 'url').map(({ tag }) => linkStem(tag)))
  const texts: Text[] = fields.flatMap((field) => {
    const value = own(values, field.tag)
    const isTextual = field.type === 'text' || field.type === 'textarea' || field.type === 'select'
    if (!isTextual || typeof value !== 'string' || value.trim() === '') return []
    const role = roleOf(field)
    return [{ tag: field.tag, role: role === 'linkLabel' && !isButtonText(field.tag, linkStems) ? 'body' : role, text: value }]
  })
  const taken = new Set<Text>()
  const hidden: ReadonlySet<Role> = new Set(['alt', 'closeLabel', 'currency', 'linkLabel', 'setting', 'state', 'badge'])
  return {
    take: (role) => {
      const found = texts.find((text) => text.role === role)
      if (found) taken.add(found)
      return found?.text
    },
    rest: () =>
      texts
        .filter((text) => !taken.has(text) && !hidden.has(text.role))
        .map(({ tag, role, text }) => ({ tag, text, isList: role === 'list' })),
  }
}

/** `#fabric_label` without a `#fabric_url` is no text of a button but a text like any other. */
function isButtonText(tag: string, linkStems: ReadonlySet<string>): boolean {
  const stem = linkStem(tag)
  return stem === '' || stem === 'cta' || stem === 'action' || stem === 'primary' || linkStems.has(stem) || linkStems.size === 1
}

type Numbers = { [role in 'price' | 'wasPrice' | 'discount' | 'count']?: number }

function readNumbers({ values, fields }: DesignBlock): Numbers {
  const numbers: Numbers = {}
  for (const field of fields) {
    const value = own(values, field.tag)
    if (field.type !== 'number' || typeof value !== 'number' || !Number.isFinite(value)) continue
    const role = roleOf(field)
    if (role === 'price' || role === 'wasPrice' || role === 'discount' || role === 'count') numbers[role] ??= value
  }
  return numbers
}

function readPrice(
  numbers: Numbers,
  texts: { take: (role: Role) => string | undefined },
  currency: string | undefined,
  { locale }: Reading,
): Content['price'] {
  const text = (amount: number | undefined) => (amount === undefined ? undefined : formatPrice(amount, currency, locale))
  const now = text(numbers.price) ?? texts.take('price')
  if (now === undefined) return undefined
  const isLower = numbers.price === undefined || numbers.wasPrice === undefined || numbers.wasPrice > numbers.price
  return { now, was: isLower ? (text(numbers.wasPrice) ?? texts.take('wasPrice')) : undefined }
}

/** Every image field, also an empty one: its place is drawn. A text such as `#image_alt` belongs to the image whose words it shares. */
function readPictures({ values, fields }: DesignBlock, { assetOrigin }: Reading): Picture[] {
  const images = fields.filter(({ type }) => type === 'image')
  return images.map(({ tag }, index) => {
    const stem = wordsOf(tag).join(' ')
    const alt = fields.find((field) => field.type === 'text' && isAltOf(field.tag, stem, index === 0))
    const text = alt ? own(values, alt.tag) : undefined
    return { tag, src: readImageAddress(own(values, tag), assetOrigin), alt: typeof text === 'string' ? text : '' }
  })
}

function isAltOf(tag: string, imageStem: string, isFirst: boolean): boolean {
  const words = wordsOf(tag)
  if (!words.includes('alt')) return false
  const stem = words.filter((word) => word !== 'alt' && word !== 'text').join(' ')
  return stem === imageStem || (isFirst && stem === '')
}

/** Every url field that leads somewhere safe. Its text is the label with the same stem; a label without a link is no button. */
function readActions({ values, fields }: DesignBlock, { locale, words }: Reading): Action[] {
  const urls = fields.filter(({ type }) => type === 'url')
  const labels = fields.filter((field) => field.type === 'text' && roleOf(field) === 'linkLabel')
  const loneLabel = labels.length === 1 && urls.length === 1 ? labels[0] : undefined
  return urls.flatMap(({ tag }) => {
    const link = readLink(own(values, tag))
    if (!link) return []
    const stem = linkStem(tag)
    const label = labels.find((field) => linkStem(field.tag) === stem) ?? loneLabel
    const text = label ? own(values, label.tag) : undefined
    const isNamed = typeof text === 'string' && text.trim() !== ''
    return [{ tag, stem, link, isNamed, label: isNamed ? text : linkWord(stem, link.kind, locale, words) }]
  })
}

function badgeText(code: string | undefined, { locale, words }: Reading): string | undefined {
  if (code === undefined || code === 'none' || code === 'no') return undefined
  const known = wordOf(`badge.${code}`, locale, words)
  return known ?? (/^[a-z0-9_]+$/.test(code) ? humanize(code) : code)
}

/** A state is often meant for the app alone, so only the known ones are shown. */
function stateText(code: string | undefined, { locale, words }: Reading): string | undefined {
  return code === undefined ? undefined : wordOf(`state.${code}`, locale, words)
}

function percentText(percent: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(percent / 100)
}

/** A block with texts but no title, such as a toast with `#text`: its first single line becomes the title. */
function withFirstLineAsTitle(content: Content): Content {
  if (content.subtitle !== undefined) return { ...content, title: content.subtitle, subtitle: undefined }
  const first = content.paragraphs[0]
  if (!first || first.isList || first.text.includes('\n')) return content
  return { ...content, title: first.text, paragraphs: content.paragraphs.slice(1) }
}

function isNamed(tag: string, name: string): boolean {
  return wordsOf(tag).join('_') === name
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Tags come from outside: a plain look-up would find what every object inherits. */
function own(values: { readonly [tag: string]: unknown }, tag: string): unknown {
  return Object.hasOwn(values, tag) ? values[tag] : undefined
}

/** Links without a text that mean the block itself, so a press anywhere on it follows them. */
const WHOLE_STEMS = new Set(['', 'cta', 'page', 'product', 'item', 'category', 'action', 'app', 'screen', 'open', 'deep', 'web'])

/** The link of a whole card, tile, banner or hero: the first one without a text of its own that opens a place. */
export function wholeLinkOf({ actions }: Content): Action | undefined {
  return actions.find(({ isNamed, stem, link }) => !isNamed && WHOLE_STEMS.has(stem) && link.kind !== 'mail' && link.kind !== 'phone')
}
