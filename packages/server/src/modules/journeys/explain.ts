import { listSteps } from '@contentflow/core/journeys/journey.ts'
import type { Rule } from '@contentflow/core/targeting/rule.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { findPerson } from '../people/index.ts'
import { getJourney, type StoredJourney } from './queries.ts'
import { findLatestRun, type RunRow } from './runs/queries-runs.ts'

type Because =
  | 'journey_not_active'
  | 'manual_only'
  | 'trigger_not_met'
  | 'waits'
  | 'waits_for_prayer'
  | 'waits_for_event'
  | 'next_check'
  | NonNullable<RunRow['reason']>
type Explained = { journey: StoredJourney; run: RunRow | undefined; because: Because }

/** The rules that decide about people on their way: of the segment they enter by, and of conditions. */
export function askedBy({ trigger, steps }: Pick<StoredJourney, 'trigger' | 'steps'>): { rules: Rule[]; segments: string[] } {
  return {
    rules: listSteps(steps).flatMap((step) => (step.type === 'condition' ? step.rule.rules : [])),
    segments: trigger.type === 'segment_entry' ? [trigger.segment] : [],
  }
}

/** Why a person is where they are in a journey, or is not in it. */
export async function explainRun(ctx: Context, workspaceId: string, journeyId: string, userId: string): Promise<Explained> {
  const journey = await getJourney(ctx.db, workspaceId, journeyId)
  const person = (await findPerson(ctx.db, workspaceId, 'live', userId)) ?? failWith(404, 'person not found')
  const run = await findLatestRun(ctx.db, workspaceId, journeyId, person.id)
  return { journey, run, because: becauseOf(journey, run, ctx.clock.now()) }
}

function becauseOf({ status, trigger, steps }: StoredJourney, run: RunRow | undefined, now: Date): Because {
  if (run?.reason) return run.reason
  if (status !== 'active') return 'journey_not_active'
  if (run) {
    if (!run.dueAt || run.dueAt <= now) return 'next_check'
    const at = listSteps(steps).find(({ id }) => id === run.step)
    if (run.isWaiting && at?.type === 'wait_for') return 'waits_for_event'
    return run.isWaiting && at?.type === 'wait_until' && 'afterPrayer' in at ? 'waits_for_prayer' : 'waits'
  }
  return trigger.type === 'manual' ? 'manual_only' : 'trigger_not_met'
}
