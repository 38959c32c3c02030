/** The variants of a campaign while it is written: one structure for all languages, with texts by language. */
import type { CampaignContent, CampaignVariant } from '@contentflow/core/campaigns/campaign.ts'
import { foldTag } from '@contentflow/core/locale/language-tag.ts'
import { MESSAGE_MEMBERS, type MessageContent } from '@contentflow/core/messages/content.ts'
import { isBlankTemplate } from '../../../../ui/blank-template.ts'
import type { DraftVariant } from './draft-variant.ts'

export type StoredContent = { [locale: string]: CampaignContent }

export type DraftMessage = {
  /** The shared content of a language, over which variants are merged. */
  content: { [locale: string]: Omit<CampaignContent, 'variants'> }
  variants: DraftVariant[]
}

/** Members with text for people, as opposed to addresses. */
export const WORDS = ['title', 'body', 'ctaLabel'] as const
export const ADDRESSES = ['imageUrl', 'ctaUrl'] as const

/** A message without one of these is sent to nobody. */
export function hasWords({ title, body, whatsappTemplate }: MessageContent): boolean {
  return Boolean(title || body) || !isBlankTemplate(whatsappTemplate)
}

/** The message itself has no text or address. */
function saysNothing(message: MessageContent): boolean {
  return MESSAGE_MEMBERS.every((name) => !message[name]) && isBlankTemplate(message.whatsappTemplate)
}

/** Nothing is written in this language. The placements of another language, from which it started, do not count. */
export function isBlank({ content, variants }: DraftMessage, locale: string): boolean {
  const { placementIds = [], data, ...message } = content[locale] ?? {}
  const isVariantSaid = variants.some(({ texts, mails = {} }) => !saysNothing(texts[locale] ?? {}) || Object.hasOwn(mails, locale))
  const isSaid = !saysNothing(message) || data !== undefined || isVariantSaid
  const isSame = ([code, other]: [string, DraftMessage['content'][string]]) =>
    code !== locale && !saysNothing(other) && JSON.stringify(other.placementIds) === JSON.stringify(placementIds)
  return !isSaid && (placementIds.length === 0 || Object.entries(content).some(isSame))
}

/** Whether the others have words for this variant, and this language has none. */
export function isSilent({ texts }: DraftVariant, locale: string): boolean {
  return !hasWords(texts[locale] ?? {}) && Object.values(texts).some(hasWords)
}

/** A language that is begun appears where the others do. */
export function begun({ content }: DraftMessage, locale: string): DraftMessage['content'] {
  const placementIds = Object.values(content).find((other) => other.placementIds?.length)?.placementIds
  return content[locale] ? content : { ...content, [locale]: placementIds ? { placementIds } : {} }
}

/** The languages in which something is written, as they are spelled in the draft. */
export function writtenLocales(message: DraftMessage): string[] {
  const codes = new Set([...Object.keys(message.content), ...message.variants.flatMap(({ texts }) => Object.keys(texts))])
  return [...codes].filter((locale) => !isBlank(message, locale))
}

/** The one of these languages that others take from; undefined: nothing is written in the source language. */
export function sourceAmong(locales: readonly string[], source: string | undefined): string | undefined {
  return source === undefined ? undefined : locales.find((locale) => foldTag(locale) === foldTag(source))
}

/** Changes some texts of one variant in one language. */
export function withTexts(message: DraftMessage, index: number, locale: string, part: MessageContent): DraftMessage {
  const variants = message.variants.map((each, at) =>
    at === index ? { ...each, texts: { ...each.texts, [locale]: { ...each.texts[locale], ...part } } } : each,
  )
  return { content: begun(message, locale), variants }
}

/** Copies what is written in one language to another. `isSource`: addresses are taken from there anyway. */
export function withCopy(message: DraftMessage, from: string, to: string, isSource: boolean): DraftMessage {
  const copied = <T extends MessageContent>(said: T): T => {
    const copy = structuredClone(said)
    if (isSource) for (const name of ADDRESSES) delete copy[name]
    return copy
  }
  return {
    content: { ...message.content, [to]: copied(message.content[from] ?? {}) },
    variants: message.variants.map((each) => ({ ...each, texts: { ...each.texts, [to]: copied(each.texts[from] ?? {}) } })),
  }
}

/**
 * The variants of all languages as one list, the source language's first. Variants of the same name are merged; where two
 * languages have equally many, those at the same position are merged too. No text is dropped.
 */
export function mergedVariants(content: StoredContent, source: string | undefined): DraftVariant[] {
  const first = sourceAmong(Object.keys(content), source)
  const codes = Object.keys(content).toSorted((a, b) => Number(b === first) - Number(a === first))
  const merged: DraftVariant[] = []
  for (const locale of codes) addVariants(merged, locale, content[locale]?.variants ?? [])
  return merged
}

function addVariants(merged: DraftVariant[], locale: string, variants: readonly CampaignVariant[]): void {
  const isSame = (a: { id: string }, b: { id: string }) => a.id.trim() === b.id.trim()
  const isAsMany = merged.length === variants.length
  const before = [...merged]
  for (const [place, variant] of variants.entries()) {
    const there = before[place]
    const isRenamed = isAsMany && there && !variants.some((each) => isSame(each, there))
    const known = before.find((each) => isSame(each, variant)) ?? (isRenamed ? there : undefined)
    const { id, weight, values, mail } = variant
    const kept = known ?? { id, weight, texts: {} }
    if (!known) merged.push(kept)
    kept.texts[locale] = values
    if (mail) kept.mails = { ...kept.mails, [locale]: mail }
  }
}

/** Whether the languages of a stored campaign have other variants than each other: others, in another order, or of other weights. */
export function hasUnequalVariants(content: StoredContent): boolean {
  const shapes = Object.values(content)
    .filter(({ variants = [], ...said }) => variants.length > 0 || !isBlank({ content: { said }, variants: [] }, 'said'))
    .map(({ variants = [] }) => JSON.stringify(variants.map(({ id, weight }) => [id, weight])))
  return new Set(shapes).size > 1
}
