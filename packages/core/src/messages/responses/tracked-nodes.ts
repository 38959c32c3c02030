import { linksOf, nodesOf, type MailDocument } from '../../mail/document.ts'
import { layMail } from '../../mail/variants/variant-mail.ts'
import { linkNode } from '../../mail/mail-view.ts'
import { HTML_NODE } from '../../mail/own-html/draw-html.ts'
import { linksOfHtml } from '../../mail/own-html/html-places.ts'
import { beginsWithPage } from '../tokens.ts'
import type { LocalizedContent } from '../content.ts'

/** A place of a message whose link people may follow. `node`: its name, the same in every language and variant. `url`: as it is written, with its tokens. */
export type TrackedNode = { node: string; label: string; url: string }

/** The node of the button of a message of texts. */
export const BUTTON = 'button'

/** What a message holds that may lead somewhere. */
export type TrackedContent = { content: LocalizedContent; mail?: MailDocument | null | undefined }

/** The places of a message that lead somewhere; each with its first label and address of all languages. */
export function trackedNodes({ content, mail }: TrackedContent): TrackedNode[] {
  if (mail) return nodesOfMails([mail, ...variantsOf(mail, content)])
  const messages = Object.values(content).flatMap(({ variants = [], ...base }) => [
    base,
    ...variants.map(({ values }) => ({ ...base, ...values })),
  ])
  const button = messages.find(({ ctaUrl }) => ctaUrl !== undefined && ctaUrl !== '' && !beginsWithPage(ctaUrl))
  return button?.ctaUrl === undefined ? [] : [{ node: BUTTON, label: button.ctaLabel || button.ctaUrl, url: button.ctaUrl }]
}

/** As its variants say it. */
function variantsOf(mail: MailDocument, content: LocalizedContent): MailDocument[] {
  return Object.values(content).flatMap(({ variants = [] }) => variants.flatMap((each) => (each.mail ? [layMail(mail, each.mail)] : [])))
}

/** Links in a text and in own HTML are numbered; a button or a picture is one by itself. */
function nodesOfMails(mails: readonly MailDocument[]): TrackedNode[] {
  const found = new Map<string, TrackedNode>()
  const noteHtml = (id: string, html: string) => {
    for (const { number, url, words } of linksOfHtml(html)) {
      const node = linkNode(id, number)
      // What Outlook is shown of a link has no words of its own.
      if (!found.get(node)?.label || found.get(node)?.label === found.get(node)?.url) found.set(node, { node, label: words || url, url })
    }
  }
  const said = mails.flatMap(({ texts }) => Object.values(texts))
  for (const { html = '' } of said) noteHtml(HTML_NODE, html)
  for (const { id } of nodesOf(mails[0] ?? { sections: [] }))
    for (const { nodes } of said) {
      const text = Object.hasOwn(nodes, id) ? nodes[id] : undefined
      if (!text) continue
      if ('html' in text) {
        noteHtml(id, text.html)
        continue
      }
      for (const [number, { url, words }] of linksOf(text).entries()) {
        const node = 'blocks' in text ? linkNode(id, number) : id
        if (!found.has(node)) found.set(node, { node, label: words || url, url })
      }
    }
  // Who opens the page of their preferences is counted nowhere.
  return [...found.values()].filter(({ url }) => !beginsWithPage(url))
}

/** Whether a click on it can be heard of: what opens an app, a phone or a mail program stands as it is written. */
export function isTrackable(url: string): boolean {
  return /^https:\/\//i.test(url) && url.length <= LONGEST
}

/** Longer addresses would make a mail of many of them too long for mail programs. */
const LONGEST = 1_500
