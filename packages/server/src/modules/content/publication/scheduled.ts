import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import type { Change } from '../../../infra/change.ts'
import { findRules, type PendingRequest } from '../../approvals/index.ts'
import { changeOne, type Target } from './instances.ts'
import type { Instance } from '../revisions/queries-instances.ts'
import { permitContent } from '../revisions/permit-content.ts'
import { contentOfRevision } from '../revisions/move-pointers.ts'
import { endPublication, moveTo, tellOfSchedule } from './move-publication.ts'
import { lockPublication, type Publication } from '../revisions/queries-publications.ts'
import { askForReview } from './reviews.ts'
import { tellServing, type ServingTold } from '../revisions/serving.ts'

/** `asked`: moving a publication to live apps is requested anew, and until it is approved the old moment stays (G-92). */
export type Rescheduled = { publication: Publication; asked?: PendingRequest; warnings: ServingTold[] }

/** Published at another moment than it was scheduled for. */
export async function reschedule(ctx: Context, target: Target, id: string, at: Date): Promise<Rescheduled> {
  let asked: PendingRequest | undefined
  let warnings: ServingTold[] = []
  const publication = await changeScheduled(ctx, target, id, async (change, found, instance) => {
    asked = undefined
    if (at <= change.now) failWith(400, 'at must be in the future')
    const { targets, revision } = found
    if (targets.includes('live') && (await findRules(change.tx, change.workspaceId)).publishing) {
      asked = await askForReview(change, instance, { action: 'reschedule', scheduleId: id, targets, revision, at })
      return found
    }
    const content = await contentOfRevision(change, instance, revision)
    warnings = await tellServing(change, instance, targets, { revision, content, at: at.getTime(), moved: id })
    return moveTo(change, found, at, change.actor)
  })
  return asked ? { publication, warnings, asked } : { publication, warnings }
}

/** Every editor may cancel: people keep what they have. */
export async function cancelScheduled(ctx: Context, target: Target, id: string): Promise<void> {
  await changeScheduled(ctx, target, id, async (change, publication) => {
    await endPublication(change, id)
    await tellOfSchedule(change, publication, { action: 'cancel', dueAt: publication.at, by: change.actor })
    return publication
  })
}

async function changeScheduled(
  ctx: Context,
  target: Target,
  id: string,
  work: (change: Change, publication: Publication, instance: Instance) => Promise<Publication>,
): Promise<Publication> {
  let changed: Publication | undefined
  await changeOne(ctx, target, undefined, async (change, { instance }) => {
    const found = await lockPublication(change.tx, change.workspaceId, id)
    if (found?.instanceId !== instance.id) return failWith(404, 'there is nothing scheduled under this id')
    await permitContent(change, [instance.blockKey], { environments: found.targets })
    changed = await work(change, found, instance)
    return instance
  })
  return changed ?? failWith(404, 'there is nothing scheduled under this id')
}
