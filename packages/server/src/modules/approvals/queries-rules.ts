import type { ApprovalRules, ReviewParty } from '@contentflow/core/approvals.ts'
import type { LaunchProtection } from '@contentflow/core/campaigns/status.ts'
import { allProtections } from '@contentflow/core/protections.ts'
import type { Db } from '../../db/open.ts'

/** `launch`: what going live takes besides an approval. */
export type Rules = ApprovalRules & { launch: LaunchProtection }

/** What takes a second person in this workspace. */
export async function findRules(db: Db, workspaceId: string): Promise<Rules> {
  const row = await db
    .selectFrom('workspaces')
    .select(['needs_publish_approval', 'protections', 'launch_protection'])
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  const { approveMessages, strictApprovals } = allProtections(row?.protections ?? {})
  return {
    publishing: row?.needs_publish_approval ?? false,
    messages: approveMessages,
    strict: strictApprovals,
    launch: row?.launch_protection ?? 'off',
  }
}

export async function updatePublishApproval(tx: Db, workspaceId: string, isNeeded: boolean, now: Date): Promise<void> {
  await tx.updateTable('workspaces').set({ needs_publish_approval: isNeeded, updated_at: now }).where('id', '=', workspaceId).execute()
}

/** For the members with these accounts: whether each is proven, and who invited them. */
export async function listParties(db: Db, workspaceId: string, accountIds: readonly string[]): Promise<Map<string, ReviewParty>> {
  const rows = await db
    .selectFrom('members')
    .select(['account_id as id', 'proved_at as provedAt', 'invited_by as invitedBy', 'invited_at as invitedAt'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', 'in', [...accountIds])
    .where('invitation_hash', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
