/** What there is to know of a language without asking anybody: its names and the direction of its script. */
import { foldTag } from './language-tag.ts'

const RTL_SCRIPTS = new Set(['arab', 'hebr', 'thaa', 'syrc', 'nkoo', 'adlm', 'rohg', 'samr', 'mand'])
/** Those of G-42, and the others that are written from right to left unless the code names another script. */
const RTL_LANGUAGES = new Set(['ar', 'fa', 'he', 'ur', 'iw', 'yi', 'ji', 'ps', 'sd', 'ug', 'ckb', 'dv', 'syr', 'nqo'])

/** C-STR-32: the default of a locale that does not say. */
export function isRightToLeft(code: string): boolean {
  const [language = '', ...rest] = foldTag(code).split('-')
  const script = rest.find((part) => /^[a-z]{4}$/.test(part))
  return script === undefined ? RTL_LANGUAGES.has(language) : RTL_SCRIPTS.has(script)
}

/** The language's name in the language `inLanguage`: `ar` in `en` is Arabic. The code itself when nobody knows it. */
export function languageName(code: string, inLanguage: string): string {
  try {
    const name = new Intl.DisplayNames([inLanguage], { type: 'language', fallback: 'none' }).of(code)
    return name ?? code
  } catch {
    return code
  }
}

/** G-34: whole percent of the visible strings, rounded down; of none it is 0. */
export function coverageOf(approved: number, total: number): number {
  return total === 0 ? 0 : Math.floor((approved * 100) / total)
}
