import { isRightToLeft } from '@contentflow/core/locale/languages.ts'

export function directionOf(locale: string): 'ltr' | 'rtl' {
  return isRightToLeft(locale) ? 'rtl' : 'ltr'
}

/** `Intl` throws on a code it cannot read, and a wrong code must not take the page down. */
export function usableLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en'
  } catch {
    return 'en'
  }
}
