/** Requests that people made about their data, as they are kept. */
import { sql, type Selectable } from 'kysely'
import { cursorOf, cursorParts, paged, type Paged } from '@contentflow/core/paging.ts'
import type { RequestState } from '@contentflow/core/identity/subject-requests.ts'
import type { Db } from '../../../db/open.ts'
import type { SubjectRequests } from '../../../db/schema.ts'
import { failWith } from '../../../errors.ts'

export type SubjectRequestRow = Selectable<SubjectRequests>
/** `waiting`: open or verifying. */
type StateFilter = RequestState | 'waiting'

export async function insertSubjectRequest(tx: Db, row: SubjectRequestRow): Promise<void> {
  await tx.insertInto('subject_requests').values(row).execute()
}

/** 404 for what is none of the workspace's; held until the transaction ends. */
export async function lockSubjectRequest(tx: Db, workspaceId: string, id: string): Promise<SubjectRequestRow> {
  const row = await tx
    .selectFrom('subject_requests')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? failWith(404, 'request not found')
}

/** What a person asked on their own page and nobody answered yet. */
export async function findWaitingOf(
  tx: Db,
  workspaceId: string,
  { environment, subject, kind }: Pick<SubjectRequestRow, 'environment' | 'kind'> & { subject: string },
): Promise<SubjectRequestRow | undefined> {
  return tx
    .selectFrom('subject_requests')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('subject', '=', subject)
    .where('kind', '=', kind)
    .where('source', '=', 'page')
    .where('state', 'in', ['open', 'verifying'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** For a refusal that comes before the body is looked at. */
export async function requireSubjectRequest(db: Db, workspaceId: string, id: string): Promise<void> {
  const found = db.selectFrom('subject_requests').select('id').where('workspace_id', '=', workspaceId).where('id', '=', id)
  if (!(await found.executeTakeFirst())) failWith(404, 'request not found')
}

export async function updateSubjectRequest(tx: Db, { workspace_id, id, ...row }: SubjectRequestRow): Promise<void> {
  await tx.updateTable('subject_requests').set(row).where('workspace_id', '=', workspace_id).where('id', '=', id).execute()
}

const DUE = sql<string>`coalesce(extended_to, due_on)`

/** Those that wait by their last day, the nearest first; all others newest first. */
export async function pageSubjectRequests(
  db: Db,
  workspaceId: string,
  { state, after, limit }: { state: StateFilter | undefined; after: string | undefined; limit: number },
): Promise<Paged<SubjectRequestRow>> {
  const isWaiting = state === 'waiting'
  const all = db
    .selectFrom('subject_requests')
    .where('workspace_id', '=', workspaceId)
    .$if(isWaiting, (query) => query.where(sql<boolean>`state in ('open', 'verifying')`))
    .$if(state !== undefined && !isWaiting, (query) => query.where('state', '=', state as RequestState))
  const [due, id] = after === undefined ? [] : (cursorParts(after) as [string, string])
  const rows = await all
    .selectAll()
    .$if(id !== undefined, (query) =>
      query.where(isWaiting ? sql<boolean>`(${DUE}, id) > (${due}::date, ${id})` : sql<boolean>`id < ${id}`),
    )
    .$if(isWaiting, (query) => query.orderBy(DUE))
    .orderBy('id', isWaiting ? 'asc' : 'desc')
    .limit(limit + 1)
    .execute()
  const { total } = await all.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return paged(rows, limit, total, (row) => cursorOf(row.extended_to ?? row.due_on, row.id))
}

/** The newest whole file of a person since they asked. */
export async function findExportSince(db: Db, workspaceId: string, subject: string, since: Date): Promise<string | undefined> {
  const row = await db
    .selectFrom('person_exports')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('subject', '=', subject)
    .where('finished_at', '>=', since)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Whether these are receipts of the workspace; what is left out is. */
export async function areReceipts(
  db: Db,
  workspaceId: string,
  { exportId, erasureId }: { exportId?: string | null | undefined; erasureId?: string | null | undefined },
): Promise<boolean> {
  const isThere = (table: 'person_exports' | 'erasures', id: string | null | undefined) =>
    id === undefined || id === null
      ? true
      : db
          .selectFrom(table)
          .select('id')
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .executeTakeFirst()
          .then((row) => row !== undefined)
  return (await isThere('person_exports', exportId)) && isThere('erasures', erasureId)
}

/** The person is erased: what they asked for stays, without their name and what members noted of them. */
export async function forgetSubject(
  tx: Db,
  { workspaceId, environment }: { workspaceId: string; environment: 'live' | 'test' },
  { subjects, erasureId, now }: { subjects: readonly string[]; erasureId: string; now: Date },
): Promise<void> {
  await sql`
    update subject_requests set user_id = null, note = null, updated_at = ${now},
      erasure_id = case when kind = 'erasure' and erasure_id is null and state in ('open', 'verifying') then ${erasureId} else erasure_id end
    where workspace_id = ${workspaceId} and environment = ${environment} and subject = any(${[...subjects]}::text[])
      and (user_id is not null or note is not null or kind = 'erasure' and state in ('open', 'verifying'))`.execute(tx)
}
