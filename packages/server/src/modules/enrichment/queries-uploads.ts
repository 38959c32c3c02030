import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Json, JsonObject } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
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

/** Newest first (M-ENR-83). What journeys write is in no history: it goes on. */
export async function pageUploads(
  db: Db,
  workspaceId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Paged<Upload>> {
  const all = db
    .selectFrom('uploads')
    .where('workspace_id', '=', workspaceId)
    .where('finished_at', 'is not', null)
    .where('kind', '<>', 'journey')
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

/** The load of a journey that goes on, or a new one of the id `newId`. One that was taken back has ended, and another one begins. */
export async function findOrInsertJourneyUpload(
  tx: Db,
  workspaceId: string,
  { journeyId, name, expiresInDays }: { journeyId: string; name: string; expiresInDays: number },
  { newId, actor, now }: { newId: string; actor: string; now: Date },
): Promise<string> {
  const find = async () =>
    tx
      .selectFrom('uploads')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('journey_id', '=', journeyId)
      .where('journey_days', '=', expiresInDays)
      .where('kind', '=', 'journey')
      .where('status', '=', 'completed')
      .forNoKeyUpdate()
      .executeTakeFirst()
  const found = await find()
  if (found) return found.id
  await sql`
    insert into uploads (workspace_id, id, kind, environment, source, label, status, total_records, account_id, created_at, finished_at,
      journey_id, journey_days)
    values (${workspaceId}, ${newId}, 'journey', 'live', 'manual_api', ${name}, 'completed', 0, ${actor}, ${now}, ${now},
      ${journeyId}, ${expiresInDays})
    on conflict (workspace_id, journey_id, journey_days) where kind = 'journey' and status = 'completed' do nothing`.execute(tx)
  return (await find())?.id ?? failWith(409, 'What the journey wrote is being taken back just now')
}

/** What a step of a journey wrote; `added`: attributes that were not there before. */
export async function noteJourneyValues(
  tx: Db,
  workspaceId: string,
  id: string,
  { records, added, names }: { records: number; added: number; names: readonly string[] },
): Promise<void> {
  await sql`
    update uploads set total_records = total_records + ${records}, written = written + ${records}, value_count = value_count + ${added},
      names = array(select distinct name from unnest(names || ${[...names]}::text[]) as name order by name limit ${LIMITS.enrichmentHeaders})
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
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
