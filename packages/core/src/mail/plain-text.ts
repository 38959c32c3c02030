/** A mail of sections as plain text: every word of it, and where its links lead. */
import { withFooter, type FooterLinks } from '../messages/mail.ts'
import { companyText, logoText, socialText } from './brand/brand-text.ts'
import { linesOf, type MailNode, type RichText, type TextBlock } from './document.ts'
import { linkNode, type MailView } from './mail-view.ts'
import { HTML_NODE } from './own-html/draw-html.ts'
import { hasUnsubscribe } from './own-html/html-places.ts'
import { textOfHtml } from './own-html/html-text.ts'

export function mailText(view: MailView): string {
  const { html } = view.texts
  // Own HTML says by itself whose it is.
  if (html !== undefined) {
    const said = textOfHtml(html, HTML_NODE, view)
    return hasUnsubscribe(html) ? said : withFooter(said, footerOf(view))
  }
  const parts = view.document.sections.flatMap((section) =>
    section.type === 'section' ? section.columns.flatMap(({ nodes }) => nodes.map((node) => nodeText(view, node))) : [],
  )
  return withFooter(parts.filter((part) => part !== '').join('\n\n'), footerOf(view), companyText(view))
}

function footerOf({ locale: language, unsubscribeUrl, preferencesUrl }: MailView): FooterLinks {
  return { language, unsubscribeUrl, preferencesUrl }
}

function nodeText(view: MailView, node: MailNode): string {
  if (node.type === 'divider') return '---'
  if (node.type === 'logo') return logoText(view)
  if (node.type === 'social') return socialText(view)
  const text = Object.hasOwn(view.texts.nodes, node.id) ? view.texts.nodes[node.id] : undefined
  if (text === undefined) return ''
  if ('label' in text) {
    const href = text.label === '' || text.url === '' ? undefined : view.hrefOf(node.id, text.url)
    return href === undefined ? '' : `${text.label}: ${href}`
  }
  if ('src' in text) {
    if (view.sourceOf(text.src) === undefined) return ''
    const href = text.url === undefined || text.url === '' ? undefined : view.hrefOf(node.id, text.url)
    return [text.alt, href].filter((part) => part !== undefined && part !== '').join(': ')
  }
  return 'html' in text ? textOfHtml(text.html, node.id, view) : richText(view, node.id, text)
}

function richText(view: MailView, id: string, { blocks }: RichText): string {
  let link = 0
  const line = (runs: ReturnType<typeof linesOf>[number]) =>
    runs
      .map(({ v, url = '' }) => {
        const href = url === '' ? undefined : view.hrefOf(linkNode(id, link++), url)
        return href === undefined || href === v ? v : `${v} (${href})`
      })
      .join('')
  const mark = (block: TextBlock, index: number) => ('p' in block ? '' : 'ul' in block ? '- ' : `${index + 1}. `)
  return blocks
    .map((block) =>
      linesOf(block)
        .map((runs, index) => mark(block, index) + line(runs))
        .join('\n'),
    )
    .join('\n')
}
