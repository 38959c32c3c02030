/** The checks before sending, of a mail of sections and of each variant of it. */
import type { LocalizedContent } from '../../messages/content.ts'
import type { MailCheck } from '../checks.ts'
import type { MailDocument } from '../document.ts'
import { checkWholeMail, type MailFrame } from '../measure-mail.ts'
import { layMail, misplacedIn, type VariantMail } from './variant-mail.ts'

/** `webAddress`: where the paths of the workspace lead; null: nowhere. What a variant shares with the mail is said once, without it. */
export function checkMailOf(
  { mail, content }: { mail: MailDocument; content: LocalizedContent },
  webAddress: string | null,
  frame: MailFrame = {},
): MailCheck[] {
  const found = new Map<string, MailCheck>()
  const nameOf = ({ code, locale, node, value }: MailCheck, variant?: string) => JSON.stringify([code, locale, node, value, variant])
  for (const check of checkWholeMail(mail, webAddress, frame)) found.set(nameOf(check), check)
  for (const { id, mail: own } of Object.values(content).flatMap(({ variants = [] }) => variants)) {
    if (!own) continue
    for (const check of checkVariant(mail, own, webAddress, frame))
      if (!found.has(nameOf(check))) found.set(nameOf(check, id), { ...check, variant: id })
  }
  return [...found.values()]
}

/** Of one variant, laid over its mail. */
export function checkVariant(mail: MailDocument, variant: VariantMail, webAddress: string | null, frame: MailFrame = {}): MailCheck[] {
  const [first = ''] = Object.keys(mail.texts)
  const misplaced = misplacedIn(mail, variant).map(({ locale = first, node }): MailCheck => ({
    code: 'variant_misplaced',
    level: 'stop',
    locale,
    ...(node !== undefined && { node }),
  }))
  return [...misplaced, ...checkWholeMail(layMail(mail, variant), webAddress, frame)]
}
