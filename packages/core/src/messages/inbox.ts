/** The inbox of apps (decision 68): which messages go into it, how long they stay, and what they say there. */
import { isPlainObject } from '../blocks/field.ts'
import type { LinkSchemes } from '../blocks/links/link-schemes.ts'
import { LIMITS } from '../limits.ts'
import { MESSAGE_MEMBERS, pickContentLocale, type InboxStay, type MessageContent, type MessageTexts } from './content.ts'
import { fillMember, type TokenValues } from './tokens.ts'

/** Says what is wrong with a member `inbox`; undefined when nothing is. `at`: its path for the caller. */
export function faultOfInbox(at: string, value: unknown): string | undefined {
  const { min, max } = LIMITS.inboxDays
  if (!isPlainObject(value)) return `${at} must be an object with days`
  const { days, ...others } = value
  if (Object.keys(others).length > 0) return `${at} takes days, nothing else`
  const isRight = typeof days === 'number' && Number.isInteger(days) && days >= min && days <= max
  return isRight ? undefined : `${at}.days must be a whole number from ${min} to ${max}`
}

/** For how many days messages of this content stay in the inbox; undefined: they do not go there. Where locales differ the longest stay holds, for people of every language. */
export function inboxDaysOf(content: { readonly [locale: string]: { inbox?: InboxStay } }): number | undefined {
  const all = Object.values(content).flatMap(({ inbox }) => (inbox ? [inbox.days] : []))
  return all.length === 0 ? undefined : Math.max(...all)
}

/**
 * The language of an item: as everywhere else the one asked for, its parents, the source language; where the message has none
 * of them, one that it has. A message that is counted as unread is never missing from the list.
 */
export function inboxLocale(locales: readonly string[], asked: string | null, sourceLocale: string | null): string | undefined {
  return pickContentLocale(locales, asked, sourceLocale) ?? locales[0]
}

/** What an item says. A text that waits for a value which is not known is left out: of a message that was shown it is most often one that was removed since. */
export function inboxTexts(content: MessageContent, values: TokenValues | undefined, schemes: LinkSchemes): MessageTexts {
  const texts: MessageTexts = {}
  for (const member of MESSAGE_MEMBERS) {
    const text = content[member]
    if (text === undefined || text === '') continue
    if (!text.includes('{{')) texts[member] = text
    else {
      const filled = values && fillMember(member, text, values, schemes)
      if (filled?.ok) texts[member] = filled.text
    }
  }
  return texts
}
