/**
 * What holds of a person of all that loads say (`enrichment_values`): of each attribute the value of the highest source,
 * of one source the newest, of what has not ended (M-PRIO, M-ENR-25). It stands on the person, where stored membership
 * reads it.
 */
import { sql } from 'kysely'
import type { Priorities } from '@contentflow/core/imports/priorities.ts'
import type { Db } from '../../db/open.ts'
import { BACKLOG, type DueRows, type Waiting } from '../../infra/queries-due.ts'

/** In one order, so that two loads of the same people come after each other; those who are still there. */
export async function holdPeople(tx: Db, workspaceId: string, profileIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('profiles')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...profileIds]}::text[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Works out what holds for these people, who are held; ids of those for whom something else holds now. Of one load it is
 * what that says; of several the last of each name stays in the object.
 */
export async function resolvePeople(
  tx: Db,
  workspaceId: string,
  profileIds: readonly string[],
  priorities: Priorities,
  now: Date,
): Promise<string[]> {
  if (profileIds.length === 0) return []
  const counted = sql`v.workspace_id = ${workspaceId} and v.profile_id = p.id and (v.expires_at is null or v.expires_at > ${now})`
  const { rows } = await sql<{ id: string; has_changed: boolean }>`
    with resolved as materialized (
      select p.id, p.enrichment as before, p.enrichment_due_at as due_before, coalesce(
          (select (array_agg(v.values))[1] from enrichment_values v where ${counted} having count(*) = 1),
          (select jsonb_object_agg(e.name, e.value order by (${JSON.stringify(priorities)}::jsonb ->> v.source)::float8, v.loaded_at, v.upload_id)
            from enrichment_values v, jsonb_each(v.values) as e (name, value) where ${counted}),
          '{}') as effective,
        (select min(v.expires_at) from enrichment_values v where ${counted}) as due_at
      from profiles p where p.workspace_id = ${workspaceId} and p.id = any(${[...profileIds]}::text[])),
    differing as materialized (
      select id, effective, due_at, before <> effective as has_changed from resolved
      where before <> effective or due_before is distinct from due_at)
    update profiles p set enrichment = effective, enrichment_due_at = due_at,
      updated_at = case when has_changed then ${now}::timestamptz else p.updated_at end
    from differing where p.workspace_id = ${workspaceId} and p.id = differing.id
    returning p.id, has_changed`.execute(tx)
  return rows.filter(({ has_changed }) => has_changed).map(({ id }) => id)
}

/** People of whom a value has ended. Whoever works them out says in the same transaction when the next ends: there is nothing to hold. */
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
