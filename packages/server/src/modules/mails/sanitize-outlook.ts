/** What Outlook for Windows alone is shown of a mail: tags that need not be whole, because a table opens in one comment and closes in another. */
import { Token, Tokenizer, TokenizerMode, type TokenHandler } from 'parse5'
import { readDeclarations, readStyleSheet } from '@contentflow/core/mail/own-html/allowed-css.ts'
import { outlookElement, plainText, readAttribute } from '@contentflow/core/mail/own-html/allowed-html.ts'
import { escapeText, writeTag, type Attribute } from '@contentflow/core/mail/own-html/scan-html.ts'

type Cleaned = { html: string; dropped: { what: string; line: number }[] }

/** Elements whose words are dropped with them. */
const UNREAD = new Set(['script', 'iframe', 'noembed', 'noframes', 'xmp', 'textarea', 'title'])

/** `line` of what was dropped: from 1, within this HTML. */
export function cleanForOutlook(html: string): Cleaned {
  const cleaner = new OutlookCleaner()
  cleaner.read(html)
  return { html: cleaner.html, dropped: cleaner.dropped }
}

class OutlookCleaner implements TokenHandler {
  html = ''
  readonly dropped: { what: string; line: number }[] = []
  readonly #tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, this)
  /** The element whose words are read as they stand, up to its end. */
  #raw = ''
  #css = ''

  read(html: string): void {
    this.#tokenizer.write(html, true)
    // A style that nobody closed.
    this.#endRaw()
  }

  #note(what: string, token: Token.TagToken): void {
    this.dropped.push({ what, line: token.location?.startLine ?? 1 })
  }

  onStartTag(token: Token.TagToken): void {
    const name = token.tagName
    if (name === 'style' || UNREAD.has(name)) {
      this.#raw = name
      this.#css = ''
      this.#tokenizer.lastStartTagName = name
      this.#tokenizer.state = TokenizerMode.RAWTEXT
      if (name !== 'style') this.#note(`<${name}>`, token)
      return
    }
    const element = outlookElement(name)
    if (element === undefined) return this.#note(`<${name}>`, token)
    const attributes = token.attrs.flatMap(({ name: of, value }): Attribute[] => {
      const read = readAttribute(element, of, value)
      if (of === 'style') for (const what of readDeclarations(value).dropped) this.#note(`${what} in the style of <${name}>`, token)
      else if (read === undefined && value.trim() !== '') this.#note(`${of} of <${name}>`, token)
      return read === undefined ? [] : [{ name: of, value: read }]
    })
    this.html += writeTag(element, attributes, token.selfClosing)
  }

  onEndTag(token: Token.TagToken): void {
    if (this.#raw !== '') return this.#endRaw()
    const element = outlookElement(token.tagName)
    if (element !== undefined && element !== 'style') this.html += `</${element}>`
  }

  #endRaw(): void {
    if (this.#raw === 'style') {
      const { css, dropped } = readStyleSheet(plainText(this.#css))
      for (const what of dropped) this.dropped.push({ what: `${what} in <style>`, line: 1 })
      if (css !== '') this.html += `<style>${css}</style>`
    }
    this.#raw = ''
  }

  onCharacter(token: Token.CharacterToken): void {
    if (this.#raw === 'style') this.#css += token.chars
    else if (this.#raw === '') this.html += escapeText(plainText(token.chars))
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token)
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}
}
