/** Own HTML of mails, cleaned before anybody keeps it, and links that are followed on demand (decision 73). */
import { cutText } from '@contentflow/core/cut-text.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { readMail } from '@contentflow/core/mail/read-document.ts'
import { faultOfLocale } from '@contentflow/core/messages/content.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { ok } from '../../http/answers/envelope.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, Ok } from '../../http/schema.ts'
import { spendTry } from '../channels/index.ts'
import { findWebAddress } from '../links/index.ts'
import { checkLinks } from './check-links.ts'
import { readMailBody } from './mail-body.ts'
import { CheckedLinksSchema, CheckLinksBody, ImportBody, ImportedSchema } from './present-html.ts'
import { sanitizeHtml, type Removed } from './sanitize-html.ts'

const route = routeIn('Campaigns')

export function htmlRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/mails/import-html',
    route({
      id: 'importMailHtml',
      auth: 'member',
      permission: 'messages:write',
      isRead: true,
      summary: 'Clean HTML, so that a mail may hold it, and say what was taken out; nothing is written',
      description:
        'Takes scripts, forms, frames and everything else out that a mail must not hold, lists it in `removed`, and answers the clean HTML as a mail document.',
      body: ImportBody,
      out: Ok(ImportedSchema),
      bodyLimit: BODY_BYTES.campaign,
    }),
    (request) => ok(importHtml(bodyOf(request))),
  )
  app.post(
    '/mails/check-links',
    route({
      id: 'checkMailLinks',
      auth: 'member',
      permission: 'messages:write',
      summary: 'Call the links of a mail, and name those that lead nowhere; nothing is written',
      description:
        'Calls the addresses in the mail and answers which of them lead nowhere. Placeholders are left out. Some checks are allowed in a few minutes.',
      body: CheckLinksBody,
      out: Ok(CheckedLinksSchema),
      bodyLimit: BODY_BYTES.campaign,
      refuses: ['CHECK_RATE_LIMITED'],
    }),
    async (request) => {
      const { workspaceId, accountId } = memberCaller(request)
      const { mail, locale } = readMailBody(sentBody(request))
      await spendTry(ctx, 'link-check', accountId)
      const webAddress = await findWebAddress(ctx.db, workspaceId)
      return ok({ locale, ...(await checkLinks(ctx, workspaceId, { mail, locale, webAddress })) })
    },
  )
}

type Imported = { html: string; document: MailDocument | null; removed: Removed[] }

function importHtml({ html, kind = 'mail', locale }: { html: string; kind?: 'mail' | 'node'; locale?: string }): Imported {
  if (locale !== undefined && faultOfLocale(locale) !== undefined) failWith(400, 'locale must be the code of a language, such as ar-EG')
  const clean = sanitizeHtml(html, kind)
  if (!clean.ok) failWith(400, `html: ${clean.error}`)
  const { removed, title, lang } = clean
  if (kind === 'node') {
    const most = LIMITS.mailNodeCharacters
    return clean.html.length > most
      ? failWith(400, `html must have at most ${most} characters once it is clean`)
      : { html: clean.html, document: null, removed }
  }
  const language = locale ?? (lang !== '' && faultOfLocale(lang) === undefined ? lang : 'en')
  const subject = cutText(title, LIMITS.mailSubjectLength)
  const read = readMail('mail', { version: 1, kind: 'html', texts: { [language]: { subject, html: clean.html } } })
  return read.ok ? { html: clean.html, document: read.value, removed } : failWith(400, read.error)
}
