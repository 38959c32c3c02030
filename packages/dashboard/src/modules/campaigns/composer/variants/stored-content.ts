/**
 * Between what is written and what the API keeps, where each language stands for itself: there every language has all variants,
 * and the addresses that it takes from the source language. What is the same as there counts as taken.
 */
import type { CampaignContent, CampaignVariant } from '@contentflow/core/campaigns/campaign.ts'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import type { MessageContent } from '@contentflow/core/messages/content.ts'
import { isBlankTemplate } from '../../../../ui/blank-template.ts'
import { isMailAlone, type Mailed } from '../mail/mail-alone.ts'
import type { DraftVariant } from './draft-variant.ts'
import {
  ADDRESSES,
  hasWords,
  mergedVariants,
  sourceAmong,
  WORDS,
  writtenLocales,
  type DraftMessage,
  type StoredContent,
} from './structure.ts'
import { withOneMail } from './variant-mails.ts'

/**
 * The content as it is stored and delivered. Languages without text are left out, and members that were emptied. A mail of
 * sections that goes out alone has no texts beside it: its variants stand in each of its languages.
 */
export function storedContent(message: DraftMessage & Mailed, source: string | undefined): StoredContent {
  const ofMail = message.variants.length > 0 && isMailAlone(message) ? Object.keys(message.mail?.texts ?? {}) : []
  const locales = [...new Set([...writtenLocales(message), ...ofMail])]
  const from = sourceAmong(locales, source)
  return Object.fromEntries(locales.map((locale) => [locale, storedIn(message, locale, locale === from ? undefined : from)]))
}

function storedIn({ content, variants }: DraftMessage, locale: string, from: string | undefined): CampaignContent {
  const { placementIds = [], ...said } = withoutEmpty(content[locale] ?? {})
  const base = from === undefined ? {} : withoutEmpty(content[from] ?? {})
  const stored = variants.map((variant): CampaignVariant => {
    const own = withoutEmpty(variant.texts[locale] ?? {})
    const there = from === undefined ? {} : withoutEmpty(variant.texts[from] ?? {})
    const words = hasWords({ ...said, ...own }) ? {} : wordsOf({ ...base, ...there })
    const mail = variant.mail ?? variant.mails?.[locale]
    return { id: variant.id, weight: variant.weight, values: { ...addressesOf(there), ...words, ...own }, ...(mail && { mail }) }
  })
  return {
    ...addressesOf(base),
    ...said,
    ...(placementIds.length > 0 && { placementIds }),
    ...(stored.length > 0 && { variants: stored }),
  }
}

/** The draft of a stored campaign. `takes`: languages without an address that the source language has. */
export function draftMessage(content: StoredContent, source: string | undefined): DraftMessage & { takes: string[] } {
  const from = sourceAmong(Object.keys(content), source)
  const languages = Object.values(content).filter(({ variants = [] }) => variants.length > 0).length
  const merged = mergedVariants(content, source).map((variant) => withOneMail(variant, languages))
  const message: DraftMessage = { content: {}, variants: merged.map((variant) => ({ ...variant, texts: {} })) }
  const takes: string[] = []
  for (const [locale, { variants: _, ...said }] of Object.entries(content)) {
    const base = from === undefined || locale === from ? {} : (content[from] ?? {})
    message.content[locale] = withoutTaken(said, base)
    const pairs = [[said, base], ...merged.map(({ texts }) => [texts[locale], locale === from ? {} : texts[from ?? '']])]
    if (pairs.some(([own = {}, there = {}]) => ADDRESSES.some((name) => there[name] && !own[name]))) takes.push(locale)
    const isOwnVariant = (variant: DraftVariant) => hasWords(variant.texts[locale] ?? {}) && !isTakenFrom(variant, locale, from, base)
    const mayTake = from !== undefined && locale !== from && !hasWords(said) && merged.some(isOwnVariant)
    for (const [index, variant] of merged.entries()) {
      const own = variant.texts[locale]
      const target = message.variants[index]
      if (!own || !target) continue
      const rest = withoutTaken(own, from === undefined || locale === from ? {} : (variant.texts[from] ?? {}))
      target.texts[locale] = mayTake && isTakenFrom(variant, locale, from, base) ? withoutWords(rest) : rest
    }
  }
  return { ...message, takes }
}

/** Whether the words of a variant are those of the source language. */
function isTakenFrom({ texts }: DraftVariant, locale: string, from: string | undefined, base: MessageContent): boolean {
  if (from === undefined || locale === from) return false
  const there = wordsOf({ ...base, ...texts[from] })
  return hasWords(there) && canonicalJson(wordsOf(texts[locale] ?? {})) === canonicalJson(there)
}

function addressesOf(said: MessageContent): MessageContent {
  return Object.fromEntries(ADDRESSES.flatMap((name) => (said[name] ? [[name, said[name]]] : [])))
}

function wordsOf(said: MessageContent): MessageContent {
  const words = Object.fromEntries(WORDS.flatMap((name) => (said[name] ? [[name, said[name]]] : [])))
  return isBlankTemplate(said.whatsappTemplate) ? words : { ...words, whatsappTemplate: said.whatsappTemplate }
}

function withoutTaken<T extends MessageContent>(said: T, there: MessageContent): T {
  const rest = { ...said }
  for (const name of ADDRESSES) if (there[name] && rest[name] === there[name]) delete rest[name]
  return rest
}

function withoutWords<T extends MessageContent>(said: T): T {
  const rest = { ...said }
  for (const name of WORDS) delete rest[name]
  delete rest.whatsappTemplate
  return rest
}

/** A member that was emptied again was never said. */
function withoutEmpty<T extends MessageContent>(said: T): T {
  const isSaid = ([name, value]: [string, unknown]) =>
    name === 'whatsappTemplate' ? !isBlankTemplate(said.whatsappTemplate) : value !== ''
  return Object.fromEntries(Object.entries(said).filter(isSaid)) as T
}
