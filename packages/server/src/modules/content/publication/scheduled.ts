import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import type { Change } from '../../../infra/change.ts'
import { changeOne, type Target } from '../instances.ts'
import { insertEvents } from './queries-events.ts'
import { deletePublication, lockPublication, movePublication, type Publication } from './queries-publications.ts'

/** Published at another moment than it was scheduled for. */
export async function reschedule(ctx: Context, target: Target, id: string, at: Date): Promise<Publication> {
  return changeScheduled(ctx, target, id, async (change, publication) => {
    if (at <= change.now) failWith(400, 'at must be in the future')
    await movePublication(change.tx, change.workspaceId, id, at)
    await tell(change, publication, 'reschedule', at)
    return { ...publication, at, fault: null }
  })
}

export async function cancelScheduled(ctx: Context, target: Target, id: string): Promise<void> {
  await changeScheduled(ctx, target, id, async (change, publication) => {
    await deletePublication(change.tx, change.workspaceId, id)
    await tell(change, publication, 'cancel', publication.at)
    return publication
  })
}

async function tell({ tx, workspaceId, actor, now }: Change, publication: Publication, action: 'reschedule' | 'cancel', dueAt: Date) {
  const { instanceId, targets, revision } = publication
  const events = targets.map((environment) => ({ action, environment, revision, dueAt }))
  await insertEvents(tx, workspaceId, instanceId, events, { by: actor, at: now })
}

async function changeScheduled(
  ctx: Context,
  target: Target,
  id: string,
  work: (change: Change, publication: Publication) => Promise<Publication>,
): Promise<Publication> {
  let changed: Publication | undefined
  await changeOne(ctx, target, undefined, async (change, { instance }) => {
    const found = await lockPublication(change.tx, change.workspaceId, id)
    if (found?.instanceId !== instance.id) return failWith(404, 'there is nothing scheduled under this id')
    changed = await work(change, found)
    return instance
  })
  return changed ?? failWith(404, 'there is nothing scheduled under this id')
}
