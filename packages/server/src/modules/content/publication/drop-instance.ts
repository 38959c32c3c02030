import type { Change } from '../../../infra/change.ts'
import type { Instance } from '../revisions/queries-instances.ts'
import { storeInstance } from '../revisions/move-pointers.ts'
import { deletePublicationsOf } from '../revisions/queries-publications.ts'
import { withdrawReviewsOf } from './queries-reviews.ts'
import { pointersOf } from '../revisions/served.ts'

/** Takes an instance out of delivery, with its planned publications and open requests. */
export async function dropInstance(change: Change, instance: Instance): Promise<Instance> {
  const { tx, workspaceId, actor, now } = change
  await deletePublicationsOf(tx, workspaceId, instance.id)
  await withdrawReviewsOf(tx, workspaceId, instance.id, actor, now)
  const moves = pointersOf(instance).map((environment) => ({ environment, revision: null }))
  return storeInstance(change, instance, { ...instance, deletedAt: now, deletedBy: actor }, moves, [
    { action: 'delete', environment: null, revision: null, dueAt: null },
  ])
}
