import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/**
 * The inbox of a person who becomes another one (decision 68); both are locked. Of a campaign that both got, the message of the
 * other one stays, read, archived or ended when either was. The rest arrives now: nobody who reads all that they saw before reads it.
 */
export async function absorbInbox(tx: Db, workspaceId: string, fromId: string, intoId: string): Promise<void> {
  const { rows } = await sql<{ revision: number }>`
    update profiles set inbox_revision = (
      select max(inbox_revision) + 1 from profiles where workspace_id = ${workspaceId} and id in (${fromId}, ${intoId}))
    where workspace_id = ${workspaceId} and id = ${intoId} and exists (
      select from profiles where workspace_id = ${workspaceId} and id in (${fromId}, ${intoId}) and inbox_revision > 0)
    returning inbox_revision as revision`.execute(tx)
  const [raised] = rows
  if (!raised) return
  await sql`
    update in_app_messages kept set read_at = coalesce(kept.read_at, gone.read_at), archived_at = coalesce(kept.archived_at, gone.archived_at),
      ended_at = coalesce(kept.ended_at, gone.ended_at), ended_by = coalesce(kept.ended_by, gone.ended_by)
    from in_app_messages gone
    where gone.workspace_id = ${workspaceId} and gone.profile_id = ${fromId} and gone.is_inbox
      and kept.workspace_id = ${workspaceId} and kept.profile_id = ${intoId} and kept.is_inbox and kept.campaign_id = gone.campaign_id`.execute(
    tx,
  )
  await sql`
    delete from in_app_messages gone where gone.workspace_id = ${workspaceId} and gone.profile_id = ${fromId} and gone.is_inbox and exists (
      select from in_app_messages kept where kept.workspace_id = ${workspaceId} and kept.profile_id = ${intoId} and kept.is_inbox
        and kept.campaign_id = gone.campaign_id)`.execute(tx)
  await sql`
    update in_app_messages set arrived = ${raised.revision}
    where workspace_id = ${workspaceId} and profile_id = ${fromId} and is_inbox`.execute(tx)
}
