/** The segments of a workspace, compiled once for this process; deciding about a person then needs no I/O. */
import type { Histories } from '@contentflow/core/behaviour/history.ts'
import { typeOfLeaf } from '@contentflow/core/behaviour/did.ts'
import { listEventLeaves, trackLeaf, type TrackedLeaf } from '@contentflow/core/behaviour/tracker.ts'
import { listWherePatterns } from '@contentflow/core/behaviour/where.ts'
import { compileInSteps, compileRules, type Evaluation, type SteppedEvaluation } from '@contentflow/core/targeting/evaluate.ts'
import { listDependents, orderByExclusion } from '@contentflow/core/targeting/exclusions.ts'
import { recomputePeriod } from '@contentflow/core/targeting/frequency.ts'
import type { Rule, SegmentRules } from '@contentflow/core/targeting/rule.ts'
import type { Subject } from '@contentflow/core/targeting/subject.ts'
import type { Context } from '../../context.ts'
import type { WorkspaceCacheOptions } from '../../infra/cache/workspace-cache.ts'
import { mapSteps } from '../../infra/concurrency/time-slicer.ts'
import type { Db } from '../../db/open.ts'
import { listReady, readHistories } from '../behaviour/index.ts'
import { findFingerprint, listSegments, type Segment } from './queries.ts'
import { listPatterns } from './rules/queries-rules.ts'
import { compileRegex } from '../../infra/regex.ts'

export type CatalogSegment = {
  id: string
  name: string
  rules: SegmentRules
  excluded: readonly string[]
  /** Changes with every change of the segment. */
  version: Date
  /** Milliseconds; undefined: time alone changes nothing. */
  period: number | undefined
  /** In steps when it has patterns. */
  onBlockPath: Evaluation | SteppedEvaluation
  stored: Evaluation | SteppedEvaluation
  /** Its conditions on events. */
  eventLeaves: readonly TrackedLeaf[]
  /** False while a history that it needs is being filled in: who is a member then stays one, and nobody comes in by the rules. */
  isSettled: boolean
}

export type SegmentCatalog = {
  /** Every segment behind those it excludes. */
  segments: readonly CatalogSegment[]
  /** The same by name, in the order of code points. */
  byName: readonly CatalogSegment[]
  /** Those that events decide about, and those that leave out members of these; in the order of `segments`. */
  onEvents: ReadonlySet<CatalogSegment>
  /** Types of the events that rules ask about. */
  trackedTypes: ReadonlySet<string>
}

/** Conditions that a pattern counts for: it holds what it has learned of texts. */
const PATTERN_WEIGHT = 100

const CATALOGS: WorkspaceCacheOptions<SegmentCatalog> = {
  signal: 'segments',
  fingerprint: findFingerprint,
  read: readCatalog,
  weigh: ({ segments }) =>
    segments.reduce((sum, { rules: { rules }, eventLeaves }) => {
      const ofEvents = eventLeaves.flatMap(({ leaf }) => listWherePatterns(leaf.value.where))
      return sum + countLeaves(rules) + PATTERN_WEIGHT * (listPatterns(rules).length + ofEvents.length)
    }, 1),
  // Conditions held compiled.
  most: 200_000,
}

/** The catalog from memory; it is read from the database at the first call and after a change. */
export async function catalogOf(ctx: Context, workspaceId: string): Promise<SegmentCatalog> {
  return ctx.cachedByWorkspace(CATALOGS, workspaceId)
}

/**
 * Whether rules of a segment ask about events of any of these types, as far as this process knows: nobody waits for the database. A catalog
 * that is not in memory is read behind the answer, which says false.
 */
export function areTracked(ctx: Context, workspaceId: string, types: readonly string[]): boolean {
  const known = ctx.cachedByWorkspace(CATALOGS, workspaceId)
  if (!(known instanceof Promise)) return types.some((type) => known.trackedTypes.has(type))
  known.catch((error: unknown) => ctx.log.debug({ err: error, workspaceId }, 'the segments could not be read ahead'))
  return false
}

/** Reads the catalog as it is stored at this moment. */
export async function readCatalog({ db, timeSlicer }: Pick<Context, 'db' | 'timeSlicer'>, workspaceId: string): Promise<SegmentCatalog> {
  const stored = await listSegments(db, workspaceId)
  const hasEvents = stored.some(({ rules }) => listEventLeaves(rules).length > 0)
  const ready = hasEvents ? await listReady(db, workspaceId) : new Set<string>()
  const compiled = await timeSlicer.run(
    workspaceId,
    mapSteps(stored, (segment) => compileSegment(segment, ready)),
  )
  // Circles are refused on save.
  const segments = orderByExclusion(compiled) ?? compiled
  const onEvents = new Set(segments.filter(({ eventLeaves }) => eventLeaves.length > 0))
  for (const segment of listDependents(
    segments,
    [...onEvents].map(({ id }) => id),
  ))
    onEvents.add(segment)
  return {
    segments,
    onEvents: new Set(segments.filter((segment) => onEvents.has(segment))),
    trackedTypes: new Set(segments.flatMap(({ eventLeaves }) => eventLeaves.map(({ leaf }) => typeOfLeaf(leaf)))),
    byName: compiled.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))),
  }
}

function compileSegment(segment: Segment, ready: ReadonlySet<string>): CatalogSegment {
  const { id, name, logicalOperator, rules, excluded, updateFrequency, updatedAt } = segment
  const tree = { logicalOperator, rules }
  const eventLeaves = listEventLeaves(rules).map(trackLeaf)
  const searches = new Map(listPatterns(rules).flatMap(({ value }) => (typeof value === 'string' ? [[value, compileRegex(value)]] : [])))
  const compile = searches.size > 0 ? compileInSteps : compileRules
  const options = { compileRegex: (pattern: string) => searches.get(pattern) }
  return {
    id,
    name,
    rules: tree,
    excluded,
    version: updatedAt,
    period: recomputePeriod(updateFrequency, rules),
    onBlockPath: compile(tree, { ...options, onBlockPath: true }),
    stored: compile(tree, options),
    eventLeaves,
    isSettled: eventLeaves.every(({ tracker }) => ready.has(tracker)),
  }
}

function countLeaves(rules: readonly Rule[]): number {
  return rules.reduce((sum, rule) => sum + ('conditions' in rule ? countLeaves(rule.conditions) : 1), 0)
}

/** What these people did, as far as any rule asks; nobody is in it where none does. */
export async function historiesFor(
  db: Db,
  workspaceId: string,
  { onEvents }: SegmentCatalog,
  profileIds: readonly string[],
): Promise<ReadonlyMap<string, Histories>> {
  return onEvents.size > 0 ? readHistories(db, workspaceId, profileIds) : new Map()
}

/** Each without patterns takes microseconds, so a pause behind each would cost as much as they do. */
const SEGMENTS_OF_STEP = 10

/** The person or device that is asked about. `wasMember`: before, which counts where histories are still filled in. */
export type MembershipQuery = {
  subject: Subject
  manual: ReadonlySet<string>
  now: number
  wasMember(segment: CatalogSegment): boolean
}

/**
 * Names of the segments whose content the device gets (C-SYNC-23): by their rules as far as block delivery looks at
 * them, or added by hand, and not kept out by an excluded segment. In the order of code points. In steps, as all
 * that is decided by rules, because those of a workspace may take long.
 */
export function* blockPathSegments(catalog: SegmentCatalog, question: MembershipQuery): Generator<undefined, string[]> {
  const members = yield* membersOf(catalog, 'onBlockPath', question)
  return members.size === 0 ? [] : catalog.byName.filter(({ id }) => members.has(id)).map(({ name }) => name)
}

/** Ids of the segments the person is a stored member of: every kind of rule counts (M-SEG-08). */
export function storedMembership(catalog: SegmentCatalog, question: MembershipQuery): Generator<undefined, ReadonlySet<string>> {
  return membersOf(catalog, 'stored', question)
}

function* membersOf(catalog: SegmentCatalog, path: Path, question: MembershipQuery): Generator<undefined, ReadonlySet<string>> {
  const members = new Set<string>()
  for (const [index, segment] of catalog.segments.entries()) {
    if (index % SEGMENTS_OF_STEP === 0) yield
    if (segment.excluded.some((id) => members.has(id))) continue
    if (yield* isMet(segment, path, question)) members.add(segment.id)
  }
  return members
}

type Path = 'onBlockPath' | 'stored'

function* isMet(segment: CatalogSegment, path: Path, { subject, manual, now, wasMember }: MembershipQuery): Generator<undefined, boolean> {
  if (manual.has(segment.id)) return true
  if (!segment.isSettled) return wasMember(segment)
  const held = segment[path](subject, now)
  return typeof held === 'boolean' ? held : yield* held
}

/** Ids of the members of `segments` that events decide about, judged now; of all others it is as it was. */
export function* rejudgeEvents(catalog: SegmentCatalog, path: Path, question: MembershipQuery): Generator<undefined, ReadonlySet<string>> {
  const members = new Set(
    catalog.segments.filter((segment) => !catalog.onEvents.has(segment) && question.wasMember(segment)).map(({ id }) => id),
  )
  for (const segment of catalog.onEvents) {
    if (segment.excluded.some((id) => members.has(id))) continue
    if (yield* isMet(segment, path, question)) members.add(segment.id)
  }
  return members
}
