/** Mails of sections: drawn and checked as they would be sent, and nothing is written. */
import { mailBytes, checkWholeMail } from '@contentflow/core/mail/measure-mail.ts'
import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { wholeMail } from '@contentflow/core/mail/library/put-parts.ts'
import { readMail } from '@contentflow/core/mail/read-document.ts'
import { toMessage } from '@contentflow/core/messages/compose.ts'
import { pickContentLocale } from '@contentflow/core/messages/content.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { routeIn, type ModuleRoutes } from '../../http/routes.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { Ok } from '../../http/schema.ts'
import { findWebAddress, shownUnsubscribeUrl } from '../sends/index.ts'
import { freezeParts } from './parts.ts'
import { DrawnMailSchema, RenderBody } from './present.ts'
import { findBrand } from './queries-brand.ts'
import { brandRoutes } from './routes-brand.ts'
import { libraryRoutes } from './routes-library.ts'

const route = routeIn('Campaigns')

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => {
    libraryRoutes(app, ctx)
    brandRoutes(app, ctx)
    app.post(
      '/mails/render',
      route({
        id: 'renderMail',
        auth: 'member',
        isRead: true,
        summary: 'Draw a mail of sections as it would be sent, and check it; nothing is written',
        body: RenderBody,
        out: Ok(DrawnMailSchema),
        bodyLimit: BODY_BYTES.campaign,
      }),
      async (request) => {
        const caller = memberCaller(request)
        const { mail, locale } = readBody(sentBody(request))
        const webAddress = await findWebAddress(ctx.db, caller.workspaceId)
        const unsubscribeUrl = await shownUnsubscribeUrl(ctx, caller)
        const parts = await freezeParts(ctx.db, caller.workspaceId, mail)
        const brand = await findBrand(ctx.db, caller.workspaceId)
        return ok({ ...draw(wholeMail(mail, parts), locale, { webAddress, unsubscribeUrl, brand }), mail })
      },
    )
  },
}

/** The mail, and which of its languages is drawn. */
function readBody(body: unknown): { mail: MailDocument; locale: string } {
  if (typeof body !== 'object' || body === null || !('mail' in body)) failWith(400, 'mail is required')
  const read = readMail('mail', body.mail)
  if (!read.ok) failWith(400, read.error)
  const locales = Object.keys(read.value.texts)
  const asked = 'locale' in body ? body.locale : undefined
  if (asked !== undefined && typeof asked !== 'string') failWith(400, 'locale must be a text')
  const locale = asked === undefined ? locales[0] : pickContentLocale(locales, asked, null)
  return locale === undefined ? failWith(400, `locale: the mail has no texts in ${JSON.stringify(asked)}`) : { mail: read.value, locale }
}

type Means = { webAddress: string | null; unsubscribeUrl: string | undefined; brand: Brand | null }

/** `mail`: with what its saved parts hold. */
function draw(mail: MailDocument, locale: string, { brand, ...means }: Means) {
  const filled = { document: mail, texts: mail.texts[locale]!, brand }
  const { texts } = filled
  const addressed = { id: '', to: '', toName: null, language: locale, callbackUrl: undefined, ...means, mail: filled }
  const { title, html = '', body } = toMessage('email', { title: texts.subject }, addressed)
  const checks = checkWholeMail(mail, means.webAddress, brand)
  return { locale, subject: title, html, text: body, bytes: mailBytes(mail, locale, brand), checks }
}
