/** Decides requests for a second person, of every kind that the routes of reviews know. */
import type { DecidedSensor, ReviewDecision } from '@contentflow/core/approvals.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import { actorOfMember, requirePermission } from '../../../http/callers/auth.ts'
import type { MemberCaller } from '../../../http/callers/caller.ts'
import { getPending, settleRequest, type StoredRequest } from '../../approvals/index.ts'
import { findMessageReview, type JourneyReview, type MessageReview, type Review, type SensorReview } from './queries-reviews.ts'
import { approveReview, rejectReview } from './reviews.ts'

/** `otp`: the one-time code, where launch protection asks for one. */
export type DecisionInput = { note: string | null; otp: string | undefined }
type Approve<K> = (member: MemberCaller, request: Extract<StoredRequest, { kind: K }>, said: DecisionInput) => Promise<void>
/** Does what was requested, for each kind, and settles the request with it. */
export type Approving = {
  journey: Approve<'journey'>
  notification: Approve<'notification'>
  /** Undefined when there is no request for a sensor with this id. */
  sensor(member: MemberCaller, id: string, wanted: ReviewDecision): Promise<DecidedSensor | undefined>
}
type Decided = Review | JourneyReview | MessageReview | SensorReview

export async function approveAny(
  ctx: Context,
  approving: Approving,
  member: MemberCaller,
  id: string,
  said: DecisionInput,
): Promise<Decided> {
  const request = await getPending(ctx.db, member.workspaceId, id)
  if (!request) return (await decideSensor(approving, member, id, 'approve', said.note)) ?? approveReview(ctx, member, id, said.note)
  // The route asked for `content:approve`; these are other things.
  requirePermission(member, 'campaigns:approve')
  if (request.kind === 'journey') await approving.journey(member, request, said)
  else await approving.notification(member, request, said)
  return readDecided(ctx, member.workspaceId, id)
}

export async function rejectAny(
  ctx: Context,
  approving: Approving,
  member: MemberCaller,
  id: string,
  note: string | null,
): Promise<Decided> {
  const request = await getPending(ctx.db, member.workspaceId, id)
  if (!request) return (await decideSensor(approving, member, id, 'reject', note)) ?? rejectReview(ctx, member, id, note)
  await ctx.change(actorOfMember(member), (change) => settleRequest(change, member, request, { status: 'rejected', note }))
  return readDecided(ctx, member.workspaceId, id)
}

async function readDecided({ db }: Context, workspaceId: string, id: string): Promise<JourneyReview | MessageReview> {
  return (await findMessageReview(db, workspaceId, id)) ?? failWith(404, 'review not found')
}

async function decideSensor(
  { sensor }: Approving,
  member: MemberCaller,
  id: string,
  wanted: ReviewDecision,
  note: string | null,
): Promise<SensorReview | undefined> {
  if (wanted === 'approve' && !member.grant.permissions.has('strings:approve')) return undefined
  const decided = await sensor(member, id, wanted)
  if (!decided) return undefined
  const { request, status, decidedAt } = decided
  const { key, requestedBy, createdAt: requestedAt } = request
  return { id, kind: 'sensor', key, status, requestedBy, requestedAt, decidedBy: member.accountId, decidedAt, note }
}
