/** What variants say in a mail of sections, while the campaign is written: one thing for all languages of the content. */
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { layMail, type VariantMail } from '@contentflow/core/mail/variants/variant-mail.ts'
import { variantOf } from '../../../mails/editor/document/variant.ts'
import type { DraftVariant } from './draft-variant.ts'

/** What every language of the content says alike is one. `languages`: of how many there are. */
export function withOneMail({ mails, ...variant }: DraftVariant, languages: number): DraftVariant {
  if (!mails) return variant
  const [mail, ...others] = Object.values(mails)
  const isOne = others.length + 1 === languages && others.every((other) => canonicalJson(other) === canonicalJson(mail))
  return isOne && mail ? { ...variant, mail } : { ...variant, mails }
}

/** What a variant says; what another program wrote for each language of the content, laid together. */
export function mailOf({ mail, mails = {} }: DraftVariant): VariantMail | undefined {
  const [first] = Object.values(mails)
  if (mail || !first) return mail
  const own = Object.entries(mails).flatMap(([locale, { texts }]) => (texts?.[locale] ? [[locale, texts[locale]] as const] : []))
  const texts = { ...first.texts, ...Object.fromEntries(own) }
  return { ...(Object.keys(texts).length > 0 && { texts }), ...(first.hidden && { hidden: first.hidden }) }
}

/** Gives one of the variants what it says in the mail; undefined: it is as the mail. */
export function withMail(variants: readonly DraftVariant[], index: number, mail: VariantMail | undefined): DraftVariant[] {
  return variants.map(({ id, weight, texts, ...said }, at) => ({ id, weight, texts, ...(at === index ? mail && { mail } : said) }))
}

/** The variants of a mail that was changed: what they said of parts that are gone goes with these. */
export function fittedTo(mail: MailDocument, variants: readonly DraftVariant[]): DraftVariant[] {
  return variants.map((variant, index) => {
    const own = mailOf(variant)
    return own ? withMail(variants, index, variantOf(mail, layMail(mail, own)))[index]! : variant
  })
}
