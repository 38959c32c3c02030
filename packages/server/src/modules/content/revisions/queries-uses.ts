import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'

export type InstanceUse = { id: string; blockKey: string; title: string }

/** Instances with this text in a value, in any language or variant, as edited or as published: the first ones, and how many there are. */
export async function listInstancesHolding(
  db: Db,
  workspaceId: string,
  text: string,
  limit: number,
): Promise<{ instances: InstanceUse[]; count: number }> {
  const rows = await db
    .selectFrom('block_instances')
    .select(['id', 'block_key as blockKey', 'title', sql<number>`count(*) over ()`.as('count')])
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .where(
      sql<boolean>`(strpos("values"::text || translations::text || variants::text, ${text}) > 0
      or exists (select from instance_revisions r where r.workspace_id = ${workspaceId} and r.instance_id = block_instances.id
        and r.number in (live_revision, test_revision) and strpos(r.content::text, ${text}) > 0))`,
    )
    .orderBy('block_key')
    .orderBy('id')
    .limit(limit)
    .execute()
  return { instances: rows.map(({ id, blockKey, title }) => ({ id, blockKey, title })), count: rows[0]?.count ?? 0 }
}

/** Counts the published instances of each of these types. */
export async function countPublished(db: Db, workspaceId: string, blockKeys: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('block_instances')
    .select(['block_key as blockKey', sql<number>`count(*)`.as('count')])
    .where('workspace_id', '=', workspaceId)
    .where('block_key', '=', sql<string>`any(${[...blockKeys]}::text[])`)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`(live_revision is not null or test_revision is not null)`)
    .groupBy('block_key')
    .execute()
  return new Map(rows.map(({ blockKey, count }) => [blockKey, count]))
}
