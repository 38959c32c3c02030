/**
 * Names as people look for them: by any word of them, and written in Latin or in Arabic letters. Consonants are what
 * both scripts write, so a name of the other script is found by them. `db/migrations/0019` has the same in SQL.
 */

/** Letters of one sound, as `[Latin, what stands for it]`; vowels, and what stands for them in Arabic, stand for nothing. */
const SOUNDS: readonly [sound: string, letters: string][] = [
  ['b', 'بpپ'],
  ['t', 'تثط'],
  ['j', 'جgغ'],
  ['h', 'ح'],
  ['k', 'خكقqc'],
  ['d', 'دذض'],
  ['r', 'ر'],
  ['z', 'زظ'],
  ['s', 'سشص'],
  ['f', 'فvڤ'],
  ['l', 'ل'],
  ['m', 'م'],
  ['n', 'ن'],
  ['h', 'ه'],
]
const SILENT = 'aeiouwyاأإآىويءئؤةعـ\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652'

/** For `translate(…, from, to)` of SQL: letters of `from` without one in `to` go. */
export const SOUND_FROM = SOUNDS.map(([, letters]) => letters).join('') + SILENT
export const SOUND_TO = SOUNDS.map(([sound, letters]) => sound.repeat(letters.length)).join('')

const SOUND_OF = new Map(Array.from(SOUND_FROM, (letter, index) => [letter, SOUND_TO[index] ?? '']))

/** Ways to write one letter in Arabic, and marks that may be left out. */
export const FOLD_FROM = 'أإآةىـ\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652'
export const FOLD_TO = 'اااهي'

const FOLDED = new Map(Array.from(FOLD_FROM, (letter, index) => [letter, FOLD_TO[index] ?? '']))

/** Before the consonants of a name, so that they are not taken for a word of one. */
export const SOUND_MARK = 'zq'

/** A word that begins a word of the name; or, when that is how the name is written, two that begin words of it. */
export type NamePart = { whole: string; apart?: readonly [first: string, rest: string] }

export type NameSearch = {
  /** Each of them has to be in the name. */
  words: NamePart[]
  /** The consonants of each word; empty when there are too few to tell names apart. */
  sounds: NamePart[]
  isArabic: boolean
}

/** What names of two words begin with, the longer ones first; they are written apart or in one: عبد الله, عبدالله. */
const FIRST_PARTS = ['عبد', 'ابو', 'ابا', 'ابي', 'بنت', 'ام', 'بن', 'ال', 'abdul', 'abdel', 'abd', 'abu', 'umm', 'bin', 'al', 'el']

export function readNameSearch(text: string): NameSearch {
  // An address, a number or an id is no name.
  const parts = /[@_\d]/.test(text) ? [] : (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
  const words = withTwofold(parts.map((part) => mapped(part, FOLDED)).filter((part) => part !== ''))
  const sounds = words.map(soundsOfPart)
  return {
    words,
    sounds: sounds.length > 0 && sounds.every(({ whole }) => whole.length >= 2) ? sounds : [],
    isArabic: /\p{Script=Arabic}/u.test(text),
  }
}

/** With the other way to write each name of two words. */
function withTwofold(words: readonly string[]): NamePart[] {
  const parts: NamePart[] = []
  for (let index = 0; index < words.length; index++) {
    const [word = '', next] = words.slice(index, index + 2)
    const first = FIRST_PARTS.find((each) => word.startsWith(each))
    if (first === word && next !== undefined) {
      parts.push({ whole: word + next, apart: [word, next] })
      index++
    } else if (first !== undefined && word.length >= first.length + 2) parts.push({ whole: word, apart: [first, word.slice(first.length)] })
    else parts.push({ whole: word })
  }
  return parts
}

function soundsOfPart({ whole, apart }: NamePart): NamePart {
  const [first = '', rest = ''] = apart?.map(soundsOf) ?? []
  return { whole: soundsOf(whole), ...(first.length >= 2 && rest.length >= 2 && { apart: [first, rest] as const }) }
}

function soundsOf(word: string): string {
  return mapped(word.replaceAll(/([sktdg])h/g, '$1').replace(/^ال/, ''), SOUND_OF)
    .replaceAll(/(.)\1+/g, '$1')
    .replace(/h$/, '')
}

function mapped(word: string, letters: ReadonlyMap<string, string>): string {
  return Array.from(word, (letter) => letters.get(letter) ?? letter).join('')
}
