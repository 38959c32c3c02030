/** Which fields the people of a workspace have, seen from its newest people: a sample of a fixed size, whatever their number. */
import type { Json } from '@contentflow/core/blocks/field.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'

/** `types`: how many of the people have a value of which JSON type. `samples`: the most frequent short values, of lists their elements. */
export type FieldFacts = { field: string; people: number; types: Record<string, number>; samples: Json[] }

const SAMPLES = 10
const SAMPLE_LENGTH = 100
/** Fields of one workspace that are told of; whoever makes up names as they go has more. */
const FIELDS = 1_000
/** Rows looked at for a sample of one environment. */
const ROWS_EACH = 4

/** Columns whose values say nothing of one person alone, with the fields that rules find them under. */
const SHOWN_COLUMNS = [
  ['demographic.country', sql`country`],
  ['demographic.language', sql`language`],
  ['device.platform', sql`platform`],
  ['device.sdkVersion', sql`sdk_version`],
  ['device.locale', sql`locale`],
  ['location.country', sql`location ->> 'country'`],
  ['location.region', sql`location ->> 'region'`],
  ['location.city', sql`location ->> 'city'`],
] as const

/** Of the newest `most` people of the environment, most frequent first. `isWhole`: there are no others. */
export async function listFieldFacts(
  db: Db,
  workspaceId: string,
  environment: Environment,
  most: number,
): Promise<{ sampled: number; isWhole: boolean; fields: FieldFacts[] }> {
  const shown = sql.join(SHOWN_COLUMNS.map(([field, value]) => sql`(${sql.lit(field)}, ${value})`))
  const { rows } = await sql<{ seen: number; sampled: number; fields: FieldFacts[] | null }>`
    with newest as materialized (
      select environment, traits, country, language, platform, sdk_version, locale, location
      from profiles where workspace_id = ${workspaceId} order by id desc limit ${most * ROWS_EACH}),
    sample as materialized (select * from newest where environment = ${environment} limit ${most}),
    facts as materialized (
      select 'customAttributes.' || t.key as field, t.value from sample, jsonb_each(traits) t
      union all select shown.field, to_jsonb(shown.value) from sample, lateral (values ${shown}) as shown (field, value) where shown.value is not null),
    elements as (
      select field, value from facts where jsonb_typeof(value) not in ('array', 'object', 'null')
      union all select field, e.value from facts, jsonb_array_elements(case when jsonb_typeof(facts.value) = 'array' then facts.value else '[]' end) e
        where jsonb_typeof(e.value) not in ('array', 'object', 'null')),
    ranked as (
      select field, value, row_number() over (partition by field order by count(*) desc, value) as rank
      from elements where length(value::text) <= ${SAMPLE_LENGTH} group by field, value),
    samples as (select field, jsonb_agg(value order by rank) as samples from ranked where rank <= ${SAMPLES} group by field),
    types as (select field, jsonb_typeof(value) as type, count(*) as people from facts group by 1, 2),
    fields as (
      select field, sum(people) as people, jsonb_object_agg(type, people) as types from types group by field order by 2 desc, 1 limit ${FIELDS})
    select (select count(*) from newest) as seen, (select count(*) from sample) as sampled,
      (select jsonb_agg(jsonb_build_object('field', field, 'people', people, 'types', types, 'samples', coalesce(samples, '[]')) order by people desc, field)
        from fields left join samples using (field)) as fields`.execute(db)
  const { seen, sampled, fields } = rows[0] ?? { seen: 0, sampled: 0, fields: [] }
  return { sampled, isWhole: seen < most * ROWS_EACH && sampled < most, fields: fields ?? [] }
}

export async function countPeople(db: Db, workspaceId: string, environment: Environment): Promise<number> {
  const { total } = await db
    .selectFrom('profiles')
    .select(sql<number>`count(*)`.as('total'))
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .executeTakeFirstOrThrow()
  return total
}
