import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import { requireApprover } from '../../http/callers/auth.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import type { Change } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import * as queries from './queries-requests.ts'
import type { RequestKind, StoredRequest } from './queries-requests.ts'
import { refuseApprover, refuseSubmitter } from './rules.ts'

/** The answer to what takes a second person (G-82, G-92). */
export type PendingRequest = { requestId: string; status: 'pending' }

/** Asking again for the same is no second request. */
export async function askFor(change: Change, asked: RequestKind): Promise<PendingRequest> {
  const { tx, workspaceId, submitter: requestedBy, now } = change
  await refuseSubmitter(change)
  const text = canonicalJson(asked.request)
  const pending = await queries.listPending(tx, workspaceId, asked)
  const same = pending.find((each) => canonicalJson(each.request) === text && each.requestedBy === requestedBy)
  if (same) return { requestId: same.id, status: 'pending' }
  const id = uuidv7(now.getTime())
  await queries.insertRequest(tx, workspaceId, { ...asked, id, requestedBy, requestedAt: now })
  return { requestId: id, status: 'pending' }
}

/** One that waits still; undefined when it is about an instance, or there is none. */
export async function getPending(db: Db, workspaceId: string, id: string): Promise<StoredRequest | undefined> {
  const found = await queries.findRequest(db, workspaceId, id)
  return found && found.status !== 'pending' ? fail('REVIEW_OVER') : found
}

export type ReviewOutcome = { status: 'approved' | 'rejected'; note: string | null }

/** Decides it, once: by an approver who did not ask for it, or withdrawn by whoever did. */
export async function settleRequest(
  change: Change,
  member: Pick<MemberCaller, 'accountId' | 'mayApprove'>,
  request: StoredRequest,
  { status, note }: ReviewOutcome,
): Promise<void> {
  const { tx, workspaceId, actor: by, now: at } = change
  const isOwn = request.requestedBy === change.submitter
  if (status === 'approved') await refuseApprover(change, { by: request.requestedBy, at: request.requestedAt })
  else if (!isOwn) {
    requireApprover(member)
    if (note === null) failWith(400, 'note must say why it is sent back')
  }
  const decision = status === 'rejected' && isOwn ? 'withdrawn' : status
  if (!(await queries.decideRequest(tx, workspaceId, request.id, { status: decision, by, at, note }))) fail('REVIEW_OVER')
}

/** What was asked for is another now, or gone: nobody agrees to it any more. */
export async function withdrawRequests(
  { tx, workspaceId, actor: by, now: at }: Change,
  about: Pick<RequestKind, 'kind' | 'subject'>,
): Promise<void> {
  await queries.withdrawPending(tx, workspaceId, about, { by, at })
}
