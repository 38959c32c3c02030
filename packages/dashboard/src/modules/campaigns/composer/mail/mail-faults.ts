/** What of a mail of sections keeps a campaign from being saved, or from being submitted. */
import { checkWholeMail } from '@contentflow/core/mail/measure-mail.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { readMail } from '@contentflow/core/mail/read-document.ts'
import type { Draft } from '../draft.ts'
import type { Fault } from '../faults.ts'

/**
 * `whole`: the mail with what stands in its saved parts, which is what is checked. `webAddress`: null where the paths of the workspace lead nowhere; undefined while it
 * is not known.
 */
export function faultsOfMail(
  { mail, dispatchChannels }: Pick<Draft, 'mail' | 'dispatchChannels'>,
  whole: MailDocument | undefined,
  webAddress: string | null | undefined,
): Fault[] {
  if (!mail) return []
  const read = readMail('mail', mail)
  if (!read.ok) return [{ kind: 'mailWrong', part: 'message', isWrong: true, reason: read.error }]
  if (!dispatchChannels.includes('email')) return []
  const stops = checkWholeMail(whole ?? mail, webAddress === undefined ? '' : webAddress).filter(({ level }) => level === 'stop')
  const locales = new Set(stops.map(({ locale }) => locale))
  return [...locales].map((locale): Fault => ({ kind: 'mailStop', part: 'message', isWrong: false, locale }))
}
