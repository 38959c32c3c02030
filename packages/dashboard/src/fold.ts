/** A text as it is compared in searches: without case, accents, vowel signs and the ways one Arabic letter is written. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\u0640]/gu, '')
    .replaceAll(/[ىی]/g, 'ي')
    .replaceAll('ة', 'ه')
    .replaceAll('ک', 'ك')
    .replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .toLowerCase()
}

/** Whether every word of `search` is somewhere in these texts. Arabic names are written in one word or in two: عبدالله, عبد الله. */
export function holds(texts: readonly string[], search: string): boolean {
  const all = fold(texts.join(' '))
  const joined = all.replaceAll(/\s+/g, '')
  return fold(search)
    .split(/\s+/)
    .every((word) => all.includes(word) || (ARABIC.test(word) && word.length >= SHORTEST_JOINED && joined.includes(word)))
}

const ARABIC = /\p{Script=Arabic}/u
/** Shorter ones would be found across the ends of words that have nothing to do with them. */
const SHORTEST_JOINED = 5
