/** The dashboard's own texts. Each module brings its own with `defineTexts`, so a page loads only what it shows. */
import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'

const LANGUAGES = ['en', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

const STORED = 'cf.language'

export const i18n = i18next.createInstance()
void i18n.use(initReactI18next).init({
  lng: document.documentElement.lang === 'ar' ? 'ar' : 'en',
  fallbackLng: 'en',
  resources: {},
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escape: isolate },
})

const LATIN = /\p{Script=Latin}/u
const ARABIC = /\p{Script=Arabic}/u

/** A name in the other script keeps its own direction inside a sentence, brackets and numbers at its edges too. */
export function isolate(value: string): string {
  return (i18n.language === 'ar' ? LATIN : ARABIC).test(value) ? `\u2068${value}\u2069` : value
}

export function setLanguage(language: Language): void {
  localStorage.setItem(STORED, language)
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
  void i18n.changeLanguage(language)
}

export function useLanguage(): Language {
  const { i18n: current } = useTranslation()
  return current.language === 'ar' ? 'ar' : 'en'
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}

type Form = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
/** `found_one` and `found_other` are asked for as `found`, with a `count`. */
type KeyOf<T> = keyof T extends infer K ? (K extends `${infer Base}_${Form}` ? Base : K) : never
/** Every key of the English texts, and where those have two plural forms, all six. */
type Arabic<T> = {
  [K in keyof T as K extends `${infer Base}_${Form}` ? `${Base}_${Form}` : K]: string
}
type Values = Record<string, string | number> & { count?: number }
export type Translate<T> = (key: KeyOf<T> & string, values?: Values) => string

/**
 * Registers the texts of a module and gives its hook. English names the keys; Arabic has the same ones, with its own
 * plural forms, or does not compile.
 */
export function defineTexts<T extends Record<string, string>, A extends Arabic<T>>(
  namespace: string,
  texts: { en: T; ar: A & Record<Exclude<keyof A, keyof Arabic<T>>, never> },
) {
  for (const language of LANGUAGES) i18n.addResourceBundle(language, namespace, texts[language])
  return function useTexts(): Translate<T> {
    const { t } = useTranslation(namespace)
    return t as unknown as Translate<T>
  }
}
