/** A campaign with what whoever reads it should know besides. */
import type { SendingFault } from '@contentflow/core/messages/unsendable.ts'
import type { Context } from '../../context.ts'
import type { StoredCampaign } from './queries.ts'
import { listChangedSince, listUnknownSegments } from './review/seal.ts'

type Warning = { code: 'unknown_segment'; segment: string } | SendingFault

export async function presentAll({ db }: Context, workspaceId: string, campaigns: readonly StoredCampaign[]) {
  const changedSince = await listChangedSince(db, workspaceId, campaigns)
  const unknown = await listUnknownSegments(db, workspaceId, campaigns)
  return campaigns.map((campaign) => ({
    ...campaign,
    seal: campaign.seal && { hash: campaign.seal.hash, by: campaign.seal.by, at: campaign.seal.at },
    changedSinceApproval: changedSince(campaign),
    warnings: unknown(campaign).map((segment): Warning => ({ code: 'unknown_segment', segment })),
  }))
}

export async function presentOne(ctx: Context, workspaceId: string, campaign: StoredCampaign) {
  const [shown] = await presentAll(ctx, workspaceId, [campaign])
  return shown!
}
