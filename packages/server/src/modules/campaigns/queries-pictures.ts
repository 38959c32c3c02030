/** Files of the content library that campaigns show. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** Names of those of these files that are there, by id. */
export async function listPictureNames(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('assets')
    .select(['id', 'file_name'])
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .where('state', '=', 'ready')
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ id, file_name }) => [id, file_name]))
}

/** The first campaigns that are not over and hold this text. */
export async function listCampaignsHolding(
  db: Db,
  workspaceId: string,
  text: string,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('campaigns')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('status', 'not in', ['completed', 'expired'])
    .where(sql<boolean>`strpos(content::text, ${text}) > 0`)
    .orderBy('id')
    .limit(limit)
    .execute()
}
