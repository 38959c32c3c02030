import type { Context } from '../../../context.ts'
import { fail, failWith } from '../../../errors.ts'
import { requireApprover } from '../../../http/callers/auth.ts'
import type { MemberCaller } from '../../../http/callers/caller.ts'
import type { Change } from '../../../infra/change.ts'
import { uuidv7 } from '../../../infra/secrets/crypto.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { findRules, refuseApprover, refuseSubmitter, type PendingRequest } from '../../approvals/index.ts'
import { changeContent } from '../revisions/change-content.ts'
import * as queries from '../revisions/queries.ts'
import { getInstance, type Instance } from '../revisions/queries-instances.ts'
import { setPublished } from '../revisions/save-instance.ts'
import { carryOut } from './carry-out.ts'
import { dropInstance } from './drop-instance.ts'
import { permitContent } from '../revisions/permit-content.ts'
import { moveAsAsked } from './move-publication.ts'
import { decideReview, findReview, insertReview, listPendingOf, type Review } from './queries-reviews.ts'

/** `scheduleId`: the planned publication to move. */
type Wanted = Pick<Review, 'action' | 'revision'> & { targets: readonly Environment[]; at?: Date | undefined; scheduleId?: string }

/** A second request for the same change returns the first one. */
export async function askForReview(change: Change, instance: Instance, wanted: Wanted): Promise<PendingRequest> {
  const { tx, workspaceId, submitter, now } = change
  await refuseSubmitter(change)
  await permitContent(change, [instance.blockKey], { environments: wanted.targets })
  const { action, targets, revision, at, scheduleId } = wanted
  const isSame = (other: Review) =>
    other.action === action &&
    other.scheduleId === (scheduleId ?? null) &&
    other.revision === revision &&
    other.targets.join() === targets.join() &&
    other.at?.getTime() === at?.getTime()
  const pending = (await listPendingOf(tx, workspaceId, instance.id)).find(isSame)
  if (pending) return { requestId: pending.id, status: 'pending' }
  const id = uuidv7(now.getTime())
  await insertReview(tx, workspaceId, {
    id,
    action,
    scheduleId: scheduleId ?? null,
    instanceId: instance.id,
    revision,
    targets: [...targets],
    at: at ?? null,
    requestedBy: submitter,
    requestedAt: now,
  })
  return { requestId: id, status: 'pending' }
}

/**
 * Members with approval rights take live content from people freely; others make a request (G-92). Undefined: no request is needed.
 */
export async function askToTakeAway(
  change: Change,
  instance: Instance,
  action: 'unpublish' | 'delete',
  targets: readonly Environment[],
): Promise<PendingRequest | undefined> {
  const { liveRevision } = instance
  if (liveRevision === null || !targets.includes('live') || change.mayPublish) return undefined
  if (!(await findRules(change.tx, change.workspaceId)).publishing) return undefined
  return askForReview(change, instance, { action, targets, revision: liveRevision })
}

/** A member with approval rights who did not ask for it approves. The revision that was requested is published, whatever was saved since. */
export async function approveReview(ctx: Context, member: MemberCaller, id: string, note: string | null): Promise<Review> {
  return decide(ctx, member, id, async (change, review) => {
    await refuseApprover(change, { by: review.requestedBy, at: review.requestedAt })
    await settle(change, id, 'approved', note)
    const definition = await queries.getActiveDefinition(change.tx, change.workspaceId, review.blockKey)
    const instance = await getInstance(change.tx, change.workspaceId, review.blockKey, review.instanceId)
    await carryOutAsked(change, definition, instance, review)
  })
}

async function carryOutAsked(change: Change, definition: queries.StoredDefinition, instance: Instance, review: Review): Promise<void> {
  switch (review.action) {
    case 'publish':
      return carryOut(change, definition, instance, review)
    case 'reschedule':
      return moveAsAsked(change, review)
    case 'unpublish':
      return void (await setPublished(change, definition, instance, { targets: review.targets, revision: null }))
    case 'delete':
      return void (await dropInstance(change, instance))
  }
}

/** A member with approval rights sends the request back with a reason; or its author withdraws it. */
export async function rejectReview(ctx: Context, member: MemberCaller, id: string, note: string | null): Promise<Review> {
  return decide(ctx, member, id, async (change, review) => {
    if (review.requestedBy === member.accountId) return settle(change, id, 'withdrawn', note)
    requireApprover(member)
    if (note === null) failWith(400, 'note must say why it is sent back')
    await settle(change, id, 'rejected', note)
  })
}

async function settle(
  { tx, workspaceId, actor, now }: Change,
  id: string,
  status: 'approved' | 'rejected' | 'withdrawn',
  note: string | null,
) {
  if (!(await decideReview(tx, workspaceId, id, { status, by: actor, at: now, note }))) fail('REVIEW_OVER')
}

async function decide(
  ctx: Context,
  { workspaceId, accountId }: MemberCaller,
  id: string,
  work: (change: Change, review: Review) => Promise<void>,
): Promise<Review> {
  return changeContent(ctx, { workspaceId, actor: accountId }, async (change) => {
    const find = async () => (await findReview(change.tx, workspaceId, id)) ?? failWith(404, 'review not found')
    const review = await find()
    if (review.status !== 'pending') fail('REVIEW_OVER')
    await work(change, review)
    return find()
  })
}
