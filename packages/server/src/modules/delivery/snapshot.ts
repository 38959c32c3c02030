/**
 * HOT PATH. Everything clients of one workspace and view can be sent, as one immutable value.
 *
 * Rules of this folder: nothing is allocated per instance that can be made when the snapshot is built; no
 * `async` where the answer is at hand; measure before and after a change with `npm run bench`.
 */
import { byPriority, scheduleBounds, targetOf } from '@contentflow/core/blocks/select-blocks.ts'
import { allFeatures, type Features } from '@contentflow/core/features.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { localeChain } from '@contentflow/core/locale/pick-locale.ts'
import type { DefinitionRow, InstanceRow, SnapshotRows } from './queries.ts'

export type SnapDefinition = {
  row: DefinitionRow
  /** `"fields":[…]` as every block of the type carries it. */
  fieldsJson: string
  instances: SnapInstance[]
}

export type SnapInstance = {
  row: InstanceRow
  definition: SnapDefinition
  /** Index of the targeted segment in `Snapshot.targets`; -1 reaches everyone. */
  target: number
  startsAt: number
  endsAt: number
  weights: number[]
  /** Rendered JSON by locale key and variant; carried over to the next snapshot while nothing of it changed. */
  pieces: Map<string, Piece>
}

/** Text between inlined collections; an array of instance ids stands where their blocks go. */
export type Piece = (string | readonly string[])[]

export type Snapshot = {
  /** Differs for every snapshot of the process; part of the answer cache's keys. */
  serial: number
  revision: number
  features: Features
  configJson: string
  sourceLocale: string | null
  definitions: Map<string, SnapDefinition>
  /** By block key, then priority. */
  ordered: SnapInstance[]
  byId: Map<string, SnapInstance>
  /** Targeted segment name to its index. */
  targets: Map<string, number>
  withVariants: SnapInstance[]
  /** Start and end times of schedules, sorted, milliseconds. */
  boundaries: number[]
  locales: Set<string>
  /** Requested tag to locale key; bounded, because tags come from outside. */
  localeKeys: Map<string, string>
}

let serials = 0

/** Pure but for the serial. `previous` lends its rendered pieces. */
export function buildSnapshot(rows: SnapshotRows, previous?: Snapshot): Snapshot {
  const definitions = new Map(rows.definitions.map((row) => [row.key, toDefinition(row)]))
  const targets = new Map<string, number>()
  const locales = new Set<string>()
  const boundaries = new Set<number>()
  const byId = new Map<string, SnapInstance>()
  for (const row of rows.instances) {
    const definition = definitions.get(row.blockKey)
    if (!definition) continue
    const instance = toInstance(row, definition, targets, previous?.byId.get(row.id))
    definition.instances.push(instance)
    byId.set(row.id, instance)
    for (const time of [instance.startsAt, instance.endsAt]) if (Number.isFinite(time)) boundaries.add(time)
    for (const locale of localesOf(row)) locales.add(locale.toLowerCase())
  }
  for (const { instances } of definitions.values()) instances.sort((a, b) => byPriority(rank(a), rank(b)))
  const ordered = [...definitions.values()].flatMap((definition) => definition.instances)
  const features = allFeatures(rows.features)
  return {
    serial: ++serials,
    revision: rows.revision,
    features,
    configJson: JSON.stringify({
      features,
      pollIntervalSeconds: LIMITS.pollIntervalSeconds,
      popupDefaultFrequency: { per: 'day', max: 1 },
    }),
    sourceLocale: rows.sourceLocale,
    definitions,
    ordered,
    byId,
    targets,
    withVariants: ordered.filter((instance) => instance.weights.length > 0),
    boundaries: [...boundaries].sort((a, b) => a - b),
    locales,
    localeKeys: new Map(),
  }
}

function toDefinition(row: DefinitionRow): SnapDefinition {
  const fields = row.fields.map(({ tag, type, allowedBlockKeys, minItems, maxItems }) =>
    type === 'collection' ? { tag, type, allowedBlockKeys, minItems, maxItems } : { tag, type },
  )
  return { row, fieldsJson: JSON.stringify(fields), instances: [] }
}

function toInstance(
  row: InstanceRow,
  definition: SnapDefinition,
  targets: Map<string, number>,
  before: SnapInstance | undefined,
): SnapInstance {
  const segment = targetOf(row.seg)
  let target = -1
  if (segment !== undefined) {
    target = targets.get(segment) ?? targets.size
    targets.set(segment, target)
  }
  const isSame = before?.row.version === row.version && before.definition.row.revision === definition.row.revision
  return {
    row,
    definition,
    target,
    ...scheduleBounds(row.schedule),
    weights: row.variants.map((variant) => variant.weight),
    pieces: isSame ? before.pieces : new Map(),
  }
}

function rank({ row }: SnapInstance) {
  return { id: row.id, priority: row.priority, publishedAt: row.publishedAt.getTime() }
}

function localesOf(row: InstanceRow): string[] {
  return [...Object.keys(row.translations), ...row.variants.flatMap((variant) => Object.keys(variant.translations ?? {}))]
}

/** Requested tags remembered per snapshot before the memory starts anew. */
const TAGS_HELD = 500

/** The translations an answer in `tag` draws on, nearest first, joined by commas; empty when the content has none of them. */
export function localeKeyOf(snapshot: Snapshot, tag: string): string {
  const known = snapshot.localeKeys.get(tag)
  if (known !== undefined) return known
  const key = localeChain(tag)
    .filter((locale) => snapshot.locales.has(locale))
    .join(',')
  if (snapshot.localeKeys.size >= TAGS_HELD) snapshot.localeKeys.clear()
  snapshot.localeKeys.set(tag, key)
  return key
}
