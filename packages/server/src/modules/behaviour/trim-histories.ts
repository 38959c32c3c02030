/** Histories hold no moment that is older than the events of their workspace. */
import { trimHistory, type Histories } from '@contentflow/core/behaviour/history.ts'
import type { Context } from '../../context.ts'
import { mapSteps } from '../../infra/concurrency/time-slicer.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import { BEHAVIOUR } from './fold-events.ts'
import { lockWithMoments, saveHistories } from './queries-histories.ts'

const PEOPLE = 1_000

/**
 * Cuts what happened before `kept`, whose events are deleted; rules about it are judged anew. False: `isOver` said so before the
 * end; what is cut by then is not looked at twice.
 */
export async function trimHistories(ctx: Context, workspaceId: string, kept: Date, isOver: () => boolean): Promise<boolean> {
  const since = kept.getTime() - 1
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after
    after = await inTransaction(ctx.db, async (tx) => {
      const { states, upTo } = await lockWithMoments(tx, workspaceId, since, { after: from, limit: PEOPLE })
      const steps = mapSteps([...states], ([id, state]) => [id, trimAll(state, since)] as const)
      const trimmed = (await ctx.timeSlicer.run(workspaceId, steps)).filter(([id, state]) => state !== states.get(id))
      if (trimmed.length > 0) await saveHistories(tx, workspaceId, new Map(trimmed), ctx.clock.now())
      return upTo
    })
    ctx.due.nudge(BEHAVIOUR, workspaceId)
    if (after !== undefined && isOver()) return false
  }
  return true
}

/** The same object when nothing of it is that old. */
function trimAll(state: Histories, since: number): Histories {
  const entries = Object.entries(state).map(([id, history]) => [id, trimHistory(history, since)] as const)
  return entries.every(([id, history]) => history === state[id]) ? state : Object.fromEntries(entries)
}
