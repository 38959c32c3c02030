import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { exampleAttributes, layProducts } from '@contentflow/core/mail/products/products.ts'
import { mailText } from '@contentflow/core/mail/plain-text.ts'
import { PLAIN_THEME } from '@contentflow/core/mail/theme.ts'

/** Everything that a mail of sections says in one language, as plain text, with where its links lead; undefined: nothing. */
export function mailWords(mail: MailDocument | null | undefined, locale: string): string | undefined {
  const texts = mail?.texts[locale]
  if (!mail || !texts) return undefined
  const hrefOf = (_: string, url: string) => url
  const laid = layProducts({ document: mail, texts }, { locale, attributes: exampleAttributes(mail), schemes: null })
  const view = {
    ...(laid ?? { document: mail, texts }),
    locale,
    theme: PLAIN_THEME,
    unsubscribeUrl: undefined,
    hrefOf,
    sourceOf: (src: string) => src,
  }
  return [texts.subject, texts.preheader ?? '', mailText(view)].filter((part) => part !== '').join('\n\n')
}
