/**
 * Which CSS own HTML of a mail may hold, and the one form that it is written in: properties by name, values of words, numbers,
 * short strings and a few functions. What is not in the lists is left out, so nothing of it runs, moves over other parts of a
 * page, or loads anything but pictures by https.
 */
import { imageFault } from '../../blocks/links/safe-url.ts'

/** `dropped`: what was left out, for whoever reads a report. */
export type ReadCss = { css: string; dropped: string[] }

const SIDES = ['', '-top', '-right', '-bottom', '-left']
const PROPERTIES = new Set(
  [
    ['background', 'background-color', 'background-image', 'background-position', 'background-repeat', 'background-size'],
    SIDES.flatMap((side) => [`border${side}`, `border${side}-color`, `border${side}-style`, `border${side}-width`]),
    SIDES.flatMap((side) => [`margin${side}`, `padding${side}`]),
    ['border-radius', 'border-top-left-radius', 'border-top-right-radius', 'border-bottom-left-radius', 'border-bottom-right-radius'],
    ['border-collapse', 'border-spacing', 'box-shadow', 'box-sizing', 'caption-side', 'clear', 'color', 'color-scheme', 'direction'],
    ['display', 'empty-cells', 'float', 'flex', 'flex-direction', 'flex-wrap', 'align-items', 'justify-content', 'gap', 'order'],
    ['font', 'font-family', 'font-size', 'font-stretch', 'font-style', 'font-variant', 'font-weight', 'supported-color-schemes'],
    ['height', 'max-height', 'min-height', 'width', 'max-width', 'min-width', 'letter-spacing', 'line-height', 'word-spacing'],
    ['list-style', 'list-style-image', 'list-style-position', 'list-style-type', 'object-fit', 'opacity', 'orphans', 'widows'],
    ['outline', 'outline-color', 'outline-style', 'outline-width', 'overflow', 'overflow-x', 'overflow-y', 'overflow-wrap'],
    ['table-layout', 'text-align', 'text-align-last', 'text-decoration', 'text-decoration-color', 'text-decoration-line'],
    ['text-decoration-style', 'text-indent', 'text-overflow', 'text-rendering', 'text-shadow', 'text-transform', 'text-underline-offset'],
    ['unicode-bidi', 'vertical-align', 'visibility', 'white-space', 'word-break', 'word-wrap', 'hyphens', 'v-text-anchor'],
    ['-webkit-text-size-adjust', '-ms-text-size-adjust', 'text-size-adjust', '-webkit-font-smoothing', '-moz-osx-font-smoothing'],
    ['-ms-interpolation-mode', '-webkit-text-fill-color', 'margin-inline', 'margin-inline-start', 'margin-inline-end'],
    ['padding-inline', 'padding-inline-start', 'padding-inline-end'],
  ].flat(),
)
/** Only Outlook for Windows knows them. */
const OF_OUTLOOK = /^mso-[a-z0-9-]{1,40}$/

const LONGEST_VALUE = 1_000

/** Of a `style` attribute. */
export function readDeclarations(text: string): ReadCss {
  const dropped: string[] = []
  const kept = splitDeclarations(withoutComments(text)).flatMap((declaration) => {
    if (declaration.trim() === '') return []
    const colon = declaration.indexOf(':')
    const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase()
    const value = PROPERTIES.has(name) || OF_OUTLOOK.test(name) ? readValue(name, declaration.slice(colon + 1)) : undefined
    if (value === undefined) dropped.push(name.slice(0, 60) || declaration.trim().slice(0, 60))
    return value === undefined ? [] : [`${name}:${value}`]
  })
  return { css: kept.join(';'), dropped }
}

/** Semicolons in strings and in addresses end nothing. */
function splitDeclarations(text: string): string[] {
  const found: string[] = []
  let [from, depth, quote] = [0, 0, '']
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    if (quote !== '') {
      if (sign === quote || sign === '\n') quote = ''
    } else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '(') depth++
    else if (sign === ')') depth = Math.max(0, depth - 1)
    else if (sign === ';' && depth === 0) {
      found.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...found, text.slice(from)]
}

const PIECE =
  /[#a-zA-Z0-9.%+_-]+(?![(#a-zA-Z0-9.%+_-])|"[\p{L}\p{M}\p{N} .,_&-]*"|'[\p{L}\p{M}\p{N} .,_&-]*'|!\s*important|url\(\s*(?:"([^\s"'()\\<>]*)"|'([^\s"'()\\<>]*)'|([^\s"'()\\<>]*))\s*\)|(?:rgba?|hsla?|calc|min|max|clamp|(?:linear|radial)-gradient)\(|[),/*]|\s+/uy

/** Undefined: something of it is not allowed. */
function readValue(name: string, text: string): string | undefined {
  const value = text.trim()
  if (value === '' || value.length > LONGEST_VALUE) return undefined
  let [written, depth, at] = ['', 0, 0]
  while (at < value.length) {
    PIECE.lastIndex = at
    const match = PIECE.exec(value)
    if (!match) return undefined
    const piece = match[0]
    at += piece.length
    if (piece.endsWith('(')) depth++
    else if (piece === ')' && --depth < 0) return undefined
    const address = match[1] ?? match[2] ?? match[3]
    if (address !== undefined) {
      if (!/^(background|list-style)/.test(name) || !isPicture(address)) return undefined
      written += `url('${address}')`
    } else if (piece.startsWith('!')) written += '!important'
    else if (piece.startsWith('"')) written += `'${piece.slice(1, -1)}'`
    else written += /^\s/.test(piece) ? ' ' : piece
  }
  return depth === 0 ? written : undefined
}

function isPicture(address: string): boolean {
  return /^https:\/\//i.test(address) && imageFault(address) === undefined && !address.includes('{')
}

/** Of a `style` element: rules, and rules for media. */
export function readStyleSheet(text: string): ReadCss {
  const dropped: string[] = []
  return { css: readRules(withoutComments(text), dropped, true), dropped }
}

function readRules(text: string, dropped: string[], mayNest: boolean): string {
  let [written, at] = ['', 0]
  while (at < text.length) {
    const open = text.indexOf('{', at)
    const statement = text.indexOf(';', at)
    if (open === -1 && statement === -1) break
    if (statement !== -1 && (open === -1 || statement < open)) {
      noteDropped(dropped, text.slice(at, statement))
      at = statement + 1
      continue
    }
    const prelude = text.slice(at, open).replaceAll(/\s+/g, ' ').trim()
    const close = endOfBlock(text, open)
    const inner = text.slice(open + 1, close)
    const rule = prelude.startsWith('@') ? readMedia(prelude, inner, { dropped, mayNest }) : readRule(prelude, inner, dropped)
    if (rule === undefined) noteDropped(dropped, prelude)
    else written += rule
    at = close + 1
  }
  return written
}

function noteDropped(dropped: string[], text: string): void {
  if (text.trim() !== '') dropped.push(text.trim().slice(0, 60))
}

function endOfBlock(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  return text.length
}

type Nested = { dropped: string[]; mayNest: boolean }

/** Undefined: it is left out whole. */
function readMedia(prelude: string, inner: string, { dropped, mayNest }: Nested): string | undefined {
  if (!mayNest || !/^@media [a-zA-Z0-9 ():,.-]{1,200}$/.test(prelude)) return undefined
  if (prelude.split('(').length !== prelude.split(')').length) return undefined
  const rules = readRules(inner, dropped, false)
  return rules === '' ? '' : `${prelude}{${rules}}`
}

function readRule(selector: string, inner: string, dropped: string[]): string | undefined {
  if (!isSelector(selector) || inner.includes('{')) return undefined
  const { css, dropped: lost } = readDeclarations(inner)
  dropped.push(...lost)
  return css === '' ? '' : `${selector}{${css}}`
}

const SELECTOR =
  /[a-zA-Z0-9_.#*-]+|\[[a-zA-Z-]+(?:[~^$*|]?=(?:"[a-zA-Z0-9_ .:-]*"|'[a-zA-Z0-9_ .:-]*'|[a-zA-Z0-9_-]+))?\]|::?[a-z-]+(?:\([a-zA-Z0-9_ +.#*-]*\))?|[ ,>+~]/y

function isSelector(text: string): boolean {
  // `-->` would end the comment that styles for Outlook stand in.
  if (text === '' || text.length > LONGEST_VALUE || text.includes('--')) return false
  let at = 0
  while (at < text.length) {
    SELECTOR.lastIndex = at
    const match = SELECTOR.exec(text)
    if (!match) return false
    at += match[0].length
  }
  return true
}

/** One that nobody closed goes on to the end. */
function withoutComments(text: string): string {
  let [kept, at] = ['', 0]
  for (;;) {
    const open = text.indexOf('/*', at)
    if (open === -1) return kept + text.slice(at)
    kept += `${text.slice(at, open)} `
    const close = text.indexOf('*/', open + 2)
    if (close === -1) return kept
    at = close + 2
  }
}
