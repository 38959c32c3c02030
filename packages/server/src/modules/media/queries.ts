import { sql, type Selectable, type Updateable } from 'kysely'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import { holdsText } from '../../db/fold-text.ts'
import type { Db } from '../../db/open.ts'
import type { Assets } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'
import { dueTable, type DueRow } from '../../infra/due/queries-due.ts'

export type Asset = Selectable<Assets>
type DueAsset = DueRow & Pick<Asset, 'state' | 'object' | 'variants'>

export async function readSecret(db: Db): Promise<string> {
  const { secret } = await db.selectFrom('installation_secrets').select('secret').where('name', '=', 'addresses').executeTakeFirstOrThrow()
  return secret
}

// --- one file ---

export async function insertAsset(
  tx: Db,
  asset: Pick<Asset, 'workspace_id' | 'id' | 'file_name' | 'mime_type' | 'made_by' | 'due_at'>,
  now: Date,
): Promise<void> {
  await tx.insertInto('asset_addresses').values({ id: asset.id, workspace_id: asset.workspace_id }).execute()
  await tx
    .insertInto('assets')
    .values({ ...asset, state: 'waiting', created_at: now, updated_at: now })
    .execute()
}

/** The workspace that owns the file of an address. It never changes. */
export async function findOwner(db: Db, id: string): Promise<string | undefined> {
  return (await db.selectFrom('asset_addresses').select('workspace_id').where('id', '=', id).executeTakeFirst())?.workspace_id
}

/** Finds an asset, also one whose bytes have not arrived yet. */
export async function findAsset(db: Db, workspaceId: string, id: string): Promise<Asset | undefined> {
  return db
    .selectFrom('assets')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '<>', 'deleted')
    .executeTakeFirst()
}

export async function getAsset(db: Db, workspaceId: string, id: string): Promise<Asset> {
  const asset = await findAsset(db, workspaceId, id)
  return asset?.state === 'ready' ? asset : failWith(404, 'file not found')
}

/** Counts the size of an upload that waits to be finished against the quota. */
export async function noteIncoming(tx: Db, workspaceId: string, id: string, size: number): Promise<void> {
  await tx
    .updateTable('assets')
    .set({ size })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** Stores what was found in the bytes. Undefined when another call finished the file first, or deleted it. */
export async function finishAsset(tx: Db, workspaceId: string, id: string, found: Updateable<Assets>): Promise<Asset | undefined> {
  return tx
    .updateTable('assets')
    .set({ ...found, state: 'ready' })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returningAll()
    .executeTakeFirst()
}

export async function updateAsset(tx: Db, workspaceId: string, id: string, change: Updateable<Assets>): Promise<Asset> {
  const row = await tx
    .updateTable('assets')
    .set(change)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .returningAll()
    .executeTakeFirst()
  return row ?? failWith(404, 'file not found')
}

/** The row, locked until the transaction ends. */
export async function lockAsset(tx: Db, workspaceId: string, id: string): Promise<Asset> {
  const row = await tx
    .selectFrom('assets')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? failWith(404, 'file not found')
}

export async function addVariant(db: Db, workspaceId: string, id: string, variant: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('assets')
    .set({ variants: sql<string[]>`array_append(variants, ${variant}::text)` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .where(sql<boolean>`not variants @> array[${variant}::text]`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a file and its address for good, unless it was finished meanwhile. */
/** Some of its files, whatever their state. */
export async function listSome(db: Db, workspaceId: string, most: number): Promise<Asset[]> {
  return db.selectFrom('assets').selectAll().where('workspace_id', '=', workspaceId).orderBy('id').limit(most).execute()
}

export async function forgetAsset(tx: Db, workspaceId: string, id: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('assets')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '<>', 'ready')
    .executeTakeFirst()
  if (numDeletedRows > 0n) await tx.deleteFrom('asset_addresses').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

// --- all files ---

export type AssetFilter = { search: string | undefined; type: 'image' | 'video' | 'audio' | 'other' | undefined }

/** Newest first; `after` is an id. */
export async function pageAssets(
  db: Db,
  workspaceId: string,
  { search, type }: AssetFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Paged<Asset>> {
  let all = db.selectFrom('assets').where('workspace_id', '=', workspaceId).where('state', '=', 'ready')
  if (search) {
    const text = search.normalize('NFC')
    all = all.where(
      sql<boolean>`(${holdsText(sql`file_name`, text)} or exists (select from jsonb_each_text(alt) t where ${holdsText(sql`t.value`, text)}))`,
    )
  }
  if (type === 'other') all = all.where(sql<boolean>`split_part(mime_type, '/', 1) not in ('image', 'video', 'audio')`)
  else if (type) all = all.where(sql<boolean>`split_part(mime_type, '/', 1) = ${type}`)
  const { total } = await all.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await all
    .selectAll()
    .$if(after !== undefined, (query) => query.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return paged(rows, limit, total, ({ id }) => id)
}

export function assetTable(db: Db) {
  return dueTable<DueAsset>(db, 'assets')
}
