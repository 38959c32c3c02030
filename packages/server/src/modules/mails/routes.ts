/** Mails of sections and of own HTML: drawn and checked as they would be sent, and nothing is written. */
import { mailBytes, checkWholeMail } from '@contentflow/core/mail/measure-mail.ts'
import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { wholeMail } from '@contentflow/core/mail/library/put-parts.ts'
import { toMessage } from '@contentflow/core/messages/compose.ts'
import type { Context } from '../../context.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { routeIn, type ModuleRoutes } from '../../http/routes.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { Ok } from '../../http/schema.ts'
import { findWebAddress, shownUnsubscribeUrl } from '../sends/index.ts'
import { readMailBody } from './mail-body.ts'
import { freezeParts } from './parts.ts'
import { DrawnMailSchema, RenderBody } from './present.ts'
import { findBrand } from './queries-brand.ts'
import { brandRoutes } from './routes-brand.ts'
import { htmlRoutes } from './routes-html.ts'
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
        summary: 'Draw a mail as it would be sent, and check it; nothing is written',
        body: RenderBody,
        out: Ok(DrawnMailSchema),
        bodyLimit: BODY_BYTES.campaign,
      }),
      async (request) => {
        const caller = memberCaller(request)
        const { mail, locale } = readMailBody(sentBody(request))
        const webAddress = await findWebAddress(ctx.db, caller.workspaceId)
        const unsubscribeUrl = await shownUnsubscribeUrl(ctx, caller)
        const parts = await freezeParts(ctx.db, caller.workspaceId, mail)
        const brand = await findBrand(ctx.db, caller.workspaceId)
        return ok({ ...draw(wholeMail(mail, parts), locale, { webAddress, unsubscribeUrl, brand }), mail })
      },
    )
    htmlRoutes(app, ctx)
  },
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
