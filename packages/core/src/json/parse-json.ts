import { cutText } from '../cut-text.ts'
import { LIMITS } from '../limits.ts'
import { isOdd, replaceOdd, type OddText, type Path } from './odd-characters.ts'

/**
 * Reads a request body once, at the door, so that no code behind it has to think about hostile JSON.
 *
 * Beyond the grammar it refuses what JSON.parse lets through and what would hurt later: nesting deeper
 * than `maxDepth`, a member written twice (which one counts would depend on the reader), numbers that
 * cannot be kept exactly or are very long when they are written out, NUL and lone surrogates (PostgreSQL
 * stores neither) where `oddTextAt` does not say that they are replaced. Members named `__proto__` are dropped: they are never data here (G-81), and copying them
 * onto an object would change its prototype.
 */
/** `replaced`: in how many texts; left out when in none. */
export type JsonResult = { ok: true; value: unknown; replaced?: number } | { ok: false; error: string }

export const INVALID_JSON = 'invalid JSON body'
export const UNSTORABLE = 'text must not contain \\u0000 or half of a surrogate pair'
export const tooDeep = (maxDepth: number) => `JSON is nested deeper than ${maxDepth} levels`
export const memberTwice = (name: string) => `member ${JSON.stringify(cutText(name, 60))} is written twice`

export function parseJson(text: string, maxDepth: number, oddTextAt: (path: Path) => OddText = () => 'refuse'): JsonResult {
  const fault = findFault(text, maxDepth)
  if (fault) return { ok: false, error: fault }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, error: INVALID_JSON }
  }
  const odd = text.includes('\\u') ? settleOdd(value, oddTextAt) : { value, replaced: 0 }
  if (!odd) return { ok: false, error: UNSTORABLE }
  if (text.includes('__proto__') || text.includes('\\u')) dropProto(odd.value)
  return { ok: true, value: odd.value, ...(odd.replaced > 0 && { replaced: odd.replaced }) }
}

/** One pass over the text, before parsing: depth, repeated members, numbers. Leaves grammar faults to JSON.parse. */
function findFault(text: string, maxDepth: number): string | undefined {
  const members: (Set<string> | null)[] = []
  let expectMember = false
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) {
      const end = stringEnd(text, i)
      if (expectMember) {
        const name = text.slice(i + 1, end)
        const seen = members.at(-1)
        const key = name.includes('\\') ? decode(name) : name
        if (seen?.has(key)) return memberTwice(key)
        seen?.add(key)
        expectMember = false
      }
      i = end
    } else if (code === 0x7b || code === 0x5b) {
      members.push(code === 0x7b ? new Set() : null)
      if (members.length > maxDepth) return tooDeep(maxDepth)
      expectMember = code === 0x7b
    } else if (code === 0x7d || code === 0x5d) {
      members.pop()
      expectMember = false
    } else if (code === 0x2c) {
      expectMember = members.at(-1) instanceof Set
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const end = numberEnd(text, i)
      const literal = text.slice(i, end)
      const fault = numberFault(literal)
      if (fault) return fault
      digits += writtenOut(literal)
      if (digits > LIMITS.jsonWrittenOut) return TOO_LONG_WRITTEN_OUT
      i = end - 1
    }
  }
  return undefined
}

/** Where the quotation mark is that ends a text; the length of all when there is none. */
export function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = end
    while (text.charCodeAt(escapes - 1) === 0x5c) escapes--
    if ((end - escapes) % 2 === 0) return end
  }
  return text.length
}

function numberEnd(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && '0123456789.eE+-'.includes(text.charAt(i))) i++
  return i
}

export const TOO_LONG_WRITTEN_OUT = 'numbers with exponents are too long when they are written out; send them as strings'

/** Digits that a number with an exponent has more when it is written out: `1e300` is a 1 with 300 zeros. */
export function writtenOut(literal: string): number {
  const exponent = /[eE]([+-]?\d+)$/.exec(literal)?.[1]
  return exponent === undefined ? 0 : Math.abs(Number(exponent))
}

export function numberFault(literal: string): string | undefined {
  if (literal.length < 16 && !literal.includes('e') && !literal.includes('E')) return undefined
  return isKept(literal, Number(literal)) ? undefined : `number ${literal.slice(0, 40)} cannot be kept exactly; send it as a string`
}

/** A whole number is what the double holds, or what the double is written as: both come back as they were sent. */
function isKept(literal: string, number: number): boolean {
  if (!Number.isFinite(number) || !/^-?[1-9]\d*$/.test(literal)) return Number.isFinite(number)
  return String(number) === literal || BigInt(number) === BigInt(literal)
}

function decode(inner: string): string {
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return inner
  }
}

/** In place, but for a body that is nothing but a text. Undefined: something that names a thing has an odd character. */
function settleOdd(body: unknown, oddTextAt: (path: Path) => OddText): { value: unknown; replaced: number } | undefined {
  const path: string[] = []
  let replaced = 0
  const settle = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (!isOdd(value)) return value
      const fate = oddTextAt(path)
      if (fate === 'refuse') throw REFUSED
      if (fate === 'pass') return value
      replaced++
      return replaceOdd(value)
    }
    if (typeof value !== 'object' || value === null) return value
    const isList = Array.isArray(value)
    for (const [name, member] of Object.entries(value)) {
      if (!isList && isOdd(name)) throw REFUSED
      if (typeof member !== 'string' && typeof member !== 'object') continue
      path.push(isList ? '*' : name)
      const settled = settle(member)
      path.pop()
      if (settled !== member) (value as Record<string, unknown>)[name] = settled
    }
    return value
  }
  try {
    const value = settle(body)
    return { value, replaced }
  } catch (error) {
    if (error === REFUSED) return undefined
    throw error
  }
}

const REFUSED = new Error(UNSTORABLE)

function dropProto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) delete (value as Record<string, unknown>)['__proto__']
  for (const member of Object.values(value)) dropProto(member)
}
