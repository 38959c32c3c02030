import { sql, type Selectable } from 'kysely'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { ImportSummary } from '@contentflow/core/strings/read-import.ts'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../../db/open.ts'
import type { StringImports } from '../../../db/schema.ts'
import { failWith } from '../../../errors.ts'

type ImportStatus = 'pending' | 'applied' | 'cancelled' | 'lapsed'
export type StringsImport = {
  id: string
  status: ImportStatus
  fileName: string | null
  summary: ImportSummary
  createdBy: string
  createdAt: Date
  expiresAt: Date
  finishedAt: Date | null
}

/** Everything but the file. */
const COLUMNS = ['id', 'status', 'file_name', 'summary', 'created_by', 'created_at', 'expires_at', 'finished_at'] as const

export type NewStringsImport = Pick<StringsImport, 'id' | 'fileName' | 'summary' | 'createdBy' | 'createdAt' | 'expiresAt'> & {
  csv: string
}

/** False when another one is pending. */
export async function insertImport(tx: Db, workspaceId: string, made: NewStringsImport): Promise<boolean> {
  const rows = await tx
    .insertInto('string_imports')
    .values({
      workspace_id: workspaceId,
      id: made.id,
      status: 'pending',
      file_name: made.fileName,
      csv: made.csv,
      summary: JSON.stringify(made.summary),
      created_by: made.createdBy,
      created_at: made.createdAt,
      expires_at: made.expiresAt,
    })
    .onConflict((conflict) =>
      conflict
        .column('workspace_id')
        .where(sql<boolean>`status = 'pending'`)
        .doNothing(),
    )
    .returning('id')
    .execute()
  return rows.length === 1
}

/** Whether one is pending that has time left. */
export async function hasPendingImport(db: Db, workspaceId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('string_imports')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** A pending one whose time is over lapses. */
export async function lapseImports(tx: Db, workspaceId: string, now: Date): Promise<void> {
  await tx
    .updateTable('string_imports')
    .set({ status: 'lapsed', csv: null, finished_at: sql<Date>`expires_at` })
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'pending')
    .where('expires_at', '<=', now)
    .execute()
}

/** The oldest finished ones beyond what is kept. */
export async function forgetImports(tx: Db, workspaceId: string): Promise<void> {
  await sql`
    delete from string_imports where workspace_id = ${workspaceId} and status <> 'pending' and id in (
      select id from string_imports where workspace_id = ${workspaceId} order by id desc offset ${LIMITS.importsKept})`.execute(tx)
}

export async function getImport(db: Db, workspaceId: string, id: string, now: Date): Promise<StringsImport> {
  const row = await db
    .selectFrom('string_imports')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? toImport(row, now) : failWith(404, 'import not found')
}

/** Its file, while it is pending. */
export async function findCsv(db: Db, workspaceId: string, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('string_imports')
    .select('csv')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.csv ?? null
}

/** Newest first; the cursor is an id. */
export async function pageImports(
  db: Db,
  workspaceId: string,
  { after, limit }: { after: string | undefined; limit: number },
  now: Date,
): Promise<Paged<StringsImport>> {
  const all = db.selectFrom('string_imports').where('workspace_id', '=', workspaceId)
  const { total } = await all.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const rows = await all
    .select(COLUMNS)
    .$if(after !== undefined, (query) => query.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return paged(
    rows.map((row) => toImport(row, now)),
    limit,
    total,
    ({ id }) => id,
  )
}

/** False when it is no longer pending, or its time is over. */
export async function finishImport(
  tx: Db,
  workspaceId: string,
  id: string,
  finished: { status: 'applied' | 'cancelled'; summary?: ImportSummary },
  now: Date,
): Promise<boolean> {
  const rows = await tx
    .updateTable('string_imports')
    .set({
      status: finished.status,
      csv: null,
      finished_at: now,
      ...(finished.summary && { summary: JSON.stringify(finished.summary) }),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .returning('id')
    .execute()
  return rows.length === 1
}

function toImport(row: Omit<Selectable<StringImports>, 'csv' | 'workspace_id'>, now: Date): StringsImport {
  const isLapsed = row.status === 'pending' && row.expires_at <= now
  return {
    id: row.id,
    status: isLapsed ? 'lapsed' : row.status,
    fileName: row.file_name,
    summary: row.summary as ImportSummary,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    finishedAt: isLapsed ? row.expires_at : row.finished_at,
  }
}
