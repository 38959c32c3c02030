import { sql } from 'kysely'
import type { SentEvent } from '@contentflow/core/events/read-events.ts'
import { PREPARED, type Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'

export type SourceDevice = {
  deviceId: string
  environment: Environment
  consent: string
  expiresAt: Date
  profileId: string | null
}

/**
 * The devices as they are now. They cannot be erased before the transaction ends, so no event comes to lie behind
 * the erasure of its device.
 */
export async function holdDevices(tx: Db, workspaceId: string, deviceIds: readonly string[]): Promise<SourceDevice[]> {
  const { rows } = await sql<SourceDevice>`${sql.raw(PREPARED)}
    select d.* from unnest(${deviceIds.toSorted()}::text[]) as asked (device_id)
    cross join lateral (
      select device_id as "deviceId", environment, consent, expires_at as "expiresAt", profile_id as "profileId"
      from devices where workspace_id = ${workspaceId} and device_id = asked.device_id for key share) d`.execute(tx)
  return rows
}

/** Events that came in one request. */
export type Arrived = {
  environment: Environment
  deviceId: string
  profileId: string
  sessionId: string | null
  platform: string | null
  events: SentEvent[]
}

/**
 * Writes events of one workspace as one batch. The partition of the day must be there. What a request says once is sent once and joined
 * here, and a column that nobody filled is sent empty: a third faster than rows that are spelt out.
 */
export async function insertEvents(tx: Db, workspaceId: string, arrived: readonly Arrived[], now: Date): Promise<void> {
  const of = (member: (one: Arrived) => string | null) => arrived.map(member)
  const events = arrived.flatMap((one) => one.events)
  const column = <T>(member: (event: SentEvent) => T | null): (T | null)[] => {
    const values = events.map(member)
    return values.every((value) => value === null) ? [] : values
  }
  const batch = await insertBatch(tx, workspaceId, now)
  await sql`${sql.raw(PREPARED)}
    insert into events (workspace_id, batch, received_at, environment, device_id, profile_id, session_id, platform,
      type, block_key, instance_id, campaign_id, screen, string_key, occurred_at, value, currency, fence_id, properties, place)
    select ${workspaceId}::text, ${batch}::bigint, ${now}::timestamptz, s.environment, s.device_id, s.profile_id, s.session_id, s.platform,
      e.type, e.block_key, e.instance_id, e.campaign_id, e.screen, e.string_key, e.occurred_at, e.value, e.currency, e.fence_id, e.properties, e.place
    from unnest(
        ${arrived.flatMap((one, index) => one.events.map(() => index + 1))}::integer[],
        ${column(({ type }) => type)}::text[], ${column(({ blockKey }) => blockKey)}::text[],
        ${column(({ instanceId }) => instanceId)}::text[], ${column(({ campaignId }) => campaignId)}::text[],
        ${column(({ screen }) => screen)}::text[], ${column(({ stringKey }) => stringKey)}::text[],
        ${column(({ occurredAt }) => (occurredAt === null ? null : new Date(occurredAt)))}::timestamptz[],
        ${column(({ value }) => value)}::float8[], ${column(({ currency }) => currency)}::text[],
        ${column(({ fenceId }) => fenceId)}::text[],
        ${column(({ properties }) => properties && JSON.stringify(properties))}::jsonb[])
      with ordinality as e (number, type, block_key, instance_id, campaign_id, screen, string_key, occurred_at, value, currency, fence_id, properties, place)
    join unnest(${of((one) => one.environment)}::text[], ${of((one) => one.deviceId)}::text[], ${of((one) => one.profileId)}::text[],
        ${of((one) => one.sessionId)}::text[], ${of((one) => one.platform)}::text[])
      with ordinality as s (environment, device_id, profile_id, session_id, platform, number) on s.number = e.number`.execute(tx)
}

async function insertBatch(tx: Db, workspaceId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`${sql.raw(PREPARED)}
    insert into event_batches (workspace_id, id, received_at)
    values (${workspaceId}, nextval('event_batch_ids'), ${now}) returning id`.execute(tx)
  return rows[0]?.id ?? 0
}

/** Those of these ids that nobody has sent before; they are known from now on. */
export async function claimEventIds(tx: Db, workspaceId: string, ids: readonly string[], now: Date): Promise<Set<string>> {
  // In one order, so that two batches that share ids come after each other.
  const { rows } = await sql<{ id: string }>`${sql.raw(PREPARED)}
    insert into event_ids (workspace_id, id, received_at)
    select ${workspaceId}::text, id, ${now}::timestamptz from unnest(${ids.toSorted()}::uuid[]) as id
    on conflict do nothing returning id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
