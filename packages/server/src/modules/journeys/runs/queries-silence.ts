/** People who have become silent: found by their activity marks, in the order of these, so that a check costs as much as happened since the one before. */
import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'
import { settleMarks } from '../../people/index.ts'
import { isNew, type JourneyEntry } from './queries-runs.ts'
import type { TriggerPage, TriggerCursor } from './queries-triggers.ts'

/** People whose last activity is after `floor` and not after `until`; marks up to `from` were read before. */
export type Silence = { from: Date; floor: Date; until: Date }

/**
 * Reads the next people whose mark has become old, and enters those who have been silent since. A person who was active after
 * the mark gets a new one in the same transaction: so marks that were passed are true, and the next activity of their people
 * moves them ahead again (`ACTIVITY_LAG`). Undefined: that was the last of them; else where to continue.
 */
export async function enterSilent(
  tx: Db,
  { workspaceId, journeyId, firstStep, now }: JourneyEntry,
  { from, floor, until }: Silence,
  { after, limit }: TriggerPage,
): Promise<TriggerCursor | undefined> {
  const passed = { mark: after.mark ?? from, id: after.id }
  const { rows } = await sql<{ id: string; mark: string; count: number }>`
    with page as materialized (
      select id, activity_mark, last_active_at from profiles
      where workspace_id = ${workspaceId} and environment = 'live' and activity_mark <= ${until}
        and (activity_mark, id) > (${passed.mark}::timestamptz, ${passed.id}::text)
      order by activity_mark, id limit ${limit}),
    entered as (
      insert into journey_runs (workspace_id, journey_id, profile_id, status, step, trigger, entered_at, updated_at, due_at)
      select ${workspaceId}, ${journeyId}, id, 'active', ${firstStep}::text, '{"type": "inactivity"}'::jsonb,
        ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from page p where last_active_at > ${floor} and last_active_at <= ${until} and ${isNew(workspaceId, journeyId)} order by id
      on conflict do nothing)
    select id, activity_mark::text as mark, (select count(*)::integer from page) as count from page
    order by activity_mark desc, id desc limit 1`.execute(tx)
  const [last] = rows
  if (!last) return undefined
  // A statement of its own: in one with both writes, a cluster does not see its own changes.
  await settleMarks(tx, workspaceId, passed, last, until)
  return last.count === limit ? { id: last.id, mark: last.mark } : undefined
}
