import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'
import type { Environment } from '../../../infra/signals/signals.ts'

export type Group = { isControl: boolean; people: number; converted: number }

/** How many a campaign left out, how many it came to, and how many of each converted since. */
export async function countGroups(db: Db, workspaceId: string, campaignId: string, environment: Environment): Promise<Group[]> {
  const { rows } = await sql<Group>`
    select is_control as "isControl", count(*)::integer as people, count(*) filter (where has_converted)::integer as converted
    from campaign_people where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and environment = ${environment}
    group by is_control`.execute(db)
  return rows
}
