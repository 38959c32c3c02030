import { armsOf, withCampaignVariant, type Arm } from '@contentflow/core/experiments/arms.ts'
import { cellOf } from '@contentflow/core/campaigns/status.ts'
import { fail } from '../../errors.ts'
import type { Change } from '../../infra/change.ts'
import { applyChanges, askForEdit } from './campaigns.ts'
import { refuseOtherVersion } from './change-campaign.ts'
import { getCampaign } from './queries.ts'

/** `compared`: languages, ids and weights that were compared. `mayApprove`: whoever decides has approval rights. */
type Choice = {
  variant: string | null
  compared: readonly Arm[]
  expectedVersion: number | undefined
  mayApprove: boolean
}

/**
 * The campaign with only this variant, as if somebody had edited it so: a draft is another, what is approved waits for
 * somebody with approval rights unless one of them decides. In a change that holds the content. 409 when it has other variants or weights than those that were compared.
 * Says which edit waits.
 */
export async function chooseVariant(
  change: Change,
  id: string,
  { variant, compared, expectedVersion, mayApprove }: Choice,
): Promise<string | undefined> {
  const before = await getCampaign(change.tx, change.workspaceId, id)
  // The route asked for what lets content go live; this edits a campaign.
  change.require('campaigns:write', {})
  refuseOtherVersion(before, expectedVersion)
  if (JSON.stringify(armsOf(before.content)) !== JSON.stringify(compared)) fail('EXPERIMENT_CONTENT_CHANGED')
  const cell = cellOf(before.status, 'edit')
  if ('refused' in cell) fail(cell.refused)
  const changes = { content: withCampaignVariant(before.content, variant) }
  if (cell.to === 'asked' && !mayApprove) {
    const asked = await askForEdit(change, before, changes)
    return asked.isAsked ? asked.editRequestId : undefined
  }
  await applyChanges(change, before, changes)
  return undefined
}
