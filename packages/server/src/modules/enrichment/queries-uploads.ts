import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Json, JsonObject } from '@contentflow/core/blocks/field.ts'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../db/open.ts'
import type { Uploads } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'

type RowError = { index: number; userId: string | null; error: string }
export type Upload = Omit<Selectable<Uploads>, 'errors'> & { errors: RowError[] }

export async function insertUpload(tx: Db, row: Insertable<Uploads>): Promise<void> {
  await tx.insertInto('uploads').values(row).execute()
}

/** One whose values are still being written is not in the history yet. */
export async function getUpload(db: Db, workspaceId: string, id: string): Promise<Upload> {
  const row = await db.selectFrom('uploads').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return row?.finished_at ? toUpload(row) : failWith(404, 'upload not found')
}

export async function lockUpload(tx: Db, workspaceId: string, id: string): Promise<Upload> {
  const row = await tx
    .selectFrom('uploads')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ? toUpload(row) : failWith(404, 'upload not found')
}

export async function updateUpload(tx: Db, workspaceId: string, id: string, change: Updateable<Uploads>): Promise<void> {
  await tx.updateTable('uploads').set(change).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** What a step of it wrote. */
export async function addWritten(
  tx: Db,
  workspaceId: string,
  id: string,
  { written, values, notFound }: { written: number; values: number; notFound: number },
): Promise<void> {
  await tx
    .updateTable('uploads')
    .set({
      written: sql<number>`written + ${written}`,
      value_count: sql<number>`value_count + ${values}`,
      not_found: sql<number>`not_found + ${notFound}`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Newest first (M-ENR-83). */
export async function pageUploads(
  db: Db,
  workspaceId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Paged<Upload>> {
  const all = db.selectFrom('uploads').where('workspace_id', '=', workspaceId).where('finished_at', 'is not', null)
  const { total } = await all.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const rows = await all
    .selectAll()
    .$if(before !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, id) < (select u.created_at, u.id from uploads u where u.workspace_id = ${workspaceId} and u.id = ${before ?? ''})`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return paged(rows.map(toUpload), limit, total, ({ id }) => id)
}

export type StoredRecord = { userId: string; attributes: Json }

/** As they were sent, for a rerun. */
export async function insertRecords(tx: Db, workspaceId: string, uploadId: string, records: readonly StoredRecord[]): Promise<void> {
  await sql`
    insert into upload_records (workspace_id, upload_id, number, user_id, attributes)
    select ${workspaceId}, ${uploadId}, number, user_id, attributes::jsonb
    from unnest(${records.map((_, index) => index)}::integer[], ${records.map(({ userId }) => userId)}::text[],
      ${records.map(({ attributes }) => JSON.stringify(attributes))}::text[]) as item (number, user_id, attributes)`.execute(tx)
}

export async function listRecords(db: Db, workspaceId: string, uploadId: string): Promise<{ userId: string; attributes: JsonObject }[]> {
  const { rows } = await sql<{ userId: string; attributes: JsonObject }>`
    select user_id as "userId", attributes from upload_records where workspace_id = ${workspaceId} and upload_id = ${uploadId} order by number`.execute(
    db,
  )
  return rows
}

function toUpload(row: Selectable<Uploads>): Upload {
  return { ...row, errors: row.errors as RowError[] }
}
