import { beginRun } from '@contentflow/core/journeys/advance.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import type { Actor } from '../../../infra/change.ts'
import { findRules } from '../../approvals/index.ts'
import { holdActive, getJourney } from '../queries.ts'
import { insertRuns, listUsers } from './queries-runs.ts'

export type Enrolled = { enrolled: number; alreadyEnrolled: string[]; notFound: string[] }

/** M-JRN-01, G-58: enters people by hand; the next check takes the first step. A person who is named twice counts once. */
export async function enroll(ctx: Context, by: Actor, journeyId: string, userIds: readonly string[]): Promise<Enrolled> {
  const asked = [...new Set(userIds)]
  return ctx.change(by, async ({ tx, workspaceId, now, mayPublish }) => {
    // Nobody approved messages to these people: where messages take a second person, only an approver enters them.
    if (!mayPublish && (await findRules(tx, workspaceId)).messages) fail('APPROVAL_NEEDED')
    const journey = await holdActive(tx, workspaceId, journeyId)
    if (!journey) {
      await getJourney(tx, workspaceId, journeyId)
      return fail('JOURNEY_NOT_ACTIVE')
    }
    const profiles = await listUsers(tx, workspaceId, asked)
    const firstStep = beginRun(journey.steps, now.getTime()).step
    const entered = new Set(await insertRuns(tx, { workspaceId, journeyId, firstStep, now }, [...profiles.values()], { type: 'manual' }))
    const known = asked.filter((userId) => profiles.has(userId))
    return {
      enrolled: entered.size,
      alreadyEnrolled: known.filter((userId) => !entered.has(profiles.get(userId) ?? '')),
      notFound: asked.filter((userId) => !profiles.has(userId)),
    }
  })
}
