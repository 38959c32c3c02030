/** How large a mail of sections is, and what is wrong with it, before anybody is written to. */
import { utf8Length } from '../json/utf8-length.ts'
import { themeOf, type Brand } from './brand/brand.ts'
import { checkMail, type MailCheck } from './checks.ts'
import type { MailDocument } from './document.ts'
import { exampleAttributes, layProducts } from './products/products.ts'
import { renderMailDocument } from './render-mail.ts'

/** Characters of the address by which a click on one place is heard of, about 160 of them beside where it leads. */
const TRACKING = 'x'.repeat(200)

/** What mails of a workspace have around their words. `isPageLinked`: whether they link the page of people's preferences. */
export type MailFrame = { brand?: Brand | null | undefined; isPageLinked?: boolean }

/** Bytes of the HTML in a language, with every link as long as it can be; tokens stand as they are written. */
export function mailBytes(document: MailDocument, locale: string, { brand = null, isPageLinked = false }: MailFrame = {}): number {
  const said = document.texts[locale]
  if (!said) return 0
  const laid = layProducts({ document, texts: said, brand }, { locale, attributes: exampleAttributes(document), schemes: null })
  const { html } = renderMailDocument({
    ...(laid ?? { document, texts: said }),
    locale,
    theme: themeOf(brand),
    brand,
    unsubscribeUrl: `https://example.com/${TRACKING}`,
    ...(isPageLinked && { preferencesUrl: `https://example.com/${TRACKING}` }),
    hrefOf: (_, url) => `https://example.com/${TRACKING}${url}`,
    sourceOf: (src) => src,
    pictureUrl: `https://example.com/${TRACKING}`,
  })
  return utf8Length(html)
}

/** `webAddress`: where the paths of the workspace lead; null: nowhere. */
export function checkWholeMail(document: MailDocument, webAddress: string | null, frame: MailFrame = {}): MailCheck[] {
  return checkMail(document, { bytesIn: (locale) => mailBytes(document, locale, frame), hasWebAddress: webAddress !== null })
}
