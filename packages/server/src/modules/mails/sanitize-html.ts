/**
 * Cleans HTML that somebody brings for a mail (decision 73). It is read as browsers read it, and what `core/mail/own-html`
 * allows of the tree is written anew; the rest is left out and reported. Whatever comes out is held to `htmlFault`, which
 * needs no tree.
 */
import { defaultTreeAdapter, html as NAMESPACES, parse, parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { readStyleSheet, readDeclarations } from '@contentflow/core/mail/own-html/allowed-css.ts'
import { isBodyElement, plainText, readAttribute, readCondition, readMeta } from '@contentflow/core/mail/own-html/allowed-html.ts'
import { DEEPEST, htmlFault, MOST_ELEMENTS, type HtmlKind } from '@contentflow/core/mail/own-html/html-fault.ts'
import { DOCTYPE, escapeText, VOID_ELEMENTS, writeTag, type Attribute } from '@contentflow/core/mail/own-html/scan-html.ts'
import { cleanForOutlook } from './sanitize-outlook.ts'

/** `line`: from 1, in the HTML that was sent. */
export type Removed = { what: string; line: number }
/** `title`: of the page; '' where it has none. */
export type Sanitized = { ok: true; html: string; removed: Removed[]; title: string; lang: string } | { ok: false; error: string }

/** Parts of the report; more are left out of it. */
const REPORTED = 200
/** Some HTML is read another way once it was written; it settles in a round or two. */
const ROUNDS = 5

/** Elements whose words are none of the mail's. */
const DROPPED_WHOLE = new Set(
  (
    'script style iframe object embed applet svg math template noscript noembed noframes textarea select datalist title audio video ' +
    'canvas frameset head link base meta input source track param xmp plaintext listing'
  ).split(' '),
)

class TooMuch extends Error {}

function tooDeep(): TooMuch {
  return new TooMuch(`the HTML must have at most ${DEEPEST} elements in each other`)
}

/** Takes time in proportion to the HTML: a tree that is too deep or too large is given up while it is read. */
export function sanitizeHtml(html: string, kind: HtmlKind): Sanitized {
  try {
    const first = cleanOnce(html, kind)
    let { html: written } = first
    for (let round = 1; round < ROUNDS; round++) {
      const { html: again } = cleanOnce(written, kind)
      if (again === written) return settled(written, kind, first)
      written = again
    }
    return {
      ok: false,
      error: 'the HTML cannot be read the same way twice: its elements are closed in another order than they were opened',
    }
  } catch (error) {
    if (error instanceof TooMuch) return { ok: false, error: error.message }
    throw error
  }
}

function settled(html: string, kind: HtmlKind, { removed, title, lang }: Cleaner): Sanitized {
  const fault = htmlFault(html, kind)
  return fault
    ? { ok: false, error: `line ${fault.line}: ${fault.says}` }
    : { ok: true, html, removed: removed.toSorted((a, b) => a.line - b.line), title, lang }
}

function cleanOnce(html: string, kind: HtmlKind): Cleaner & { html: string } {
  const cleaner = new Cleaner()
  const written = kind === 'mail' ? cleaner.page(parse(html, parserOptions())) : cleaner.part(parseFragment(html, parserOptions()))
  return Object.assign(cleaner, { html: written })
}

/** Counts what is open and what was made, and ends the reading where it is too much. */
function parserOptions() {
  let [depth, elements] = [0, 0]
  return {
    scriptingEnabled: false,
    sourceCodeLocationInfo: true,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement: (...made: Parameters<typeof defaultTreeAdapter.createElement>) => {
        if (++elements > MOST_ELEMENTS) throw new TooMuch(`the HTML must have at most ${MOST_ELEMENTS} elements`)
        return defaultTreeAdapter.createElement(...made)
      },
      onItemPush: () => {
        if (++depth > DEEPEST) throw tooDeep()
      },
      onItemPop: () => void depth--,
    },
  }
}

class Cleaner {
  readonly removed: Removed[] = []
  title = ''
  lang = ''
  /** Styles stand in the head, wherever they were. */
  #styles = ''
  #depth = 0

  page(document: Tree.Document): string {
    const root = document.childNodes.find((node): node is Tree.Element => node.nodeName === 'html')
    const [head, body] = ['head', 'body'].map((name) =>
      root?.childNodes.find((node): node is Tree.Element => node.nodeName === name && 'attrs' in node),
    )
    if (!root || !body) throw new TooMuch('the HTML must have a body')
    for (const node of [...document.childNodes, ...root.childNodes])
      if (node !== root && node !== head && node !== body && node.nodeName === '#comment') this.#note('a comment', node)
    const said = this.#nodes(body.childNodes, true)
    const before = head ? this.#head(head) : ''
    this.lang = root.attrs.find(({ name }) => name === 'lang')?.value ?? ''
    const meta = '<meta charset="utf-8">'
    const styles = this.#styles === '' ? '' : `<style>${this.#styles}</style>`
    return `${DOCTYPE}${this.#tag(root)}<head>${meta}${before}${styles}</head>${this.#tag(body)}${said}</body></html>`
  }

  part(fragment: Tree.DocumentFragment): string {
    return this.#nodes(fragment.childNodes, false)
  }

  #note(what: string, node: Tree.Node): void {
    if (this.removed.length < REPORTED)
      this.removed.push({ what: what.slice(0, 200), line: ('sourceCodeLocation' in node && node.sourceCodeLocation?.startLine) || 1 })
  }

  #head(head: Tree.Element): string {
    let written = ''
    for (const node of head.childNodes) {
      if (node.nodeName === '#comment' && 'data' in node) written += this.#comment(node)
      else if (!('tagName' in node)) continue
      else if (node.tagName === 'title') {
        this.title = plainText(textIn(node)).replaceAll(/\s+/g, ' ').trim()
        if (this.title !== '') written += `<title>${escapeText(this.title)}</title>`
      } else if (node.tagName === 'meta') written += this.#meta(node)
      else if (node.tagName === 'style') this.#style(node)
      else this.#note(`<${node.tagName}>`, node)
    }
    return written
  }

  #meta(node: Tree.Element): string {
    const said = (name: string) => node.attrs.find((each) => each.name === name)?.value ?? ''
    const meta = readMeta(said('name'), said('content'))
    if (meta)
      return writeTag('meta', [
        { name: 'name', value: meta.name },
        { name: 'content', value: meta.content },
      ])
    // The character set is said by every mail.
    if (said('charset') === '' && said('http-equiv').toLowerCase() !== 'content-type') this.#note('<meta>', node)
    return ''
  }

  #style(node: Tree.Element): void {
    const { css, dropped } = readStyleSheet(plainText(textIn(node)))
    for (const what of dropped) this.#note(`${what} in <style>`, node)
    this.#styles += css
  }

  #nodes(nodes: readonly Tree.ChildNode[], mayHaveStyles: boolean): string {
    return nodes.map((node) => this.#node(node, mayHaveStyles)).join('')
  }

  /** As deep as the tree, which is bounded. */
  #node(node: Tree.ChildNode, mayHaveStyles: boolean): string {
    if ('value' in node) return escapeText(plainText(node.value))
    if ('data' in node) return this.#comment(node)
    if (!('tagName' in node)) return ''
    const { tagName: name } = node
    const isHtml = node.namespaceURI === NAMESPACES.NS.HTML
    if (isHtml && name === 'style' && mayHaveStyles) {
      this.#style(node)
      return ''
    }
    if (!isHtml || DROPPED_WHOLE.has(name)) {
      this.#note(`<${name}>`, node)
      return ''
    }
    const inner = () => this.#inner(node, mayHaveStyles)
    if (!isBodyElement(name)) {
      this.#note(`<${name}>`, node)
      return inner()
    }
    const tag = this.#tag(node)
    if (VOID_ELEMENTS.has(name)) return tag
    // A line break behind `<pre>` is none to whoever reads it.
    return `${tag}${name === 'pre' ? inner().replace(/^\n+/, '') : inner()}</${name}>`
  }

  /** What is mended of wrong HTML may be deeper than what was open at once. */
  #inner(node: Tree.Element, mayHaveStyles: boolean): string {
    if (++this.#depth > DEEPEST) throw tooDeep()
    const written = this.#nodes(node.childNodes, mayHaveStyles)
    this.#depth--
    return written
  }

  #tag(node: Tree.Element): string {
    const attributes = node.attrs.flatMap(({ name: local, prefix, value }): Attribute[] => {
      const name = prefix ? `${prefix}:${local}` : local
      const read = readAttribute(node.tagName, name, value)
      if (name === 'style') {
        for (const what of readDeclarations(value).dropped) this.#note(`${what} in the style of <${node.tagName}>`, node)
      } else if (read === undefined && value.trim() !== '') this.#note(`${name} of <${node.tagName}>`, node)
      return read === undefined ? [] : [{ name, value: read }]
    })
    return writeTag(node.tagName, attributes)
  }

  #comment(node: Tree.CommentNode): string {
    const { data } = node
    if (/^\[if [^\]<>]{1,60}\]><!(?:--\s*)?$/.test(data)) {
      const condition = readCondition(data.slice(4, data.indexOf(']')))
      if (condition !== undefined) return `<!--[if ${condition}]><!-->`
    }
    if (/^\s*<!\[endif\]\s*$/.test(data)) return '<!--<![endif]-->'
    const hidden = /^\[if ([^\]<>]{1,60})\]>([^]*)<!\[endif\]$/.exec(data)
    const condition = hidden && readCondition(hidden[1] ?? '')
    if (!hidden || condition === undefined || condition === null) {
      // What nobody is shown is nothing that somebody misses, unless Outlook was meant.
      if (/\[if\b|\[endif\b/i.test(data)) this.#note('a condition', node)
      return ''
    }
    const line = node.sourceCodeLocation?.startLine ?? 1
    const { html, dropped } = cleanForOutlook(hidden[2] ?? '')
    for (const { what, line: below } of dropped)
      if (this.removed.length < REPORTED) this.removed.push({ what: `${what} for Outlook`.slice(0, 200), line: line + below - 1 })
    return `<!--[if ${condition}]>${html}<![endif]-->`
  }
}

function textIn(node: Tree.Element): string {
  return node.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
}
