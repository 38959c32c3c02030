/**
 * Regular expressions of other people (G-79): written as in ECMAScript, run by RE2, whose time grows only with the
 * length of the text. What RE2 has no linear time for, look-around and back-references, is refused; what it merely
 * spells or reads in another way is rewritten. Matching is by code point.
 */
import { VALUE_LIMITS } from '@contentflow/core/targeting/rule-value.ts'
import type { RE2JS } from 're2js'
import { lazyPackage } from './lazy-package.ts'

const re2js = lazyPackage((require) => require('re2js') as typeof import('re2js'))

/** A search for a match anywhere in a text, or undefined for a pattern that cannot be used. */
export function compileRegex(pattern: string): ((text: string) => boolean) | undefined {
  const compiled = compile(pattern)
  if (typeof compiled === 'string') return undefined
  const { search, pieces } = compiled
  const length = Math.min(VALUE_LIMITS.searchedLength, Math.floor(MOST_WORK / pieces))
  return (text) => search.test(text.slice(0, length))
}

/** Says why a pattern cannot be used beside those it was asked about before; undefined when it can. One for each segment or journey. */
export function openRegexCheck(): (pattern: string) => string | undefined {
  let together = 0
  return (pattern) => {
    const compiled = compile(pattern)
    if (typeof compiled === 'string') return compiled
    together += compiled.pieces
    return together > MOST_TOGETHER ? `with those before it, it makes more than ${MOST_TOGETHER} pieces` : undefined
  }
}

/** Pieces of all patterns of a segment or journey: to make the worst that were found took 10 ms. */
const MOST_TOGETHER = 4_400
/**
 * Pieces of a pattern times characters of a text. The worst that was found took 46 ns for each, 92 ms for a search; only a
 * pattern of more than 480 pieces does not reach the end of the longest trait.
 */
const MOST_WORK = 2_000_000
/** What a pattern may hold of the states it was in. RE2JS takes 8 MB for each, and a workspace can have thousands. */
const STATES_BYTES = 262_144

function compile(pattern: string): { search: RE2JS; pieces: number } | string {
  if (!isEcmaScript(pattern)) return 'it is not valid'
  try {
    const { text, pieces } = translate(pattern)
    const search = re2js().RE2JS.compile(text)
    const { dfa } = search.re2Input
    dfa.maxMem = dfa.stateBudget = dfa.memBudget = STATES_BYTES
    return { search, pieces }
  } catch (error) {
    return error instanceof Refused ? error.message : 'it uses what cannot be run in linear time'
  }
}

class Refused extends Error {}

function isEcmaScript(pattern: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      new RegExp(pattern, flags)
      return true
    } catch {
      return false
    }
  })
}

/** The same words mean less to RE2: ECMAScript counts the white space and line ends of Unicode too. */
const SPACE = '\\t\\n\\x0b\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NOT_SPACE =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const ANY = '[^\\n\\r\\x{2028}\\x{2029}]'

function translate(pattern: string): { text: string; pieces: number } {
  let text = ''
  let pieces = 0
  const grow = countPieces()
  for (let at = 0; at < pattern.length;) {
    const [piece, end] = nextPiece(pattern, at)
    pieces = grow(piece)
    text += piece
    at = end
  }
  return { text, pieces: Math.max(pieces, 1) }
}

/**
 * With its repetitions written out, which RE2 does: each piece is one more thing to do for each character of a text, and of
 * 20,000 it took half a second to make them alone. A property counts as several: it has hundreds of ranges.
 */
const MOST_PIECES = 1_100

/** Takes piece after piece; says how many they are. */
function countPieces(): (piece: string) => number {
  const around: number[] = []
  let [pieces, last] = [0, 0]
  return (piece) => {
    const times = /^\{(\d+)(?:,(\d*))?\}$/.exec(piece)
    if (piece.startsWith('(')) {
      around.push(pieces)
      pieces = last = 0
    } else if (times) pieces += last * Math.max(Number(times[2] || times[1]) - 1, 0)
    else {
      const size = 1 + 3 * (piece.match(/\\[pP]\{/g)?.length ?? 0)
      last = piece === ')' ? pieces : size
      pieces = piece === ')' ? (around.pop() ?? 0) + last : pieces + size
    }
    if (pieces > MOST_PIECES) throw new Refused(`its repetitions make more than ${MOST_PIECES} pieces of it`)
    return pieces
  }
}

/** What stands at `at`, for RE2, and where it ends. */
function nextPiece(pattern: string, at: number): [piece: string, end: number] {
  const char = String.fromCodePoint(pattern.codePointAt(at) ?? 0)
  if (char === '\\') return escape(pattern, at, false)
  if (char === '[') return characterClass(pattern, at)
  if (char === '.') return [ANY, at + 1]
  if (char === '(' && pattern[at + 1] === '?') return group(pattern, at)
  // RE2 reads a number with a zero before it as text.
  const count = char === '{' && /^\{0*(\d+)(?:(,)(?:0*(\d+))?)?\}/.exec(pattern.slice(at))
  if (count) return [`{${count[1]}${count[2] ?? ''}${count[3] ?? ''}}`, at + count[0].length]
  return [char, at + char.length]
}

function group(pattern: string, at: number): [string, number] {
  const rest = pattern.slice(at)
  if (/^\(\?<?[=!]/.test(rest)) throw new Refused('look-around is not supported')
  const name = /^\(\?<[^>]*>/.exec(rest)
  if (name) return ['(', at + name[0].length]
  const modifiers = /^\(\?(-?i?):/.exec(rest)
  if (!modifiers) throw new Refused('only the modifier i is supported')
  return [modifiers[0], at + modifiers[0].length]
}

function characterClass(pattern: string, start: number): [string, number] {
  const isNegated = pattern[start + 1] === '^'
  let at = start + (isNegated ? 2 : 1)
  let members = ''
  while (pattern[at] !== ']') {
    const char = String.fromCodePoint(pattern.codePointAt(at) ?? 0)
    const [piece, end] = char === '\\' ? escape(pattern, at, true) : [/[[^]/.test(char) ? `\\${char}` : char, at + char.length]
    members += piece
    at = end
  }
  if (members === '') return [isNegated ? '[\\x00-\\x{10ffff}]' : '[^\\x00-\\x{10ffff}]', at + 1]
  return [`[${isNegated ? '^' : ''}${members}]`, at + 1]
}

const CONTROLS = new Map([
  ['t', '\\t'],
  ['n', '\\n'],
  ['v', '\\x0b'],
  ['f', '\\f'],
  ['r', '\\r'],
])

function escape(pattern: string, at: number, isInClass: boolean): [string, number] {
  const rest = pattern.slice(at + 1)
  const char = String.fromCodePoint(rest.codePointAt(0) ?? 0)
  const end = at + 1 + char.length
  if (/^0\d/.test(rest)) throw new Refused('a character by its octal number is not supported')
  if (/[1-9]/.test(char) || (char === 'k' && rest.startsWith('k<'))) throw new Refused('back-references are not supported')
  if (/[dDwW]/.test(char)) return [`\\${char}`, end]
  if (char === 's') return [isInClass ? SPACE : `[${SPACE}]`, end]
  if (char === 'S') return [isInClass ? NOT_SPACE : `[${NOT_SPACE}]`, end]
  if (/[bB]/.test(char)) return [isInClass ? (char === 'b' ? '\\x08' : 'B') : `\\${char}`, end]
  const control = CONTROLS.get(char)
  if (control) return [control, end]
  return coded(rest, at + 1) ?? [/[^\p{L}\p{N}]/u.test(char) && char <= '~' ? `\\${char}` : char, end]
}

/** Escapes that name a character by a number, and properties. */
function coded(rest: string, at: number): [string, number] | undefined {
  const property = /^([pP])\{(?:(?:Script|sc|General_Category|gc)=)?(\w+)\}/.exec(rest)
  if (property) return [`\\${property[1]}{${property[2]}}`, at + property[0].length]
  const number =
    /^u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(rest) ?? /^u([0-9a-fA-F]{4})/.exec(rest) ?? codedOnce(rest)
  if (!number) return undefined
  const [text, first = '0', second] = number
  const high = Number.parseInt(first, 16)
  const point = second === undefined ? high : 0x10000 + ((high - 0xd800) << 10) + (Number.parseInt(second, 16) - 0xdc00)
  if (point >= 0xd800 && point <= 0xdfff) throw new Refused('half of a surrogate pair matches nothing')
  return [`\\x{${point.toString(16)}}`, at + text.length]
}

function codedOnce(rest: string): [string, string] | undefined {
  const hex = /^u\{([0-9a-fA-F]{1,6})\}/.exec(rest) ?? /^x([0-9a-fA-F]{2})/.exec(rest)
  if (hex?.[1] !== undefined) return [hex[0], hex[1]]
  const letter = /^c([a-zA-Z])/.exec(rest)
  if (letter?.[1] !== undefined) return [letter[0], (letter[1].charCodeAt(0) % 32).toString(16)]
  return rest.startsWith('0') ? ['0', '0'] : undefined
}
