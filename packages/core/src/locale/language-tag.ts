/** One spelling of what names a language, wherever it comes from (G-95). */

/** Java and Android say these still; the registry of languages has them as former codes. */
const FORMER: { [code: string]: string } = { iw: 'he', in: 'id', ji: 'yi' }

/** `ar_SA` as `ar-SA`, `iw` as `he`; everything else as it was sent. */
export function languageTag(sent: string): string {
  const tag = sent.includes('_') ? sent.replaceAll('_', '-') : sent
  const end = tag.indexOf('-')
  const language = (end === -1 ? tag : tag.slice(0, end)).toLowerCase()
  return Object.hasOwn(FORMER, language) ? `${FORMER[language]}${end === -1 ? '' : tag.slice(end)}` : tag
}

/** For comparing two: case means nothing, and what is stored may be from before there was one spelling. */
export function foldTag(tag: string): string {
  return languageTag(tag).toLowerCase()
}

/** All that fold to what this folds to, in lower case, with one separator throughout: for asking a database of what was stored. */
export function spellingsOf(tag: string): string[] {
  const folded = foldTag(tag)
  const end = folded.indexOf('-')
  const [language, rest] = end === -1 ? [folded, ''] : [folded.slice(0, end), folded.slice(end)]
  const languages = [language, ...Object.keys(FORMER).filter((former) => FORMER[former] === language)]
  return languages.flatMap((each) => (rest === '' ? [each] : [each + rest, each + rest.replaceAll('-', '_')]))
}
