/** The steps of a campaign's life that somebody takes (G-51, G-52). */
import { takeStep, type CampaignActor, type CampaignStep } from '@contentflow/core/campaigns/status.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import type { MemberCaller } from '../../../http/callers/caller.ts'
import type { Change } from '../../../infra/change.ts'
import { refuseApprover, refuseSubmitter, useCode } from '../../approvals/index.ts'
import { isTestRetired } from '../../content/index.ts'
import { freezeParts } from '../../mails/index.ts'
import { refuseUnleavable, refuseUnsendable, rememberLinkAddress } from '../../sends/index.ts'
import { enqueueWebhook } from '../../webhooks/index.ts'
import { byMember, sentBy } from '../campaigns.ts'
import { withCatalog } from '../catalog-texts.ts'
import { changeCampaign, storeCampaign, toldOf } from '../change-campaign.ts'
import { findLaunch, momentsOf, type Launch, type StoredCampaign } from '../queries.ts'
import type { CampaignAction } from '../queries-events.ts'
import { listChangedSince, sealOf } from './seal.ts'

/** `note`: of an approval or a rejection; `reason`: of a status that is set. */
export type ReviewInput = {
  note?: string | undefined
  reason?: string | undefined
  otp?: string | undefined
  expectedVersion?: number | undefined
}

export async function stepCampaign(
  ctx: Context,
  member: MemberCaller,
  id: string,
  step: CampaignStep,
  said: ReviewInput,
): Promise<StoredCampaign> {
  const outcome = await changeCampaign(ctx, byMember(member), id, said.expectedVersion, async (change, stored) => {
    // What is submitted is what catalog, content and saved parts say now; from then on it stays.
    const before = step.action === 'submit' ? await withFrozenParts(change, await withCatalog(change, stored)) : stored
    const launch = await findLaunch(change.tx, change.workspaceId)
    const { status, pausedFrom, submittedBy } = before
    const { startsAt } = momentsOf(before)
    const result = takeStep(toPerson(member), { status, pausedFrom, submittedBy, startsAt }, step, launch.mode, change.now.getTime())
    if (!result.ok) fail(result.code)
    await refuseParties(change, step, before)
    if (step.action === 'submit') await refuseUnsendable(change.tx, change.workspaceId, sentBy(before))
    if (step.action === 'submit' || isLetOut(result.to)) refuseUnleavable(ctx, sentBy(before))
    if (isLetOut(result.to)) await rememberLinkAddress(change, ctx, member)
    if (result.to === null) return { campaign: before, refused: null }
    if (result.to === 'test' && (await isTestRetired(change.tx, change.workspaceId))) fail('TEST_ENV_RETIRED')
    await refuseOtherAudience(change, before, result.to, launch)
    // Not thrown in here: that this try was wrong has to be remembered.
    if (result.needsCode && !(await useCode(change, { kind: 'campaign', id }, said.otp)))
      return { campaign: before, refused: 'LAUNCH_OTP_REQUIRED' as const }
    return { campaign: await applyStep(change, before, step, result.to, said), refused: null }
  })
  return outcome.refused ? fail(outcome.refused) : outcome.campaign
}

/** What is submitted holds saved parts as they are now: that they change afterwards changes nothing that goes out. */
async function withFrozenParts({ tx, workspaceId }: Change, campaign: StoredCampaign): Promise<StoredCampaign> {
  const { mail } = campaign
  return { ...campaign, mailParts: mail && (await freezeParts(tx, workspaceId, mail)) }
}

/** What it is from then on may send, now or by itself. */
function isLetOut(status: StoredCampaign['status'] | null): boolean {
  return status === 'approved' || status === 'scheduled' || status === 'active'
}

/** Under strict approvals who submits and who approves are two proven people. */
async function refuseParties(change: Change, { action }: CampaignStep, { submittedBy, submittedAt }: StoredCampaign): Promise<void> {
  if (action === 'submit') await refuseSubmitter(change)
  if (action === 'approve') await refuseApprover(change, { by: submittedBy ?? '', at: submittedAt ?? change.now })
}

function toPerson({ accountId, ownerId = accountId, role, grant, mayApprove }: MemberCaller): CampaignActor {
  const isEditor = grant.permissions.has('campaigns:write') || grant.permissions.has('campaigns:launch')
  return { id: ownerId, isAdmin: role === 'admin', isEditor, mayApprove }
}

/** With a sealed audience, what was approved for other segments than there are now does not go live. */
async function refuseOtherAudience(
  { tx, workspaceId }: Change,
  before: StoredCampaign,
  to: string,
  { sealAudience }: Launch,
): Promise<void> {
  const isLaunch = to === 'active' || to === 'scheduled'
  if (!sealAudience || !isLaunch || before.status === 'pending_review' || before.status === 'paused') return
  const differing = (await listChangedSince(tx, workspaceId, [before]))(before).find(({ kind }) => kind === 'segment')
  if (differing) fail('REVIEW_REQUIRED', { message: `The segment ${JSON.stringify(differing.name)} was changed after the approval` })
}

async function applyStep(
  change: Change,
  before: StoredCampaign,
  step: CampaignStep,
  to: StoredCampaign['status'],
  { note, reason }: ReviewInput,
): Promise<StoredCampaign> {
  const { actor, now } = change
  const next: StoredCampaign = {
    ...before,
    status: to,
    pausedFrom: to === 'paused' ? (before.status as StoredCampaign['pausedFrom']) : null,
  }
  const store = (changes: Partial<StoredCampaign>, action: CampaignAction) =>
    storeCampaign(change, before, { ...next, ...changes }, { action, note: note ?? null, reason })
  switch (step.action) {
    case 'submit': {
      const after = await store({ ...UNAPPROVED, submittedBy: change.submitter, submittedAt: now }, 'submit')
      await enqueueWebhook(change, 'campaign.submitted_for_review', { ...toldOf(after), status: to })
      return after
    }
    case 'approve': {
      const after = await store({ approvedBy: actor, approvedAt: now, seal: await sealOf(change, before) }, 'approve')
      await enqueueWebhook(change, 'campaign.approved', { ...toldOf(after), status: to, ...(note !== undefined && { note }) })
      return after
    }
    case 'reject': {
      const after = await store({ rejectionNote: note ?? null }, 'reject')
      await enqueueWebhook(change, 'campaign.rejected', { ...toldOf(after), status: to, note: note ?? '' })
      return after
    }
    case 'recall':
      return store({ ...UNAPPROVED, mailParts: undefined }, 'recall')
    default:
      // M-CAMP-28: whoever wants it live again submits it again.
      return store(to === 'draft' ? { ...UNAPPROVED, mailParts: undefined } : {}, 'set_status')
  }
}

const UNAPPROVED = {
  submittedBy: null,
  submittedAt: null,
  approvedBy: null,
  approvedAt: null,
  rejectionNote: null,
  seal: null,
} satisfies Partial<StoredCampaign>
