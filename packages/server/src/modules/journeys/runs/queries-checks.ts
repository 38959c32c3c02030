import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'
import { dueTable, type DueRow } from '../../../infra/due/queries-due.ts'

/** `check_at`: the moment of a check that is running. */
export type CheckRow = DueRow & { check_at: Date | null }

export const dueChecks = (db: Db) => dueTable<CheckRow>(db, 'journey_checks')

/** Of what a check is: all that is due, or only those about whom events arrived. */
export type CheckKind = 'check' | 'events'

/** Makes the row by which the journeys of the workspace are checked from now on. */
export async function ensureCheck(tx: Db, workspaceId: string, now: Date, kind: CheckKind = 'check'): Promise<void> {
  await sql`
    insert into journey_checks (workspace_id, id, due_at) values (${workspaceId}, ${kind}, ${now})
    on conflict (workspace_id, id) do update set due_at = excluded.due_at`.execute(tx)
}

/** Null: the check is over. A process that lost the lease writes nothing. */
export async function saveCheckAt(db: Db, workspaceId: string, lease: string, checkAt: Date | null): Promise<void> {
  await db
    .updateTable('journey_checks')
    .set({ check_at: checkAt })
    .where('workspace_id', '=', workspaceId)
    .where('lease', '=', lease)
    .execute()
}
