/** Own HTML of a mail as plain text: every word that is shown, and where its links lead. */
import { linkNode, type MailView } from '../mail-view.ts'
import { UNSUBSCRIBE } from './allowed-html.ts'
import { linkPlaces } from './html-places.ts'
import { unescapeHtml, VOID_ELEMENTS } from './scan-html.ts'
import { attributeIn, visitShown } from './scan-stored.ts'

/** Elements that begin a line of their own. */
const BLOCKS = new Set(
  'address article aside blockquote caption center dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul'.split(
    ' ',
  ),
)
const UNREAD = new Set(['head', 'style', 'title'])
/** Between these, lines stay apart. */
const PARAGRAPHS = new Set('blockquote dl h1 h2 h3 h4 h5 h6 ol p ul'.split(' '))

type Means = Pick<MailView, 'hrefOf' | 'sourceOf' | 'unsubscribeUrl'>

/** With its tokens filled; what is hidden is left out, as is what Outlook alone is shown. */
export function textOfHtml(html: string, id: string, means: Means): string {
  const numbers = new Map(linkPlaces(html).map(({ from, number }) => [from, number]))
  const reader = new Reader(means.sourceOf)
  visitShown(html, {
    text: (raw) => reader.text(raw),
    open: (name, tag, from) => {
      const url = name === 'a' ? attributeIn(tag, 'href') : undefined
      const href =
        url === undefined ? undefined : url === UNSUBSCRIBE ? means.unsubscribeUrl : means.hrefOf(linkNode(id, numbers.get(from) ?? 0), url)
      reader.open(name, tag, href)
    },
    close: (name) => reader.close(name),
  })
  return reader.said()
}

class Reader {
  readonly #sourceOf: Means['sourceOf']
  readonly #lines: string[] = []
  #line = ''
  /** Elements that are open inside of one that is not read; 0: it is read. */
  #hidden = 0
  readonly #links: { href: string | undefined; words: string }[] = []

  constructor(sourceOf: Means['sourceOf']) {
    this.#sourceOf = sourceOf
  }

  text(raw: string): void {
    if (this.#hidden === 0) this.#say(unescapeHtml(raw).replaceAll(/(?:\s|\u{ad}|\u{34f}|\u{200c})+/gu, ' '))
  }

  #say(words: string): void {
    this.#line += words
    const link = this.#links.at(-1)
    if (link) link.words += words
  }

  open(name: string, tag: string, href: string | undefined): void {
    if (this.#hidden > 0 || UNREAD.has(name) || tag.includes('display:none') || tag.includes('mso-hide:all')) {
      if (!VOID_ELEMENTS.has(name)) this.#hidden++
      return
    }
    if (name === 'a') this.#links.push({ href, words: '' })
    else if (name === 'br') this.#end()
    else if (name === 'img') {
      const alt = attributeIn(tag, 'alt')
      if (alt !== undefined && this.#sourceOf(attributeIn(tag, 'src') ?? '') !== undefined) this.#say(alt)
    } else this.#break(name)
    if (name === 'li') this.#line = '- '
  }

  close(name: string): void {
    if (this.#hidden > 0) this.#hidden--
    else if (name === 'a') {
      const link = this.#links.pop()
      const words = link?.words.trim()
      if (link?.href !== undefined && words !== link.href) this.#say(words === '' ? link.href : ` (${link.href})`)
    } else this.#break(name)
  }

  #end(): void {
    this.#lines.push(this.#line.replaceAll(/ +/g, ' ').trim())
    this.#line = ''
  }

  #break(name: string): void {
    if (!BLOCKS.has(name) && !PARAGRAPHS.has(name)) return
    if (this.#line.trim() !== '') this.#end()
    if (PARAGRAPHS.has(name)) this.#lines.push('')
  }

  said(): string {
    this.#end()
    return this.#lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  }
}
