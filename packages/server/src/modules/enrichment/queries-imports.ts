import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { StagedCounts } from '@contentflow/core/imports/judge-row.ts'
import type { Mapping } from '@contentflow/core/imports/mapping.ts'
import type { ImportStatus } from '@contentflow/core/imports/status.ts'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../db/open.ts'
import type { Imports } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'
import type { Environment } from '../../infra/signals/signals.ts'

/** How many rows of each verdict. */
export type Found = { matched: number; unmatched: number; duplicate_identity: number; ambiguous_identity: number }
export type Import = Omit<Selectable<Imports>, 'environment' | 'headers' | 'mapping' | 'status' | 'staged' | 'found'> & {
  environment: Environment
  headers: string[]
  mapping: Mapping
  status: ImportStatus
  staged: StagedCounts
  found: Found | null
}

export async function insertImport(tx: Db, row: Insertable<Imports>): Promise<void> {
  await tx.insertInto('imports').values(row).execute()
}

export async function getImport(db: Db, workspaceId: string, id: string): Promise<Import> {
  const row = await db.selectFrom('imports').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return row ? toImport(row) : failWith(404, 'import not found')
}

/** Reads an import and locks it until the transaction ends. */
export async function lockImport(tx: Db, workspaceId: string, id: string): Promise<Import> {
  const row = await tx
    .selectFrom('imports')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ? toImport(row) : failWith(404, 'import not found')
}

export async function updateImport(
  tx: Db,
  { workspace_id, id }: Pick<Import, 'workspace_id' | 'id'>,
  change: Updateable<Imports>,
): Promise<void> {
  await tx.updateTable('imports').set(change).where('workspace_id', '=', workspace_id).where('id', '=', id).execute()
}

/** Newest first. */
export async function pageImports(
  db: Db,
  workspaceId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Paged<Import>> {
  const all = db.selectFrom('imports').where('workspace_id', '=', workspaceId)
  const { total } = await all.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const rows = await all
    .selectAll()
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return paged(rows.map(toImport), limit, total, ({ id }) => id)
}

function toImport(row: Selectable<Imports>): Import {
  return row as Import
}
