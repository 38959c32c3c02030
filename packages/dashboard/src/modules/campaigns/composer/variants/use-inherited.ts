import type { MessageContent, MessageTexts } from '@contentflow/core/messages/content.ts'
import { useFormat } from '../../../../format.ts'
import { useComposer } from '../composer-context.tsx'
import { hasWords, isBlank, sourceAmong, writtenLocales } from './structure.ts'
import { useVariantTexts } from './texts.ts'

/** The placeholder of an empty field: what people get instead or, where nothing is inherited, the text of the source language. */
export function useInherited(): (member: keyof MessageTexts) => string | undefined {
  const t = useVariantTexts()
  const format = useFormat()
  const { draft, locale, variant, source } = useComposer()
  const from = sourceAmong(writtenLocales(draft), source?.code)
  const [said, texts]: [MessageContent, Record<string, MessageContent>] = [
    draft.content[locale] ?? {},
    (variant === null ? undefined : draft.variants[variant]?.texts) ?? {},
  ]
  const shared = (member: keyof MessageTexts) => (variant === null ? undefined : said[member] || undefined)
  if (from === undefined || from === locale) return shared
  const base: MessageContent = draft.content[from] ?? {}
  const own = { ...said, ...texts[locale] }
  const isTaken = isBlank(draft, locale) || (variant !== null && !hasWords(own))
  const language = format.language(from)
  const say = (key: 'fromLanguage' | 'inLanguage', text: string) => isolated(t(key, { language, text: isolated(text) }))
  return (member) => {
    if (member === 'imageUrl' || member === 'ctaUrl') {
      if (texts[from]?.[member]) return say('fromLanguage', texts[from][member])
      return shared(member) ?? (base[member] && say('fromLanguage', base[member]))
    }
    const there = (variant === null ? undefined : texts[from]?.[member]) || base[member]
    return shared(member) ?? (there ? say(isTaken ? 'fromLanguage' : 'inLanguage', there) : undefined)
  }
}

/** Read in its own direction, whichever the field has. */
function isolated(text: string): string {
  return `\u2068${text}\u2069`
}
