/** Work of a workspace that follows the calendar; see `dueTable` for its leases. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { dueTable, type DueRow, type DueTable } from '../../infra/due/queries-due.ts'

export type RollUp = DueRow & { done_until: Date | null }
export type RollUpName = 'people' | 'retention' | 'event_ids'

export function rollUpTable(db: Db, ...names: RollUpName[]): DueTable<RollUp> {
  return dueTable<RollUp>(db, 'roll_ups', sql`id in (${sql.join(names.map((name) => sql.lit(name)))})`)
}

/** Whatever a workspace with events needs, from its first event on. */
export async function ensureRollUps(tx: Db, workspaceId: string, next: { hour: Date; day: Date }): Promise<void> {
  const due = [
    { id: 'people', due_at: next.hour },
    { id: 'retention', due_at: next.day },
    { id: 'event_ids', due_at: next.day },
  ] as const satisfies { id: RollUpName; due_at: Date }[]
  await tx
    .insertInto('roll_ups')
    .values(due.map((work) => ({ workspace_id: workspaceId, ...work })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** How far retention went. */
export async function markDone(db: Db, workspaceId: string, id: RollUpName, until: Date): Promise<void> {
  await db.updateTable('roll_ups').set({ done_until: until }).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}
