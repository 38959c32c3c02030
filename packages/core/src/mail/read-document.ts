/** Reads a mail of sections as somebody sends it: exactly the members of `document.ts`, within the bounds of `LIMITS`. */
import { isPlainObject, textLength, type JsonObject } from '../blocks/field.ts'
import { imageFault, urlFault } from '../blocks/links/safe-url.ts'
import { readProducts } from './products/read-products.ts'
import { Fault, fault, integer, object, oneOf, shown } from '../journeys/read-values.ts'
import { LIMITS } from '../limits.ts'
import { foldTag, languageTag } from '../locale/language-tag.ts'
import { faultOfLocale } from '../messages/content.ts'
import {
  ALIGNMENTS,
  MAIL_KINDS,
  NODE_TYPES,
  TEXT_OF,
  type Alignment,
  type Colour,
  type MailColumn,
  type MailDocument,
  type MailNode,
  type MailSection,
  type MailTexts,
  type NodeText,
  type TextBlock,
  type TextRun,
} from './document.ts'

const PART_ID = /^[A-Za-z0-9_-]{1,40}$/
import { readHtml, readHtmlMail } from './read-html.ts'

export type ReadMail = { ok: true; value: MailDocument } | { ok: false; error: string }

/** `at`: the member of the body that holds the mail; a refusal names the place below it, such as `mail.sections[3].columns[0].width`. */
export function readMail(at: string, value: unknown): ReadMail {
  try {
    return { ok: true, value: readDocument(at, value) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { ok: false, error: error.message }
  }
}

function readDocument(at: string, value: unknown): MailDocument {
  const sent = object(at, value, ['version', 'kind', 'sections', 'texts'])
  const isHtml = sent['kind'] === 'html'
  const most = isHtml ? LIMITS.mailHtmlCharacters : LIMITS.mailCharacters
  if (JSON.stringify(sent).length > most) fault(`${at} must have at most ${most} characters as JSON`)
  if (sent['version'] !== 1) fault(`${at}.version must be 1`)
  oneOf(`${at}.kind`, sent['kind'], MAIL_KINDS)
  if (isHtml) {
    if (sent['sections'] !== undefined) list(`${at}.sections`, sent['sections'], 0)
    return { version: 1, kind: 'html', sections: [], texts: readTexts(`${at}.texts`, sent['texts'], 'html') }
  }
  const sections = withFooter(
    list(`${at}.sections`, sent['sections'], LIMITS.mailSections).map((each, index) => readSection(`${at}.sections[${index}]`, each)),
  )
  const parts = sections.filter(({ type }) => type === 'part').length
  if (parts > LIMITS.mailParts) fault(`${at}.sections must have at most ${LIMITS.mailParts} saved parts`)
  const nodes = checkIds(at, sections)
  return { version: 1, kind: 'sections', sections, texts: readTexts(`${at}.texts`, sent['texts'], nodes) }
}

/** No mail goes without the link by which people leave: a footer that nobody put in stands at the end. */
function withFooter(sections: MailSection[]): MailSection[] {
  if (sections.some(({ type }) => type === 'footer')) return sections
  const taken = new Set(sections.map(({ id }) => id))
  let id = 'footer'
  for (let number = 2; taken.has(id); number++) id = `footer-${number}`
  return [...sections, { id, type: 'footer' }]
}

/** Every id once: of the sections, and of the nodes, which are counted. */
function checkIds(at: string, sections: readonly MailSection[]): Map<string, MailNode> {
  const ids = new Set<string>()
  const nodes = new Map<string, MailNode>()
  const take = (where: string, id: string) => (ids.has(id) ? fault(`${where}.id ${shown(id)} is there twice`) : ids.add(id))
  sections.forEach((section, number) => {
    const here = `${at}.sections[${number}]`
    take(here, section.id)
    if (section.type === 'footer') {
      if (number < sections.length - 1) fault(`${here} must be the last section: a mail ends with its footer, and has one`)
      return
    }
    if (section.type !== 'section') return
    section.columns.forEach((column, at1) =>
      column.nodes.forEach((node, at2) => {
        take(`${here}.columns[${at1}].nodes[${at2}]`, node.id)
        nodes.set(node.id, node)
      }),
    )
  })
  if (nodes.size > LIMITS.mailNodes) fault(`${at} must have at most ${LIMITS.mailNodes} nodes`)
  return nodes
}

function readSection(at: string, value: unknown): MailSection {
  const type = oneOf(`${at}.type`, isPlainObject(value) ? value['type'] : undefined, ['section', 'products', 'part', 'footer'])
  if (type === 'part') return readPart(at, object(at, value, ['id', 'type', 'part']))
  if (type === 'footer') return { id: readId(at, object(at, value, ['id', 'type'])), type }
  if (type === 'products') return readProductSection(at, value)
  const sent = object(at, value, ['id', 'type', 'columns', 'background', 'padding', 'keepColumns', 'showTo'])
  const columns = list(`${at}.columns`, sent['columns'], LIMITS.mailColumns).map((each, index) =>
    readColumn(`${at}.columns[${index}]`, each),
  )
  if (columns.length === 0) fault(`${at}.columns must have at least one column`)
  const total = columns.reduce((sum, { width }) => sum + width, 0)
  if (total !== 100) fault(`${at}.columns: their widths must make 100 percent, and make ${total}`)
  const { background, padding, keepColumns, showTo } = sent
  return {
    id: readId(at, sent),
    type,
    columns,
    ...(background !== undefined && { background: readColour(`${at}.background`, background) }),
    ...(padding !== undefined && { padding: integer(`${at}.padding`, padding, { min: 0, max: 64 }) }),
    ...(keepColumns !== undefined && { keepColumns: flag(`${at}.keepColumns`, keepColumns) }),
    ...(showTo !== undefined && { showTo: readSegment(`${at}.showTo`, showTo) }),
  }
}

function readPart(at: string, sent: JsonObject): MailSection {
  const { part } = sent
  return typeof part === 'string' && PART_ID.test(part)
    ? { id: readId(at, sent), type: 'part', part }
    : fault(`${at}.part must be the id of a saved part`)
}

function readProductSection(at: string, value: unknown): MailSection {
  const read = readProducts(at, value)
  const { showTo, ...sent } = value as JsonObject
  return { id: readId(at, sent), ...read, ...(showTo !== undefined && { showTo: readSegment(`${at}.showTo`, showTo) }) }
}

function readSegment(at: string, value: unknown): string {
  const name = string(at, value, LIMITS.segmentNameLength)
  return name.trim() === '' ? fault(`${at} must be the name of a segment`) : name
}

function readColumn(at: string, value: unknown): MailColumn {
  const sent = object(at, value, ['width', 'nodes'])
  const width = integer(`${at}.width`, sent['width'], { min: 5, max: 100 })
  return {
    width,
    nodes: list(`${at}.nodes`, sent['nodes'], LIMITS.mailNodes).map((each, index) => readNode(`${at}.nodes[${index}]`, each)),
  }
}

const NODE_MEMBERS: { [type in MailNode['type']]: readonly string[] } = {
  heading: ['level', 'align'],
  text: ['align'],
  image: ['width', 'align'],
  button: ['align', 'isWide'],
  divider: [],
  spacer: ['height'],
  logo: ['align'],
  social: ['align'],
  html: [],
}

function readNode(at: string, value: unknown): MailNode {
  const type = oneOf(`${at}.type`, isPlainObject(value) ? value['type'] : undefined, NODE_TYPES)
  const sent = object(at, value, ['id', 'type', ...NODE_MEMBERS[type]])
  const id = readId(at, sent)
  const { align, width, isWide } = sent
  const aligned: { align?: Alignment } = align === undefined ? {} : { align: oneOf(`${at}.align`, align, ALIGNMENTS) }
  if (type === 'heading') return { id, type, level: readLevel(`${at}.level`, sent['level']), ...aligned }
  if (type === 'text' || type === 'logo' || type === 'social') return { id, type, ...aligned }
  if (type === 'image')
    return { id, type, ...aligned, ...(width !== undefined && { width: integer(`${at}.width`, width, { min: 5, max: 100 }) }) }
  if (type === 'button') return { id, type, ...aligned, ...(isWide !== undefined && { isWide: flag(`${at}.isWide`, isWide) }) }
  if (type === 'spacer') return { id, type, height: integer(`${at}.height`, sent['height'], { min: 4, max: 96 }) }
  return { id, type }
}

function readLevel(at: string, value: unknown): 1 | 2 | 3 {
  return value === 1 || value === 2 || value === 3 ? value : fault(`${at} must be 1, 2 or 3`)
}

function readTexts(at: string, value: unknown, nodes: Map<string, MailNode> | 'html'): { [locale: string]: MailTexts } {
  if (!isPlainObject(value)) fault(`${at} must be an object with a member for each language`)
  const entries = Object.entries(value)
  if (entries.length === 0) fault(`${at} must have the texts of at least one language`)
  if (entries.length > LIMITS.mailLocales) fault(`${at} must have at most ${LIMITS.mailLocales} languages`)
  const folded = new Set<string>()
  const read = entries.map(([locale, texts]): [string, MailTexts] => {
    const wrong = faultOfLocale(locale)
    if (wrong !== undefined) fault(`${at}.${wrong}`)
    if (folded.has(foldTag(locale))) fault(`${at} has the language ${locale} twice`)
    folded.add(foldTag(locale))
    const here = `${at}.${locale}`
    return [languageTag(locale), nodes === 'html' ? readHtmlTextsOf(here, texts) : readTextsOf(here, texts, nodes)]
  })
  return Object.fromEntries(read)
}

/** Of a mail of own HTML: a subject, and a page. */
function readHtmlTextsOf(at: string, value: unknown): MailTexts {
  const sent = object(at, value, ['subject', 'preheader', 'html', 'nodes'])
  if (sent['nodes'] !== undefined) object(`${at}.nodes`, sent['nodes'], [])
  return { ...readHead(at, sent), nodes: {}, html: readHtmlMail(`${at}.html`, sent['html']) }
}

function readTextsOf(at: string, value: unknown, nodes: Map<string, MailNode>): MailTexts {
  const sent = object(at, value, ['subject', 'preheader', 'nodes'])
  const texts = sent['nodes'] ?? {}
  if (!isPlainObject(texts)) fault(`${at}.nodes must be an object with a text for each node`)
  const read = Object.entries(texts).map(([id, text]): [string, NodeText] => {
    const node = nodes.get(id)
    const here = `${at}.nodes[${shown(id)}]`
    return [id, node ? readNodeText(here, text, node) : fault(`${here} is no node of the mail`)]
  })
  return { ...readHead(at, sent), nodes: Object.fromEntries(read) }
}

function readHead(at: string, { subject, preheader }: JsonObject): Pick<MailTexts, 'subject' | 'preheader'> {
  return {
    subject: readSubject(`${at}.subject`, subject),
    ...(preheader !== undefined && { preheader: readSubject(`${at}.preheader`, preheader) }),
  }
}

/** A subject, or a preheader. */
export function readSubject(at: string, value: unknown): string {
  return string(at, value, LIMITS.mailSubjectLength)
}

export function readNodeText(at: string, value: unknown, { type }: Pick<MailNode, 'type'>): NodeText {
  const kind = TEXT_OF[type]
  if (kind === null) fault(`${at} belongs to a ${type}, which says nothing`)
  if (kind === 'button') {
    const { label, url } = object(at, value, ['label', 'url'])
    return { label: string(`${at}.label`, label, LIMITS.mailLabelLength), url: address(`${at}.url`, url, urlFault) }
  }
  if (kind === 'image') {
    const { src, alt, url } = object(at, value, ['src', 'alt', 'url'])
    return {
      src: address(`${at}.src`, src, imageFault),
      alt: string(`${at}.alt`, alt, LIMITS.mailAltLength),
      ...(url !== undefined && { url: address(`${at}.url`, url, urlFault) }),
    }
  }
  if (kind === 'html') return { html: readHtml(`${at}.html`, object(at, value, ['html'])['html']) }
  if (isPlainObject(value) && value['string'] !== undefined) return readCatalogText(at, value)
  const { blocks } = object(at, value, ['blocks'])
  const read = list(`${at}.blocks`, blocks, LIMITS.mailBlocks).map((each, index) => readBlock(`${at}.blocks[${index}]`, each))
  const length = JSON.stringify(read).length
  return length <= LIMITS.mailNodeCharacters ? { blocks: read } : fault(`${at} must have at most ${LIMITS.mailNodeCharacters} characters`)
}

/** Its blocks are what the catalog says, whatever was sent as them. */
function readCatalogText(at: string, value: JsonObject): NodeText {
  const { string: key } = object(at, value, ['string', 'blocks'])
  if (key === '') fault(`${at}.string must be the key of a text`)
  return { string: string(`${at}.string`, key, LIMITS.stringKeyLength), blocks: [] }
}

function readBlock(at: string, value: unknown): TextBlock {
  const sent = object(at, value, ['p', 'ul', 'ol'])
  const [kind, ...others] = Object.keys(sent)
  if (kind === undefined || others.length > 0) fault(`${at} must have one of p, ul, ol`)
  const runs = (here: string, each: unknown) => list(here, each, LIMITS.mailRuns).map((run, index) => readRun(`${here}[${index}]`, run))
  if (kind === 'p') return { p: runs(`${at}.p`, sent['p']) }
  const items = list(`${at}.${kind}`, sent[kind], LIMITS.mailRuns).map((each, index) => runs(`${at}.${kind}[${index}]`, each))
  return kind === 'ul' ? { ul: items } : { ol: items }
}

function readRun(at: string, value: unknown): TextRun {
  const sent = object(at, value, ['v', 'b', 'i', 'u', 's', 'url', 'color'])
  const run: TextRun = { v: string(`${at}.v`, sent['v'], LIMITS.mailNodeCharacters) }
  for (const mark of ['b', 'i', 'u', 's'] as const) if (sent[mark] !== undefined && flag(`${at}.${mark}`, sent[mark])) run[mark] = true
  if (sent['url'] !== undefined) run.url = address(`${at}.url`, sent['url'], urlFault)
  if (sent['color'] !== undefined) run.color = readColour(`${at}.color`, sent['color'])
  return run
}

function readId(at: string, { id }: JsonObject): string {
  return typeof id === 'string' && /^[A-Za-z0-9_-]{1,40}$/.test(id) ? id : fault(`${at}.id must be 1 to 40 letters, digits, _ and -`)
}

export function list(at: string, value: unknown, most: number): unknown[] {
  return Array.isArray(value) && value.length <= most ? value : fault(`${at} must be an array of at most ${most}`)
}

export function string(at: string, value: unknown, most: number): string {
  return typeof value === 'string' && textLength(value) <= most ? value : fault(`${at} must be a text of at most ${most} characters`)
}

function flag(at: string, value: unknown): boolean {
  return typeof value === 'boolean' ? value : fault(`${at} must be true or false`)
}

/** An address with a token is checked once it is filled; an empty one is a gap that the checks before sending name. */
export function address(at: string, value: unknown, faultOf: (text: string) => string | undefined): string {
  const text = string(at, value, LIMITS.mailAddressLength)
  const wrong = text === '' || text.includes('{{') ? undefined : faultOf(text)
  return wrong === undefined ? text : fault(`${at} ${wrong}`)
}

export function readColour(at: string, value: unknown): Colour {
  return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : fault(`${at} must be a colour such as #1d4ed8`)
}
