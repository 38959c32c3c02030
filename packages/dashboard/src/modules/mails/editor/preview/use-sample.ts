import { useDeferredValue, useMemo } from 'react'
import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { MailCheck } from '@contentflow/core/mail/checks.ts'
import { checkWholeMail, mailBytes } from '@contentflow/core/mail/measure-mail.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { textsOfMail } from '@contentflow/core/mail/fill-texts.ts'
import { tokensIn } from '@contentflow/core/messages/tokens.ts'
import { sampleValues, useTokens, type TokenChoice } from '../../../campaigns/composer/use-tokens.ts'
import { sampleMail, sampleMessage } from '../../../campaigns/preview/sample-message.ts'
import { useWebAddress } from '../../../settings/web-address/use-web-address.ts'
import { textsIn } from '../document/change-texts.ts'

/** The mail in one language as a person gets it. `unfinished`: a token that nobody closed. */
export type Sample = { subject: string; html: string; plain: string; unfinished: string | undefined }

/**
 * By the code that sends; what is typed comes first, and the preview a moment later. `place`: where paths lead while the
 * workspace does not say; null: nowhere.
 */
export function useSample(mail: MailDocument, locale: string, name: string, brand: Brand | null, place: string | null = null): Sample {
  // A new list with every drawing, of the same things.
  const tokens = JSON.stringify(useTokens())
  const { data } = useWebAddress()
  const document = useDeferredValue(mail)
  return useMemo(() => {
    const texts = textsIn(document, locale)
    const values = sampleValues(JSON.parse(tokens) as TokenChoice[], tokensIn(textsOfMail(texts)), name)
    const whole = { ...document, texts: { ...document.texts, [locale]: texts } }
    const sample = sampleMail(whole, locale, { ...values, language: locale }, brand)
    const address = data?.mailLinks.address ?? undefined
    const addresses = { webAddress: data?.url ?? place, unsubscribeUrl: `${address ?? 'https://example.com'}/api/v1/unsubscribe/preview` }
    const { html = '', body } = sampleMessage('email', { content: {}, mail: sample.mail, locale, addresses })
    return { subject: sample.mail.texts.subject, html, plain: body, unfinished: sample.unfinished }
  }, [document, locale, name, data, brand, place, tokens])
}

/** Bytes of the language that is written, as `checks` counts them. */
export function useMailBytes(mail: MailDocument, locale: string, brand: Brand | null): number {
  const document = useDeferredValue(mail)
  return useMemo(() => mailBytes(document, locale, brand), [document, locale, brand])
}

export function useMailChecks(mail: MailDocument, brand: Brand | null): MailCheck[] {
  const { data } = useWebAddress()
  const document = useDeferredValue(mail)
  const webAddress = data?.url ?? null
  return useMemo(() => checkWholeMail(document, webAddress, brand), [document, webAddress, brand])
}
