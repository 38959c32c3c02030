/** What people did, read from the stored events for rules that nobody has saved: nothing is kept of it. */
import { LONGEST_WINDOW } from '@contentflow/core/behaviour/did.ts'
import type { Histories } from '@contentflow/core/behaviour/history.ts'
import { trackersOf } from '@contentflow/core/behaviour/tracker.ts'
import type { Rule } from '@contentflow/core/targeting/rule.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { compileTracker, foldInto, gather, groupBatches, type Compiled } from './fold-events.ts'
import { countInBatches, inBatches, listDaysOf, ofDay, readEvents } from './queries-histories.ts'
import { listReady } from './queries-trackers.ts'

/** Events that are read for one answer, the newest. */
const MOST = 2_000_000

/** `coverage.from`: since when events were read; `isWhole`: those were all that count. */
export type Past = {
  trackers: ReadonlySet<string>
  histories: ReadonlyMap<string, Histories>
  coverage: { from: Date; isWhole: boolean }
}

/** Undefined: all histories that these rules need are kept. `most`: events that are read. */
export async function readPast(ctx: Context, workspaceId: string, rules: readonly Rule[], most = MOST): Promise<Past | undefined> {
  const wanted = trackersOf(rules)
  if (wanted.size === 0) return undefined
  const ready = await listReady(ctx.db, workspaceId)
  const now = ctx.clock.now()
  const missing = [...wanted].filter(([id]) => !ready.has(id)).map(([id, definition]) => compileTracker({ id, definition }, now))
  if (missing.length === 0) return undefined
  const types = [...new Set(missing.map(({ type }) => type))]
  const since = new Date(Math.floor((now.getTime() - LONGEST_WINDOW) / DAY_MS) * DAY_MS)
  const days = await listDaysOf(ctx.db, workspaceId, types, since)
  const histories = new Map<string, Histories>()
  let [from, left, isWhole] = [now, most, true]
  for (const { day } of days.toReversed()) {
    const read = await addDay(ctx, workspaceId, { trackers: missing, types, day: new Date(day), most: left }, histories)
    left -= read.events
    isWhole = read.isWhole
    from = read.isWhole ? new Date(day) : (read.oldest ?? from)
    if (!isWhole) break
  }
  return { trackers: new Set(missing.map(({ id }) => id)), histories, coverage: { from: isWhole ? since : from, isWhole } }
}

type Day = { trackers: readonly Compiled[]; types: readonly string[]; day: Date; most: number }

/** Newest batches first, as many as there is room for. `oldest`: when the first event that was read arrived. */
async function addDay(ctx: Context, workspaceId: string, { trackers, types, day, most }: Day, histories: Map<string, Histories>) {
  const which = ofDay(day)
  const batches = (await countInBatches(ctx.db, workspaceId, types, which)).toReversed()
  let events = 0
  const beyond = batches.findIndex((batch) => (events += batch.events) > most)
  const taken = beyond < 0 ? batches : batches.slice(0, beyond)
  let oldest = Number.POSITIVE_INFINITY
  for (const group of groupBatches(taken)) {
    const read = await readEvents(ctx.db, workspaceId, types, inBatches(which, group))
    for (const { at } of read) oldest = Math.min(oldest, at)
    const happened = await ctx.timeSlicer.run(workspaceId, gather(trackers, read))
    for (const [person, mine] of happened) histories.set(person, foldInto(histories.get(person), mine))
  }
  return {
    events: taken.reduce((sum, batch) => sum + batch.events, 0),
    isWhole: beyond < 0,
    oldest: Number.isFinite(oldest) ? new Date(oldest) : undefined,
  }
}
