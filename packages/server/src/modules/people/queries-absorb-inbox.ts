import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/**
 * The inbox of a person who becomes another one (decision 68); both are locked. What comes with them arrives now: nobody who reads
 * "all" by what they saw before reads it. Of a campaign that both got, one message stays, read or archived when either was.
 */
export async function absorbInbox(tx: Db, workspaceId: string, fromId: string, intoId: string): Promise<void> {
  const both = sql`${[fromId, intoId]}::text[]`
  await sql`
    with raised as (
      update profiles set inbox_revision = (
        select max(inbox_revision) + 1 from profiles where workspace_id = ${workspaceId} and id = any(${both}))
      where workspace_id = ${workspaceId} and id = ${intoId} and exists (
        select from profiles where workspace_id = ${workspaceId} and id = any(${both}) and inbox_revision > 0)
      returning inbox_revision),
    twice as materialized (
      select campaign_id, min(read_at) as read_at, min(archived_at) as archived_at, (array_agg(id order by created_at, id))[1] as kept
      from in_app_messages where workspace_id = ${workspaceId} and profile_id = any(${both}) and is_inbox and campaign_id is not null
      group by campaign_id having count(*) > 1)
    update in_app_messages o set
      arrived = case when o.profile_id = ${fromId} then raised.inbox_revision else o.arrived end,
      is_inbox = coalesce(o.id = twice.kept, true),
      read_at = coalesce(o.read_at, twice.read_at), archived_at = coalesce(o.archived_at, twice.archived_at)
    from raised, in_app_messages w left join twice on twice.campaign_id = w.campaign_id
    where w.workspace_id = ${workspaceId} and w.id = o.id and o.workspace_id = ${workspaceId} and o.profile_id = any(${both}) and o.is_inbox`.execute(
    tx,
  )
}
