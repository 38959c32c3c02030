/** A message to a segment passes the gates of a campaign that goes live (G-92). */
import { NO_PROVIDER } from '@contentflow/core/channels/channel.ts'
import { fail, failWith } from '../../errors.ts'
import { actorOfMember } from '../../http/callers/auth.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import {
  askFor,
  findRules,
  passLaunch,
  refuseApprover,
  settleRequest,
  type PendingRequest,
  type StoredRequest,
} from '../approvals/index.ts'
import { listSending } from '../channels/index.ts'
import type { Dispatcher } from './dispatch/dispatcher.ts'
import { sendToSegment, type OneOff, type SentToSegment } from './one-off.ts'
import { findSegment } from './queries.ts'

export type Segment = { id: string; name: string }
type GateOutcome = { sent: SentToSegment; asked?: never } | { asked: PendingRequest; sent?: never }

/** Sent, or asked for. Undefined: no provider. */
export async function sendOrAsk(
  dispatcher: Dispatcher,
  member: MemberCaller,
  { id, name }: Segment,
  message: OneOff,
  otp: string | undefined,
): Promise<GateOutcome | undefined> {
  const { ctx } = dispatcher
  const of = actorOfMember(member)
  const { channel, content, mail, parts = [], topic } = message
  if ((await listSending(ctx.db, of.workspaceId, channel)).length === 0) return undefined
  if ((await findRules(ctx.db, of.workspaceId)).messages) {
    const said = { ...(mail && { mail }), ...(parts.length > 0 && { parts }), ...(topic !== undefined && { topic }) }
    const request = { segment: name, channel, content, ...said }
    return { asked: await ctx.change(of, (change) => askFor(change, { kind: 'notification', action: 'send', subject: id, request })) }
  }
  await passLaunch(ctx, member, { kind: 'segment', id }, otp)
  const sent = await sendToSegment(dispatcher, of, name, message)
  return sent && { sent }
}

type Request = Extract<StoredRequest, { kind: 'notification' }>

/** By a second person: what was asked for leaves as it was asked for, to whoever is in the segment now. */
export async function approveMessage(
  dispatcher: Dispatcher,
  member: MemberCaller,
  request: Request,
  { note, otp }: { note: string | null; otp: string | undefined },
): Promise<void> {
  const { ctx } = dispatcher
  const of = actorOfMember(member)
  await refuseApprover({ tx: ctx.db, ...of }, { by: request.requestedBy, at: request.requestedAt })
  const segment = await findSegment(ctx.db, of.workspaceId, request.subject)
  if (segment?.id !== request.subject) return fail('REVIEW_OVER', { message: 'The segment was deleted meanwhile' })
  await passLaunch(ctx, member, { kind: 'segment', id: segment.id }, otp)
  const { channel, content, mail, topic } = request.request
  const sent = await sendToSegment(dispatcher, of, segment.name, { channel, content, mail, topic }, (change) =>
    settleRequest(change, member, request, { status: 'approved', note }),
  )
  if (!sent) failWith(409, NO_PROVIDER)
}
