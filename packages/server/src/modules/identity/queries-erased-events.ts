/** What journeys keep of events that are erased with a device, of people who stay. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** `until`: events that arrived later are erased in another go; null: all of them are in this one. */
type ErasedEvents = { workspaceId: string; environment: string; deviceIds: readonly string[]; until: Date | null }

/**
 * Before these events are deleted: what runs of other people kept of them is taken out. A run keeps no device, so it is found by
 * the person, the type and the moment. When the event happened, and the key of the run, stay: by them the run goes on. An event
 * that was deleted for its age before leaves what was kept of it with the run.
 */
export async function stripErasedEvents(
  tx: Db,
  { workspaceId, environment, deviceIds, until }: ErasedEvents,
  people: readonly string[],
): Promise<void> {
  const isErased = (column: 'event' | 'last_event') => sql`exists (select from gone where gone.id = r.profile_id
    and gone.type = r.${sql.raw(column)} ->> 'type' and gone.at = (r.${sql.raw(column)} ->> 'at')::bigint)`
  const stripped = (column: 'event' | 'last_event') =>
    sql`case when ${isErased(column)} then jsonb_set(r.${sql.raw(column)}, '{properties}', '{}') else r.${sql.raw(column)} end`
  await sql`
    with gone as materialized (
      select distinct coalesce(a.into_id, e.profile_id) as id, e.type, (extract(epoch from e.received_at) * 1000)::bigint as at
      from events e left join absorbed_profiles a on a.workspace_id = ${workspaceId} and a.profile_id = e.profile_id
      where e.workspace_id = ${workspaceId} and e.environment = ${environment} and e.device_id = any(${[...deviceIds]}::text[])
        and (${until}::timestamptz is null or e.received_at <= ${until}))
    update journey_runs r set event = ${stripped('event')}, last_event = ${stripped('last_event')}
    where r.workspace_id = ${workspaceId} and r.profile_id = any(${[...people]}::text[])
      and (${isErased('event')} or ${isErased('last_event')})`.execute(tx)
}
