import { sql } from 'kysely'
import { cursorOf, cursorParts, paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../../db/open.ts'

/** What waits for a second person: a campaign that was submitted, or a change of one. */
export type WaitingReview = {
  kind: 'campaign' | 'campaign_edit'
  /** Id of the campaign, or of the request. */
  id: string
  campaignId: string
  name: string
  requestedBy: string
  requestedAt: Date
}

/** One page of what waits for a review, the longest waiting first. `after`: time and id from the cursor. */
export async function pageWaiting(
  db: Db,
  workspaceId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Paged<WaitingReview>> {
  const waiting = sql`(
    select 'campaign' as kind, id, id as "campaignId", name, submitted_by as "requestedBy", submitted_at as "requestedAt" from campaigns
    where workspace_id = ${workspaceId} and status = 'pending_review'
    union all
    select 'campaign_edit', e.id, e.campaign_id, c.name, e.requested_by, e.requested_at from campaign_edits e
    join campaigns c on c.workspace_id = ${workspaceId} and c.id = e.campaign_id
    where e.workspace_id = ${workspaceId} and e.status = 'pending') w`
  const [at, last] = after === undefined ? [] : (cursorParts(after) as [string, string])
  const behind = at === undefined ? sql`` : sql`where ("requestedAt", id) > (${at}::timestamptz, ${last})`
  const { rows } = await sql<WaitingReview>`select * from ${waiting} ${behind} order by "requestedAt", id limit ${limit + 1}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total from ${waiting}`.execute(db)
  return paged(rows, limit, counted.rows[0]?.total ?? 0, ({ requestedAt, id }) => cursorOf(requestedAt.toISOString(), id))
}
