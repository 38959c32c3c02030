import { sql } from 'kysely'
import type { Field, JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Db } from '../../../db/open.ts'

/** `values` and `translations`: by the ids of fields, as they are live. */
export type LiveContent = {
  id: string
  block: string
  fields: Field[]
  values: JsonObject
  translations: { [locale: string]: JsonObject } | null
}

/** By id; what is not live, or of an archived type, is not among them. */
export async function listLive(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, LiveContent>> {
  const { rows } = await sql<LiveContent>`
    select i.id, i.block_key as block, d.fields, r.content -> 'values' as values, r.content -> 'translations' as translations
    from block_instances i
    join block_definitions d on d.workspace_id = ${workspaceId} and d.key = i.block_key and d.archived_at is null
    join instance_revisions r on r.workspace_id = ${workspaceId} and r.instance_id = i.id and r.number = i.live_revision
    where i.workspace_id = ${workspaceId} and i.id = any(${[...ids]}::text[]) and i.deleted_at is null`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
