import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { readMail } from '@contentflow/core/mail/read-document.ts'
import { pickContentLocale } from '@contentflow/core/messages/content.ts'
import { failWith } from '../../errors.ts'

/** The mail, and which of its languages is looked at. */
export function readMailBody(body: unknown): { mail: MailDocument; locale: string } {
  if (typeof body !== 'object' || body === null || !('mail' in body)) failWith(400, 'mail is required')
  const read = readMail('mail', body.mail)
  if (!read.ok) failWith(400, read.error)
  const locales = Object.keys(read.value.texts)
  const asked = 'locale' in body ? body.locale : undefined
  if (asked !== undefined && typeof asked !== 'string') failWith(400, 'locale must be a text')
  const locale = asked === undefined ? locales[0] : pickContentLocale(locales, asked, null)
  return locale === undefined ? failWith(400, `locale: the mail has no texts in ${JSON.stringify(asked)}`) : { mail: read.value, locale }
}
