import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'

export type Membership = { name: string; isMember: boolean }

/** Whether somebody is a stored member of the segments of these names; a name that is no segment's has no members. */
export async function listMemberships(db: Db, workspaceId: string, names: readonly string[], profileId: string): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    select asked.name, exists (
      select from segments s join segment_members m on m.workspace_id = ${workspaceId} and m.segment_id = s.id
      where s.workspace_id = ${workspaceId} and (s.name = asked.name or asked.name = any(s.former_names))
        and m.profile_id = ${profileId} and m.is_member) as "isMember"
    from unnest(${[...names]}::text[]) with ordinality as asked (name, place)
    where asked.name <> 'All users' order by place`.execute(db)
  return rows
}

/** The in-app message of a campaign that waits for somebody, or that they had. */
export async function findInApp(db: Db, workspaceId: string, campaignId: string, profileId: string) {
  return db
    .selectFrom('in_app_messages')
    .select(['ended_at'])
    .where('workspace_id', '=', workspaceId)
    .where('campaign_id', '=', campaignId)
    .where('profile_id', '=', profileId)
    .executeTakeFirst()
}
