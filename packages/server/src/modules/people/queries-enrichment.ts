/**
 * The effective values of a person from all loads (`enrichment_values`): for each attribute the value of the source with the
 * highest priority, and within a source the newest, among those that have not expired (M-PRIO, M-ENR-25). They are stored with
 * the person, where stored membership reads them.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Priorities } from '@contentflow/core/imports/priorities.ts'
import type { Db } from '../../db/open.ts'
import { BACKLOG, type DueRows, type Waiting } from '../../infra/due/queries-due.ts'

/** Ids in PostgreSQL's text form of an array, so that thousands which only go back to it are not parsed here. */
export type IdArray = string

/** Locks people in one order, so that two loads of the same people run one after the other; returns those that still exist. */
export async function holdPeople(tx: Db, workspaceId: string, profileIds: readonly string[] | IdArray): Promise<IdArray> {
  const { rows } = await sql<{ held: IdArray }>`
    with held as materialized (
      select id from profiles where workspace_id = ${workspaceId} and id = any(${asArray(profileIds)}) order by id for no key update)
    select coalesce(array_agg(id), '{}')::text as held from held`.execute(tx)
  return rows[0]!.held
}

function asArray(ids: readonly string[] | IdArray): RawBuilder<string[]> {
  return sql`${typeof ids === 'string' ? ids : [...ids]}::text[]`
}

/**
 * Computes the effective values of these people, who are locked. Loads are merged in order, the last one wins; only from the
 * fourth load on each is split into its attributes.
 */
export async function resolvePeople(
  tx: Db,
  workspaceId: string,
  profileIds: readonly string[] | IdArray,
  priorities: Priorities,
  now: Date,
): Promise<void> {
  await sql`
    with resolved as materialized (
      select p.id, p.enrichment as before, p.enrichment_due_at as due_before, loads.due_at,
        case cardinality(said) when 0 then '{}' when 1 then said[1] when 2 then said[1] || said[2]
          when 3 then said[1] || said[2] || said[3] else (
          select jsonb_object_agg(e.name, e.value order by place)
          from unnest(said) with ordinality as load (values, place), jsonb_each(load.values) as e (name, value)) end as effective
      from profiles p
      cross join lateral (
        select coalesce(array_agg(v.values order by (${JSON.stringify(priorities)}::jsonb ->> v.source)::float8, v.loaded_at, v.upload_id), '{}') as said,
          min(v.expires_at) as due_at
        from enrichment_values v
        where v.workspace_id = ${workspaceId} and v.profile_id = p.id and (v.expires_at is null or v.expires_at > ${now})) loads
      where p.workspace_id = ${workspaceId} and p.id = any(${asArray(profileIds)})),
    differing as materialized (
      select id, effective, due_at, before <> effective as has_changed from resolved
      where before <> effective or due_before is distinct from due_at)
    update profiles p set enrichment = effective, enrichment_due_at = due_at,
      updated_at = case when has_changed then ${now}::timestamptz else p.updated_at end
    from differing where p.workspace_id = ${workspaceId} and p.id = differing.id`.execute(tx)
}

/** People with an expired value. Nothing has to be locked here: whoever recomputes them stores in the same transaction when the next value expires. */
export function endedRows(db: Db): DueRows<{ id: string }> {
  return {
    listWorkspaces: async (dueBy, _now, limit) => {
      const { rows } = await sql<{ id: string }>`
        select workspace_id as id from profiles where enrichment_due_at <= ${dueBy}
        group by workspace_id order by min(enrichment_due_at) limit ${limit}`.execute(db)
      return rows.map(({ id }) => id)
    },
    countWaiting: async (now) => {
      const { rows } = await sql<Waiting>`
        select count(*)::integer as rows, min(enrichment_due_at) as oldest from (
          select enrichment_due_at from profiles where enrichment_due_at <= ${now}
          order by enrichment_due_at limit ${BACKLOG}) as waiting`.execute(db)
      return rows[0]!
    },
    claim: async ({ workspaceId, dueBy, limit }) =>
      db
        .selectFrom('profiles')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .where('enrichment_due_at', '<=', dueBy)
        .orderBy('enrichment_due_at')
        .limit(limit)
        .execute(),
    renew: async () => true,
    handBack: async () => {},
  }
}
