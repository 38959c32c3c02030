/** The segments of a workspace, compiled once for this process; deciding about a person then needs no I/O. */
import { compileRules, type Evaluation } from '@contentflow/core/targeting/evaluate.ts'
import { orderByExclusion } from '@contentflow/core/targeting/exclusions.ts'
import { recomputePeriod } from '@contentflow/core/targeting/frequency.ts'
import type { Rule, SegmentRules } from '@contentflow/core/targeting/rule.ts'
import type { Subject } from '@contentflow/core/targeting/subject.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { RecentMap } from '../../infra/memory/recent-map.ts'
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

/** Conditions held compiled, over all workspaces. */
const CONDITIONS_HELD = 200_000
/** A change that this process was not told of is found this late. */
const CHECK_MS = 30_000

type Held = { catalog: Catalog; size: number; fingerprint: string; checkedAt: number }

class Catalogs {
  readonly #ctx: Context
  readonly #held = new RecentMap<string, Held>(CONDITIONS_HELD, ({ size }) => size)
  readonly #loading = new Map<string, Promise<Catalog>>()
  /** Grows with every change that is told: what was read before that is not kept. */
  #changes = 0

  constructor(ctx: Context) {
    this.#ctx = ctx
    ctx.signals.on('segments', ({ workspaceId }) => this.#forget(workspaceId))
  }

  get(workspaceId: string): Promise<Catalog> | Catalog {
    const held = this.#held.get(workspaceId)
    if (!held) return this.#load(workspaceId)
    const now = this.#ctx.clock.ms()
    if (now - held.checkedAt > CHECK_MS) {
      held.checkedAt = now
      void this.#check(workspaceId, held)
    }
    return held.catalog
  }

  #forget(workspaceId: string): void {
    this.#changes++
    this.#held.delete(workspaceId)
    this.#loading.delete(workspaceId)
  }

  #load(workspaceId: string): Promise<Catalog> {
    const running = this.#loading.get(workspaceId)
    if (running) return running
    const load = this.#read(workspaceId).finally(() => {
      if (this.#loading.get(workspaceId) === load) this.#loading.delete(workspaceId)
    })
    this.#loading.set(workspaceId, load)
    return load
  }

  async #read(workspaceId: string): Promise<Catalog> {
    const before = this.#changes
    // First the fingerprint: a change between the two readings is found at the next check.
    const fingerprint = await findFingerprint(this.#ctx.db, workspaceId)
    const segments = await listSegments(this.#ctx.db, workspaceId)
    const catalog = toCatalog(segments)
    const size = segments.reduce((sum, { rules }) => sum + countLeaves(rules), 1)
    if (before === this.#changes) this.#held.set(workspaceId, { catalog, size, fingerprint, checkedAt: this.#ctx.clock.ms() })
    return catalog
  }

  async #check(workspaceId: string, held: Held): Promise<void> {
    try {
      const fingerprint = await findFingerprint(this.#ctx.db, workspaceId)
      if (fingerprint !== held.fingerprint && this.#held.get(workspaceId) === held) this.#forget(workspaceId)
    } catch (error) {
      this.#ctx.log.debug({ err: error }, 'the segments of a workspace could not be compared')
    }
  }
}

const processes = new WeakMap<Context, Catalogs>()

/** From memory, but for the first call and after a change. */
export async function catalogOf(ctx: Context, workspaceId: string): Promise<Catalog> {
  let catalogs = processes.get(ctx)
  if (!catalogs) {
    catalogs = new Catalogs(ctx)
    processes.set(ctx, catalogs)
  }
  return catalogs.get(workspaceId)
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
