/** Who may let a campaign go live besides its approval: admins only, or whoever shows a one-time code (G-54). */
import type { Context } from '../../context.ts'
import type { Actor } from '../../infra/change.ts'
import { changeCampaigns } from './change-campaign.ts'
import { findLaunch, updateLaunch, type Launch } from './queries.ts'

export async function setLaunch(ctx: Context, by: Actor, launch: Launch): Promise<void> {
  await changeCampaigns(ctx, by, async ({ tx, workspaceId, now, audited }) => {
    audited('setting', 'launch-protection', await findLaunch(tx, workspaceId), launch)
    await updateLaunch(tx, workspaceId, launch, now)
  })
}
