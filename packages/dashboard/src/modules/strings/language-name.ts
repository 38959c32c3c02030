import { useLanguage } from '../../i18n.ts'
import { useFormat } from '../../format.ts'
import type { Locale } from './api.ts'

/** How a language is called here: in English as the workspace calls it, in Arabic by its Arabic name where there is one. */
export function useLanguageName(): (locale: Pick<Locale, 'code' | 'name'>) => string {
  const language = useLanguage()
  const format = useFormat()
  return ({ code, name }) => {
    const known = format.language(code)
    return language === 'en' || known === code ? name : known
  }
}
