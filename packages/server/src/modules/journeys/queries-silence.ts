/** People who have become silent: found by their activity marks, in the order of these, so that a check costs what happened since the one before. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Entry } from './queries-runs.ts'
import type { Place, Sought } from './queries-triggers.ts'

/** Whose last sign of life lies behind `floor` and not behind `until`; marks up to `from` were looked at before. */
export type Silence = { from: Date; floor: Date; until: Date }

/**
 * Looks at the next people whose mark has grown old and enters those who have been silent since. Whoever was active after
 * all gets a mark that says so, in the same transaction: so marks that were passed are true, and whoever they belong to
 * moves them beyond again by doing something (`ACTIVITY_LAG`). Undefined: nobody is left; else where to go on.
 */
export async function enterSilent(
  tx: Db,
  { workspaceId, journeyId, firstStep, now }: Entry,
  { from, floor, until }: Silence,
  { after, limit }: Place,
): Promise<Sought | undefined> {
  const behind = sql`(activity_mark, id) > (${after.mark ?? from}::timestamptz, ${after.id}::text)`
  const { rows } = await sql<{ id: string; mark: string; count: number }>`
    with page as materialized (
      select id, activity_mark, last_active_at from profiles
      where workspace_id = ${workspaceId} and environment = 'live' and activity_mark <= ${until} and ${behind}
      order by activity_mark, id limit ${limit}),
    entered as (
      insert into journey_runs (workspace_id, journey_id, profile_id, status, step, trigger, entered_at, updated_at, due_at)
      select ${workspaceId}, ${journeyId}, id, 'active', ${firstStep}::text, '{"type": "inactivity"}'::jsonb,
        ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from page where last_active_at > ${floor} and last_active_at <= ${until} order by id
      on conflict do nothing)
    select id, activity_mark::text as mark, (select count(*)::integer from page) as count from page
    order by activity_mark desc, id desc limit 1`.execute(tx)
  const [last] = rows
  if (!last) return undefined
  // In a statement of its own: of one with both writes a cluster cannot read its own steps.
  await sql`
    with held as materialized (
      select id from profiles
      where workspace_id = ${workspaceId} and environment = 'live' and ${behind}
        and (activity_mark, id) <= (${last.mark}::timestamptz, ${last.id}::text) and last_active_at > ${until}
      order by id for no key update)
    update profiles p set activity_mark = greatest(p.activity_mark, p.last_active_at) from held
    where p.workspace_id = ${workspaceId} and p.id = held.id`.execute(tx)
  return last.count === limit ? { id: last.id, mark: last.mark } : undefined
}
