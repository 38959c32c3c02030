/** Whom a campaign with a control group came to, and whom it left out: each person once, by what was decided first. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** A campaign that was deleted meanwhile has nobody. */
export async function noteCampaignPeople(
  tx: Db,
  workspaceId: string,
  campaignId: string,
  { reached, heldBack }: { reached: readonly string[]; heldBack: readonly string[] },
  now: Date,
): Promise<void> {
  await sql`
    insert into campaign_people (workspace_id, profile_id, campaign_id, environment, is_control, noted_at)
    select ${workspaceId}, person.id, ${campaignId}, 'live', person.is_control, ${now}::timestamptz
    from unnest(${[...reached, ...heldBack]}::text[], ${[...reached.map(() => false), ...heldBack.map(() => true)]}::boolean[])
      as person (id, is_control)
    where exists (select from campaigns where workspace_id = ${workspaceId} and id = ${campaignId})
    order by person.id
    on conflict do nothing`.execute(tx)
}
