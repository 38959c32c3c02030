/** One use of an argument in a text of ICU MessageFormat. */
export type Argument = {
  name: string
  /** `none` for a bare `{name}`. */
  type: 'none' | 'number' | 'date' | 'time' | 'spellout' | 'ordinal' | 'duration' | 'choice' | 'plural' | 'selectordinal' | 'select'
  /** For plural, selectordinal and select: the words that stand before the braces. */
  options: string[]
}
export type Message =
  | {
      ok: true
      arguments: Argument[]
      /** `{{name}}` and `%{name}`, as written. */
      named: string[]
      /** Arguments an apostrophe right before them makes plain text, as written. */
      quoted: string[]
      /** A `}` that closes nothing; it is shown as it is. */
      hasLooseBrace: boolean
    }
  | { ok: false; error: string }

/** Where an argument with options stands in its text: from its opening brace to behind the closing one. */
export type Branching = {
  name: string
  type: 'plural' | 'selectordinal' | 'select'
  start: number
  end: number
  /** `open` and `close`: the braces around its text. */
  options: { name: string; start: number; open: number; close: number }[]
}

const APOSTROPHE = 0x27
const HASH = 0x23
const PERCENT = 0x25
const OPEN = 0x7b
const CLOSE = 0x7d
const DEPTH = 16
const SIMPLE_TYPES = new Set(['number', 'date', 'time', 'spellout', 'ordinal', 'duration', 'choice'])
const BRANCHING_TYPES = ['plural', 'selectordinal', 'select'] as const

// All sticky: they read at one place only. Names are bounded, so that no text costs more than its length.
const SPACE = /[\s\u200e\u200f]*/y
const NAME = /[^\s{},'"<>#|=]{1,200}/y
const SELECTOR = /=\d{1,15}|[^\s{},'"<>#|=]{1,200}/y
const OFFSET = /offset:\s{0,20}-?\d{1,15}/y
const DOUBLE_BRACES = /\{\{\{\s{0,20}[\w$.@-]{1,200}\s{0,20}\}\}\}|\{\{[&#/^]?\s{0,20}[\w$.@-]{1,200}\s{0,20}\}\}/y
const PERCENT_BRACES = /%\{[\w.-]{1,200}\}/y
const PLAIN_ARGUMENT = /\{\s{0,20}[^\s{},'"<>#|=]{1,200}\s{0,20}[,}]/y

class Malformed extends Error {}

/**
 * Reads the arguments of a text in ICU MessageFormat, with its rules of apostrophes: `''` is one apostrophe, and
 * one right before a brace makes text of everything up to the next. Placeholders in the braces of other
 * formats are told apart. A text of a format in which braces mean something else is refused.
 */
export function readMessage(text: string): Message {
  const reader = new MessageReader(text)
  const error = reader.run()
  if (error !== undefined) return { ok: false, error }
  return { ok: true, arguments: reader.found, named: reader.named, quoted: reader.quoted, hasLooseBrace: reader.hasLooseBrace }
}

/** The plurals and selects of a text that stand in no other one; undefined of a text that is malformed. */
export function readBranchings(text: string): Branching[] | undefined {
  const reader = new MessageReader(text)
  return reader.run() === undefined ? reader.branchings : undefined
}

class MessageReader {
  readonly found: Argument[] = []
  readonly named: string[] = []
  readonly quoted: string[] = []
  readonly branchings: Branching[] = []
  hasLooseBrace = false
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** What is malformed. */
  run(): string | undefined {
    try {
      this.#message(0, false)
      return undefined
    } catch (error) {
      if (error instanceof Malformed) return error.message
      throw error
    }
  }

  /** Up to the brace that closes it, or to the end. */
  #message(depth: number, isPlural: boolean): void {
    if (depth > DEPTH) throw new Malformed('braces are nested too deep')
    while (this.#at < this.#text.length) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === CLOSE && depth > 0) return
      if (code === CLOSE) this.hasLooseBrace = true
      if (code === APOSTROPHE) this.#apostrophe(isPlural)
      else if (code === OPEN || code === PERCENT) this.#placeholder(depth, isPlural)
      else this.#at++
    }
    if (depth > 0) throw new Malformed('a brace that is opened is never closed')
  }

  #apostrophe(isPlural: boolean): void {
    const next = this.#text.charCodeAt(this.#at + 1)
    if (next === APOSTROPHE) this.#at += 2
    else if (next === OPEN || next === CLOSE || (isPlural && next === HASH)) this.#quotedText()
    else this.#at++
  }

  #quotedText(): void {
    const argument = this.#peek(PLAIN_ARGUMENT, this.#at + 1)
    let close = this.#text.indexOf("'", this.#at + 1)
    while (close !== -1 && this.#text.charCodeAt(close + 1) === APOSTROPHE) close = this.#text.indexOf("'", close + 2)
    if (argument !== undefined) this.quoted.push(argument.replace(/,$/, '}'))
    this.#at = close === -1 ? this.#text.length : close + 1
  }

  #placeholder(depth: number, isPlural: boolean): void {
    const named = this.#take(DOUBLE_BRACES) ?? this.#take(PERCENT_BRACES)
    if (named !== undefined) this.named.push(named.replaceAll(/\s/g, ''))
    else if (this.#text.charCodeAt(this.#at) === OPEN) this.#argument(depth, isPlural)
    else this.#at++
  }

  #argument(depth: number, isPlural: boolean): void {
    const start = this.#at++
    this.#take(SPACE)
    const name = this.#take(NAME)
    if (name === undefined) throw new Malformed('an opening brace is not followed by a name')
    this.#take(SPACE)
    if (this.#skip('}')) return void this.found.push({ name, type: 'none', options: [] })
    if (!this.#skip(',')) throw new Malformed(`{${name} is followed by something other than a comma or a closing brace`)
    this.#take(SPACE)
    const type = this.#take(NAME) ?? ''
    const branching = BRANCHING_TYPES.find((known) => known === type)
    this.#take(SPACE)
    if (SIMPLE_TYPES.has(type)) this.#simple(name, type as Argument['type'])
    else if (branching) {
      const found = this.#branching({ name, type: branching, start, end: start, options: [] }, depth, isPlural)
      if (depth === 0) this.branchings.push(found)
    } else throw new Malformed(`{${name}} has the type "${type}", which there is not`)
  }

  #simple(name: string, type: Argument['type']): void {
    this.found.push({ name, type, options: [] })
    if (this.#skip('}')) return
    if (!this.#skip(',')) throw new Malformed(`{${name}} is not closed after its type`)
    const start = this.#at
    this.#style(name)
    if (this.#text.slice(start, this.#at - 1).trim() === '') throw new Malformed(`{${name}} has a comma and nothing after it`)
  }

  /** What stands after the type, its own braces included. */
  #style(name: string): void {
    for (let open = 1; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === APOSTROPHE) {
        const close = this.#text.indexOf("'", this.#at + 1)
        if (close === -1) throw new Malformed(`an apostrophe in {${name}} is never closed`)
        this.#at = close
      } else if (code === OPEN) open++
      else if (code === CLOSE && --open === 0) return void this.#at++
    }
    throw new Malformed(`{${name}} is never closed`)
  }

  #branching(branching: Branching, depth: number, isPlural: boolean): Branching {
    const { name, type, options } = branching
    if (!this.#skip(',')) throw new Malformed(`{${name}, ${type}} has no options`)
    const argument: Argument = { name, type, options: [] }
    this.found.push(argument)
    this.#take(SPACE)
    if (type !== 'select' && this.#take(OFFSET) !== undefined) this.#take(SPACE)
    const seen = new Set<string>()
    for (let start = this.#at, option = this.#option(type); option !== undefined; start = this.#at, option = this.#option(type)) {
      if (seen.has(option)) throw new Malformed(`{${name}} has the option ${option} twice`)
      seen.add(option)
      argument.options.push(option)
      const open = this.#at
      if (!this.#skip('{')) throw new Malformed(`the option ${option} of {${name}} has no text in braces`)
      this.#message(depth + 1, isPlural || type !== 'select')
      options.push({ name: option, start, open, close: this.#at++ })
      this.#take(SPACE)
    }
    if (argument.options.length === 0) throw new Malformed(`{${name}, ${type}} has no options`)
    if (!this.#skip('}')) throw new Malformed(`{${name}} is never closed`)
    branching.end = this.#at
    return branching
  }

  #option(type: Argument['type']): string | undefined {
    const option = this.#take(type === 'select' ? NAME : SELECTOR)
    if (option !== undefined) this.#take(SPACE)
    return option
  }

  #skip(character: string): boolean {
    if (this.#text.charAt(this.#at) !== character) return false
    this.#at++
    return true
  }

  #take(pattern: RegExp): string | undefined {
    const found = this.#peek(pattern, this.#at)
    if (found !== undefined) this.#at += found.length
    return found
  }

  #peek(pattern: RegExp, at: number): string | undefined {
    pattern.lastIndex = at
    return pattern.exec(this.#text)?.[0]
  }
}
