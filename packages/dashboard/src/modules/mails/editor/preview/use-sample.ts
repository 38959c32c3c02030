import { useDeferredValue, useMemo } from 'react'
import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { MailCheck } from '@contentflow/core/mail/checks.ts'
import { checkWholeMail, mailBytes } from '@contentflow/core/mail/measure-mail.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { fillTexts, textsOfMail } from '@contentflow/core/mail/fill-texts.ts'
import { exampleAttributes, layProducts } from '@contentflow/core/mail/products/products.ts'
import { toMessage } from '@contentflow/core/messages/compose.ts'
import { tokensIn } from '@contentflow/core/messages/tokens.ts'
import type { WebAddress } from '@contentflow/server/wire.ts'
import { useRead } from '../../../../data.ts'
import { sampleValues, useTokens, type TokenChoice } from '../../../../ui/tokens/use-tokens.ts'
import { textsIn } from '../document/change-texts.ts'

/** Where paths of messages lead. */
const WEB_ADDRESS = '/settings/web-address'

/** The mail in one language as a person gets it; a token that nobody closed stays as it is written. */
export type Sample = { subject: string; html: string; plain: string }

/**
 * By the code that sends; what is typed comes first, and the preview a moment later. `place`: where paths lead while the
 * workspace does not say; null: nowhere.
 */
export function useSample(mail: MailDocument, locale: string, name: string, brand: Brand | null, place: string | null = null): Sample {
  // A new list with every drawing, of the same things.
  const tokens = JSON.stringify(useTokens())
  const { data } = useRead<WebAddress>(WEB_ADDRESS)
  const document = useDeferredValue(mail)
  return useMemo(() => {
    const texts = textsIn(document, locale)
    const values = sampleValues(JSON.parse(tokens) as TokenChoice[], tokensIn(textsOfMail(texts)), name)
    const filled = fillTexts(texts, { ...values, language: locale }, null, brand?.linkHosts)
    const said = { document, texts: filled.ok ? filled.texts : texts, brand }
    const mail = layProducts(said, { locale, attributes: exampleAttributes(document), schemes: null }) ?? said
    const { html = '', body } = toMessage(
      'email',
      {},
      {
        id: '',
        to: '',
        toName: null,
        language: locale,
        callbackUrl: undefined,
        webAddress: data?.url ?? place,
        ...linksOfPerson(data),
        mail,
      },
    )
    return { subject: mail.texts.subject, html, plain: body }
  }, [document, locale, name, data, brand, place, tokens])
}

/** The links at the end of a mail; what they lead to is nobody's. */
function linksOfPerson(data: WebAddress | undefined) {
  const address = data?.mailLinks.address ?? 'https://example.com'
  return {
    unsubscribeUrl: `${address}/api/v1/unsubscribe/preview`,
    ...(data?.mailLinks.preferences && { preferencesUrl: `${address}/p/preview` }),
  }
}

/** Bytes of the language that is written, as `checks` counts them. */
export function useMailBytes(mail: MailDocument, locale: string, brand: Brand | null): number {
  const { data } = useRead<WebAddress>(WEB_ADDRESS)
  const isPageLinked = data?.mailLinks.preferences ?? false
  const document = useDeferredValue(mail)
  return useMemo(() => mailBytes(document, locale, { brand, isPageLinked }), [document, locale, brand, isPageLinked])
}

export function useMailChecks(mail: MailDocument, brand: Brand | null): MailCheck[] {
  const { data } = useRead<WebAddress>(WEB_ADDRESS)
  const document = useDeferredValue(mail)
  const webAddress = data?.url ?? null
  const isPageLinked = data?.mailLinks.preferences ?? false
  return useMemo(() => checkWholeMail(document, webAddress, { brand, isPageLinked }), [document, webAddress, brand, isPageLinked])
}
