/** Own HTML of a mail as it is sent: links as they are heard of, whole addresses of pictures, and the way out. */
import { isRightToLeft } from '../../channels/channel.ts'
import { escape, footerLinks, trapHtml } from '../../messages/mail.ts'
import { linkNode, type MailView } from '../mail-view.ts'
import { PICTURES, UNSUBSCRIBE } from './allowed-html.ts'
import { hasUnsubscribe, linkPlaces } from './html-places.ts'
import { writeTag, type Attribute } from './scan-html.ts'
import { addressedTags, attributesIn, nameOf } from './scan-stored.ts'

/** The node whose links those of a whole mail of HTML are. */
export const HTML_NODE = 'html'

type Means = Pick<MailView, 'hrefOf' | 'sourceOf' | 'unsubscribeUrl'>

/** With its tokens filled. `id`: of the node that it is the text of. */
export function drawHtml(html: string, id: string, means: Means): string {
  const tags = addressedTags(html)
  if (tags.length === 0) return html
  const numbers = new Map(linkPlaces(html, tags).map(({ from, number }) => [from, number]))
  const parts: string[] = []
  let done = 0
  for (const { tag, from } of tags) {
    const hrefOf = (url: string) => means.hrefOf(linkNode(id, numbers.get(from) ?? 0), url)
    parts.push(html.slice(done, from), drawTag(tag, hrefOf, means))
    done = from + tag.length
  }
  return parts.join('') + html.slice(done)
}

function drawTag(tag: string, hrefOf: (url: string) => string | undefined, { sourceOf, unsubscribeUrl }: Means): string {
  const name = nameOf(tag)
  const attributes = attributesIn(tag).flatMap(({ name: of, value }): Attribute[] => {
    let to: string | undefined = value
    if (of === 'href') to = value === UNSUBSCRIBE ? unsubscribeUrl : hrefOf(value)
    else if (PICTURES.has(of)) to = sourceOf(value)
    return to === undefined ? [] : [{ name: of, value: to }]
  })
  // A picture that leads nowhere would be a broken one.
  return name === 'img' && !attributes.some((each) => each.name === 'src') ? '' : writeTag(name, attributes, tag.endsWith('/>'))
}

/** A whole mail: behind `<body>` what lists of mails show and the picture that says it was opened, before its end the way out where it has none. */
export function drawHtmlMail(html: string, view: Omit<MailView, 'document' | 'theme'>, top: string): string {
  const drawn = withLanguage(drawHtml(html, HTML_NODE, view), view.locale)
  const body = /<body[^>]*>/.exec(drawn)
  const end = drawn.lastIndexOf('</body>')
  if (!body || end === -1) return drawn
  const start = body.index + body[0].length
  return `${drawn.slice(0, start)}${top}${drawn.slice(start, end)}${hasUnsubscribe(html) ? '' : footer(view)}${trapHtml(view.trapUrl)}${drawn.slice(end)}`
}

function withLanguage(html: string, locale: string): string {
  return html.replace(/<html((?: [^>]*)?)>/, (tag, attributes: string) => {
    const lang = / lang="/.test(attributes) ? '' : ` lang="${escape(locale)}"`
    const dir = / dir="/.test(attributes) ? '' : ` dir="${isRightToLeft(locale) ? 'rtl' : 'ltr'}"`
    return lang === '' && dir === '' ? tag : `<html${attributes}${lang}${dir}>`
  })
}

function footer({ locale, unsubscribeUrl, preferencesUrl }: Pick<MailView, 'locale' | 'unsubscribeUrl' | 'preferencesUrl'>): string {
  const links = footerLinks({ language: locale, unsubscribeUrl, preferencesUrl })
  if (links.length === 0) return ''
  const shown = links.map(({ words, url }) => `<a href="${escape(url)}" style="color:#6b7280;text-decoration:underline">${words}</a>`)
  return `<p dir="${isRightToLeft(locale) ? 'rtl' : 'ltr'}" lang="${escape(locale)}" style="margin:0;padding:24px 16px;text-align:center;font-family:Tahoma,Arial,sans-serif;font-size:13px;line-height:1.6;color:#6b7280;background:#fefefe">${shown.join(' &nbsp; ')}</p>`
}
