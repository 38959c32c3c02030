/** What of a mail of sections keeps a campaign from being saved, or from being submitted. */
import { checkMailOf } from '@contentflow/core/mail/variants/check-variants.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { readMail } from '@contentflow/core/mail/read-document.ts'
import type { Draft } from '../draft.ts'
import type { Fault } from '../faults.ts'
import type { DraftVariant } from '../variants/draft-variant.ts'
import { mailOf } from '../variants/variant-mails.ts'

/**
 * `whole`: the mail with what stands in its saved parts, which is what is checked. `webAddress`: null where the paths of the workspace lead nowhere; undefined while it
 * is not known.
 */
export function faultsOfMail(
  { mail, dispatchChannels, variants }: Pick<Draft, 'mail' | 'dispatchChannels' | 'variants'>,
  whole: MailDocument | undefined,
  webAddress: string | null | undefined,
): Fault[] {
  if (!mail) return []
  const read = readMail('mail', mail)
  if (!read.ok) return [{ kind: 'mailWrong', part: 'message', isWrong: true, reason: read.error }]
  if (!dispatchChannels.includes('email')) return []
  const content = { said: { variants: variants.flatMap(checked) } }
  const checks = checkMailOf({ mail: whole ?? mail, content }, webAddress === undefined ? '' : webAddress)
  const found = new Map<string, Fault>()
  for (const { level, locale, variant } of checks) {
    const index = variants.findIndex(({ id }) => id === variant)
    const fault: Fault = { kind: 'mailStop', part: 'message', isWrong: false, locale, ...(index !== -1 && { variant: index }) }
    if (level === 'stop') found.set(`${locale} ${index}`, fault)
  }
  return [...found.values()]
}

function checked(variant: DraftVariant) {
  const mail = mailOf(variant)
  return mail ? [{ id: variant.id, weight: 1, values: {}, mail }] : []
}
