import { fail } from '../../../errors.ts'
import type { Change } from '../../../infra/change.ts'
import { permitContent } from '../revisions/permit-content.ts'
import { insertEvents } from '../revisions/queries-events.ts'
import { deletePublication, lockPublication, movePublication, type Publication } from '../revisions/queries-publications.ts'
import { withdrawReviewsOfSchedule, type Review } from './queries-reviews.ts'

/** `by`: who asked for the move. */
type Told = { action: 'reschedule' | 'cancel'; dueAt: Date; by: string }

export async function tellOfSchedule(
  { tx, workspaceId, now }: Change,
  publication: Publication,
  { action, dueAt, by }: Told,
): Promise<void> {
  const { instanceId, targets, revision } = publication
  const events = targets.map((environment) => ({ action, environment, revision, dueAt }))
  await insertEvents(tx, workspaceId, instanceId, events, { by, at: now })
}

/** Published at another moment than it was planned for. */
export async function moveTo(change: Change, publication: Publication, at: Date, by: string): Promise<Publication> {
  await movePublication(change.tx, change.workspaceId, publication.id, at)
  await tellOfSchedule(change, publication, { action: 'reschedule', dueAt: at, by })
  return { ...publication, at, fault: null }
}

/** Moves a publication to the approved moment, or to now when that has passed meanwhile. The history names who asked for it. */
export async function moveAsAsked(change: Change, { scheduleId, at, requestedBy, blockKey }: Review): Promise<void> {
  const found = scheduleId === null ? undefined : await lockPublication(change.tx, change.workspaceId, scheduleId)
  if (!found || !at) return fail('REVIEW_OVER', { message: 'It was published or cancelled meanwhile' })
  await permitContent(change, [blockKey], { environments: found.targets })
  await moveTo(change, found, at > change.now ? at : change.now, requestedBy)
}

/** The publication was carried out, or never will be: it can no longer be moved. */
export async function endPublication({ tx, workspaceId, actor, now }: Change, id: string): Promise<void> {
  await deletePublication(tx, workspaceId, id)
  await withdrawReviewsOfSchedule(tx, workspaceId, id, actor, now)
}
