import { isRightToLeft } from '@contentflow/core/locale/languages.ts'
import { useFormat } from '../../../../format.ts'
import { useEditor } from '../editor-context.tsx'
import { useTexts } from '../texts.ts'

/** The name of a language in the dashboard's language; null is the language of the base values. */
export function useLocaleNames(): (locale: string | null) => string {
  const t = useTexts()
  const format = useFormat()
  const { source } = useEditor()
  return (locale) => (locale !== null ? format.language(locale) : source ? format.language(source.code) : t('baseLanguage'))
}

/** Attributes for text in the language: it has its own direction, not the page's. */
export function useDirections(): (locale: string | null) => { dir: 'ltr' | 'rtl'; lang: string | undefined } {
  const { source, locales } = useEditor()
  return (locale) => {
    const known = locale === null ? source : locales.find(({ code }) => code === locale)
    const code = locale ?? source?.code
    const isRtl = known?.rtl ?? (code !== undefined && isRightToLeft(code))
    return { dir: isRtl ? 'rtl' : 'ltr', lang: code }
  }
}
