import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'

/** What browsers of the workspace registered (core/channels/web-push/subscription.ts). */
export async function countSubscriptions(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from push_registrations where workspace_id = ${workspaceId} and left(token, 1) = '{'`.execute(db)
  return rows[0]?.total ?? 0
}

export async function dropSubscriptions(tx: Db, workspaceId: string): Promise<void> {
  await sql`delete from push_registrations where workspace_id = ${workspaceId} and left(token, 1) = '{'`.execute(tx)
}
