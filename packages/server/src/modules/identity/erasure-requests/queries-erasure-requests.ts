import { sql, type Selectable } from 'kysely'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../../db/open.ts'
import type { ErasureRequests } from '../../../db/schema.ts'
import { failWith } from '../../../errors.ts'
import { dueTable } from '../../../infra/due/queries-due.ts'

export type ErasureRequestRow = Selectable<ErasureRequests>
export type ErasureRequestState = ErasureRequestRow['state']
/** With the user it is about, while it is open. */
export type ListedErasureRequest = ErasureRequestRow & { user_id: string | null }

export const erasureRequestTable = (db: Db) => dueTable<ErasureRequestRow>(db, 'erasure_requests')

export async function insertErasureRequest(tx: Db, row: ErasureRequestRow): Promise<void> {
  await tx.insertInto('erasure_requests').values(row).execute()
}

/** The open request of a person who is locked, whether or not its time is over. */
export async function findOpenRequest(tx: Db, workspaceId: string, profileId: string): Promise<ErasureRequestRow | undefined> {
  return tx
    .selectFrom('erasure_requests')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', profileId)
    .where('state', '=', 'open')
    .executeTakeFirst()
}

const listed = (db: Db, workspaceId: string) =>
  db
    .selectFrom('erasure_requests as r')
    .leftJoin('profiles as p', (join) => join.on('p.workspace_id', '=', workspaceId).onRef('p.id', '=', 'r.profile_id'))
    .selectAll('r')
    .select('p.user_id')
    .where('r.workspace_id', '=', workspaceId)

export async function getErasureRequest(db: Db, workspaceId: string, id: string): Promise<ListedErasureRequest> {
  const row = await listed(db, workspaceId).where('r.id', '=', id).executeTakeFirst()
  return row ?? failWith(404, 'erasure request not found')
}

/** Newest first, from `before` on. */
export async function pageErasureRequests(
  db: Db,
  workspaceId: string,
  { state, before, limit, now }: { state: ErasureRequestState | undefined; before: string | undefined; limit: number; now: Date },
): Promise<Paged<ListedErasureRequest>> {
  // One whose time is over is expired, also before that is written down.
  const wanted = sql<boolean>`(${state ?? null}::text is null
    or case when r.state = 'open' and r.expires_at <= ${now}::timestamptz then 'expired' else r.state end = ${state ?? null}::text)`
  const rows = await listed(db, workspaceId)
    .where(wanted)
    .$if(before !== undefined, (query) => query.where('r.id', '<', before ?? ''))
    .orderBy('r.id', 'desc')
    .limit(limit + 1)
    .execute()
  const { total } = await db
    .selectFrom('erasure_requests as r')
    .select((count) => count.fn.countAll<number>().as('total'))
    .where('r.workspace_id', '=', workspaceId)
    .where(wanted)
    .executeTakeFirstOrThrow()
  return paged(rows, limit, total, ({ id }) => id)
}

type Decided = { state: Exclude<ErasureRequestState, 'open'>; by: string | null; erasureId?: string; at: Date }

/** Decides a request, and deletes from it whom it is about. False when it was decided before. */
export async function closeErasureRequest(
  db: Db,
  workspaceId: string,
  id: string,
  { state, by, erasureId, at }: Decided,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('erasure_requests')
    .set({ state, decided_by: by, decided_at: at, erasure_id: erasureId ?? null, profile_id: null, due_at: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function noteMailed(db: Db, workspaceId: string, id: string, now: Date): Promise<void> {
  await db
    .updateTable('erasure_requests')
    .set({ mailed_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute()
}
