/**
 * HOT PATH. Everything clients of one workspace and view can be sent, as one immutable value.
 *
 * Rules of this folder: nothing is allocated per instance that can be made when the snapshot is built; no
 * `async` where the answer is at hand; measure before and after a change with `npm run bench`.
 */
import type { LinkSchemes } from '@contentflow/core/blocks/links/link-schemes.ts'
import { byPriority, scheduleBounds, targetOf, type RankedInstance } from '@contentflow/core/blocks/serving/select-blocks.ts'
import type { Holdout } from '@contentflow/core/experiments/holdout.ts'
import { allFeatures, type Features } from '@contentflow/core/features.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { foldTag } from '@contentflow/core/locale/language-tag.ts'
import { localeChain } from '@contentflow/core/locale/pick-locale.ts'
import type { Rendered } from './rendered.ts'
import { snapCampaigns, type SnapCampaigns } from './snap-campaign.ts'
import type { DefinitionRow, InstanceRow, SnapshotRows } from './queries.ts'

/** A block type as its instances need it; the next snapshot has the same one while its row is the same. */
type SnapType = {
  row: DefinitionRow
  /** `"fields":[…]` as every block of the type carries it. */
  fieldsJson: string
}

export type SnapDefinition = SnapType & { type: SnapType; instances: SnapInstance[] }

export type SnapInstance = {
  row: InstanceRow
  definition: SnapType
  /** Index of the targeted segment in `Snapshot.targets`; -1 reaches everyone. */
  target: number
  startsAt: number
  endsAt: number
  rank: RankedInstance
  weights: number[]
  /** The tags of its translations, in lower case. */
  locales: string[]
  /** Rendered JSON by locale key and variant; carried over to the next snapshot while nothing of it changed. */
  pieces: Map<string, TextPiece>
}

/** Text between inlined collections; an array of instance ids stands where their blocks go. */
export type TextPiece = (string | readonly string[])[]

export type Snapshot = {
  /** Differs for every snapshot of the process; part of the answer cache's keys. */
  serial: number
  revision: number
  /** The rows it was built from; the next snapshot loads only what differs from them. */
  rows: SnapshotRows
  features: Features
  configJson: string
  sourceLocale: string | null
  /** Where links may lead once their tokens are filled in for a person. */
  linkSchemes: LinkSchemes
  /** Whom no campaign and no message is shown to; where it begins and ends is among the boundaries. */
  holdout: Holdout | null
  definitions: Map<string, SnapDefinition>
  /** Instances by block key, then priority. */
  ordered: SnapInstance[]
  byId: Map<string, SnapInstance>
  /** Targeted segment name to its index. */
  targets: Map<string, number>
  /** The same by former names of segments, because a device may still know a segment by one. */
  formerTargets: Map<string, number>
  withVariants: SnapInstance[]
  campaigns: SnapCampaigns
  /** Start and end times of schedules and of the holdout, sorted, milliseconds. */
  boundaries: number[]
  locales: Set<string>
  /** Counts what is rendered of its instances and campaigns. */
  rendered: Rendered
  /** Its approximate size in memory, without rendered texts. */
  bytes: number
  /** Requested tag to locale key; bounded, because tags come from outside. */
  localeKeys: Map<string, string>
}

let serials = 0

/** The size of an empty snapshot, and that of an instance or campaign without its content. */
const [EMPTY_BYTES, ROW_BYTES] = [20_000, 1_000]

/** Instances taken in before other work gets a turn; well below a millisecond. */
const SLICE = 500

/**
 * Yields wherever other work may get a turn; the rows do not change meanwhile. Pure but for the serial. `previous`
 * lends what it made of rows that are still the same, rendered pieces included.
 */
export function* buildSnapshot(rows: SnapshotRows, rendered: Rendered, previous?: Snapshot): Generator<undefined, Snapshot> {
  const definitions = new Map<string, SnapDefinition>()
  for (const row of rows.definitions.values()) {
    const type = toType(row, previous?.definitions.get(row.key)?.type)
    definitions.set(row.key, { ...type, type, instances: [] })
  }
  const targets = new Map<string, number>()
  const locales = new Set<string>()
  const boundaries = new Set<number>()
  const byId = new Map<string, SnapInstance>()
  let taken = 0
  let bytes = EMPTY_BYTES
  for (const row of rows.instances.values()) {
    if (++taken % SLICE === 0) yield
    bytes += ROW_BYTES + row.bytes
    const definition = definitions.get(row.blockKey)
    if (!definition) continue
    const instance = toInstance(row, definition.type, indexOf(targets, targetOf(row.seg)), previous?.byId.get(row.id))
    definition.instances.push(instance)
    byId.set(row.id, instance)
    if (instance.startsAt !== -Infinity) boundaries.add(instance.startsAt)
    if (instance.endsAt !== Infinity) boundaries.add(instance.endsAt)
    for (const locale of instance.locales) locales.add(locale)
  }
  for (const at of [rows.holdout?.startsAt, rows.holdout?.endsAt]) if (at) boundaries.add(Date.parse(at))
  for (const campaign of rows.campaigns.values()) bytes += ROW_BYTES + campaign.bytes
  const ordered: SnapInstance[] = []
  let sorted = 0
  for (const { instances } of definitions.values()) {
    if ((sorted += instances.length) > SLICE) {
      sorted = 0
      yield
    }
    for (const instance of instances.sort((a, b) => byPriority(a.rank, b.rank))) ordered.push(instance)
  }
  const features = allFeatures(rows.features)
  return {
    serial: ++serials,
    revision: rows.revision,
    rows,
    features,
    configJson: JSON.stringify({
      features,
      pollIntervalSeconds: LIMITS.pollIntervalSeconds,
      popupDefaultFrequency: { per: 'day', max: 1 },
    }),
    sourceLocale: rows.sourceLocale,
    linkSchemes: rows.linkSchemes,
    holdout: rows.holdout,
    definitions,
    ordered,
    byId,
    targets,
    formerTargets: formerTargets(targets, rows.formerNames),
    withVariants: ordered.filter((instance) => instance.weights.length > 0),
    campaigns: snapCampaigns(rows, previous?.campaigns),
    boundaries: [...boundaries].sort((a, b) => a - b),
    locales,
    rendered,
    bytes,
    localeKeys: new Map(),
  }
}

function toType(row: DefinitionRow, before: SnapType | undefined): SnapType {
  if (before?.row === row) return before
  const fields = row.fields.map(({ tag, type, allowedBlockKeys, minItems, maxItems }) =>
    type === 'collection' ? { tag, type, allowedBlockKeys, minItems, maxItems } : { tag, type },
  )
  return { row, fieldsJson: JSON.stringify(fields) }
}

function toInstance(row: InstanceRow, definition: SnapType, target: number, before: SnapInstance | undefined): SnapInstance {
  if (before?.row === row && before.definition === definition) return before.target === target ? before : { ...before, target }
  const isSame = before?.row.version === row.version && before.definition.row.revision === definition.row.revision
  return {
    row,
    definition,
    target,
    ...scheduleBounds(row.schedule),
    rank: { id: row.id, priority: row.priority, publishedAt: row.publishedAt.getTime() },
    weights: row.variants.map((variant) => variant.weight),
    locales: localesOf(row),
    pieces: isSame ? before.pieces : new Map(),
  }
}

/** The index of a targeted segment, given in the order they are met; -1 for everyone. */
function indexOf(targets: Map<string, number>, segment: string | undefined): number {
  if (segment === undefined) return -1
  const index = targets.get(segment) ?? targets.size
  targets.set(segment, index)
  return index
}

function formerTargets(targets: ReadonlyMap<string, number>, formerNames: SnapshotRows['formerNames']): Map<string, number> {
  const former = Object.entries(formerNames).map(([name, now]) => [name, targets.get(now)] as const)
  return new Map(former.filter((each): each is [string, number] => each[1] !== undefined))
}

function localesOf(row: InstanceRow): string[] {
  const tags = [...Object.keys(row.translations), ...row.variants.flatMap((variant) => Object.keys(variant.translations ?? {}))]
  return tags.map(foldTag)
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
