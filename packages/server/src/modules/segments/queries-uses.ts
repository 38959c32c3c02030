import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** Names of the campaigns that are for a segment of this name and not over. */
export async function listCampaignsFor(db: Db, workspaceId: string, segment: string): Promise<string[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`${segment} = any(segments)`)
    .where('status', 'not in', ['completed', 'expired'])
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}

/** Names of the journeys that people enter with this segment. */
export async function listJourneysFor(db: Db, workspaceId: string, segmentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('journeys')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('segment_id', '=', segmentId)
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}
