/** Which instances target which segments: by the name in their revisions, for which a segment need not exist. */
import { sql } from 'kysely'
import { EVERYONE } from '@contentflow/core/blocks/serving/select-blocks.ts'
import type { Db } from '../../../db/open.ts'
import type { InstanceUse } from './queries-uses.ts'

/** Revisions that count: the newest, the published ones, those with a planned publication, and those that wait for a second person. */
export const counting = (workspaceId: string) => sql`
  select id, version as number from block_instances where workspace_id = ${workspaceId} and deleted_at is null
  union select id, live_revision from block_instances where workspace_id = ${workspaceId} and live_revision is not null
  union select id, test_revision from block_instances where workspace_id = ${workspaceId} and test_revision is not null
  union select instance_id, revision from publications where workspace_id = ${workspaceId}
  union select subject, revision from reviews where workspace_id = ${workspaceId} and status = 'pending'`

/** The segment that a revision targets. */
export const SEG = sql`r.content ->> 'seg'`

/** Lists the instances with a revision that counts and targets one of these segments. */
const aimedAt = (workspaceId: string, segments: readonly string[]) => sql`
  select distinct i.id, i.block_key, i.title, ${SEG} as seg
  from (${counting(workspaceId)}) c
  join instance_revisions r on r.workspace_id = ${workspaceId} and r.instance_id = c.id and r.number = c.number
  join block_instances i on i.workspace_id = ${workspaceId} and i.id = c.id
  where ${SEG} = any(${[...segments]}::text[])`

/** Instances of any type and status that are for the segment of this name, oldest first. */
export async function listInstancesFor(db: Db, workspaceId: string, segment: string): Promise<InstanceUse[]> {
  const { rows } = await sql<InstanceUse>`
    select id, block_key as "blockKey", title from (${aimedAt(workspaceId, [segment])}) aimed order by id`.execute(db)
  return rows
}

/** For each of these segments, how many instances target it, and the first of them. */
export async function summarizeInstancesFor(
  db: Db,
  workspaceId: string,
  segments: readonly string[],
  most: number,
): Promise<Map<string, { count: number; instances: InstanceUse[] }>> {
  const { rows } = await sql<{ seg: string; count: number; instances: InstanceUse[] }>`
    select seg, max(count) as count, jsonb_agg(jsonb_build_object('id', id, 'blockKey', block_key, 'title', title) order by id) as instances
    from (select id, block_key, title, seg, row_number() over (partition by seg order by id) as number, count(*) over (partition by seg) as count
      from (${aimedAt(workspaceId, segments)}) aimed) numbered
    where number <= ${most} group by seg`.execute(db)
  return new Map(rows.map(({ seg, ...rest }) => [seg, rest]))
}

/** Names of segments that do not exist but are targeted by the newest or a published revision of these instances; by instance. */
export async function listUnknownTargets(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; names: string[] }>`
    select id, array_agg(distinct seg order by seg) as names from (
      select i.id, i.seg from block_instances i where i.workspace_id = ${workspaceId} and i.id = any(${[...ids]}::text[])
      union
      select i.id, ${SEG} from block_instances i
      join instance_revisions r on r.workspace_id = ${workspaceId} and r.instance_id = i.id and r.number in (i.live_revision, i.test_revision)
      where i.workspace_id = ${workspaceId} and i.id = any(${[...ids]}::text[])) aimed
    where seg not in ('', ${EVERYONE}) and (select 1 from segments where workspace_id = ${workspaceId} and name = aimed.seg limit 1) is null
    group by id`.execute(db)
  return new Map(rows.map(({ id, names }) => [id, names]))
}
