/** Names in other languages, made of keys and tags: folded, never a word of the language, never twice. */
import { shorten } from '@contentflow/core/cut-text.ts'
import type { TextModel } from './model.ts'

export type Naming = {
  /** Words that the language, or the code around, keeps for itself. */
  reserved: ReadonlySet<string>
  /** Whether names may have letters of every script; otherwise these are written as their code points. */
  takesAllLetters: boolean
}

/** The same, where these words, separated by spaces, are taken too. */
export function nameIn(naming: Naming, words: string): Naming {
  return { ...naming, reserved: new Set([...naming.reserved, ...words.split(' ')]) }
}

/** Words of `text`: what is between dots, dashes, `#`, spaces and so on, and the parts of camelCase stay as they are. */
function wordsOf(text: string, { takesAllLetters }: Naming): string[] {
  const letters = takesAllLetters
    ? text
    : text.replaceAll(/\P{ASCII}+/gu, (run) => (/[\p{L}\p{N}]/u.test(run) ? ` ${codePoints(run)} ` : ' '))
  return letters.split(/[^\p{L}\p{Nd}]+/u).filter((word) => word !== '')
}

function codePoints(run: string): string {
  return Array.from(run)
    .filter((letter) => /[\p{L}\p{N}]/u.test(letter))
    .map((letter) => `u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
    .join('')
}

const upper = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const lower = (word: string) => word.charAt(0).toLowerCase() + word.slice(1)

/** `cart.items` → `cartItems`. */
export function memberName(text: string, naming: Naming): string {
  const [first = 'name', ...rest] = wordsOf(text, naming)
  return safe(lower(first) + rest.map(upper).join(''), naming)
}

/** `home_hero` → `HomeHero`. */
export function typeName(text: string, naming: Naming): string {
  return safe(upper(wordsOf(text, naming).map(upper).join('') || 'Name'), naming)
}

function safe(name: string, { reserved }: Naming): string {
  const begun = /^\p{Nd}/u.test(name) ? `n${name}` : name
  return reserved.has(begun) ? `${begun}_` : begun
}

/** Gives names out; one that is taken gets a number. Ask in a fixed order. */
export function openNames(make: (text: string, naming: Naming) => string, naming: Naming): (text: string) => string {
  const taken = new Set<string>()
  return (text) => {
    const wanted = make(text, naming)
    let name = wanted
    for (let number = 2; taken.has(name); number++) name = `${wanted}${/\p{Nd}$/u.test(wanted) ? '_' : ''}${number}`
    taken.add(name)
    return name
  }
}

type NamedText = Omit<TextModel, 'parameters'> & { name: string; parameters: (TextModel['parameters'][number] & { is: string })[] }

/** Texts with a name for each, and one for each parameter (`is`). */
export function nameTexts(texts: readonly TextModel[], members: Naming, parameters: Naming): NamedText[] {
  const member = openNames(memberName, members)
  return texts.map((text) => {
    const parameter = openNames(memberName, parameters)
    return { ...text, name: member(text.key), parameters: text.parameters.map((one) => ({ ...one, is: parameter(one.name) })) }
  })
}

/** A text as one line of a comment, which it cannot end. */
export function commentOf(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll('*/', '* /')
    .replaceAll('/*', '/ *')
    .trim()
  return shorten(line, 120)
}

/** A literal between `quote`s; `also` are further characters that mean something in it. */
export function literal(text: string, quote: '"' | "'", also = ''): string {
  const escaped = Array.from(text, (letter) => {
    if (letter === '\\' || letter === quote || also.includes(letter)) return `\\${letter}`
    return letter === '\n' ? '\\n' : letter === '\r' ? '\\r' : letter === '\t' ? '\\t' : letter
  })
  return quote + escaped.join('') + quote
}

export const HEADER = 'Written by `contentflow types`. Do not change it: run that again.'
