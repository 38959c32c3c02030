/** Draws and checks mails of sections and of own HTML as they would be sent; nothing is written. */
import { showPage } from '@contentflow/core/mail/fill-texts.ts'
import { mailBytes, checkWholeMail } from '@contentflow/core/mail/measure-mail.ts'
import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import { exampleAttributes, layProducts } from '@contentflow/core/mail/products/products.ts'
import { checkVariant } from '@contentflow/core/mail/variants/check-variants.ts'
import { readVariantMail } from '@contentflow/core/mail/variants/read-variant.ts'
import { layMail, type VariantMail } from '@contentflow/core/mail/variants/variant-mail.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { wholeMail } from '@contentflow/core/mail/library/put-parts.ts'
import { toMessage } from '@contentflow/core/messages/compose.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { Ok } from '../../http/schema.ts'
import { fillProducts } from '../content/index.ts'
import { findWebAddress } from '../links/index.ts'
import { DrawnMailSchema, findBrand, freezeParts, readMailBody, RenderBody } from '../mails/index.ts'
import { fillFromCatalog } from '../strings/index.ts'
import { pageShown, shownPreferencesUrl } from './unsubscribe/preference-links.ts'
import { shownUnsubscribeUrl } from './unsubscribe/unsubscribe.ts'

const route = routeIn('Campaigns')

export function renderRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/mails/render',
    route({
      id: 'renderMail',
      auth: 'member',
      permission: 'messages:read',
      isRead: true,
      summary: 'Draw a mail as it would be sent, and check it; nothing is written',
      description:
        'Answers subject, HTML, plain text and size of a mail in one language, with saved parts, products and the brand filled in, and every check that would stop or warn. The mail is taken from the body and need not be stored.',
      body: RenderBody,
      out: Ok(DrawnMailSchema),
      bodyLimit: BODY_BYTES.campaign,
    }),
    async (request) => {
      const caller = memberCaller(request)
      const { db } = ctx
      const { workspaceId } = caller
      const body = sentBody(request)
      const { mail, locale } = readMailBody(body)
      const sent = typeof body === 'object' && body !== null && 'variant' in body ? readVariant(body.variant) : undefined
      const webAddress = await findWebAddress(db, workspaceId)
      const unsubscribeUrl = await shownUnsubscribeUrl(ctx, caller)
      const preferencesUrl = await shownPreferencesUrl(ctx, caller)
      const [filled = mail] = await fillProducts(db, workspaceId, await fillFromCatalog(db, workspaceId, [mail]))
      const [variant] = await fillFromCatalog(db, workspaceId, sent ? [sent] : [])
      const whole = wholeMail(filled, await freezeParts(db, workspaceId, filled))
      const pageUrl = (await pageShown(ctx, caller, { content: {}, mail: layMail(whole, variant) }))?.()
      const brand = await findBrand(db, workspaceId)
      return ok({ ...draw(whole, { locale, variant }, { webAddress, unsubscribeUrl, preferencesUrl, pageUrl, brand }), mail: filled })
    },
  )
}

function readVariant(sent: unknown): VariantMail {
  const read = readVariantMail('variant', sent)
  return read.ok ? read.value : failWith(400, read.error)
}

type Drawn = { locale: string; variant: VariantMail | undefined }
type Means = {
  webAddress: string | null
  unsubscribeUrl: string | undefined
  preferencesUrl: string | undefined
  pageUrl: string | undefined
  brand: Brand | null
}

/** `mail`: with what its saved parts hold. */
function draw(mail: MailDocument, { locale, variant }: Drawn, { brand, ...means }: Means) {
  const laid = layMail(mail, variant)
  const written = laid.texts[locale]!
  const said = { document: laid, texts: means.pageUrl === undefined ? written : showPage(written, means.pageUrl), brand }
  const shown = layProducts(said, { locale, attributes: exampleAttributes(laid), schemes: null }) ?? said
  const addressed = { id: '', to: '', toName: null, language: locale, callbackUrl: undefined, ...means, mail: shown }
  const { title, html = '', body } = toMessage('email', { title: said.texts.subject }, addressed)
  const frame = { brand, isPageLinked: means.preferencesUrl !== undefined }
  const checks = variant ? checkVariant(mail, variant, means.webAddress, frame) : checkWholeMail(mail, means.webAddress, frame)
  return { locale, subject: title, html, text: body, bytes: mailBytes(laid, locale, frame), checks }
}
