import { prioritiesWith, type Priorities } from '@contentflow/core/imports/priorities.ts'
import type { Db } from '../../db/open.ts'

/** What the workspace set itself (G-49). */
export async function findOverrides(db: Db, workspaceId: string): Promise<Partial<Priorities>> {
  const row = await db.selectFrom('enrichment_priorities').select('overrides').where('workspace_id', '=', workspaceId).executeTakeFirst()
  return row?.overrides ?? {}
}

export async function findPriorities(db: Db, workspaceId: string): Promise<Priorities> {
  return prioritiesWith(await findOverrides(db, workspaceId))
}

/** What is set from now on; everybody's values are due to be worked out. */
export async function saveOverrides(tx: Db, workspaceId: string, overrides: Partial<Priorities>, now: Date): Promise<void> {
  const changed = { overrides: JSON.stringify(overrides), done_profile: '', due_at: now }
  await tx
    .insertInto('enrichment_priorities')
    .values({ workspace_id: workspaceId, ...changed })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(changed))
    .execute()
}

/** Up to whom everybody's values were worked out since the last change. */
export async function findDonePeople(db: Db, workspaceId: string): Promise<string> {
  const row = await db.selectFrom('enrichment_priorities').select('done_profile').where('workspace_id', '=', workspaceId).executeTakeFirst()
  return row?.done_profile ?? ''
}

/** False when the priorities were changed again, which begins from the first. */
export async function saveResolvedUpTo(tx: Db, workspaceId: string, before: string, profileId: string): Promise<boolean> {
  const result = await tx
    .updateTable('enrichment_priorities')
    .set({ done_profile: profileId })
    .where('workspace_id', '=', workspaceId)
    .where('done_profile', '=', before)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}
