import { sql } from 'kysely'
import type { ShownBlock } from '@contentflow/core/blocks/serving/answer-length.ts'
import type { Db } from '../../../db/open.ts'
import type { Environment } from '../../../infra/signals/signals.ts'

/** Which fields of which type hold references. */
export type CollectionField = { key: string; id: string }

export async function listCollectionFields(db: Db, workspaceId: string): Promise<CollectionField[]> {
  const { rows } = await sql<CollectionField>`
    select d.key, f ->> 'id' as id from block_definitions d, jsonb_array_elements(d.fields) as f
    where d.workspace_id = ${workspaceId} and d.archived_at is null and d.fields @> '[{"type": "collection"}]' and f ->> 'type' = 'collection'`.execute(
    db,
  )
  return rows
}

/** The stored bytes as counted on writing, which is at least what is stored; Infinity before the first count. */
export async function findHeldBytes(db: Db, workspaceId: string): Promise<number> {
  const row = await db.selectFrom('workspace_sizes').select('bytes').where('workspace_id', '=', workspaceId).executeTakeFirst()
  return row?.bytes ?? Infinity
}

/** jsonb writes a blank after each colon and comma, which answers do not have; blanks in texts are then not counted either. */
const LENGTH = sql<number>`char_length(replace(replace((r.content -> 'values')::text, '": ', '":'), ', ', ','))`

/** Published instances of the active types, with what all devices get of them: their values without variants. */
export async function listShown(
  db: Db,
  workspaceId: string,
  environment: Environment,
  collections: readonly CollectionField[],
): Promise<ShownBlock[]> {
  const served = environment === 'live' ? sql`i.live_revision` : sql`coalesce(i.test_revision, i.live_revision)`
  const fields = JSON.stringify(collections)
  const { rows } = await sql<ShownBlock>`
    select i.id, ${LENGTH} as length,
      r.content ->> 'seg' is null and jsonb_typeof(r.content -> 'schedule') = 'null' and jsonb_array_length(r.content -> 'variants') = 0 as "isForAll",
      coalesce((
        select array_agg(child.id order by f.place, child.place)
        from jsonb_array_elements(${fields}::jsonb) with ordinality as f (field, place),
          jsonb_array_elements_text(case jsonb_typeof(r.content -> 'values' -> (f.field ->> 'id'))
            when 'array' then r.content -> 'values' -> (f.field ->> 'id') else '[]' end) with ordinality as child (id, place)
        where f.field ->> 'key' = i.block_key), '{}') as children
    from block_instances i
    join instance_revisions r on r.workspace_id = ${workspaceId} and r.instance_id = i.id and r.number = ${served}
    where i.workspace_id = ${workspaceId} and i.block_key in (
      select d.key from block_definitions d where d.workspace_id = ${workspaceId} and d.archived_at is null)`.execute(db)
  return rows
}
