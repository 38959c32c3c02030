/**
 * Works the stored membership out for many people at a time, in steps of bounded size: each is one statement that
 * stays far below the statement timeout and holds nobody up. A membership is exact as of the moment the first step
 * began; whoever was written while the steps ran is looked at again at the end.
 */
import { listDependents } from '@contentflow/core/targeting/exclusions.ts'
import type { Leaf, SegmentRules } from '@contentflow/core/targeting/rule.ts'
import type { Context } from '../../context.ts'
import type { Environment } from '../../infra/signals.ts'
import { untilUndisturbed } from '../../infra/unavailable.ts'
import { lockProfile, subjectOf } from '../people/index.ts'
import { catalogOf, storedMembership, type CatalogSegment } from './catalog.ts'
import { claimDue, listUnsettled, markDue, markExact, markSettled, type Unsettled } from './queries.ts'
import {
  countMatches,
  findStepEnd,
  hasMoreProfiles,
  listChanged,
  listManualSegments,
  listTexts,
  recomputeStep,
  saveMembership,
  type People,
  type Period,
  type SampleRow,
} from './queries-membership.ts'
import { listPatterns, rulesInSql, type Condition } from './queries-rules.ts'
import { compileRegex } from './regex.ts'

/** People in one statement. With patterns their texts pass through this process, so there are fewer. */
const STEP = 50_000
const PATTERN_STEP = 5_000
/** Up to this many people a change of a segment is answered after its members are right. */
const SMALL = 20_000
/** Clocks of processes may differ by this much. */
const OVERLAP_MS = 10_000
/** A write that was under way has ended after this: it is a few statements, each of at most 8 s. */
const SETTLED_MS = 30_000
/** How long a process may take over the segments it has claimed before another one takes them up. */
const CLAIM_MS = 600_000
const CLAIMED = 20
/** So few people are asked about in memory. */
const FEW = 20

/** M-SEG, G-43: after a change of these segments, or on demand. In a large workspace the work goes on behind the answer. */
export async function recomputeNow(ctx: Context, workspaceId: string, ids: readonly string[]): Promise<void> {
  const isLarge = await hasMoreProfiles(ctx.db, workspaceId, SMALL)
  // Whatever becomes of this process, the job finds them.
  await markDue(ctx.db, workspaceId, ids, ctx.clock.now())
  const work = recompute(ctx, workspaceId, ids).catch((error: unknown) => {
    ctx.log.error({ err: error, workspaceId }, 'segments could not be worked out; the next pass of the job tries again')
  })
  if (!isLarge) await work
}

/** Works out what is due, whichever workspace it belongs to. Processes share the work: each claims some. */
export async function runSegmentsJob(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const errors: unknown[] = []
  for (;;) {
    const due = await claimDue(ctx.db, now, new Date(now.getTime() + CLAIM_MS), CLAIMED)
    if (due.length === 0) break
    for (const [workspaceId, segments] of Map.groupBy(due, (segment) => segment.workspaceId)) {
      const ids = segments.map(({ id }) => id)
      await recompute(ctx, workspaceId, ids).catch((error: unknown) => errors.push(error))
    }
  }
  for (const unsettled of await listUnsettled(ctx.db, later(now, -SETTLED_MS)))
    await settle(ctx, unsettled).catch((error: unknown) => errors.push(error))
  // One workspace holds no other up; its segments are tried again when the claim runs out.
  if (errors.length > 0) throw new AggregateError(errors, 'segments could not be worked out')
}

/** These segments and all whose members depend on theirs, in an order in which each finds the others ready. */
async function recompute(ctx: Context, workspaceId: string, ids: readonly string[]): Promise<void> {
  const { segments } = await catalogOf(ctx, workspaceId)
  const wanted = new Set([...ids, ...listDependents(segments, ids).map(({ id }) => id)])
  for (const segment of segments.filter(({ id }) => wanted.has(id))) await recomputeSegment(ctx, workspaceId, segment)
}

/** People of both environments; that is a column like others. */
async function recomputeSegment(ctx: Context, workspaceId: string, segment: CatalogSegment): Promise<void> {
  const started = ctx.clock.now()
  await forEachStep(ctx, segment.rules, workspaceId, (people) => recomputePeople(ctx, segment, people))
  const ended = ctx.clock.now()
  // Whoever was written meanwhile: a step may have judged them by what they were before.
  await recomputeChanged(ctx, workspaceId, segment, { since: later(started, -OVERLAP_MS), until: later(ended, SETTLED_MS) })
  const dueAt = segment.period === undefined ? null : later(started, segment.period)
  await markExact(ctx.db, workspaceId, segment, { exactAsOf: started, dueAt, settleFrom: ended })
}

/**
 * An identify that was under way when a segment was worked out has read old members, and was not seen: once it has
 * surely ended, those who changed around that moment are judged once more.
 */
async function settle(ctx: Context, { workspaceId, id, settleFrom }: Unsettled): Promise<void> {
  const { segments } = await catalogOf(ctx, workspaceId)
  const segment = segments.find((one) => one.id === id)
  const around = { since: later(settleFrom, -SETTLED_MS), until: later(settleFrom, OVERLAP_MS) }
  if (segment) await recomputeChanged(ctx, workspaceId, segment, around)
  await markSettled(ctx.db, workspaceId, id, settleFrom)
}

/** People who were written between these moments, in this segment. */
async function recomputeChanged(ctx: Context, workspaceId: string, segment: CatalogSegment, written: Period): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const ids: string[] = await listChanged(ctx.db, workspaceId, written, after, PATTERN_STEP)
    if (ids.length > 0) await recomputePeople(ctx, segment, { workspaceId, ids })
    after = ids.length === PATTERN_STEP ? ids.at(-1) : undefined
  }
}

function later(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms)
}

async function recomputePeople(ctx: Context, { id: segmentId, version, excluded, rules }: CatalogSegment, people: People): Promise<void> {
  const now = ctx.clock.now()
  const condition = await conditionFor(ctx, rules, people, now.getTime())
  // Somebody may be erased meanwhile; a further attempt no longer finds them.
  await untilUndisturbed(() =>
    recomputeStep(ctx.db, { workspaceId: people.workspaceId, segmentId, version, condition, excluded }, people, now),
  )
}

/**
 * Stored membership of these people, or of everybody, in all segments: after a load or a change of their data
 * (G-43). Whatever the segments' own frequency.
 */
export async function reevaluateProfiles(ctx: Context, workspaceId: string, profileIds?: readonly string[]): Promise<void> {
  const { segments } = await catalogOf(ctx, workspaceId)
  if (segments.length === 0) return
  if (!profileIds) {
    for (const segment of segments) await recomputeSegment(ctx, workspaceId, segment)
  } else if (profileIds.length <= FEW) {
    for (const id of profileIds) await reevaluateOne(ctx, workspaceId, id)
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
  await ctx.db.transaction().execute(async (tx) => {
    const profile = await lockProfile(tx, workspaceId, profileId)
    if (!profile) return
    const manual = new Set(await listManualSegments(tx, workspaceId, profileId))
    const members = storedMembership(catalog, subjectOf(profile, now.getTime()), manual, now.getTime())
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

/** Who would be a member, of rules that are not stored. Nobody was added by hand. */
export async function previewRules(
  ctx: Context,
  { workspaceId, environment }: { workspaceId: string; environment: Environment },
  { rules, excluded, sampleSize }: { rules: SegmentRules; excluded: readonly string[]; sampleSize: number },
): Promise<{ count: number; sample: SampleRow[] }> {
  let count = 0
  const sample: SampleRow[] = []
  await forEachStep(ctx, rules, workspaceId, async (step) => {
    const people = { ...step, environment }
    const condition = await conditionFor(ctx, rules, people, ctx.clock.ms())
    const found = await countMatches(ctx.db, { workspaceId, condition, excluded }, people, sampleSize - sample.length)
    count += found.count
    sample.push(...found.sample)
  })
  return { count, sample }
}

/** Everybody in the workspace, step by step. */
async function forEachStep(
  ctx: Context,
  { rules }: SegmentRules,
  workspaceId: string,
  work: (people: People) => Promise<void>,
): Promise<void> {
  const size = listPatterns(rules).length > 0 ? PATTERN_STEP : STEP
  for (let after = ''; ;) {
    const upTo = await findStepEnd(ctx.db, workspaceId, after, size)
    await work({ workspaceId, after, upTo })
    if (upTo === undefined) return
    after = upTo
  }
}

/** The rules as a condition for just these people: for every pattern their texts are searched here. */
async function conditionFor(ctx: Context, rules: SegmentRules, people: People, now: number): Promise<Condition> {
  const matching = new Map<Leaf, string[]>()
  for (const leaf of listPatterns(rules.rules)) {
    const search = typeof leaf.value === 'string' ? compileRegex(leaf.value) : undefined
    if (search) matching.set(leaf, (await listTexts(ctx.db, leaf, people, now)).filter(search))
  }
  return rulesInSql(rules, { now, matching: (leaf) => matching.get(leaf) })
}
