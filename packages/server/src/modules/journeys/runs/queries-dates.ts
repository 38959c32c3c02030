/** People whose date has come: all people are gone through, some thousands at a time, because a trait has no index. */
import { sql } from 'kysely'
import type { ComingDate } from '@contentflow/core/journeys/dates.ts'
import type { Db } from '../../../db/open.ts'
import type { TriggerPage, TriggerCursor } from './queries-triggers.ts'
import type { JourneyEntry } from './queries-runs.ts'

/**
 * Reads the next people after `after` and enters those whose trait is one of these days. A person who has finished the journey
 * enters again, once for each year: their run begins anew. Undefined: that was the last of them; else the person to continue
 * after.
 */
export async function enterByDate(
  tx: Db,
  { workspaceId, journeyId, firstStep, now }: JourneyEntry,
  trait: string,
  dates: readonly ComingDate[],
  { after, limit }: TriggerPage,
): Promise<TriggerCursor | undefined> {
  const days = dates.flatMap(({ date, year, monthDays }) => monthDays.map((monthDay) => ({ date, year, monthDay })))
  const { rows } = await sql<{ count: number; last: string | null }>`
    with page as materialized (
      select id, traits ->> ${trait}::text as value from profiles
      where workspace_id = ${workspaceId} and environment = 'live' and id > ${after.id} order by id limit ${limit}),
    called as materialized (
      select page.id, day.date, day.year from page join unnest(${days.map(({ monthDay }) => monthDay)}::text[],
        ${days.map(({ date }) => date)}::text[], ${days.map(({ year }) => year)}::integer[]) as day (month_day, date, year)
        on day.month_day = substr(page.value, 6, 5)
      where page.value ~ ${DATE} and not exists (
        select from journey_runs r where r.workspace_id = ${workspaceId} and r.journey_id = ${journeyId} and r.profile_id = page.id
          and (r.status = 'active' or r.occasion >= day.year))),
    former as (
      delete from journey_runs where workspace_id = ${workspaceId} and journey_id = ${journeyId}
        and profile_id in (select id from called) and status <> 'active'),
    entered as (
      insert into journey_runs (workspace_id, journey_id, profile_id, status, step, trigger, entered_at, updated_at, due_at, occasion)
      select ${workspaceId}, ${journeyId}, id, 'active', ${firstStep}::text, jsonb_build_object('type', 'date', 'date', date),
        ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, year
      from called order by id
      on conflict do nothing)
    select count(*)::integer as count, max(id) as last from page`.execute(tx)
  const [page] = rows
  return page?.last != null && page.count === limit ? { id: page.last } : undefined
}

/** A date, or a date with a time: the day as it is written counts, in no zone. */
const DATE = '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T|$)'
