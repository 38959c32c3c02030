/** The segments of a workspace, compiled once for this process; deciding about a person then needs no I/O. */
import { compileInSteps, compileRules, type Evaluation, type SteppedEvaluation } from '@contentflow/core/targeting/evaluate.ts'
import { orderByExclusion } from '@contentflow/core/targeting/exclusions.ts'
import { recomputePeriod } from '@contentflow/core/targeting/frequency.ts'
import type { Rule, SegmentRules } from '@contentflow/core/targeting/rule.ts'
import type { Subject } from '@contentflow/core/targeting/subject.ts'
import type { Context } from '../../context.ts'
import type { WorkspaceCacheOptions } from '../../infra/cache/workspace-cache.ts'
import { mapSteps } from '../../infra/concurrency/time-slicer.ts'
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
}

export type SegmentCatalog = {
  /** Every segment behind those it excludes. */
  segments: readonly CatalogSegment[]
  /** The same by name, in the order of code points. */
  byName: readonly CatalogSegment[]
}

/** Conditions that a pattern counts for: it holds what it has learned of texts. */
const PATTERN_WEIGHT = 100

const CATALOGS: WorkspaceCacheOptions<SegmentCatalog> = {
  signal: 'segments',
  fingerprint: findFingerprint,
  read: readCatalog,
  weigh: ({ segments }) =>
    segments.reduce((sum, { rules: { rules } }) => sum + countLeaves(rules) + PATTERN_WEIGHT * listPatterns(rules).length, 1),
  // Conditions held compiled.
  most: 200_000,
}

/** The catalog from memory; it is read from the database at the first call and after a change. */
export async function catalogOf(ctx: Context, workspaceId: string): Promise<SegmentCatalog> {
  return ctx.cachedByWorkspace(CATALOGS, workspaceId)
}

/** Reads the catalog as it is stored at this moment. */
export async function readCatalog({ db, timeSlicer }: Pick<Context, 'db' | 'timeSlicer'>, workspaceId: string): Promise<SegmentCatalog> {
  const segments = await listSegments(db, workspaceId)
  const compiled = await timeSlicer.run(workspaceId, mapSteps(segments, compileSegment))
  return {
    // Circles are refused on save.
    segments: orderByExclusion(compiled) ?? compiled,
    byName: compiled.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))),
  }
}

function compileSegment({ id, name, logicalOperator, rules, excluded, updateFrequency, updatedAt }: Segment): CatalogSegment {
  const tree = { logicalOperator, rules }
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
  }
}

function countLeaves(rules: readonly Rule[]): number {
  return rules.reduce((sum, rule) => sum + ('conditions' in rule ? countLeaves(rule.conditions) : 1), 0)
}

/** Each without patterns takes microseconds, so a pause behind each would cost as much as they do. */
const SEGMENTS_OF_STEP = 10

/** The person or device that is asked about. */
export type MembershipQuery = { subject: Subject; manual: ReadonlySet<string>; now: number }

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

function* membersOf(
  catalog: SegmentCatalog,
  path: 'onBlockPath' | 'stored',
  { subject, manual, now }: MembershipQuery,
): Generator<undefined, ReadonlySet<string>> {
  const members = new Set<string>()
  for (const [index, segment] of catalog.segments.entries()) {
    if (index % SEGMENTS_OF_STEP === 0) yield
    if (segment.excluded.some((id) => members.has(id))) continue
    const held = manual.has(segment.id) || segment[path](subject, now)
    if (typeof held === 'boolean' ? held : yield* held) members.add(segment.id)
  }
  return members
}
