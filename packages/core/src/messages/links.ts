/** The links that messages hold: where their buttons lead. Their pictures are pages of the web in every workspace. */
import type { Link } from '../blocks/links/link-schemes.ts'
import { linksOf, type MailDocument } from '../mail/document.ts'
import { linksOfHtml } from '../mail/own-html/html-places.ts'
import type { VariantMail } from '../mail/variants/variant-mail.ts'
import type { LocalizedContent, MessageContent } from './content.ts'

export function linksOfMessage(at: string, { ctaUrl }: MessageContent): Link[] {
  return ctaUrl === undefined || ctaUrl === '' ? [] : [{ at: `${at}.ctaUrl`, url: ctaUrl }]
}

/** In every language and variant. */
export function linksOfMessages(at: string, content: LocalizedContent): Link[] {
  return Object.entries(content).flatMap(([locale, { variants = [], ...message }]) => [
    ...linksOfMessage(`${at}.${locale}`, message),
    ...variants.flatMap(({ values, mail }, index) => [
      ...linksOfMessage(`${at}.${locale}.variants[${index}].values`, values),
      ...linksOfMail(`${at}.${locale}.variants[${index}].mail`, mail),
    ]),
  ])
}

/** Those of a mail, or of what a variant says in it, in every language; none where there is no such mail. */
export function linksOfMail(at: string, mail: MailDocument | VariantMail | undefined): Link[] {
  return Object.entries(mail?.texts ?? {}).flatMap(([locale, { nodes = {}, ...more }]) => [
    ...Object.entries(nodes).flatMap(([id, text]) =>
      linksOf(text).map(({ url }) => ({ at: `${at}.texts.${locale}.nodes[${JSON.stringify(id)}]`, url })),
    ),
    ...linksOfHtml('html' in more && typeof more.html === 'string' ? more.html : '').map(({ url }) => ({
      at: `${at}.texts.${locale}.html`,
      url,
    })),
  ])
}
