/** An active journey writes to people, so activating it passes the gates of a campaign that goes live (G-92). */
import { listSteps, sentMailOf } from '@contentflow/core/journeys/journey.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'
import { actorOfMember } from '../../http/callers/auth.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import type { Change } from '../../infra/change.ts'
import {
  askFor,
  findRules,
  passLaunch,
  refuseApprover,
  settleRequest,
  type PendingRequest,
  type StoredRequest,
} from '../approvals/index.ts'
import { refuseUnleavable, refuseUnsendable, rememberLinkAddress } from '../sends/index.ts'
import { refuseEndpoints } from './endpoints.ts'
import { refuseIncomplete } from './completeness.ts'
import { applySteps, changeJourney, moveTo } from './journeys.ts'
import { isSameSteps, withTextsOfNow } from './mails-of-steps.ts'
import { getJourney, type StoredJourney } from './queries.ts'

/** `asked`: the activation waits for a second person, and the status stays until then. */
export type Activated = { journey: StoredJourney; asked?: PendingRequest }
type ActivationInput = { expectedVersion: number | undefined; otp: string | undefined }

export async function activateJourney(
  ctx: Context,
  member: MemberCaller,
  id: string,
  { expectedVersion, otp }: ActivationInput,
): Promise<Activated> {
  const { workspaceId } = member
  const found = await getJourney(ctx.db, workspaceId, id)
  refuseIncomplete(found)
  const { messages: isAsked } = await findRules(ctx.db, workspaceId)
  if (!isAsked && found.status !== 'active') await passLaunch(ctx, member, { kind: 'journey', id }, otp)
  return changeJourney(ctx, actorOfMember(member), id, expectedVersion, async (change, stored) => {
    if (stored.status === 'active') return { journey: stored }
    refuseIncomplete(stored)
    const before = await stepsOfNow(change, stored)
    await refuseUnsendableSteps(ctx, change, before)
    if (!isAsked) {
      await rememberLinkAddress(change, ctx, member)
      return { journey: await moveTo(change, before, 'active') }
    }
    const { name, version } = before
    return {
      journey: before,
      asked: await askFor(change, { kind: 'journey', action: 'activate', subject: id, request: { name, version } }),
    }
  })
}

/** What goes live, or is asked for, says what the catalog of texts and saved parts say now; from then on it stays. */
async function stepsOfNow(change: Change, stored: StoredJourney): Promise<StoredJourney> {
  const steps = await withTextsOfNow(change, stored.steps)
  return isSameSteps(steps, stored.steps) ? stored : applySteps(change, stored, steps)
}

/** Checks each message of the journey by itself, and the endpoints that it tells. */
async function refuseUnsendableSteps(ctx: Context, { tx, workspaceId }: Change, { steps }: StoredJourney): Promise<void> {
  await refuseEndpoints({ tx, workspaceId }, steps)
  for (const step of listSteps(steps)) {
    if (step.type !== 'send') continue
    const said = { channels: [step.channel], content: step.content, mail: sentMailOf(step), step: step.id }
    await refuseUnsendable(tx, workspaceId, said)
    refuseUnleavable(ctx, said)
  }
}

type Request = Extract<StoredRequest, { kind: 'journey' }>

/** A second person approves the activation. A journey that was changed since has to be requested again: the change withdraws the request. */
export async function approveActivation(
  ctx: Context,
  member: MemberCaller,
  request: Request,
  { note, otp }: { note: string | null; otp: string | undefined },
): Promise<void> {
  const of = actorOfMember(member)
  await refuseApprover({ tx: ctx.db, ...of }, { by: request.requestedBy, at: request.requestedAt })
  await passLaunch(ctx, member, { kind: 'journey', id: request.subject }, otp)
  await changeJourney(ctx, of, request.subject, undefined, async (change, before) => {
    await settleRequest(change, member, request, { status: 'approved', note })
    if (before.version !== request.request.version) fail('REVIEW_OVER')
    await refuseUnsendableSteps(ctx, change, before)
    await rememberLinkAddress(change, ctx, member)
    await moveTo(change, before, 'active')
  })
}
