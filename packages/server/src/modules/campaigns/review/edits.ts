/** Changes of what is approved wait for a second person (G-53). */
import type { Context } from '../../../context.ts'
import { fail, failWith } from '../../../errors.ts'
import type { MemberCaller } from '../../../http/callers/caller.ts'
import type { Change } from '../../../infra/change.ts'
import { refuseApprover } from '../../approvals/index.ts'
import { applyChanges, byMember } from '../campaigns.ts'
import { changeCampaign } from '../change-campaign.ts'
import type { StoredCampaign } from '../queries.ts'
import { decideEdits, findEdit, insertEvent, type EditRequest } from '../queries-events.ts'
import { hashContent } from './seal.ts'

type Target = { campaignId: string; id: string }

/** An approver who did not ask for the edit approves it; the campaign is changed accordingly. */
export async function approveEdit(ctx: Context, member: MemberCaller, target: Target, note: string | null): Promise<EditRequest> {
  return decide(ctx, member, target, { status: 'approved', note }, async (change, before, { changes }) => {
    await applyChanges(change, before, changes, { action: 'approve_edit', note })
  })
}

export async function rejectEdit(ctx: Context, member: MemberCaller, target: Target, note: string): Promise<EditRequest> {
  return decide(ctx, member, target, { status: 'rejected', note }, async ({ tx, workspaceId, actor, now }, before) => {
    const event = { from: null, to: null, contentHash: hashContent(before), note, madeBy: actor, at: now }
    await insertEvent(tx, workspaceId, before.id, { action: 'reject_edit', ...event })
  })
}

async function decide(
  ctx: Context,
  member: MemberCaller,
  { campaignId, id }: Target,
  { status, note }: { status: 'approved' | 'rejected'; note: string | null },
  work: (change: Change, before: StoredCampaign, edit: EditRequest) => Promise<void>,
): Promise<EditRequest> {
  return changeCampaign(ctx, byMember(member), campaignId, undefined, async (change, before) => {
    const { tx, workspaceId, actor, now } = change
    const find = async () => (await findEdit(tx, workspaceId, campaignId, id)) ?? failWith(404, 'edit request not found')
    const edit = await find()
    if (edit.status !== 'pending') fail('REVIEW_OVER')
    if (status === 'approved') await refuseApprover(change, { by: edit.requestedBy, at: edit.requestedAt })
    else if (edit.requestedBy === member.accountId) fail('SELF_APPROVAL_NOT_ALLOWED')
    await work(change, before, edit)
    await decideEdits(tx, workspaceId, { campaignId, id }, { status, by: actor, at: now, note })
    return find()
  })
}
