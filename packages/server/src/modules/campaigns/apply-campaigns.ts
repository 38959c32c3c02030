import type { CampaignCode } from '@contentflow/core/as-code/message-code.ts'
import { cellOf, type CampaignStatus } from '@contentflow/core/campaigns/status.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors.ts'
import type { Change } from '../../infra/change.ts'
import { applyChanges, askForEdit, dropCampaign, insertDraft } from './campaigns.ts'
import { withCatalog, withoutCatalog } from './catalog-texts.ts'
import { findCampaign, listCampaigns } from './queries.ts'

/** What people wrote, and how far each is. */
type CampaignsFound = { code: CampaignCode[]; statuses: Map<string, CampaignStatus> }

export async function listCampaignCode(db: Db, workspaceId: string): Promise<CampaignsFound> {
  const campaigns = await listCampaigns(db, workspaceId)
  const code = campaigns.map((campaign): CampaignCode => {
    const { id, name, type, priority, segments, schedule, dispatchChannels, content, ...more } = withoutCatalog(campaign)
    const { controlPercent, mail, topic } = more
    const chosen = { ...(controlPercent !== undefined && { controlPercent }), ...(mail && { mail }), ...(topic !== undefined && { topic }) }
    return { id, name, type, priority, segments, schedule, dispatchChannels, content, ...chosen }
  })
  return { code, statuses: new Map(campaigns.map(({ id, status }) => [id, status])) }
}

/**
 * Makes, changes and deletes campaigns by their ids; content is held. New ones are drafts. What is approved stays what it
 * is: the change is asked for, whoever applies it.
 */
export async function applyCampaigns(
  change: Change,
  { written, deleted }: { written: readonly CampaignCode[]; deleted: readonly string[] },
): Promise<void> {
  for (const id of deleted) {
    const campaign = await findCampaign(change.tx, change.workspaceId, id)
    if (campaign) await dropCampaign(change, campaign)
  }
  for (const { id, ...code } of written) {
    const before = await findCampaign(change.tx, change.workspaceId, id)
    if (!before) {
      await insertDraft(change, id, code)
      continue
    }
    const held = await withCatalog(change, code)
    const cell = cellOf(before.status, 'edit')
    if ('refused' in cell) fail(cell.refused)
    if (cell.to === 'asked') await askForEdit(change, before, held)
    else await applyChanges(change, before, held)
  }
}
