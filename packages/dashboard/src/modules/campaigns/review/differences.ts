/** The differences between two campaigns, member by member. */
import { MESSAGE_MEMBERS, type MessageContent, type MessageTexts } from '@contentflow/core/messages/content.ts'
import type { AskedChanges, CampaignChanges, CampaignContent } from '@contentflow/core/campaigns/campaign.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { wholeMail } from '@contentflow/core/mail/library/put-parts.ts'
import { layMail } from '@contentflow/core/mail/variants/variant-mail.ts'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { mailWords } from './mail-words.ts'

type PartName = 'name' | 'type' | 'priority' | 'segments' | 'dispatchChannels' | 'schedule' | 'controlPercent' | 'topic'
/** `before` and `after`: undefined where it was not, or is not any more. */
export type Difference =
  | { part: PartName; before: unknown; after: unknown }
  | {
      part: 'words'
      locale: string
      variant: string | null
      member: keyof MessageTexts
      before: string | undefined
      after: string | undefined
    }
  /** Of a mail of sections in one language: everything it says, as plain text. */
  | { part: 'mail'; locale: string; variant: string | null; before: string | undefined; after: string | undefined }
  | { part: 'template'; locale: string; variant: string | null; before: unknown; after: unknown }
  | { part: 'variants' | 'placementIds' | 'inbox' | 'shorten' | 'urgency' | 'data'; locale: string; before: unknown; after: unknown }

const PARTS = ['name', 'type', 'priority', 'segments', 'dispatchChannels', 'schedule', 'controlPercent', 'topic'] as const

/** Members that `after` does not have stay as they are, and so does the start of a schedule. */
export function differencesBetween(held: AskedChanges, changes: AskedChanges): Difference[] {
  const before = { ...held, controlPercent: held.controlPercent ?? 0 }
  const after = { ...changes, ...(changes.schedule && { schedule: { ...startOf(before), ...changes.schedule } }) }
  const parts = PARTS.filter((part) => after[part] !== undefined && !isAlike(before[part], after[part]))
  return [
    ...parts.map((part) => ({ part, before: before[part], after: after[part] })),
    ...(after.content === undefined ? [] : ofContent(before.content ?? {}, after.content)),
    ...(after.mail === undefined ? [] : ofMail(wholeOf(before), wholeOf(after), null)),
    ...ofVariantMails(
      { content: before.content, mail: wholeOf(before) },
      { content: after.content ?? before.content, mail: wholeOf(after.mail === undefined ? before : after) },
    ),
  ]
}

function startOf({ schedule }: CampaignChanges): { startTime?: string } {
  return schedule?.startTime === undefined ? {} : { startTime: schedule.startTime }
}

function ofContent(before: Record<string, CampaignContent>, after: Record<string, CampaignContent>): Difference[] {
  const locales = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return locales.flatMap((locale) => ofLocale(locale, before[locale] ?? {}, after[locale] ?? {}))
}

function ofLocale(locale: string, before: CampaignContent, after: CampaignContent): Difference[] {
  const shares = ({ variants = [] }: CampaignContent) => variants.map(({ id, weight }) => ({ id, weight }))
  const ids = [...new Set([...shares(before), ...shares(after)].map(({ id }) => id))]
  const valuesOf = ({ variants = [] }: CampaignContent, id: string) => variants.find((each) => each.id === id)?.values ?? {}
  const others = (['placementIds', 'inbox', 'shorten', 'urgency', 'data'] as const).filter((part) => !isAlike(before[part], after[part]))
  return [
    ...ofWords(locale, null, before, after),
    ...ids.flatMap((id) => ofWords(locale, id, valuesOf(before, id), valuesOf(after, id))),
    ...(isAlike(shares(before), shares(after))
      ? []
      : [{ part: 'variants' as const, locale, before: shares(before), after: shares(after) }]),
    ...others.map((part) => ({ part, locale, before: before[part], after: after[part] })),
  ]
}

/** With what its saved parts said when it was submitted. */
function wholeOf({ mail, mailParts }: AskedChanges): MailDocument | null {
  return mail ? wholeMail(mail, mailParts) : null
}

/** Looks that say nothing else are told as well: the words stand in another order then, or the same ones twice. */
function ofMail(before: MailDocument | null, after: MailDocument | null, variant: string | null): Difference[] {
  if (isAlike(before, after)) return []
  const locales = [...new Set([...Object.keys(before?.texts ?? {}), ...Object.keys(after?.texts ?? {})])]
  return locales.map((locale) => ({
    part: 'mail' as const,
    locale,
    variant,
    before: mailWords(before, locale),
    after: mailWords(after, locale),
  }))
}

/** As each variant says it that says anything of it. */
function ofVariantMails(before: Mailed, after: Mailed): Difference[] {
  const [old, now] = [variantMails(before), variantMails(after)]
  const pairs = [...new Set([...old.keys(), ...now.keys()])].map((place) => [old.get(place), now.get(place)] as const)
  // Most say the same whatever the language of the texts beside them.
  const different = new Map(pairs.map((pair) => [canonicalJson(pair), pair]))
  return [...different.values()].flatMap(([was, is]) => ofMail(was?.mail ?? null, is?.mail ?? null, was?.id ?? is?.id ?? null))
}

type Mailed = Pick<CampaignChanges, 'content' | 'mail'>

/** By the language of the content that holds it, and its name. */
function variantMails({ content = {}, mail }: Mailed): Map<string, { id: string; mail: MailDocument }> {
  const found = new Map<string, { id: string; mail: MailDocument }>()
  for (const [locale, { variants = [] }] of Object.entries(content))
    for (const { id, mail: own } of variants) if (mail && own) found.set(JSON.stringify([locale, id]), { id, mail: layMail(mail, own) })
  return found
}

function ofWords(locale: string, variant: string | null, before: MessageContent, after: MessageContent): Difference[] {
  const words = MESSAGE_MEMBERS.filter((member) => (before[member] ?? '') !== (after[member] ?? '')).map(
    (member) => ({ part: 'words', locale, variant, member, before: before[member], after: after[member] }) as const,
  )
  const [old, template] = [before.whatsappTemplate, after.whatsappTemplate]
  return isAlike(old, template) ? words : [...words, { part: 'template', locale, variant, before: old, after: template }]
}

function isAlike(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b)
}
