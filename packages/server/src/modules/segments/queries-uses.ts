/**
 * What names a segment besides content: campaigns that are not over, by its name, journeys that people enter with it, by its id, and
 * messages that wait to leave. Each of them may hold a mail with sections that only members get, itself or by a saved part.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/open.ts'

type Named = { id: string; name: string }

/** Whom sections are for at these places of a document. */
const shownAt = (document: RawBuilder<unknown>, path: string) =>
  sql`select shown #>> '{}' as name from jsonb_path_query(${document}, ${sql.lit(path)}) as shown`

/** The same of the saved parts, as they are now, whose ids stand at these places. */
const shownByParts = (workspaceId: string, document: RawBuilder<unknown>, path: string) => sql`
  select shown #>> '{}' as name from jsonb_path_query(${document}, ${sql.lit(path)}) as part
  join mails m on m.workspace_id = ${workspaceId} and m.id = part #>> '{}'
  cross join lateral jsonb_path_query(m.document, '$.sections[*].showTo') as shown`

/** By the names of the segments, oldest first. A campaign keeps the name it was approved with, so former ones count too. */
export async function listCampaignsFor(db: Db, workspaceId: string, segments: readonly string[]): Promise<Map<string, Named[]>> {
  const mail = sql`c.mail`
  const { rows } = await sql<{ segment: string; campaigns: Named[] }>`
    with known as (
      select name as segment, unnest(former_names || name) as name from segments
      where workspace_id = ${workspaceId} and name = any(${[...segments]}::text[])),
    uses as (
      select distinct known.segment, c.id, c.name
      from campaigns c
      cross join lateral (
        select unnest(c.segments) as name
        union ${shownAt(mail, '$.sections[*].showTo')}
        union ${shownAt(sql`c.mail_parts`, '$[*].document.sections[*].showTo')}
        union ${shownByParts(workspaceId, mail, '$.sections[*] ? (@.type == "part").part')}) as x
      join known on known.name = x.name
      where c.workspace_id = ${workspaceId} and c.status not in ('completed', 'expired'))
    select segment, jsonb_agg(jsonb_build_object('id', id, 'name', name) order by id) as campaigns from uses group by segment`.execute(db)
  return new Map(rows.map(({ segment, campaigns }) => [segment, campaigns]))
}

/** Journeys that name these segments, in their trigger or in mails of their steps, by the id of the segment, oldest first. */
export async function listJourneysFor(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, Named[]>> {
  const steps = sql`j.steps`
  const { rows } = await sql<{ segment: string; journeys: Named[] }>`
    with known as (
      select id, unnest(former_names || name) as name from segments
      where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[])),
    uses as (
      select segment_id as segment, id, name from journeys
      where workspace_id = ${workspaceId} and segment_id = any(${[...ids]}::text[])
      union
      select known.id, j.id, j.name from journeys j
      cross join lateral (
        ${shownAt(steps, '$.**.mail.sections[*].showTo')}
        union ${shownAt(steps, '$.**.mailParts[*].document.sections[*].showTo')}
        union ${shownByParts(workspaceId, steps, '$.**.mail.sections[*] ? (@.type == "part").part')}) as x
      join known on known.name = x.name
      where j.workspace_id = ${workspaceId} and (position('"showTo"' in j.steps::text) > 0 or position('"part"' in j.steps::text) > 0))
    select segment, jsonb_agg(jsonb_build_object('id', id, 'name', name) order by id) as journeys from uses group by segment`.execute(db)
  return new Map(rows.map(({ segment, journeys }) => [segment, journeys]))
}

/** One-off messages that are still leaving, to these segments or with sections for them, by the name of the segment, oldest first. */
export async function listMessagesFor(db: Db, workspaceId: string, segments: readonly string[]): Promise<Map<string, Named[]>> {
  const { rows } = await sql<{ segment: string; messages: Named[] }>`
    with known as (
      select name as segment, unnest(former_names || name) as name from segments
      where workspace_id = ${workspaceId} and name = any(${[...segments]}::text[])),
    uses as (
      select distinct known.segment, d.id, d.name
      from dispatches d
      cross join lateral (
        ${shownAt(sql`d.message`, '$.segments[*]')}
        union ${shownAt(sql`d.message`, '$.mail.sections[*].showTo')}) as x
      join known on known.name = x.name
      where d.workspace_id = ${workspaceId} and d.source = 'notification' and d.due_at is not null)
    select segment, jsonb_agg(jsonb_build_object('id', id, 'name', name) order by id) as messages from uses group by segment`.execute(db)
  return new Map(rows.map(({ segment, messages }) => [segment, messages]))
}

/** Journeys go by the id of the segment; the name that their trigger shows, and is saved with again, follows it. */
export async function renameInJourneys(tx: Db, workspaceId: string, segmentId: string, name: string): Promise<void> {
  await sql`
    update journeys set trigger = jsonb_set(trigger, '{segment}', to_jsonb(${name}::text))
    where workspace_id = ${workspaceId} and segment_id = ${segmentId} and trigger ->> 'segment' <> ${segmentId}`.execute(tx)
}
