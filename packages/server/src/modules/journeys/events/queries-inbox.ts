/** Events that journeys have to look at, by person. */
import { sql } from 'kysely'
import type { Heard } from '@contentflow/core/journeys/hearing.ts'
import type { Db } from '../../../db/open.ts'

export type HeardByPerson = { person: string; mayEnter: boolean; hasGoal: boolean; heard: Heard[] }

/**
 * Writes down what is about somebody who is in the journey, or about to be: live people only. Says how much it was. A goal is
 * also reached by whose run is over.
 */
export async function insertHeard(tx: Db, workspaceId: string, journeyId: string, people: readonly HeardByPerson[]): Promise<number> {
  const rows = people.flatMap(({ person, mayEnter, hasGoal, heard }) =>
    heard.map((each) => ({ person, enters: mayEnter, goal: hasGoal, batch: each.position[1], place: each.position[2], heard: each })),
  )
  const result = await sql`
    insert into journey_inbox (workspace_id, journey_id, profile_id, batch, place, heard)
    select ${workspaceId}::text, ${journeyId}::text, p.id, t.batch, t.place, t.heard
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (person text, enters boolean, goal boolean, batch bigint, place integer, heard jsonb)
    cross join lateral (
      select id from profiles where workspace_id = ${workspaceId} and id = t.person and environment = 'live' offset 0) p
    where t.enters
      or exists (select from journey_runs r where r.workspace_id = ${workspaceId} and r.journey_id = ${journeyId} and r.profile_id = p.id
        and (r.status = 'active' or (t.goal and r.converted_at is null)))
      or exists (select from journey_inbox i where i.workspace_id = ${workspaceId} and i.journey_id = ${journeyId} and i.profile_id = p.id)
    order by p.id, t.batch, t.place
    on conflict do nothing`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

/** Ids of active journeys that have something to look at. */
export async function listWithHeard(db: Db, workspaceId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select j.id from journeys j where j.workspace_id = ${workspaceId} and j.status = 'active' and j.listens <> '{}' and exists (
      select from journey_inbox i where i.workspace_id = ${workspaceId} and i.journey_id = j.id)
    order by j.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Up to when everything that arrived is counted, and so in the inbox: milliseconds, at most `now`. */
export async function findCountedUpTo(db: Db, workspaceId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(received_at) as at from event_batches where workspace_id = ${workspaceId} and not is_counted`.execute(db)
  return Math.min(now.getTime(), rows[0]?.at ? rows[0].at.getTime() - 1 : Infinity)
}

/** What arrived by then, in milliseconds. */
const isBy = (upTo: number) => sql`(heard #>> '{position,0}')::bigint <= ${upTo}::bigint`

/** People with something in the inbox of the journey that arrived by then, at most. */
export async function listHeardPeople(tx: Db, workspaceId: string, journeyId: string, upTo: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct profile_id as id from journey_inbox
    where workspace_id = ${workspaceId} and journey_id = ${journeyId} and ${isBy(upTo)} order by profile_id limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Takes what arrived by then of these people out of the inbox. */
export async function takeHeard(
  tx: Db,
  workspaceId: string,
  journeyId: string,
  people: readonly string[],
  upTo: number,
): Promise<Map<string, Heard[]>> {
  const { rows } = await sql<{ person: string; heard: Heard }>`
    delete from journey_inbox where workspace_id = ${workspaceId} and journey_id = ${journeyId} and profile_id = any(${[...people]}::text[])
      and ${isBy(upTo)}
    returning profile_id as person, heard`.execute(tx)
  const byPerson = new Map<string, Heard[]>()
  for (const { person, heard } of rows) {
    const list = byPerson.get(person)
    if (list) list.push(heard)
    else byPerson.set(person, [heard])
  }
  return byPerson
}

/** Adds up who was not taken in, by reason. */
export async function addRefusals(
  tx: Db,
  workspaceId: string,
  journeyId: string,
  refused: ReadonlyMap<string, number>,
  now: Date,
): Promise<void> {
  if (refused.size === 0) return
  await sql`
    insert into journey_refusals as c (workspace_id, journey_id, day, reason, count)
    select ${workspaceId}::text, ${journeyId}::text, ${now.toISOString().slice(0, 10)}::date, n.reason, n.count
    from unnest(${[...refused.keys()]}::text[], ${[...refused.values()]}::bigint[]) as n (reason, count)
    on conflict (workspace_id, journey_id, day, reason) do update set count = c.count + excluded.count`.execute(tx)
}

/** How often somebody was not taken in, by reason. */
export async function countRefusals(db: Db, workspaceId: string, journeyId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ reason: string; count: number }>`
    select reason, sum(count)::float8 as count from journey_refusals
    where workspace_id = ${workspaceId} and journey_id = ${journeyId} group by reason order by reason`.execute(db)
  return new Map(rows.map(({ reason, count }) => [reason, count]))
}
