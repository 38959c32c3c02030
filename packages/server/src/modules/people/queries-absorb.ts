/** What becomes of the journeys of somebody who becomes part of another person. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/**
 * Where people enter once, the older of two runs stays; with a date that comes back, the run of the later occasion. Where they
 * enter again, the absorbed person's runs follow behind, and of two active runs of one key the older stays.
 */
export async function absorbRuns(tx: Db, workspaceId: string, fromId: string, intoId: string): Promise<void> {
  const isAgain = sql`exists (select from journeys j where j.workspace_id = ${workspaceId} and j.id = r.journey_id
    and j.entry ->> 'policy' in ('after_exit', 'every_event'))`
  await sql`
    delete from journey_runs r where r.workspace_id = ${workspaceId} and r.profile_id = ${intoId} and not ${isAgain} and exists (
      select from journey_runs f where f.workspace_id = ${workspaceId} and f.profile_id = ${fromId} and f.journey_id = r.journey_id
        and (f.occasion > r.occasion or (f.occasion = r.occasion and f.entered_at < r.entered_at)))`.execute(tx)
  await sql`
    delete from journey_runs r where r.workspace_id = ${workspaceId} and r.profile_id = ${fromId} and not ${isAgain} and exists (
      select from journey_runs i where i.workspace_id = ${workspaceId} and i.profile_id = ${intoId} and i.journey_id = r.journey_id)`.execute(
    tx,
  )
  await sql`
    delete from journey_runs r where r.workspace_id = ${workspaceId} and r.profile_id in (${fromId}, ${intoId}) and r.status = 'active'
      and exists (select from journey_runs o where o.workspace_id = ${workspaceId} and o.profile_id in (${fromId}, ${intoId})
        and o.profile_id <> r.profile_id and o.journey_id = r.journey_id and o.status = 'active' and o.run_key = r.run_key
        and (o.entered_at, o.profile_id) < (r.entered_at, r.profile_id))`.execute(tx)
  await sql`
    update journey_runs r set profile_id = ${intoId}, occasion = r.occasion + coalesce((
      select max(i.occasion) + 1 from journey_runs i
      where i.workspace_id = ${workspaceId} and i.profile_id = ${intoId} and i.journey_id = r.journey_id), 0)
    where r.workspace_id = ${workspaceId} and r.profile_id = ${fromId}`.execute(tx)
  await sql`
    update journey_inbox set profile_id = ${intoId} where workspace_id = ${workspaceId} and profile_id = ${fromId}`.execute(tx)
}

/** Whoever wrote over WhatsApp as one of the two may be answered as the other; nothing changes where neither did. */
export async function absorbWindow(tx: Db, workspaceId: string, fromId: string, intoId: string): Promise<void> {
  await sql`
    update profiles kept set whatsapp_until = gone.whatsapp_until from profiles gone
    where kept.workspace_id = ${workspaceId} and kept.id = ${intoId} and gone.workspace_id = ${workspaceId} and gone.id = ${fromId}
      and gone.whatsapp_until > coalesce(kept.whatsapp_until, '-infinity')`.execute(tx)
}

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
