/** Turns what a person is told into what a channel carries. */
import { shorten } from '../cut-text.ts'
import { isRightToLeft, type ChannelType, type Message } from '../channels/channel.ts'
import { imageFault, urlFault } from '../blocks/links/safe-url.ts'
import type { FilledMail } from '../mail/document.ts'
import { renderMailDocument } from '../mail/render-mail.ts'
import { themeOf } from '../mail/brand/brand.ts'
import type { MessageContent } from './content.ts'
import { renderMail } from './mail.ts'
import { BUTTON } from './responses/tracked-nodes.ts'
import { nameInMessage } from './token-value.ts'

type Addressed = {
  id: string
  to: string
  toName: string | null
  language: string
  unsubscribeUrl: string | undefined
  /** The page of their preferences; undefined: the mail does not link it. */
  preferencesUrl?: string | undefined
  /** The same page where a token of the message leads there: it stands as it is, and nobody counts who opens it. */
  pageUrl?: string | undefined
  callbackUrl: string | undefined
  /** Where the paths of the workspace lead outside of its apps, without a slash at its end; null: nobody said. */
  webAddress: string | null
  /** Of a mail whose openings and clicks are counted; a member that is left out is not. */
  tracked?: TrackedMail | undefined
  /** A mail of sections, which is sent instead of the content. */
  mail?: FilledMail | undefined
}

/** `link`: the address by which a click on a place of the mail is heard of. `pictureUrl`: what a mail program loads when the mail is opened. `trapUrl`: what only scanners follow. */
export type TrackedMail = { link?(node: string, url: string): string; pictureUrl?: string; trapUrl?: string }

const SUBJECT_LENGTH = 78

/** Whether an address leads to that page. */
export function isPage(url: string | undefined, pageUrl: string | undefined): url is string {
  return pageUrl !== undefined && url !== undefined && url.startsWith(pageUrl)
}

/** Where the button of a message outside of apps leads; undefined: nowhere. */
export function linkOfContent({ ctaUrl }: MessageContent, webAddress: string | null): string | undefined {
  return wholeAddress(ctaUrl, urlFault, webAddress)
}

/** A message as a provider is given it. Addresses that are not safe, or lead nowhere, are left out. */
export function toMessage(channel: ChannelType, content: MessageContent, addressed: Addressed): Message {
  const { id, to, language, callbackUrl, webAddress, tracked, mail } = addressed
  if (channel === 'email' && mail) return toDesignedMail(content, mail, addressed)
  const { title = '', body = '' } = content
  const imageUrl = wholeAddress(content.imageUrl, imageFault, webAddress)
  // An app opens its own paths.
  const isOwn = isPage(content.ctaUrl, addressed.pageUrl)
  const ctaUrl = isOwn ? content.ctaUrl : wholeAddress(content.ctaUrl, urlFault, channel === 'push' ? '' : webAddress)
  const heard = isOwn ? undefined : tracked?.link
  const button = ctaUrl === undefined ? undefined : { label: content.ctaLabel || ctaUrl, url: heard?.(BUTTON, ctaUrl) ?? ctaUrl }
  const common = { id, to, title, body, language, ...(imageUrl !== undefined && { imageUrl }), ...(button && { button }) }
  const { whatsappTemplate: template } = content
  if (channel !== 'email')
    return {
      ...common,
      ...(callbackUrl !== undefined && { callbackUrl }),
      ...(template && channel === 'whatsapp' && { template: { id: template.id, variables: inOneLine(template.variables ?? {}) } }),
    }
  const { unsubscribeUrl, preferencesUrl } = addressed
  const shown = { title, body, imageUrl, button, language, isRightToLeft: isRightToLeft(language), unsubscribeUrl, preferencesUrl }
  const drawn = renderMail({ ...shown, pictureUrl: tracked?.pictureUrl, trapUrl: tracked?.trapUrl })
  return { ...common, ...drawn, title: title || firstLine(body), ...headersOf(addressed) }
}

/** Whatever of a mail goes beside its words. */
function headersOf({ toName, unsubscribeUrl }: Addressed): Partial<Message> {
  const shownName = nameInMessage(toName ?? '')
  return { ...(shownName !== '' && { toName: shownName }), ...(unsubscribeUrl !== undefined && { unsubscribeUrl }) }
}

function toDesignedMail({ title = '' }: MessageContent, { document, texts, brand = null }: FilledMail, addressed: Addressed): Message {
  const { id, to, language, webAddress, tracked, unsubscribeUrl, preferencesUrl, pageUrl } = addressed
  // The same place stands in the HTML and in the plain text.
  const places = new Map<string, string | undefined>()
  const hrefOf = (node: string, url: string) => {
    if (isPage(url, pageUrl)) return url
    if (!places.has(node)) {
      const whole = wholeAddress(url, urlFault, webAddress)
      places.set(node, whole === undefined ? undefined : (tracked?.link?.(node, whole) ?? whole))
    }
    return places.get(node)
  }
  const drawn = renderMailDocument({
    document,
    texts,
    locale: language,
    theme: themeOf(brand),
    brand,
    unsubscribeUrl,
    preferencesUrl,
    hrefOf,
    sourceOf: (src) => wholeAddress(src, imageFault, webAddress),
    pictureUrl: tracked?.pictureUrl,
    trapUrl: tracked?.trapUrl,
  })
  return { id, to, language, title: title || firstLine(drawn.body), ...drawn, ...headersOf(addressed) }
}

/** Where a picture is loaded from outside of apps; undefined: from nowhere. */
export function pictureAddress(src: string | undefined, webAddress: string | null): string | undefined {
  return wholeAddress(src, imageFault, webAddress)
}

/** What is no link, or a path that nobody said the beginning of, leads nowhere. */
function wholeAddress(
  url: string | undefined,
  faultOf: (text: string) => string | undefined,
  webAddress: string | null,
): string | undefined {
  if (url === undefined || faultOf(url) !== undefined) return undefined
  if (!url.startsWith('/')) return url
  return webAddress === null ? undefined : webAddress + url
}

/** WhatsApp refuses values with line breaks, tabs or many spaces in a row. */
function inOneLine(variables: { [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, text.replaceAll(/\s+/g, ' ').trim()]))
}

function firstLine(body: string): string {
  const line = body.trim().split('\n', 1)[0] ?? ''
  return shorten(line, SUBJECT_LENGTH)
}
