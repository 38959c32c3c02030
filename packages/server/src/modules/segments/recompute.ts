/**
 * Works the stored membership out for many people at a time, in steps of bounded size: each is one statement that
 * stays far below the statement timeout and holds nobody up. A membership is exact as of the moment the first step
 * began; whoever was written while the steps ran is looked at again at the end.
 */
import { listDependents } from '@contentflow/core/targeting/exclusions.ts'
import type { Leaf, SegmentRules } from '@contentflow/core/targeting/rule.ts'
import type { Context } from '../../context.ts'
import type { Environment } from '../../infra/signals.ts'
import { catalogOf, type CatalogSegment } from './catalog.ts'
import { claimDue, markDue, markExact } from './queries.ts'
import {
  countMatches,
  findLastId,
  hasMoreProfiles,
  listChanged,
  listTexts,
  recomputeStep,
  type People,
  type SampleRow,
} from './queries-membership.ts'
import { listPatterns, rulesInSql, type Condition } from './queries-rules.ts'
import { compileRegex } from './regex.ts'

/** People in one statement. With patterns their texts pass through this process, so there are fewer. */
const STEP = 20_000
const PATTERN_STEP = 5_000
/** Up to this many people a change of a segment is answered after its members are right. */
const SMALL = 20_000
/** Clocks of processes may differ by this much. */
const OVERLAP_MS = 10_000
/** How long a process may take over the segments it has claimed before another one takes them up. */
const CLAIM_MS = 600_000
const CLAIMED = 20
const ENVIRONMENTS: readonly Environment[] = ['live', 'test']

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
  // One workspace holds no other up; its segments are tried again when the claim runs out.
  if (errors.length > 0) throw new AggregateError(errors, 'segments could not be worked out')
}

/** These segments and all whose members depend on theirs, in an order in which each finds the others ready. */
async function recompute(ctx: Context, workspaceId: string, ids: readonly string[]): Promise<void> {
  const { segments } = await catalogOf(ctx, workspaceId)
  const wanted = new Set([...ids, ...listDependents(segments, ids).map(({ id }) => id)])
  for (const segment of segments.filter(({ id }) => wanted.has(id))) {
    const started = ctx.clock.now()
    for (const environment of ENVIRONMENTS) {
      await recomputePeople(ctx, segment, { workspaceId, environment })
      await recomputeChanged(ctx, segment, { workspaceId, environment }, new Date(started.getTime() - OVERLAP_MS))
    }
    const dueAt = segment.period === undefined ? null : new Date(started.getTime() + segment.period)
    await markExact(ctx.db, workspaceId, segment, started, dueAt)
  }
}

type Scope = Pick<People, 'workspaceId' | 'environment' | 'ids'>

async function recomputePeople(ctx: Context, segment: CatalogSegment, scope: Scope): Promise<void> {
  const { id: segmentId, version, excluded, rules } = segment
  const now = ctx.clock.now()
  await forEachStep(ctx, rules, scope, now.getTime(), (condition, people) =>
    recomputeStep(ctx.db, { workspaceId: scope.workspaceId, segmentId, version, condition, excluded }, people, now),
  )
}

/** Whoever was written while everybody was looked at: a step may have judged them by what they were before. */
async function recomputeChanged(ctx: Context, segment: CatalogSegment, scope: Scope, since: Date): Promise<void> {
  for (let after = ''; ;) {
    const ids = await listChanged(ctx.db, { ...scope, after, limit: PATTERN_STEP }, since)
    if (ids.length > 0) await recomputePeople(ctx, segment, { ...scope, ids })
    if (ids.length < PATTERN_STEP) return
    after = ids.at(-1) ?? ''
  }
}

/**
 * Stored membership of these people, or of everybody, in all segments: after a load or a change of their data
 * (G-43). Whatever the segments' own frequency.
 */
export async function reevaluateProfiles(
  ctx: Context,
  workspaceId: string,
  environment: Environment,
  profileIds?: readonly string[],
): Promise<void> {
  const { segments } = await catalogOf(ctx, workspaceId)
  if (!profileIds) {
    for (const segment of segments) await recomputePeople(ctx, segment, { workspaceId, environment })
    return
  }
  for (let at = 0; at < profileIds.length; at += PATTERN_STEP) {
    const ids = profileIds.slice(at, at + PATTERN_STEP)
    for (const segment of segments) await recomputePeople(ctx, segment, { workspaceId, environment, ids })
  }
}

/** The same for the segments that depend on one whose members were changed by hand, and for itself. */
export async function reevaluateAfter(
  ctx: Context,
  workspaceId: string,
  environment: Environment,
  segmentId: string,
  profileIds: readonly string[],
  { withItself }: { withItself: boolean },
): Promise<void> {
  const { segments } = await catalogOf(ctx, workspaceId)
  const own = withItself ? segments.filter(({ id }) => id === segmentId) : []
  for (const segment of [...own, ...listDependents(segments, [segmentId])])
    await recomputePeople(ctx, segment, { workspaceId, environment, ids: profileIds })
}

/** Who would be a member, of rules that are not stored. Nobody was added by hand. */
export async function previewRules(
  ctx: Context,
  { rules, excluded, sampleSize }: { rules: SegmentRules; excluded: readonly string[]; sampleSize: number },
  scope: Scope,
): Promise<{ count: number; sample: SampleRow[] }> {
  let count = 0
  const sample: SampleRow[] = []
  await forEachStep(ctx, rules, scope, ctx.clock.ms(), async (condition, people) => {
    const step = await countMatches(ctx.db, { workspaceId: scope.workspaceId, condition, excluded }, people, sampleSize - sample.length)
    count += step.count
    sample.push(...step.sample)
    return step
  })
  return { count, sample }
}

/** Runs `work` over everybody in `scope`, step by step, each with the rules as a condition for just these people. */
async function forEachStep(
  ctx: Context,
  rules: SegmentRules,
  scope: Scope,
  now: number,
  work: (condition: Condition, people: People) => Promise<{ last: string | undefined; seen: number }>,
): Promise<void> {
  const patterns = listPatterns(rules.rules)
  const limit = patterns.length > 0 ? PATTERN_STEP : STEP
  for (let after = ''; ;) {
    let people: People = { ...scope, after, limit }
    if (patterns.length > 0) {
      const upTo = await findLastId(ctx.db, people)
      if (upTo === undefined) return
      people = { ...people, upTo }
    }
    const matching = await searchPatterns(ctx, patterns, people, now)
    const { last, seen } = await work(rulesInSql(rules, { now, matching: (leaf) => matching.get(leaf) }), people)
    if (last === undefined || (seen < limit && people.upTo === undefined)) return
    after = people.upTo ?? last
  }
}

/** For every leaf with a usable pattern the texts it is found in. */
async function searchPatterns(ctx: Context, patterns: readonly Leaf[], people: People, now: number): Promise<Map<Leaf, string[]>> {
  const found = new Map<Leaf, string[]>()
  for (const leaf of patterns) {
    const search = compileRegex(String(leaf.value))
    if (search) found.set(leaf, (await listTexts(ctx.db, leaf, people, now)).filter(search))
  }
  return found
}
