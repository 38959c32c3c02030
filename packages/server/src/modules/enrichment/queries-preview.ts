/** What another ranking of the sources would change. */
import { sql } from 'kysely'
import type { Json } from '@contentflow/core/blocks/field.ts'
import type { Priorities } from '@contentflow/core/imports/priorities.ts'
import type { Db } from '../../db/open.ts'

export type Example = { userId: string | null; name: string; before: Json; after: Json }
type Changes = {
  /** People who were looked at, and the last of them; null: nobody is left. */
  checked: number
  last: string | null
  people: number
  /** How many people have another value, by attribute. */
  attributes: Record<string, number>
  examples: Example[]
}

/** Of the next people of whom several sources speak, behind `after`: whoever one alone speaks of keeps what it says. */
export async function findChanges(
  db: Db,
  workspaceId: string,
  priorities: Priorities,
  { after, limit, examples, now }: { after: string; limit: number; examples: number; now: Date },
): Promise<Changes> {
  const counted = sql`v.workspace_id = ${workspaceId} and (v.expires_at is null or v.expires_at > ${now})`
  const { rows } = await sql<Changes>`
    with several as materialized (
      select v.profile_id from enrichment_values v where ${counted} and v.profile_id > ${after}
      group by v.profile_id having count(distinct v.source) > 1 order by v.profile_id limit ${limit}),
    best as materialized (
      select distinct on (v.profile_id, e.name) v.profile_id, e.name, e.value
      from enrichment_values v, jsonb_each(v.values) as e (name, value)
      where ${counted} and v.profile_id in (select profile_id from several)
      order by v.profile_id, e.name, (${JSON.stringify(priorities)}::jsonb ->> v.source)::float8 desc, v.loaded_at desc, v.upload_id desc),
    differing as materialized (
      select best.profile_id, p.user_id, best.name, p.enrichment -> best.name as before, best.value as after
      from best join profiles p on p.workspace_id = ${workspaceId} and p.id = best.profile_id
      where p.enrichment -> best.name is distinct from best.value)
    select (select count(*) from several) as checked, (select max(profile_id) from several) as last,
      (select count(distinct profile_id) from differing) as people,
      (select coalesce(jsonb_object_agg(name, count), '{}') from (select name, count(*) as count from differing group by name) named) as attributes,
      (select coalesce(jsonb_agg(jsonb_build_object('userId', user_id, 'name', name, 'before', before, 'after', after)), '[]')
        from (select * from differing order by profile_id, name limit ${examples}) first) as examples`.execute(db)
  return rows[0] ?? { checked: 0, last: null, people: 0, attributes: {}, examples: [] }
}
