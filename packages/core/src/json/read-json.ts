import { LIMITS } from '../limits.ts'
import { isOdd, replaceOdd, type OddText, type Path } from './odd-characters.ts'
import {
  INVALID_JSON,
  memberTwice,
  numberFault,
  stringEnd,
  TOO_LONG_WRITTEN_OUT,
  tooDeep,
  UNSTORABLE,
  writtenOut,
  type JsonResult,
} from './parse-json.ts'

/** Work between two yields, a few milliseconds: a step of reading counts as one, and so do this many characters. */
const SLICE = 8_000
const STEP_CHARACTERS = 32

/**
 * `parseJson` for long texts: takes and refuses the same, and yields every few milliseconds so that the thread can do
 * other things meanwhile. On the whole it is slower. It also bounds how much there may be in a text.
 */
export function* readJson(
  text: string,
  maxDepth: number,
  oddTextAt: (path: Path) => OddText = () => 'refuse',
): Generator<undefined, JsonResult> {
  const reader = new Reader(text, maxDepth, oddTextAt)
  try {
    for (let work = 0; ;) {
      const from = reader.at
      if (!reader.step()) return { ok: true, value: reader.root, ...(reader.replaced > 0 && { replaced: reader.replaced }) }
      work += 1 + (reader.at - from) / STEP_CHARACTERS
      if (work < SLICE) continue
      work = 0
      yield
    }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, error: error.message }
    throw error
  }
}

class Fault extends Error {}

type List = { list: unknown[]; object?: undefined }
/** `member` is the name whose value comes next; undefined while a name is due. `last`: the one that was read last. */
type Members = {
  list?: undefined
  object: Record<string, unknown>
  size: number
  member: string | undefined
  last: string
  hasProto: boolean
}

const LITERALS = new Map<string | undefined, [string, unknown]>([
  ['t', ['true', true]],
  ['f', ['false', false]],
  ['n', ['null', null]],
])
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Reads one piece at a time: a name with its colon, a text, a number, a bracket, a comma. */
class Reader {
  readonly #text: string
  readonly #maxDepth: number
  readonly #oddTextAt: (path: Path) => OddText
  readonly #open: (List | Members)[] = []
  #values = 0
  #digits = 0
  /** What may come next: a value (in an object its name first); the first of a container, or its end; a comma, or its end. */
  #expects: 'value' | 'first' | 'comma' = 'value'
  root: unknown
  /** How far it has come. */
  at = 0
  /** Texts with a character in the place of an odd one. */
  replaced = 0

  constructor(text: string, maxDepth: number, oddTextAt: (path: Path) => OddText) {
    this.#text = text
    this.#maxDepth = maxDepth
    this.#oddTextAt = oddTextAt
  }

  /** False once all has been read. Throws a Fault. */
  step(): boolean {
    this.#skipBlanks()
    const top = this.#open.at(-1)
    const character = this.#text[this.at]
    if (this.#expects === 'comma' && !top) {
      if (character !== undefined) throw new Fault(INVALID_JSON)
      return false
    }
    if (this.#expects !== 'value' && top && character === (top.list ? ']' : '}')) {
      this.#open.pop()
      this.#pass('comma')
    } else if (this.#expects === 'comma') {
      if (character !== ',') throw new Fault(INVALID_JSON)
      this.#pass('value')
    } else if (top?.object && top.member === undefined) this.#readName(top)
    else this.#readValue(top, character)
    return true
  }

  /** Moves behind the current character. */
  #pass(expects: 'value' | 'first' | 'comma'): void {
    this.at++
    this.#expects = expects
  }

  #skipBlanks(): void {
    for (let code = this.#text.charCodeAt(this.at); isBlank(code); code = this.#text.charCodeAt(++this.at));
  }

  #readName(members: Members): void {
    if (this.#text[this.at] !== '"') throw new Fault(INVALID_JSON)
    const name = this.#readText()
    if (isOdd(name)) throw new Fault(UNSTORABLE)
    const isProto = name === '__proto__'
    if (isProto ? members.hasProto : Object.hasOwn(members.object, name)) throw new Fault(memberTwice(name))
    members.hasProto ||= isProto
    if (++members.size > LIMITS.jsonMembers) throw new Fault(`an object has more than ${LIMITS.jsonMembers} members`)
    members.member = name
    members.last = name
    this.#skipBlanks()
    if (this.#text[this.at] !== ':') throw new Fault(INVALID_JSON)
    this.#pass('value')
  }

  #readValue(top: List | Members | undefined, character: string | undefined): void {
    if (++this.#values > LIMITS.jsonValues) throw new Fault(`JSON has more than ${LIMITS.jsonValues} values`)
    if (character !== '{' && character !== '[') {
      this.#place(top, this.#readScalar(character))
      this.#expects = 'comma'
      return
    }
    if (this.#open.length === this.#maxDepth) throw new Fault(tooDeep(this.#maxDepth))
    const opened: List | Members = character === '[' ? { list: [] } : { object: {}, size: 0, member: undefined, last: '', hasProto: false }
    this.#place(top, opened.list ?? opened.object)
    this.#open.push(opened)
    this.#pass('first')
  }

  /** Into the container around it; what is named `__proto__` is dropped (G-81). */
  #place(top: List | Members | undefined, value: unknown): void {
    if (!top) this.root = value
    else if (top.list) top.list.push(value)
    else {
      if (top.member !== undefined && top.member !== '__proto__') top.object[top.member] = value
      top.member = undefined
    }
  }

  /** A copy of its own, never a piece of the long text, which would be kept as long as the piece. */
  #readText(): string {
    const end = stringEnd(this.#text, this.at) + 1
    const literal = this.#text.slice(this.at, end)
    let value: string
    try {
      value = JSON.parse(literal) as string
    } catch {
      throw new Fault(INVALID_JSON)
    }
    this.at = end
    return value
  }

  #settle(text: string): string {
    if (!isOdd(text)) return text
    const fate = this.#oddTextAt(this.#open.map((open) => (open.list ? '*' : open.last)))
    if (fate === 'refuse') throw new Fault(UNSTORABLE)
    if (fate === 'pass') return text
    this.replaced++
    return replaceOdd(text)
  }

  #readScalar(character: string | undefined): unknown {
    if (character === '"') return this.#settle(this.#readText())
    const [word, value] = LITERALS.get(character) ?? []
    if (word === undefined) return this.#readNumber()
    if (!this.#text.startsWith(word, this.at)) throw new Fault(INVALID_JSON)
    this.at += word.length
    return value
  }

  #readNumber(): number {
    NUMBER.lastIndex = this.at
    const literal = NUMBER.exec(this.#text)?.[0]
    if (literal === undefined) throw new Fault(INVALID_JSON)
    const fault = numberFault(literal)
    if (fault !== undefined) throw new Fault(fault)
    this.#digits += writtenOut(literal)
    if (this.#digits > LIMITS.jsonWrittenOut) throw new Fault(TOO_LONG_WRITTEN_OUT)
    this.at += literal.length
    return Number(literal)
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
