/** Whether own HTML of a mail is in the form that is stored and holds nothing else than the lists name: what passes here is safe, whoever wrote it. */
import { readStyleSheet } from './allowed-css.ts'
import {
  FRAME_ELEMENTS,
  HEAD_ELEMENTS,
  isBodyElement,
  outlookElement,
  plainText,
  readAttribute,
  readCondition,
  readMeta,
} from './allowed-html.ts'
import { attributesOf, escapeText, scanHtml, unescapeHtml, VOID_ELEMENTS, writeTag, type Piece, type TagPiece } from './scan-html.ts'

/** `mail`: a whole page. `node`: what stands in a section of a mail. */
export type HtmlKind = 'mail' | 'node'
/** `line`: from 1. */
export type HtmlFault = { line: number; says: string }

/** Elements in each other. Tables of mails are seldom more than forty deep. */
export const DEEPEST = 100
export const MOST_ELEMENTS = 10_000

/** `open`: the elements that are open, outside of what Outlook alone is shown. `seen`: parts of the frame, in their order. */
type State = { kind: HtmlKind; open: string[]; seen: string[]; elements: number; hidden: string[] | undefined; shown: number }

export function htmlFault(html: string, kind: HtmlKind): HtmlFault | undefined {
  const state: State = { kind, open: [], seen: [], elements: 0, hidden: undefined, shown: 0 }
  for (const piece of scanHtml(html)) {
    const says = faultOfPiece(piece, html, state)
    if (says !== undefined) return { line: lineAt(html, piece.from), says }
  }
  const says = faultAtEnd(state)
  return says === undefined ? undefined : { line: lineAt(html, html.length), says }
}

export function lineAt(text: string, at: number): number {
  let line = 1
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1)) line++
  return line
}

const FRAME = 'doctype html head /head body /body /html'

function faultAtEnd({ kind, open, seen, hidden, shown }: State): string | undefined {
  if (hidden || shown > 0) return 'a condition for Outlook must end with <![endif]'
  if (open.length > 0) return `<${open.at(-1)}> must be closed`
  return kind === 'mail' && seen.join(' ') !== FRAME ? 'must be a whole page with html, head and body' : undefined
}

function faultOfPiece(piece: Piece, html: string, state: State): string | undefined {
  switch (piece.type) {
    case 'fault':
      return 'is not written as a mail needs it'
    case 'text':
      return faultOfText(html.slice(piece.from, piece.to), state)
    case 'doctype':
      return frame(state, 'doctype')
    case 'if':
    case 'endif':
      return faultOfCondition(piece, state)
    case 'open':
      return faultOfOpen(piece, html, state)
    case 'close':
      return faultOfClose(piece.name, state)
    default:
      return piece satisfies never
  }
}

function inHead({ open }: State): boolean {
  return open.includes('head')
}

/** A page has each part of its frame once, and nothing beside it. */
function frame(state: State, part: string): string | undefined {
  if (state.kind === 'node') return 'must be a part of a mail, without html, head and body'
  state.seen.push(part)
  return FRAME.startsWith(state.seen.join(' ')) ? undefined : 'must have html, head and body once each, in this order'
}

function faultOfText(raw: string, state: State): string | undefined {
  const top = (state.hidden ?? state.open).at(-1)
  if (top === 'style') return readStyleSheet(raw).css === raw ? undefined : 'a style has something that a mail may not have'
  if (escapeText(unescapeHtml(raw)) !== raw || plainText(raw) !== raw) return 'a text has signs that must be escaped'
  const isPlaced = state.hidden || (top !== 'head' && top !== 'html' && (state.kind === 'node' || state.open.length > 0))
  return isPlaced ? undefined : 'a text must stand in the body'
}

function faultOfCondition(piece: Extract<Piece, { type: 'if' | 'endif' }>, state: State): string | undefined {
  if (state.kind === 'mail' && !state.open.includes('body') && state.open.at(-1) !== 'head') return 'a condition must stand in head or body'
  if (piece.type === 'if') {
    if (state.hidden) return 'a condition for Outlook must not stand in another'
    if (readCondition(piece.condition) !== piece.condition) return 'a condition asks for something else than Outlook'
    if (piece.isShown) state.shown++
    else state.hidden = []
    return undefined
  }
  if (piece.isShown) return state.hidden || --state.shown < 0 ? 'a condition ends that did not begin' : undefined
  if (!state.hidden || state.hidden.at(-1) === 'style') return 'a condition ends that did not begin'
  state.hidden = undefined
  return undefined
}

function faultOfOpen(piece: TagPiece, html: string, state: State): string | undefined {
  const { name, isSelfClosing } = piece
  if (++state.elements > MOST_ELEMENTS) return `must have at most ${MOST_ELEMENTS} elements`
  const isKnown = state.hidden ? outlookElement(name) === name : isPlaced(name, state)
  if (!isKnown) return `<${name}> must not stand here`
  if (state.hidden?.at(-1) === 'style') return '<style> must be closed'
  if (isSelfClosing && !state.hidden) return `<${name}> must not close itself`
  const said = name === 'meta' ? metaTag(piece) : writeTag(name, allowedOf(piece), isSelfClosing)
  if (said !== html.slice(piece.from, piece.to)) return `<${name}> has an attribute or a value that a mail may not have`
  const { open, hidden } = state
  if (FRAME_ELEMENTS.has(name)) {
    const says = frame(state, name)
    if (says !== undefined) return says
  }
  // What Outlook is shown need not be whole: a table opens in one condition and closes in another.
  if (hidden) {
    if (name === 'style' && !isSelfClosing) hidden.push(name)
  } else if (!VOID_ELEMENTS.has(name)) open.push(name)
  return open.length > DEEPEST ? `must have at most ${DEEPEST} elements in each other` : undefined
}

function isPlaced(name: string, state: State): boolean {
  if (FRAME_ELEMENTS.has(name)) return name === 'html' ? state.open.length === 0 : state.open.at(-1) === 'html'
  if (HEAD_ELEMENTS.has(name)) return state.kind === 'mail' && state.open.at(-1) === 'head'
  return isBodyElement(name) && (state.kind === 'node' || state.open.includes('body')) && !inHead(state)
}

function allowedOf(piece: TagPiece) {
  return attributesOf(piece).flatMap(({ name, value }) => {
    const read = readAttribute(piece.name, name, value)
    return read === undefined ? [] : [{ name, value: read }]
  })
}

function metaTag(piece: TagPiece): string {
  const [first, second] = attributesOf(piece)
  if (first?.name === 'charset') return '<meta charset="utf-8">'
  const meta = readMeta(first?.value ?? '', second?.value ?? '')
  if (!meta) return ''
  return writeTag('meta', [
    { name: 'name', value: meta.name },
    { name: 'content', value: meta.content },
  ])
}

function faultOfClose(name: string, state: State): string | undefined {
  if (state.hidden) {
    if (name === 'style') return state.hidden.pop() === 'style' ? undefined : '</style> closes nothing'
    return outlookElement(name) === name ? undefined : `</${name}> must not stand here`
  }
  if (state.open.pop() !== name) return `</${name}> closes nothing`
  return FRAME_ELEMENTS.has(name) ? frame(state, `/${name}`) : undefined
}
