/** The segments of a workspace, compiled once for this process; deciding about a person then needs no I/O. */
import { compileRules, type Evaluation } from '@contentflow/core/targeting/evaluate.ts'
import { orderByExclusion } from '@contentflow/core/targeting/exclusions.ts'
import { recomputePeriod } from '@contentflow/core/targeting/frequency.ts'
import type { Rule, SegmentRules } from '@contentflow/core/targeting/rule.ts'
import type { Subject } from '@contentflow/core/targeting/subject.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import type { Recalled } from '../../infra/memory/recall.ts'
import { findFingerprint, listSegments, type Segment } from './queries.ts'
import { compileRegex } from './regex.ts'

export type CatalogSegment = {
  id: string
  name: string
  rules: SegmentRules
  excluded: readonly string[]
  /** Changes with every change of the segment. */
  version: Date
  /** Milliseconds; undefined: time alone changes nothing. */
  period: number | undefined
  onBlockPath: Evaluation
  stored: Evaluation
}

export type Catalog = {
  /** Every segment behind those it excludes. */
  segments: readonly CatalogSegment[]
  /** The same by name, in the order of code points. */
  byName: readonly CatalogSegment[]
}

const CATALOGS: Recalled<Catalog> = {
  signal: 'segments',
  fingerprint: findFingerprint,
  read: readCatalog,
  weigh: ({ segments }) => segments.reduce((sum, { rules }) => sum + countLeaves(rules.rules), 1),
  // Conditions held compiled.
  most: 200_000,
}

/** From memory, but for the first call and after a change. */
export async function catalogOf(ctx: Context, workspaceId: string): Promise<Catalog> {
  return ctx.recall(CATALOGS, workspaceId)
}

/** As it is stored at this moment. */
export async function readCatalog(db: Db, workspaceId: string): Promise<Catalog> {
  return toCatalog(await listSegments(db, workspaceId))
}

function toCatalog(segments: readonly Segment[]): Catalog {
  const compiled = segments.map(({ id, name, logicalOperator, rules, excluded, updateFrequency, updatedAt }): CatalogSegment => {
    const tree = { logicalOperator, rules }
    return {
      id,
      name,
      rules: tree,
      excluded,
      version: updatedAt,
      period: recomputePeriod(updateFrequency, rules),
      onBlockPath: compileRules(tree, { compileRegex, onBlockPath: true }),
      stored: compileRules(tree, { compileRegex }),
    }
  })
  return {
    // Circles are refused on save.
    segments: orderByExclusion(compiled) ?? compiled,
    byName: compiled.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))),
  }
}

function countLeaves(rules: readonly Rule[]): number {
  return rules.reduce((sum, rule) => sum + ('conditions' in rule ? countLeaves(rule.conditions) : 1), 0)
}

/**
 * Names of the segments whose content the device gets (C-SYNC-23): by their rules as far as block delivery looks at
 * them, or added by hand, and not kept out by an excluded segment. In the order of code points.
 */
export function blockPathSegments(catalog: Catalog, subject: Subject, manual: ReadonlySet<string>, now: number): string[] {
  const members = membersOf(catalog, ({ onBlockPath }) => onBlockPath(subject, now), manual)
  return members.size === 0 ? [] : catalog.byName.filter(({ id }) => members.has(id)).map(({ name }) => name)
}

/** Ids of the segments the person is a stored member of: every kind of rule counts (M-SEG-08). */
export function storedMembership(catalog: Catalog, subject: Subject, manual: ReadonlySet<string>, now: number): ReadonlySet<string> {
  return membersOf(catalog, ({ stored }) => stored(subject, now), manual)
}

function membersOf(catalog: Catalog, holds: (segment: CatalogSegment) => boolean, manual: ReadonlySet<string>): Set<string> {
  const members = new Set<string>()
  for (const segment of catalog.segments) {
    const isOut = segment.excluded.some((id) => members.has(id))
    if (!isOut && (manual.has(segment.id) || holds(segment))) members.add(segment.id)
  }
  return members
}
