/**
 * Works the stored membership out for many people at a time, in steps of bounded size: each is one statement that
 * stays far below the statement timeout and holds nobody up. A membership is exact as of the moment the first step
 * began; whoever was written while the steps ran is looked at again at the end.
 */
import type { EventLeaf } from '@contentflow/core/behaviour/did.ts'
import { historyIn } from '@contentflow/core/behaviour/history.ts'
import { holds } from '@contentflow/core/behaviour/judge-did.ts'
import { listEventLeaves, trackLeaf } from '@contentflow/core/behaviour/tracker.ts'
import { listDependents } from '@contentflow/core/targeting/exclusions.ts'
import type { Leaf, SegmentRules } from '@contentflow/core/targeting/rule.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { oneByOne, type Batch, type DueWork } from '../../../infra/due/due.ts'
import { dueTable, type DueRow, type DueTable } from '../../../infra/due/queries-due.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { GenerationalCache } from '../../../infra/cache/generational-cache.ts'
import { mapSteps } from '../../../infra/concurrency/time-slicer.ts'
import { inTransaction, retryOnConflict } from '../../../infra/unavailable.ts'
import { readPast, type Past } from '../../behaviour/index.ts'
import { FEW_PEOPLE, lockProfile, subjectOf, notifyDevices } from '../../people/index.ts'
import { catalogOf, historiesFor, readCatalog, storedMembership, type CatalogSegment } from '../catalog.ts'
import { deleteMembers, forgetDeleted, isAwaited, markDue, markExact, markExcludingDue, markSettled, type DueSegment } from '../queries.ts'
import {
  countMatches,
  findStepEnd,
  hasMoreProfiles,
  listChanged,
  listMemberships,
  listStates,
  listTexts,
  recomputeStep,
  saveMembership,
  type People,
  type Period,
  type SampleRow,
} from './queries-membership.ts'
import { scheduleTurns } from './schedule-turns.ts'
import { listPatterns, rulesInSql, type Condition, type People as PeopleOfRule } from '../rules/queries-rules.ts'
import { compileRegex } from '../../../infra/regex.ts'

/** People in one statement. With patterns their texts pass through this process, so there are fewer. */
const STEP = 50_000
const PATTERN_STEP = 5_000
/** Up to this many people a change of a segment is answered after its members are right. */
const SMALL = 20_000
/** Clocks of processes may differ by this much. */
const OVERLAP_MS = 10_000
/** A write that was under way has ended after this: it is a few statements, each of at most 8 s. */
const SETTLED_MS = 30_000
/** Segments of one workspace that one process holds at a time. */
const CLAIMED = 8
/** Looked at again then, should nobody say that histories are filled in. */
const UNSETTLED_MS = 60_000
const BACK_OFF = { first: 30_000, most: HOUR_MS }
/** An answer waits so long for another process that has the segment. */
const AWAITED_MS = 10_000
/** Segments that a turn did not come to the end of. */
const HALF_DONE = 10_000
export const SEGMENTS = 'segments'
export const DELETED_SEGMENTS = 'deleted-segments'

/** Each segment has a row that says when it is recomputed next (infra/due/due.ts). */
export function segmentsWork(ctx: Context): DueWork<DueSegment> {
  const parts = {
    ctx,
    table: dueTable<DueSegment>(ctx.db, 'segments'),
    places: new GenerationalCache<string, RecomputePosition>(HALF_DONE),
  }
  return { kind: SEGMENTS, rows: parts.table, most: CLAIMED, yields: true, work: async (batch) => recomputeBatch(parts, batch) }
}

/** How far a segment is worked out: up to which person, and as of when. */
type RecomputePosition = { after: string; exactAsOf: Date }
type Parts = { ctx: Context; table: DueTable<DueSegment>; places: GenerationalCache<string, RecomputePosition> }

/** M-SEG, G-43: after a change of these segments, or on demand. In a large workspace the work goes on behind the answer. */
export async function recomputeNow(ctx: Context, workspaceId: string, ids: readonly string[]): Promise<void> {
  const since = ctx.clock.now()
  await markDue(ctx.db, workspaceId, ids, since)
  await recomputeDue(ctx, workspaceId, ids, since)
}

/** The same for segments that became due in the transaction that changed them. */
export async function recomputeDue(ctx: Context, workspaceId: string, ids: readonly string[], since: Date): Promise<void> {
  if (ids.length === 0) return
  if (await hasMoreProfiles(ctx.db, workspaceId, SMALL)) return ctx.due.nudge(SEGMENTS, workspaceId)
  const patience = performance.now() + AWAITED_MS
  do {
    if (!(await ctx.due.workOff(SEGMENTS, workspaceId))) return
    if (!(await isAwaited(ctx.db, workspaceId, ids, since))) return
    // Another process is at it.
    await new Promise((resolve) => setTimeout(resolve, 50))
  } while (performance.now() < patience)
}

/** What a transaction that is over made due, where that takes a moment; in a large workspace it goes on behind the answer. */
export async function recomputeNowIfSmall(ctx: Context, workspaceId: string, kinds: readonly string[]): Promise<void> {
  if (await hasMoreProfiles(ctx.db, workspaceId, SMALL)) return
  for (const kind of kinds) await ctx.due.workOff(kind, workspaceId)
}

/** In an order in which each finds those it excludes ready; read anew, because what this process remembers may be older than what is due. */
async function recomputeBatch(parts: Parts, batch: Batch<DueSegment>): Promise<void> {
  const { ctx, table } = parts
  const { segments } = await readCatalog(ctx, batch.workspaceId)
  const order = new Map(segments.map(({ id }, index) => [id, index]))
  const rows = batch.rows.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
  await oneByOne(ctx, { kind: SEGMENTS, table, backOff: BACK_OFF }, async (row) => {
    const segment = segments[order.get(row.id) ?? -1]
    return segment ? recomputeRow(parts, batch, segment, row) : null
  })({ ...batch, rows })
}

/** Says when it is due next. */
async function recomputeRow(parts: Parts, batch: Batch<DueSegment>, segment: CatalogSegment, row: DueSegment): Promise<Date | null> {
  const { ctx } = parts
  const now = ctx.clock.now()
  // Its members stay until the histories that it needs are filled in, which makes it due.
  if (!segment.isSettled) return addMs(now, UNSETTLED_MS)
  if (row.recompute_at && row.recompute_at <= now) return recomputeAll(parts, batch, segment, row.recompute_at)
  if (row.settle_from && settlesAt(row.settle_from) <= now) await settle(ctx, batch, segment, row.settle_from)
  else if (row.settle_from) return earliest(row.recompute_at, settlesAt(row.settle_from))
  return row.recompute_at
}

/** People of both environments; that is a column like others. One whose turn is over goes on where it was. */
async function recomputeAll({ ctx, places }: Parts, batch: Batch<DueSegment>, segment: CatalogSegment, since: Date): Promise<Date> {
  const { workspaceId, rows } = batch
  const key = [workspaceId, segment.id, segment.version, since.getTime()].join('/')
  const { after, exactAsOf } = places.get(key) ?? { after: '', exactAsOf: ctx.clock.now() }
  const left = await recomputeSegment(ctx, batch, segment, { after, exactAsOf })
  if (left !== undefined) {
    places.set(key, { after: left, exactAsOf })
    return ctx.clock.now()
  }
  places.delete(key)
  const settleFrom = ctx.clock.now()
  const recomputeAt = segment.period === undefined ? null : addMs(exactAsOf, segment.period)
  const held = rows.map(({ id }) => id)
  await markExcludingDue(ctx.db, workspaceId, segment.id, held, settleFrom)
  await markExact(ctx.db, batch, segment, { exactAsOf, recomputeAt, settleFrom })
  return earliest(recomputeAt, settlesAt(settleFrom))
}

/** Undefined: it is done; else the person to go on behind. */
async function recomputeSegment(
  ctx: Context,
  { workspaceId, signal, isOver }: Batch<DueSegment>,
  segment: CatalogSegment,
  { after, exactAsOf }: RecomputePosition,
): Promise<string | undefined> {
  const step = async (people: People) => {
    signal.throwIfAborted()
    await recomputePeople(ctx, segment, people)
    await scheduleTurns(ctx, segment, people)
  }
  const left = await forEachStep(ctx, segment.rules, workspaceId, step, { after, isOver })
  if (left !== undefined) return left
  // People who were written meanwhile are judged again: a step may have read their old values.
  await recomputeChanged(ctx, workspaceId, segment, { since: addMs(exactAsOf, -OVERLAP_MS), until: addMs(ctx.clock.now(), SETTLED_MS) })
  return undefined
}

/**
 * An identify that was under way when a segment was worked out has read old members, and was not seen: once it has
 * surely ended, those who changed around that moment are judged once more.
 */
async function settle(ctx: Context, batch: Batch<DueSegment>, segment: CatalogSegment, from: Date): Promise<void> {
  await recomputeChanged(ctx, batch.workspaceId, segment, { since: addMs(from, -SETTLED_MS), until: addMs(from, OVERLAP_MS) })
  await markSettled(ctx.db, batch, segment.id)
}

function settlesAt(settleFrom: Date): Date {
  return addMs(settleFrom, SETTLED_MS)
}

function earliest(a: Date | null, b: Date): Date {
  return a && a < b ? a : b
}

type DeletedSegment = DueRow & { deleted_at: Date }

/** Members of deleted segments go in steps, because one statement over all of them could take too long. */
export function deletedSegmentsWork(ctx: Context): DueWork<DeletedSegment> {
  const table = dueTable<DeletedSegment>(ctx.db, 'deleted_segments')
  const work = oneByOne<DeletedSegment>(ctx, { kind: DELETED_SEGMENTS, table, backOff: BACK_OFF }, async ({ id, deleted_at }, batch) => {
    while ((await deleteMembers(ctx.db, batch.workspaceId, id, STEP)) === STEP) {
      batch.signal.throwIfAborted()
      if (batch.isOver()) return ctx.clock.now()
    }
    // A write that was under way may have added somebody.
    if (ctx.clock.now() < settlesAt(deleted_at)) return settlesAt(deleted_at)
    await forgetDeleted(ctx.db, batch, id)
    return null
  })
  return { kind: DELETED_SEGMENTS, rows: table, most: 1, work }
}

/** People who were written between these moments, in this segment. */
async function recomputeChanged(ctx: Context, workspaceId: string, segment: CatalogSegment, written: Period): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const ids: string[] = await listChanged(ctx.db, workspaceId, written, after, PATTERN_STEP)
    if (ids.length > 0) await recomputePeople(ctx, segment, { workspaceId, ids })
    after = ids.length === PATTERN_STEP ? ids.at(-1) : undefined
  }
}

function addMs(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms)
}

async function recomputePeople(ctx: Context, segment: CatalogSegment, people: People): Promise<void> {
  if (!segment.isSettled) return
  const { id: segmentId, version, excluded, rules } = segment
  const now = ctx.clock.now()
  const condition = await conditionFor(ctx, rules, people, { now: now.getTime() })
  // Somebody may be erased meanwhile; a further attempt no longer finds them.
  const changed = await retryOnConflict(() =>
    recomputeStep(ctx.db, { workspaceId: people.workspaceId, segmentId, version, condition, excluded }, people, now, FEW_PEOPLE),
  )
  await notifyDevices(ctx, people.workspaceId, changed)
}

/**
 * Stored membership of these people in all segments: after a load or a change of their data (G-43), whatever the
 * segments' own frequency. Installations of a few hear of it in any case: such a change may have been one of flags.
 */
export async function reevaluateProfiles(ctx: Context, workspaceId: string, profileIds: readonly string[]): Promise<void> {
  const { segments } = await catalogOf(ctx, workspaceId)
  if (profileIds.length <= FEW_PEOPLE) {
    if (segments.length > 0) for (const id of profileIds) await reevaluateOne(ctx, workspaceId, id)
    await notifyDevices(ctx, workspaceId, profileIds)
  } else {
    for (let at = 0; at < profileIds.length; at += PATTERN_STEP) {
      const people = { workspaceId, ids: profileIds.slice(at, at + PATTERN_STEP) }
      for (const segment of segments) await recomputePeople(ctx, segment, people)
    }
  }
}

/** In memory: one statement for all segments instead of one for each. */
async function reevaluateOne(ctx: Context, workspaceId: string, profileId: string): Promise<void> {
  const catalog = await catalogOf(ctx, workspaceId)
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const profile = await lockProfile(tx, workspaceId, profileId)
    if (!profile) return
    const memberships = await listMemberships(tx, workspaceId, [profileId])
    const manual = new Set(memberships.filter((row) => row.is_manual).map((row) => row.segment_id))
    const before = new Set(memberships.filter((row) => row.is_member).map((row) => row.segment_id))
    const histories = await historiesFor(tx, workspaceId, catalog, [profileId])
    const question = {
      subject: subjectOf(profile, now.getTime(), undefined, histories.get(profileId)),
      manual,
      now: now.getTime(),
      wasMember: ({ id }: CatalogSegment) => before.has(id),
    }
    const members = await ctx.timeSlicer.run(workspaceId, storedMembership(catalog, question))
    await saveMembership(tx, workspaceId, profileId, members, now)
  })
}

/** For people whom somebody added to a segment or took out of it by hand: the segments that depend on it, and itself when they were added. */
export async function reevaluateAfter(
  ctx: Context,
  workspaceId: string,
  segmentId: string,
  profileIds: readonly string[],
  { withItself }: { withItself: boolean },
): Promise<void> {
  if (profileIds.length === 0) return
  const { segments } = await catalogOf(ctx, workspaceId)
  const own = withItself ? segments.filter(({ id }) => id === segmentId) : []
  for (const segment of [...own, ...listDependents(segments, [segmentId])])
    await recomputePeople(ctx, segment, { workspaceId, ids: profileIds })
}

/** Who would be a member by rules that are not stored; such rules have no members added by hand. */
export async function previewRules(
  ctx: Context,
  { workspaceId, environment }: { workspaceId: string; environment: Environment },
  { rules, excluded, sampleSize }: { rules: SegmentRules; excluded: readonly string[]; sampleSize: number },
): Promise<{ count: number; sample: SampleRow[]; coverage?: Past['coverage'] }> {
  const past = await readPast(ctx, workspaceId, rules.rules)
  let count = 0
  const sample: SampleRow[] = []
  await forEachStep(ctx, rules, workspaceId, async (step) => {
    const people = { ...step, environment }
    const condition = await conditionFor(ctx, rules, people, { now: ctx.clock.ms(), past })
    const found = await countMatches(ctx.db, { workspaceId, condition, excluded }, people, sampleSize - sample.length)
    count += found.count
    sample.push(...found.sample)
  })
  return { count, sample, ...(past && { coverage: past.coverage }) }
}

/** Everybody in the workspace, step by step; beyond `after`, until `isOver`: then it says behind whom it goes on. */
export async function forEachStep(
  ctx: Context,
  { rules }: SegmentRules,
  workspaceId: string,
  work: (people: People) => Promise<void>,
  { after: from = '', isOver = () => false }: { after?: string; isOver?(): boolean } = {},
): Promise<string | undefined> {
  const size = listPatterns(rules).length > 0 || listEventLeaves(rules).length > 0 ? PATTERN_STEP : STEP
  for (let after = from; ;) {
    const upTo = await findStepEnd(ctx.db, workspaceId, after, size)
    await work({ workspaceId, after, upTo })
    if (upTo === undefined || isOver()) return upTo
    after = upTo
  }
}

/** The rules as a condition for just these people: for every pattern their texts are searched here, and rules on events are asked here. */
export async function conditionFor(
  ctx: Context,
  rules: SegmentRules,
  people: People,
  { now, past }: { now: number; past?: Past | undefined },
): Promise<Condition> {
  const holding = await holdingAmong(ctx, listEventLeaves(rules.rules), people, { now, past })
  const matching = new Map<Leaf, string[]>()
  for (const leaf of listPatterns(rules.rules)) {
    const search = typeof leaf.value === 'string' ? compileRegex(leaf.value) : undefined
    if (!search) continue
    const texts = await listTexts(ctx.db, leaf, people, now)
    const isFound = await ctx.timeSlicer.run(people.workspaceId, mapSteps(texts, search))
    matching.set(
      leaf,
      texts.filter((_, index) => isFound[index]),
    )
  }
  return rulesInSql(rules, { now, matching: (leaf) => matching.get(leaf), holding: (leaf) => holding.get(leaf) })
}

/** Whoever has no history is as somebody who did nothing; only those who are not are named. `past`: of rules for which no histories are kept. */
async function holdingAmong(
  ctx: Context,
  leaves: readonly EventLeaf[],
  people: People,
  { now, past }: { now: number; past: Past | undefined },
): Promise<Map<EventLeaf, PeopleOfRule>> {
  const found = new Map<EventLeaf, PeopleOfRule>()
  if (leaves.length === 0) return found
  const kept = await listStates(ctx.db, people)
  const read = [...(past?.histories ?? [])].map(([id, state]) => ({ id, state }))
  for (const leaf of leaves) {
    const isAllBut = holds(leaf, undefined, now)
    const { tracker } = trackLeaf(leaf)
    const states = past?.trackers.has(tracker) ? read : kept
    const differs = await ctx.timeSlicer.run(
      people.workspaceId,
      mapSteps(states, ({ state }) => holds(leaf, historyIn(state, tracker), now) !== isAllBut),
    )
    found.set(leaf, { isAllBut, ids: states.filter((_, index) => differs[index]).map((row) => row.id) })
  }
  return found
}
