/** Tokens in own HTML of a mail: each is filled as the place it stands in needs it, in texts, in addresses and in attributes. */
import { FILLED_TEXTS, PICTURES, UNSUBSCRIBE } from './allowed-html.ts'
import { escapeText, unescapeHtml, writeTag } from './scan-html.ts'
import { attributesIn, nameOf } from './scan-stored.ts'

/** How texts, links and pictures get their values. */
export type FillHtml = { text(text: string): string; link(url: string): string; picture(url: string): string }

/** The same HTML with its tokens filled. The link by which people leave is filled when the mail is drawn. */
export function fillHtml(html: string, fill: FillHtml): string {
  const parts: string[] = []
  let done = 0
  for (let at = html.indexOf('{{'); at !== -1; at = html.indexOf('{{', done)) {
    // Angle brackets stand around tags alone, so the last one says whether this is a tag or a text.
    const [open, close] = [html.lastIndexOf('<', at), html.lastIndexOf('>', at)]
    const isTag = open > close
    const from = isTag ? open : close + 1
    const next = html.indexOf(isTag ? '>' : '<', at)
    const to = next === -1 ? html.length : isTag ? next + 1 : next
    const raw = html.slice(from, to)
    parts.push(html.slice(done, from), isTag ? fillTag(raw, fill) : escapeText(fill.text(unescapeHtml(raw))))
    done = to
  }
  return parts.join('') + html.slice(done)
}

function fillTag(tag: string, fill: FillHtml): string {
  const attributes = attributesIn(tag).map(({ name, value }) => {
    if (!value.includes('{{') || value === UNSUBSCRIBE) return { name, value }
    if (name === 'href') return { name, value: fill.link(value) }
    if (PICTURES.has(name)) return { name, value: fill.picture(value) }
    return { name, value: FILLED_TEXTS.has(name) ? fill.text(value).replaceAll(/\s/g, ' ') : value }
  })
  return writeTag(nameOf(tag), attributes, tag.endsWith('/>'))
}
