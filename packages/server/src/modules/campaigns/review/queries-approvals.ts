/** What was approved last, as it was then. */
import { sql } from 'kysely'
import type { Campaign } from '@contentflow/core/campaigns/campaign.ts'
import type { Db } from '../../../db/open.ts'
import type { ApprovalSeal } from '../queries.ts'

type ApprovedCampaign = Pick<Campaign, 'content' | 'segments' | 'schedule' | 'dispatchChannels' | 'controlPercent' | 'mail' | 'topic'>
export type Approval = ApprovedCampaign & { hash: string; approvedBy: string; approvedAt: Date }

export async function saveApproval(
  tx: Db,
  workspaceId: string,
  campaignId: string,
  held: ApprovedCampaign,
  seal: ApprovalSeal,
): Promise<void> {
  const approval = { held: JSON.stringify(held), hash: seal.hash, approved_by: seal.by, approved_at: new Date(seal.at) }
  await tx
    .insertInto('campaign_approvals')
    .values({ workspace_id: workspaceId, campaign_id: campaignId, ...approval })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'campaign_id']).doUpdateSet(approval))
    .execute()
}

export async function findApproval(db: Db, workspaceId: string, campaignId: string): Promise<Approval | undefined> {
  const row = await db
    .selectFrom('campaign_approvals')
    .select([sql<ApprovedCampaign>`held`.as('held'), 'hash', 'approved_by as approvedBy', 'approved_at as approvedAt'])
    .where('workspace_id', '=', workspaceId)
    .where('campaign_id', '=', campaignId)
    .executeTakeFirst()
  if (!row) return undefined
  const { held, ...approval } = row
  return { ...held, ...approval }
}
