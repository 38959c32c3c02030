/** What names a segment besides content: campaigns that are not over, by its name, and journeys that people enter with it, by its id. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

type Named = { id: string; name: string }

/** By the names of the segments, oldest first. A campaign keeps the name it was approved with, so former ones count too. */
export async function listCampaignsFor(db: Db, workspaceId: string, segments: readonly string[]): Promise<Map<string, Named[]>> {
  const { rows } = await sql<{ segment: string; campaigns: Named[] }>`
    with known as (
      select name as segment, unnest(former_names || name) as name from segments
      where workspace_id = ${workspaceId} and name = any(${[...segments]}::text[])),
    uses as (
      select distinct known.segment, c.id, c.name
      from campaigns c
      cross join lateral (
        select unnest(c.segments) as name
        union select section ->> 'showTo' from jsonb_array_elements(c.mail -> 'sections') as section) as x
      join known on known.name = x.name
      where c.workspace_id = ${workspaceId} and c.status not in ('completed', 'expired'))
    select segment, jsonb_agg(jsonb_build_object('id', id, 'name', name) order by id) as campaigns from uses group by segment`.execute(db)
  return new Map(rows.map(({ segment, campaigns }) => [segment, campaigns]))
}

/** Journeys that name these segments, by the id of the segment, oldest first. */
export async function listJourneysFor(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, Named[]>> {
  const { rows } = await sql<{ segment: string; journeys: Named[] }>`
    select segment_id as segment, jsonb_agg(jsonb_build_object('id', id, 'name', name) order by id) as journeys from journeys
    where workspace_id = ${workspaceId} and segment_id = any(${[...ids]}::text[]) group by segment_id`.execute(db)
  return new Map(rows.map(({ segment, journeys }) => [segment, journeys]))
}

/** Journeys go by the id of the segment; the name that their trigger shows, and is saved with again, follows it. */
export async function renameInJourneys(tx: Db, workspaceId: string, segmentId: string, name: string): Promise<void> {
  await sql`
    update journeys set trigger = jsonb_set(trigger, '{segment}', to_jsonb(${name}::text))
    where workspace_id = ${workspaceId} and segment_id = ${segmentId} and trigger ->> 'segment' <> ${segmentId}`.execute(tx)
}
