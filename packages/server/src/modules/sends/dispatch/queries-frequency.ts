/** How many messages of campaigns and journeys people got lately, and who gets no more: by the workspace, or by their own word. */
import { sql, type RawBuilder } from 'kysely'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Db } from '../../../db/open.ts'

/** `isDaily`: whether nobody gets more than a day may have; `isWeekly`: whether anybody chose how many a week they want. */
export type FrequencyCaps = { isDaily: boolean; isWeekly: boolean }

const WEEK_MS = 7 * DAY_MS

/** Whether anybody of the workspace chose how many messages a week they want. */
export async function hasWeeklyLimits(db: Db, workspaceId: string): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select exists(select from profiles where workspace_id = ${workspaceId} and max_messages_a_week is not null) as "isThere"`.execute(db)
  return rows[0]?.isThere === true
}

/** Whoever of these people got, or is being sent, as many messages as they may have: a day (G-70), or a week as they chose. */
export async function listFrequencyCapped(
  tx: Db,
  workspaceId: string,
  profileIds: readonly string[],
  { isDaily, isWeekly }: FrequencyCaps,
  now: Date,
): Promise<Set<string>> {
  const capped = new Set<string>()
  if (isDaily) {
    const counts = await countMessages(tx, workspaceId, profileIds, new Date(now.getTime() - DAY_MS))
    for (const [id, count] of counts) if (count >= LIMITS.marketingSendsPerDay) capped.add(id)
  }
  if (!isWeekly) return capped
  const limits = await listWeeklyLimits(tx, workspaceId, profileIds)
  if (limits.size === 0) return capped
  const counts = await countMessages(tx, workspaceId, [...limits.keys()], new Date(now.getTime() - WEEK_MS))
  for (const [id, most] of limits) if ((counts.get(id) ?? 0) >= most) capped.add(id)
  return capped
}

async function listWeeklyLimits(tx: Db, workspaceId: string, profileIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; most: number }>`
    select id, max_messages_a_week as most from profiles
    where workspace_id = ${workspaceId} and id = any(${[...profileIds]}::text[]) and max_messages_a_week is not null`.execute(tx)
  return new Map(rows.map(({ id, most }) => [id, most]))
}

/** What these people got, or are being sent, since then; who got nothing is left out. */
async function countMessages(tx: Db, workspaceId: string, profileIds: readonly string[], since: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select counted.profile_id as id, count(*)::integer as count from (${sentSince(workspaceId, profileIds, since)}) as counted
    join dispatches d on d.workspace_id = ${workspaceId} and d.id = counted.dispatch_id and d.source <> 'notification'
    group by counted.profile_id`.execute(tx)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

function sentSince(workspaceId: string, profileIds: readonly string[], since: Date): RawBuilder<unknown> {
  return sql`
    select s.profile_id, s.dispatch_id from sends s
    where s.workspace_id = ${workspaceId} and s.profile_id = any(${[...profileIds]}::text[])
      and s.state in ('sending', 'sent') and s.updated_at > ${since}
    union all
    select line.profile_id, b.dispatch_id from send_batches b
    cross join lateral unnest(b.profile_ids) as named (id)
    cross join lateral (
      select s.profile_id from sends s
      where s.workspace_id = ${workspaceId} and s.dispatch_id = b.dispatch_id and s.profile_id = named.id and s.state = 'due' offset 0) as line
    where b.workspace_id = ${workspaceId} and b.made_at > ${since} and named.id = any(${[...profileIds]}::text[])`
}
