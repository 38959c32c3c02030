/**
 * The life of a tracker:
 *
 *     (saved rule) ──> filling ──> ready ──> retired ──> ending ──> gone
 *                         ^          ^          │           │
 *                         │          └─ used again          │
 *                         └───────── used again meanwhile ──┘
 *
 * Events that are counted after it was made are folded in every state but `ending`; `filling` folds those before.
 */
import type { Rule } from '@contentflow/core/targeting/rule.ts'
import { trackersOf } from '@contentflow/core/behaviour/tracker.ts'
import { LONGEST_WINDOW } from '@contentflow/core/behaviour/did.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS, HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { lockCounting } from '../../db/locks.ts'
import type { Db } from '../../db/open.ts'
import { refusalWith } from '../../errors.ts'
import type { Change } from '../../infra/change.ts'
import { oneByOne, type Batch, type DueWork } from '../../infra/due/due.ts'
import { dueTable, type DueRow } from '../../infra/due/queries-due.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import { foldPast } from './fold-events.ts'
import { findBatchEnd, listDaysOf, ofDay, stripHistories } from './queries-histories.ts'
import * as queries from './queries-trackers.ts'
import type { TrackerUser } from './queries-trackers.ts'

const TRACKERS = 'trackers'
/** How long a tracker that no rule uses is kept: to undo a change then costs nothing. */
const RETIRED_MS = 7 * DAY_MS
/** Events of the past that one step folds; others wait for its locks. */
const STEP = 2_000
const STRIPPED = 5_000
/** Up to this many events of the past a rule is answered after they are filled in. */
const SMALL = 20_000

/** Says which trackers a segment or journey uses from now on; without rules: none any more. 409 `TRACKERS_EXCEEDED`. */
export async function syncTrackers(
  change: Pick<Change, 'tx' | 'workspaceId' | 'now' | 'nudge'>,
  user: TrackerUser,
  rules: readonly Rule[],
): Promise<void> {
  const { tx, workspaceId, now, nudge } = change
  const trackers = trackersOf(rules)
  if (trackers.size === 0 && !(await queries.hasUses(tx, workspaceId, user))) return
  // A batch is either counted before the tracker is there, or folded into it: see foldCounted.
  await lockCounting(tx, workspaceId)
  if (trackers.size > 0) await queries.insertTrackers(tx, workspaceId, trackers, { firstBatch: await queries.takeBatchNumber(tx), now })
  await queries.replaceUses(tx, workspaceId, user, [...trackers.keys()], { now, endsAt: new Date(now.getTime() + RETIRED_MS) })
  const types = [...new Set([...trackers.values()].map(({ type }) => type))]
  const { all, mostOfType } = await queries.countTrackers(tx, workspaceId, types)
  if (all > LIMITS.eventTrackers || mostOfType > LIMITS.eventTrackersOfType)
    throw refusalWith('TRACKERS_EXCEEDED', { trackers: all, ofType: mostOfType })
  nudge(TRACKERS)
}

/** Before the answer, where the past of these rules is short. */
export async function fillTrackersIfSmall(ctx: Context, workspaceId: string, rules: readonly Rule[]): Promise<void> {
  const types = [...new Set([...trackersOf(rules).values()].map(({ type }) => type))]
  if (types.length === 0) return
  const days = await listDaysOf(ctx.db, workspaceId, types, new Date(0))
  if (days.reduce((sum, { events }) => sum + events, 0) <= SMALL) await ctx.due.workOff(TRACKERS, workspaceId)
}

/** `onReady`: rules may be decided by it from now on. */
export function trackersWork(
  ctx: Context,
  onReady: (workspaceId: string, segmentIds: readonly string[]) => Promise<void>,
): DueWork<DueRow> {
  const table = dueTable<DueRow>(ctx.db, 'event_trackers')
  const work = oneByOne<DueRow>(ctx, { kind: TRACKERS, table, backOff: { first: 5_000, most: HOUR_MS } }, async ({ id }, batch) =>
    workTracker(ctx, batch, id, onReady),
  )
  return { kind: TRACKERS, rows: table, most: 4, yields: true, work }
}

/** Says when it is due next. */
async function workTracker(
  ctx: Context,
  batch: Batch<DueRow>,
  id: string,
  onReady: (workspaceId: string, segmentIds: readonly string[]) => Promise<void>,
): Promise<Date | null> {
  const { workspaceId } = batch
  const now = ctx.clock.now()
  const tracker = await inTransaction(ctx.db, async (tx) => queries.lockTracker(tx, workspaceId, id))
  if (!tracker) return null
  const endsAt = tracker.retiredAt && new Date(tracker.retiredAt.getTime() + RETIRED_MS)
  if (tracker.isEnding || (endsAt && endsAt <= now)) return end(ctx, batch, id)
  if (tracker.readyAt) return endsAt
  if (!(await fill(ctx, batch, id))) return now
  await onReady(workspaceId, await queries.listSegmentsUsing(ctx.db, workspaceId, id))
  return endsAt
}

/** Day by day, oldest first; how far it is stands in the row, in the transaction of each step. False: its turn is over. */
async function fill(ctx: Context, { workspaceId, signal, isOver }: Batch<DueRow>, id: string): Promise<boolean> {
  for (;;) {
    signal.throwIfAborted()
    const isDone = await inTransaction(ctx.db, async (tx) => {
      await lockCounting(tx, workspaceId)
      const isDone = await fillStep(ctx, tx, workspaceId, id)
      await ctx.faults.reach(`${TRACKERS}: filled`)
      return isDone
    })
    if (isDone) return true
    if (isOver()) return false
  }
}

async function fillStep(ctx: Context, tx: Db, workspaceId: string, id: string): Promise<boolean> {
  const tracker = await queries.lockTracker(tx, workspaceId, id)
  if (!tracker) return true
  const { definition, filledDay, filledBatch } = tracker
  const since = new Date(Math.floor((ctx.clock.ms() - LONGEST_WINDOW) / DAY_MS) * DAY_MS)
  const days = (await listDaysOf(tx, workspaceId, [definition.type], since)).map(({ day }) => day)
  const day = days.find((each) => filledDay === null || each >= filledDay)
  if (day === undefined) {
    await queries.markReady(tx, workspaceId, id, ctx.clock.now())
    return true
  }
  const after = day === filledDay ? filledBatch : 0
  const at = new Date(day)
  const upTo = await findBatchEnd(tx, workspaceId, definition.type, { which: ofDay(at, { after }), limit: STEP })
  const which = ofDay(at, { after, upTo })
  await foldPast(ctx, tx, workspaceId, tracker, which)
  const next = days.find((each) => each > day) ?? tomorrow(day)
  await (upTo === undefined ? queries.saveFilled(tx, workspaceId, id, next, 0) : queries.saveFilled(tx, workspaceId, id, day, upTo))
  return false
}

function tomorrow(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
}

/** Takes it out of all histories. Nothing is folded into it meanwhile; who uses it again waits until this is over. */
async function end(ctx: Context, { workspaceId, signal, isOver }: Batch<DueRow>, id: string): Promise<Date | null> {
  const isEnding = await inTransaction(ctx.db, async (tx) => {
    await lockCounting(tx, workspaceId)
    return queries.markEnding(tx, workspaceId, id)
  })
  if (!isEnding) return null
  for (let after: string | undefined = ''; after !== undefined;) {
    signal.throwIfAborted()
    if (isOver()) return ctx.clock.now()
    after = await stripHistories(ctx.db, workspaceId, id, after, STRIPPED)
  }
  const isAgain = await inTransaction(ctx.db, async (tx) => {
    await lockCounting(tx, workspaceId)
    return queries.endTracker(tx, workspaceId, id, await queries.takeBatchNumber(tx))
  })
  return isAgain ? ctx.clock.now() : null
}
