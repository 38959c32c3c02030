/** Which elements and attributes own HTML of a mail may hold, and the one form of each value. What is not named here is left out. */
import { imageFault, urlFault } from '../../blocks/links/safe-url.ts'
import { LIMITS } from '../../limits.ts'
import { readDeclarations } from './allowed-css.ts'

/** The link by which people leave: where it stands as a whole address, no footer is added. */
export const UNSUBSCRIBE = '{{unsubscribeUrl}}'

/** What a mail has around its words, each once; styles, titles and meta stand in its head. */
export const FRAME_ELEMENTS: ReadonlySet<string> = new Set(['html', 'head', 'body'])
export const HEAD_ELEMENTS: ReadonlySet<string> = new Set(['title', 'meta', 'style'])

const BODY_ELEMENTS = new Set(
  (
    'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del div dl dt em ' +
    'figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small span ' +
    'strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr'
  ).split(' '),
)

/** Elements that Outlook for Windows alone is shown, by their names in small letters; besides those of the body. */
const OUTLOOK_NAMES = new Map(
  (
    'xml o:OfficeDocumentSettings o:AllowPNG o:PixelsPerInch v:rect v:roundrect v:oval v:fill v:stroke v:textbox v:image ' +
    'v:background w:anchorlock style'
  )
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
)

export function isBodyElement(name: string): boolean {
  return BODY_ELEMENTS.has(name)
}

/** The name of an element as Outlook is told it; undefined: it may not stand there. */
export function outlookElement(name: string): string | undefined {
  return OUTLOOK_NAMES.get(name.toLowerCase()) ?? (BODY_ELEMENTS.has(name.toLowerCase()) ? name.toLowerCase() : undefined)
}

type Reader = (value: string) => string | undefined

/** Not to be read or shown, but read by programs. */
// eslint-disable-next-line no-control-regex -- these are the characters to leave out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** Text without what no mail needs. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(CONTROLS, '')
}

const matching =
  (pattern: RegExp, isFolded = true): Reader =>
  (value) => {
    const said = isFolded ? value.trim().toLowerCase() : value.trim()
    return pattern.test(said) ? said : undefined
  }

const text: Reader = (value) => (value.length <= LIMITS.mailAddressLength ? plainText(value).replaceAll(/\s/g, ' ') : undefined)
const size = matching(/^\d{1,5}(?:\.\d{1,4})?(?:px|%|em|pt)?$/)
const colour = matching(/^#?[a-z0-9]{1,30}$/)
const word = matching(/^[a-z-]{1,30}$/)
const number = matching(/^-?\d{1,6}$/)
const names = matching(/^[a-zA-Z0-9_ -]{0,200}$/, false)
const simple = matching(/^[a-zA-Z0-9#%., -]{0,60}$/, false)
const style: Reader = (value) => readDeclarations(value).css || undefined

/** A token stands for what is filled in; only what is around it can be judged here. */
function judged(value: string, faultOf: (address: string) => string | undefined): string | undefined {
  const address = value.trim()
  if (address.length > LIMITS.mailAddressLength || address === '') return undefined
  if (/^\{\{\s*unsubscribeUrl\s*\}\}$/.test(address)) return UNSUBSCRIBE
  const [, behind] = /^\{\{[^{}]*\}\}(.*)$/s.exec(address) ?? []
  // What the token is filled with says the scheme; without a value nothing that stands behind it becomes one.
  if (behind !== undefined && !/^(?:[/?#]|$)/.test(behind)) return undefined
  if (behind !== undefined) return faultOf(`/x${withTokensAs(behind, 'x')}`) === undefined ? address : undefined
  return faultOf(withTokensAs(address, 'x')) === undefined ? address : undefined
}

function withTokensAs(text: string, stand: string): string {
  return text.replaceAll(/\{\{[^{}]*\}\}/g, stand)
}

export const readLink: Reader = (value) => judged(value, urlFault)
const picture: Reader = (value) => (value.includes('unsubscribeUrl') ? undefined : judged(value, imageFault))

/** Of every element. */
const COMMON = new Map<string, Reader>(
  Object.entries({
    style,
    class: names,
    id: names,
    dir: matching(/^(?:ltr|rtl|auto)$/),
    lang: matching(/^[a-zA-Z0-9-]{1,35}$/, false),
    title: text,
    align: word,
    valign: word,
    width: size,
    height: size,
    bgcolor: colour,
    role: word,
    'aria-label': text,
    'aria-hidden': word,
    'aria-roledescription': text,
  }),
)

const TABLE = { border: size, cellpadding: size, cellspacing: size, background: picture, summary: text }
const CELL = { colspan: number, rowspan: number, nowrap: matching(/^(?:nowrap)?$/), scope: word, abbr: text, background: picture }
const SHAPE = {
  href: readLink,
  src: picture,
  arcsize: simple,
  stroke: simple,
  stroked: simple,
  strokecolor: simple,
  strokeweight: simple,
  fill: simple,
  filled: simple,
  fillcolor: simple,
  inset: simple,
  color: simple,
  type: simple,
  aspect: simple,
  size: simple,
  origin: simple,
}
const XMLNS = {
  xmlns: matching(/^(?:http:\/\/www\.w3\.org\/1999\/xhtml)$/),
  'xmlns:v': matching(/^urn:schemas-microsoft-com:vml$/),
  'xmlns:o': matching(/^urn:schemas-microsoft-com:office:office$/),
  'xmlns:w': matching(/^urn:schemas-microsoft-com:office:word$/),
}

const OWN = new Map<string, Map<string, Reader>>(
  Object.entries<{ [name: string]: Reader }>({
    a: { href: readLink, target: matching(/^_blank$/), rel: names },
    img: { src: picture, alt: text, border: size, hspace: size, vspace: size },
    table: TABLE,
    td: CELL,
    th: CELL,
    tr: { background: picture },
    col: { span: number },
    colgroup: { span: number },
    ol: { start: number, type: simple },
    ul: { type: simple },
    li: { value: number, type: simple },
    hr: { size, color: colour, noshade: matching(/^(?:noshade)?$/) },
    font: { color: colour, face: matching(/^[\p{L}\p{N} ,'-]{1,200}$/u, false), size: matching(/^[+-]?\d$/) },
    time: { datetime: simple },
    html: XMLNS,
    body: { background: picture, text: colour, link: colour, vlink: colour, alink: colour },
  }).map(([name, readers]) => [name, new Map(Object.entries(readers))]),
)
const OF_SHAPES = new Map<string, Reader>(Object.entries<Reader>({ ...SHAPE, ...XMLNS }))

/** The value in the one form that is stored; undefined: the attribute is left out. `element`: as it is stored. */
export function readAttribute(element: string, name: string, value: string): string | undefined {
  if (HEAD_ELEMENTS.has(element)) return undefined
  const own = element.includes(':') ? OF_SHAPES : OWN.get(element)
  const read = (own?.get(name) ?? COMMON.get(name))?.(value)
  // Tokens are filled in texts and addresses; elsewhere they would stand in the mail as they are written.
  return read?.includes('{{') && !FILLED_ATTRIBUTES.has(name) ? undefined : read
}

export const FILLED_TEXTS: ReadonlySet<string> = new Set(['alt', 'title', 'aria-label', 'summary'])
export const PICTURES: ReadonlySet<string> = new Set(['src', 'background'])
const FILLED_ATTRIBUTES = new Set([...FILLED_TEXTS, ...PICTURES, 'href'])

const META_NAMES = new Set([
  'viewport',
  'color-scheme',
  'supported-color-schemes',
  'x-apple-disable-message-reformatting',
  'format-detection',
])

/** What a `meta` says as it is stored; undefined: it is left out. The character set is said by every mail. */
export function readMeta(name: string, content: string): { name: string; content: string } | undefined {
  const folded = name.trim().toLowerCase()
  const said = content.replaceAll(/\s+/g, ' ').trim()
  return META_NAMES.has(folded) && /^[a-zA-Z0-9 ,.=_-]{0,200}$/.test(said) ? { name: folded, content: said } : undefined
}

/** What Outlook for Windows and old browsers are asked; undefined: the comment is left out. */
export function readCondition(condition: string): string | undefined {
  const said = condition.replaceAll(/\s+/g, ' ').trim()
  const words = said.match(/[a-zA-Z0-9]+/g) ?? []
  const isKnown = words.length > 0 && words.every((each) => /^(?:mso|ie|vml|gte?|lte?|true|\d{1,2})$/i.test(each))
  return isKnown && /^[a-zA-Z0-9 ()|&!]{1,60}$/.test(said) ? said : undefined
}
