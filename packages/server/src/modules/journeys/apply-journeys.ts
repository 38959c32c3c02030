import type { JourneyCode } from '@contentflow/core/as-code/message-code.ts'
import type { JourneyStatus } from '@contentflow/core/journeys/journey.ts'
import type { Db } from '../../db/open.ts'
import type { Change } from '../../infra/change.ts'
import { applyChanges, dropJourney, insertDraft } from './journeys.ts'
import { withoutTextsOfNow } from './mails-of-steps.ts'
import { listJourneys, lockJourney } from './queries.ts'

/** The journeys as their authors wrote them, and the status of each. */
type JourneysFound = { code: JourneyCode[]; statuses: Map<string, JourneyStatus> }

/** Triggers name their segments by their current names (`segmentNames`, by id). */
export async function listJourneyCode(db: Db, workspaceId: string, segmentNames: ReadonlyMap<string, string>): Promise<JourneysFound> {
  const journeys = await listJourneys(db, workspaceId)
  const code = journeys.map(({ id, name, trigger, steps, goal, entry, exitOn, segmentId, isIncomplete }): JourneyCode => {
    const segment = segmentId === null ? undefined : segmentNames.get(segmentId)
    const named = trigger.type === 'segment_entry' && segment !== undefined ? { ...trigger, segment } : trigger
    return {
      id,
      name,
      trigger: named,
      goal,
      steps: withoutTextsOfNow(steps),
      ...(entry && { entry }),
      ...(exitOn && { exitOn }),
      ...(isIncomplete && { incomplete: true as const }),
    }
  })
  return { code, statuses: new Map(journeys.map(({ id, status }) => [id, status])) }
}

/** Creates, changes and deletes journeys by their ids. New ones are drafts; changes of active journeys are refused, and so are incomplete journeys that are no drafts. */
export async function applyJourneys(
  change: Change,
  { written, deleted }: { written: readonly JourneyCode[]; deleted: readonly string[] },
): Promise<void> {
  for (const id of deleted) {
    const journey = await lockJourney(change.tx, change.workspaceId, id)
    if (journey) await dropJourney(change, journey)
  }
  for (const { id, incomplete: isIncomplete = false, ...code } of written) {
    // What the document leaves out is not there any more.
    const held = { entry: null, exitOn: null, ...code }
    const before = await lockJourney(change.tx, change.workspaceId, id)
    if (before) await applyChanges(change, before, held, { mayBeIncomplete: isIncomplete, mayBeOff: true })
    else await insertDraft(change, id, held, { isIncomplete, mayBeOff: true })
  }
}
