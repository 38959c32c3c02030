/** Addresses that were asked whether they want mail of the workspace: each once, however many people have it. */
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { EmailConfirmations } from '../../db/schema.ts'
import { dueTable } from '../../infra/due/queries-due.ts'

export type ConfirmationRow = Selectable<EmailConfirmations>
export const confirmationTable = (db: Db) => dueTable<ConfirmationRow>(db, 'email_confirmations')

export async function isConfirmationFiled(db: Db, workspaceId: string, emailHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('email_confirmations')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('email_hash', '=', emailHash)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertConfirmation(
  tx: Db,
  row: Pick<ConfirmationRow, 'workspace_id' | 'id' | 'email_hash' | 'profile_id'>,
  now: Date,
) {
  await tx
    .insertInto('email_confirmations')
    .values({ ...row, created_at: now, due_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findConfirmation(db: Db, workspaceId: string, id: string): Promise<ConfirmationRow | undefined> {
  return db.selectFrom('email_confirmations').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
}

export async function noteConfirmationAsked(db: Db, workspaceId: string, id: string, now: Date): Promise<void> {
  await db.updateTable('email_confirmations').set({ asked_at: now }).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** False when it was confirmed before, or is gone with its person. */
export async function confirmAddress(tx: Db, workspaceId: string, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('email_confirmations')
    .set({ confirmed_at: now, due_at: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Live people with this address. */
export async function listPeopleAt(db: Db, workspaceId: string, emailHash: string): Promise<string[]> {
  const rows = await db
    .selectFrom('profiles')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', 'live')
    .where('email_hash', '=', emailHash)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Later messages to these people are not their first, as long as their address stays the same. */
export async function noteReached(db: Db, workspaceId: string, profileIds: readonly string[]): Promise<void> {
  if (profileIds.length === 0) return
  await sql`
    update profiles set app_email = app_email || '{"reached":true}'
    where workspace_id = ${workspaceId} and id = any(${[...profileIds]}::text[]) and app_email ->> 'contact' = email`.execute(db)
}
