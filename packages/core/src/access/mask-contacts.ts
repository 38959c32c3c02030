/** Answers for those who may not see how people are reached: email addresses, numbers and names are masked wherever they stand. */

const EMAIL = /[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[^\s@<>"'(),;:]+/g
/** An international number, which hardly anything else looks like. */
const NUMBER = /\+\d{8,15}(?!\d)/g
/** Members that hold a way to reach somebody. */
const CONTACTS = new Set(['email', 'phone'])
/** Members that may: an address or a number, beside moments and names of other things. */
const PERHAPS = new Set(['address', 'from', 'to', 'contact', 'recipient'])
const LOOKS_LIKE_ONE = /@|^\+?\d{6,}$/
const NAMES = new Set(['name', 'firstName', 'lastName', 'fullName', 'displayName'])
/** An object with one of these members is about a person. */
const OF_A_PERSON = ['userId', 'deviceId', 'email', 'phone']
/** Shorter words of a name stand in other words too. */
const SHORTEST_WORD = 3

/** The same answer with contacts masked: `s•••@•••`. Texts that repeat the name or the address of a person of the answer are masked too. */
export function maskContacts(answer: unknown): unknown {
  const found = new Set<string>()
  collect(answer, found)
  const words = [...found].filter((word) => word.length >= SHORTEST_WORD).sort((a, b) => b.length - a.length)
  return masked(answer, words, false)
}

function maskText(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x2022)
  return text.includes('@') ? `${first}•••@•••` : `${first}•••`
}

/** Names and contacts of people in it, and the words of their names. */
function collect(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) for (const each of value) collect(each, found)
  else if (isPlain(value)) {
    const isPerson = isOfPerson(value)
    for (const [name, each] of Object.entries(value)) {
      if (typeof each === 'string' && isMasked(name, each, isPerson)) for (const word of [each, ...each.split(/\s+/)]) found.add(word)
      else collect(each, found)
    }
  }
}

function masked(value: unknown, words: readonly string[], isContact: boolean): unknown {
  if (typeof value === 'string') return isContact && value !== '' ? maskText(value) : maskWithin(value, words)
  if (Array.isArray(value)) return value.map((each) => masked(each, words, isContact))
  if (!isPlain(value)) return value
  const isPerson = isOfPerson(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, masked(each, words, typeof each === 'string' && isMasked(name, each, isPerson))]),
  )
}

function maskWithin(text: string, words: readonly string[]): string {
  const plain = words.reduce((left, word) => (left.includes(word) && left !== word ? left.replaceAll(word, maskText(word)) : left), text)
  const unaddressed = plain.includes('@') ? plain.replaceAll(EMAIL, maskText) : plain
  return unaddressed.includes('+') ? unaddressed.replaceAll(NUMBER, maskText) : unaddressed
}

function isMasked(name: string, text: string, isPerson: boolean): boolean {
  if (PERHAPS.has(name)) return LOOKS_LIKE_ONE.test(text)
  return CONTACTS.has(name) || (isPerson && NAMES.has(name))
}

function isOfPerson(value: object): boolean {
  return OF_A_PERSON.some((name) => name in value)
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
