/** Holds the histories of a few people against the events that are stored, once a day: rules on events are as right as these. */
import { isDeepStrictEqual } from 'node:util'
import { LONGEST_WINDOW } from '@contentflow/core/behaviour/did.ts'
import { historyIn, trimHistory, type Histories } from '@contentflow/core/behaviour/history.ts'
import type { Context } from '../../context.ts'
import { lockCounting } from '../../db/locks.ts'
import type { Db } from '../../db/open.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import { compileTracker, foldInto, gather, groupBatches, type Compiled } from './fold-events.ts'
import { countInBatches, holdPeople, inBatches, listSomePeople, lockHistories, ofPeople, readEvents } from './queries-histories.ts'
import { listFilling, listTrackers } from './queries-trackers.ts'

/** People of one workspace a day: counting waits meanwhile. */
const PEOPLE = 100

/**
 * Who differs is counted (`contentflow_behaviour_drift_total`, which stays 0) and logged by number; nothing is changed. `kept`:
 * since when the events of the workspace are stored.
 */
export async function auditHistories(ctx: Context, workspaceId: string, kept: Date): Promise<void> {
  const differing = await inTransaction(ctx.db, async (tx) => {
    await lockCounting(tx, workspaceId)
    const filling = new Set((await listFilling(tx, workspaceId)).map(({ id }) => id))
    const now = ctx.clock.now()
    const trackers = (await listTrackers(tx, workspaceId)).filter(({ id }) => !filling.has(id)).map((one) => compileTracker(one, now))
    if (trackers.length === 0) return 0
    const people = await holdPeople(tx, workspaceId, await listSomePeople(tx, workspaceId, Math.random(), PEOPLE))
    const stored = await lockHistories(tx, workspaceId, [...people])
    const made = await foldAll(ctx, tx, workspaceId, trackers, [...people])
    const since = Math.max(now.getTime() - LONGEST_WINDOW, kept.getTime() - 1)
    return [...people].filter((id) => !isSame(trackers, stored.get(id), made.get(id), since)).length
  })
  if (differing === 0) return
  ctx.metrics.behaviourDrift.inc(differing)
  ctx.log.error({ workspaceId, rows: differing }, 'histories of people are not what their events say')
}

/** What these people did, from the stored events alone. */
async function foldAll(
  ctx: Context,
  tx: Db,
  workspaceId: string,
  trackers: readonly Compiled[],
  people: readonly string[],
): Promise<Map<string, Histories>> {
  const types = [...new Set(trackers.map(({ type }) => type))]
  const which = ofPeople(workspaceId, people)
  const made = new Map<string, Histories>()
  for (const group of groupBatches(await countInBatches(tx, workspaceId, types, which))) {
    const events = await readEvents(tx, workspaceId, types, inBatches(which, group))
    for (const [id, mine] of await ctx.timeSlicer.run(workspaceId, gather(trackers, events))) made.set(id, foldInto(made.get(id), mine))
  }
  return made
}

/** Their moments since then. How many there ever were, the first and the last may be of events that are stored no longer. */
function isSame(trackers: readonly Compiled[], stored: Histories | undefined, made: Histories | undefined, since: number): boolean {
  const momentsIn = (state: Histories | undefined, id: string) => {
    const history = historyIn(state, id)
    return history ? trimHistory(history, since).a : []
  }
  return trackers.every(({ id }) => isDeepStrictEqual(momentsIn(stored, id), momentsIn(made, id)))
}
