import { beginRun } from '@contentflow/core/journeys/advance.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import type { Actor } from '../../../infra/change.ts'
import { findRules } from '../../approvals/index.ts'
import { holdActive, getJourney } from '../queries.ts'
import { trimFinished } from '../events/queries-listening.ts'
import { insertRuns, insertRunsAgain, listUsers } from './queries-runs.ts'

export type Enrolled = { enrolled: number; alreadyEnrolled: string[]; notFound: string[] }

/** M-JRN-01, G-58: enters people by hand, again where its entry policy is `after_exit`; the next check takes the first step. A person who is named twice counts once. */
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
    const entering = { workspaceId, journeyId, firstStep, now }
    const ids = [...profiles.values()]
    const again = journey.entry?.policy === 'after_exit' ? journey.entry : undefined
    const entered = new Set(
      again ? await insertRunsAgain(tx, entering, again, ids, { type: 'manual' }) : await insertRuns(tx, entering, ids, { type: 'manual' }),
    )
    if (again) await trimFinished(tx, workspaceId, journeyId, [...entered])
    const known = asked.filter((userId) => profiles.has(userId))
    return {
      enrolled: entered.size,
      alreadyEnrolled: known.filter((userId) => !entered.has(profiles.get(userId) ?? '')),
      notFound: asked.filter((userId) => !profiles.has(userId)),
    }
  })
}
