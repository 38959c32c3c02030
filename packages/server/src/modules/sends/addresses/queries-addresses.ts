import type { Db } from '../../../db/open.ts'

export async function setWebAddress(tx: Db, workspaceId: string, webAddress: string | null): Promise<void> {
  await tx.updateTable('workspaces').set({ web_address: webAddress }).where('id', '=', workspaceId).execute()
}

export async function findLinkAddress(db: Db, workspaceId: string): Promise<string | null> {
  const row = await db.selectFrom('link_addresses').select('address').where('workspace_id', '=', workspaceId).executeTakeFirst()
  return row?.address ?? null
}

type Reached = { address: string; by: string; at: Date }

export async function saveLinkAddress(tx: Db, workspaceId: string, { address, by, at }: Reached): Promise<void> {
  const reached = { address, reached_by: by, reached_at: at }
  await tx
    .insertInto('link_addresses')
    .values({ workspace_id: workspaceId, ...reached })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(reached))
    .execute()
}
