/** Warnings where a language says less than another one. They do not prevent sending. */
import { isBlankTemplate } from '../../../../ui/blank-template.ts'
import type { MessageContent } from '@contentflow/core/messages/content.ts'
import { draftMessage } from './stored-content.ts'
import { hasUnequalVariants, hasWords, sourceAmong, WORDS, writtenLocales, type DraftMessage, type StoredContent } from './structure.ts'

/**
 * `readsShared`: a variant has no words in this language but in another; its readers get the shared words. `readsSource`: there
 * are none either, so they get the source language. `noLabel`: the button has a link, of this or the source language, but only
 * the source language has a label.
 */
export type LanguageWarning =
  { kind: 'readsShared' | 'readsSource'; locale: string; variant: string } | { kind: 'noLabel'; locale: string } | { kind: 'unequal' }

export function languageWarnings(message: DraftMessage, source: string | undefined): LanguageWarning[] {
  const written = writtenLocales(message)
  const from = sourceAmong(written, source)
  return written.flatMap((locale) => [...ofVariants(message, locale, written, from), ...ofLabel(message, locale, from)])
}

/** The warnings for stored content. `unequal`: its languages have different variants, which only another program writes. */
export function warningsOfStored(content: StoredContent, source: string | undefined): LanguageWarning[] {
  return hasUnequalVariants(content) ? [{ kind: 'unequal' }] : languageWarnings(draftMessage(content, source), source)
}

function ofVariants(
  { content, variants }: DraftMessage,
  locale: string,
  written: readonly string[],
  from: string | undefined,
): LanguageWarning[] {
  const silent = variants.filter(({ texts }) => !hasAnyWord(texts[locale] ?? {}) && written.some((each) => hasAnyWord(texts[each] ?? {})))
  return silent.flatMap(({ id, texts }): LanguageWarning[] => {
    if (hasWords(content[locale] ?? {})) return [{ kind: 'readsShared', locale, variant: id }]
    const isTaken = from !== undefined && from !== locale && hasWords({ ...content[from], ...texts[from] })
    return isTaken ? [{ kind: 'readsSource', locale, variant: id }] : []
  })
}

function ofLabel({ content, variants }: DraftMessage, locale: string, from: string | undefined): LanguageWarning[] {
  const [said, there] = [content[locale] ?? {}, content[from ?? locale] ?? {}]
  const isBare = Boolean(there.ctaLabel && (there.ctaUrl || said.ctaUrl)) && !said.ctaLabel
  const isSaid = variants.length > 0 && variants.every(({ texts }) => texts[locale]?.ctaLabel)
  return locale !== from && isBare && !isSaid ? [{ kind: 'noLabel', locale }] : []
}

function hasAnyWord(said: MessageContent): boolean {
  return WORDS.some((name) => said[name]) || !isBlankTemplate(said.whatsappTemplate)
}
