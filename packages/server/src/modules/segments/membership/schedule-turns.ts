/** When time alone may turn the answer of a rule on events: the row of a person says when somebody looks at them next. */
import { nextTurn } from '@contentflow/core/behaviour/judge-did.ts'
import type { Context } from '../../../context.ts'
import { mapSteps } from '../../../infra/concurrency/time-slicer.ts'
import { lookNoLater } from '../../behaviour/index.ts'
import type { CatalogSegment } from '../catalog.ts'
import { listStates, type People } from './queries-membership.ts'

/**
 * A segment that is new or changed may have a shorter window than all rules that shared its trackers so far; no event comes
 * in between that would have its people looked at.
 */
export async function scheduleTurns(ctx: Context, { eventLeaves }: CatalogSegment, people: People): Promise<void> {
  if (eventLeaves.length === 0) return
  const { workspaceId } = people
  const now = ctx.clock.ms()
  const states = await listStates(ctx.db, people)
  const turns = await ctx.timeSlicer.run(
    workspaceId,
    mapSteps(states, ({ id, state }) => ({ id, next: nextTurn(eventLeaves, state, now) })),
  )
  const moments = turns.flatMap(({ id, next }) => (next === null ? [] : [{ id, next }]))
  if (moments.length > 0) await lookNoLater(ctx.db, workspaceId, moments, new Date(now))
}
