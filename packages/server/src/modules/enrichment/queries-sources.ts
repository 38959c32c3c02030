import { sql, type Selectable } from 'kysely'
import type { Mapping } from '@contentflow/core/imports/mapping.ts'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../db/open.ts'
import type { EnrichmentSources } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'

export type SavedSource = { id: string; name: string; mapping: Mapping; createdAt: Date; updatedAt: Date }

export async function getSource(db: Db, workspaceId: string, id: string): Promise<SavedSource> {
  const row = await db
    .selectFrom('enrichment_sources')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? toSource(row) : failWith(404, 'source not found')
}

/** One page of sources, ordered by name. */
export async function pageSources(
  db: Db,
  workspaceId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Paged<SavedSource>> {
  const all = db.selectFrom('enrichment_sources').where('workspace_id', '=', workspaceId)
  const { total } = await all.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const rows = await all
    .selectAll()
    .$if(after !== undefined, (query) => query.where('folded_name', '>', after ?? ''))
    .orderBy('folded_name')
    .limit(limit + 1)
    .execute()
  return paged(rows.map(toSource), limit, total, ({ name }) => foldName(name))
}

/** False when the name is taken. */
export async function insertSource(tx: Db, workspaceId: string, source: SavedSource): Promise<boolean> {
  const result = await tx
    .insertInto('enrichment_sources')
    .values({
      workspace_id: workspaceId,
      id: source.id,
      name: source.name,
      folded_name: foldName(source.name),
      mapping: JSON.stringify(source.mapping),
      created_at: source.createdAt,
      updated_at: source.updatedAt,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'folded_name']).doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows) > 0
}

/** False when another one has the name. */
export async function updateSource(tx: Db, workspaceId: string, source: SavedSource): Promise<boolean> {
  const other = await tx
    .selectFrom('enrichment_sources')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('folded_name', '=', foldName(source.name))
    .where('id', '<>', source.id)
    .executeTakeFirst()
  if (other) return false
  await tx
    .updateTable('enrichment_sources')
    .set({ name: source.name, folded_name: foldName(source.name), mapping: JSON.stringify(source.mapping), updated_at: source.updatedAt })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', source.id)
    .execute()
  return true
}

export async function deleteSource(tx: Db, workspaceId: string, id: string): Promise<void> {
  await tx.deleteFrom('enrichment_sources').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

function toSource(row: Selectable<EnrichmentSources>): SavedSource {
  return { id: row.id, name: row.name, mapping: row.mapping as Mapping, createdAt: row.created_at, updatedAt: row.updated_at }
}
