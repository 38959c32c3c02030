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

/** Resolves when the texts of every page that is loaded are there in that language. */
export async function setLanguage(language: Language): Promise<void> {
  await loadTexts(language)
  localStorage.setItem(STORED, language)
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
  await i18n.changeLanguage(language)
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

type Texts<T, A> = { en: T; ar: A & Record<Exclude<keyof A, keyof Arabic<T>>, never> }

/**
 * Registers the texts of a module and gives its hook. English names the keys; Arabic has the same ones, with its own
 * plural forms, or does not compile.
 */
export function defineTexts<T extends Record<string, string>, A extends Arabic<T>>(namespace: string, texts: Texts<T, A>) {
  for (const language of LANGUAGES) i18n.addResourceBundle(language, namespace, texts[language])
  return hookOf<T>(namespace)
}

/** Arabic texts that are still to be loaded. */
const waiting = new Set<() => Promise<void>>()

/** The same for the start page, which has to be small: the Arabic texts are loaded only by readers of Arabic. */
export function defineSplitTexts<T extends Record<string, string>, A extends Arabic<T>>(
  namespace: string,
  texts: { en: T; ar: () => Promise<{ arabic: Texts<T, A>['ar'] }> },
) {
  i18n.addResourceBundle('en', namespace, texts.en)
  const load = async () => {
    i18n.addResourceBundle('ar', namespace, (await texts.ar()).arabic)
    waiting.delete(load)
  }
  waiting.add(load)
  return hookOf<T>(namespace)
}

/** Resolves when a page that was just loaded has its texts in the reader's language. */
export async function loadTexts(language: Language = i18n.language === 'ar' ? 'ar' : 'en'): Promise<void> {
  if (language === 'ar') await Promise.all([...waiting].map(async (load) => load()))
}

function hookOf<T>(namespace: string) {
  return function useTexts(): Translate<T> {
    const { t } = useTranslation(namespace)
    return t as unknown as Translate<T>
  }
}

/** The texts of a module in each language that is loaded, whichever the reader has. */
export function inEveryLanguage<T>(namespace: string): Translate<T>[] {
  return LANGUAGES.map((language) => i18n.getFixedT(language, namespace) as unknown as Translate<T>)
}
