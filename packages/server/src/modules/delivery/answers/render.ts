/** HOT PATH (first request of each signature). From a snapshot and what a device may see to the text of an answer. */
import { foldTag } from '@contentflow/core/locale/language-tag.ts'
import { RESERVED_BLOCK_KEY } from '@contentflow/core/blocks/definition.ts'
import { hasFieldType, valueAt, type JsonObject } from '@contentflow/core/blocks/field.ts'
import { fieldsByTag } from '@contentflow/core/blocks/instance.ts'
import { verdictOf, type DeliveryReason } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { TextPiece, SnapDefinition, SnapInstance, Snapshot } from '../snapshot/snapshot.ts'

/** Everything about a device and moment that an answer depends on. */
export type View = {
  localeKey: string
  /** Whether the device is in the segment with this index of the snapshot's targets. */
  isIn: (target: number) => boolean
  /** The variant of an instance for this device; -1 for its base values. */
  variantOf: (instance: SnapInstance) => number
  now: number
}

/** The body of GET /sync; undefined: it would be too long. `messages`: blocks of the person's own, behind all others. */
export function renderSync(snapshot: Snapshot, view: View, messages: readonly string[]): string | undefined {
  const blocks = snapshot.features.contentSync ? renderAll(snapshot, snapshot.ordered, view) : []
  return blocks && `{"success":true,"data":{"blocks":[${[...blocks, ...messages].join(',')}],"config":${snapshot.configJson}}}`
}

/**
 * The body of GET /blocks/{key}: the first eligible instance with all of them, or the hidden form (C-BLK-11, C-BLK-14).
 * Undefined: it would be too long.
 */
export function renderBlock(snapshot: Snapshot, definition: SnapDefinition, view: View): string | undefined {
  const blocks = snapshot.features.contentSync ? renderAll(snapshot, definition.instances, view) : []
  return blocks && renderOneKey(snapshot, definition.row.key, definition.row.revision, blocks)
}

/** The body with the person's messages. */
export function renderMessages(snapshot: Snapshot, messages: readonly string[]): string {
  return renderOneKey(snapshot, RESERVED_BLOCK_KEY, 1, messages)
}

function renderOneKey({ features }: Snapshot, key: string, revision: number, blocks: readonly string[]): string {
  const first = blocks[0]
  if (first !== undefined) return `{"success":true,"data":${first.slice(0, -1)},"instances":[${blocks.join(',')}]}}`
  const version = features.contentSync ? String(revision) : '0'
  return JSON.stringify({ success: true, data: { key, visible: false, version } })
}

/** The characters that an answer may still take; below zero it is given up. */
type Room = { characters: number }

/** Undefined: they are too long together. A few instances in collections of collections may be gigabytes. */
function renderAll(snapshot: Snapshot, instances: readonly SnapInstance[], view: View): string[] | undefined {
  const room: Room = { characters: LIMITS.answerLength }
  const blocks: string[] = []
  for (const instance of instances) {
    if (!isEligible(instance, view)) continue
    blocks.push(renderOne({ snapshot, view, budget: { left: LIMITS.inlinedBlocks }, room }, instance, []))
    if (room.characters < 0) return undefined
  }
  return blocks
}

function isEligible(instance: SnapInstance, view: View): boolean {
  return verdictOf(instance, view.isIn, view.now) === 'delivered'
}

/** What stays the same while a whole top-level block is rendered. */
type Rendering = { snapshot: Snapshot; view: View; budget: LengthBudget; room: Room }

function renderOne(block: Rendering, instance: SnapInstance, ancestors: readonly SnapInstance[]): string {
  const { snapshot, view, room } = block
  const piece = pieceOf(snapshot, instance, view.localeKey, view.variantOf(instance))
  for (const part of piece) if (typeof part === 'string') room.characters -= part.length
  if (piece.length === 1) return piece[0] as string
  const path = [...ancestors, instance]
  return piece.map((part) => (typeof part === 'string' ? part : renderChildren(block, part, path))).join('')
}

function renderChildren(block: Rendering, ids: readonly string[], path: readonly SnapInstance[]): string {
  const { snapshot, view, budget, room } = block
  const children: string[] = []
  for (const id of ids) {
    // A child that is not delivered counts too, because there may be many of them.
    room.characters -= id.length
    if (room.characters < 0) break
    const { child, verdict } = judgeChild(snapshot, id, view, path, budget)
    if (child && verdict === 'delivered') children.push(renderOne(block, child, path))
  }
  return children.join(',')
}

/** Inlined blocks a whole top-level block may still take. */
export type LengthBudget = { left: number }
/** Why an instance that a collection names is not in it, or that it is. */
export type ChildVerdict = DeliveryReason | 'not_published' | 'too_deep' | 'repeats_an_ancestor' | 'too_many_children'

/** Children are cut below the documented depth, at an ancestor, and when a block grows past its budget (X-INT-36 to X-INT-38). */
export function judgeChild(
  snapshot: Snapshot,
  id: string,
  view: View,
  path: readonly SnapInstance[],
  budget: LengthBudget,
): { child: SnapInstance | undefined; verdict: ChildVerdict } {
  const child = snapshot.byId.get(id)
  if (!child) return { child, verdict: 'not_published' }
  if (path.length > LIMITS.collectionDepth) return { child, verdict: 'too_deep' }
  if (path.includes(child)) return { child, verdict: 'repeats_an_ancestor' }
  const verdict = verdictOf(child, view.isIn, view.now)
  if (verdict !== 'delivered') return { child, verdict }
  if (budget.left <= 0) return { child, verdict: 'too_many_children' }
  budget.left--
  return { child, verdict }
}

/** The rendered text of an instance for a locale and variant, made at its first use. */
export function pieceOf(snapshot: Snapshot, instance: SnapInstance, localeKey: string, variant: number): TextPiece {
  const name = `${variant}|${localeKey}`
  let piece = instance.pieces.get(name)
  if (!piece) {
    piece = renderPiece(instance, localeKey, variant)
    snapshot.rendered.add(piece.reduce((sum, part) => sum + part.length, 0))
    instance.pieces.set(name, piece)
  }
  return piece
}

function renderPiece(instance: SnapInstance, localeKey: string, variant: number): TextPiece {
  const { row, definition } = instance
  const { key, name, screen, designType, interruptive } = definition.row
  const head = { key, name, screen, instanceId: row.id, ...(instance.target === -1 ? {} : { segment: row.seg }), version: row.version }
  const frequency = row.frequency ?? (designType === 'popup' || interruptive ? { per: 'day', max: 1 } : undefined)
  const tail = `"fields":${definition.fieldsJson},"visible":true${designType ? `,"designType":${JSON.stringify(designType)}` : ''}${frequency ? `,"frequency":${JSON.stringify(frequency)}` : ''}}`

  const values = layeredValues(instance, localeKey, variant)
  const piece: TextPiece = [`${JSON.stringify(head).slice(0, -1)},"values":{`]
  let text = ''
  for (const [tag, field] of fieldsByTag(definition.row.fields)) {
    const value = valueAt(values, field.id)
    if (value === undefined || !hasFieldType(field, value)) continue
    text += `${text === '' && piece.length === 1 ? '' : ','}${JSON.stringify(tag)}:`
    if (field.type === 'collection') {
      piece.push(`${text}[`, value as string[])
      text = ']'
    } else text += JSON.stringify(value)
  }
  piece.push(`${text}},${tail}`)
  return joinTexts(piece)
}

/** Base values, then translations from the farthest parent to the exact tag, then the variant's own in the same order (G-31, G-37). */
function layeredValues({ row }: SnapInstance, localeKey: string, variant: number): JsonObject {
  const farthestFirst = localeKey === '' ? [] : localeKey.split(',').toReversed()
  const inLocales = (translations: { [locale: string]: JsonObject } | undefined) => {
    const entries = Object.entries(translations ?? {})
    return farthestFirst.map((wanted) => entries.find(([locale]) => foldTag(locale) === wanted)?.[1] ?? {})
  }
  const chosen = row.variants[variant]
  return Object.assign(
    {},
    row.values,
    ...inLocales(row.translations),
    chosen?.values ?? {},
    ...inLocales(chosen?.translations),
  ) as JsonObject
}

function joinTexts(piece: TextPiece): TextPiece {
  const joined: TextPiece = []
  for (const part of piece) {
    const last = joined.length - 1
    if (typeof part === 'string' && typeof joined[last] === 'string') joined[last] += part
    else joined.push(part)
  }
  return joined
}
