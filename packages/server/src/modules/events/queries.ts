import { sql } from 'kysely'
import type { SentEvent } from '@contentflow/core/events/read-events.ts'
import { PREPARED, type Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals.ts'

export type SourceDevice = {
  workspaceId: string
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
export async function holdDevices(tx: Db, devices: readonly { workspaceId: string; deviceId: string }[]): Promise<SourceDevice[]> {
  const { rows } = await sql<SourceDevice>`${sql.raw(PREPARED)}
    select d.workspace_id as "workspaceId", d.device_id as "deviceId", d.environment, d.consent, d.expires_at as "expiresAt",
        d.profile_id as "profileId"
    from unnest(${devices.map(({ workspaceId }) => workspaceId)}::text[], ${devices.map(({ deviceId }) => deviceId)}::text[])
      as asked (workspace_id, device_id)
    join devices d on d.workspace_id = asked.workspace_id and d.device_id = asked.device_id
    order by d.workspace_id, d.device_id
    for key share of d`.execute(tx)
  return rows
}

/** Events that came in one request. */
export type Arrived = {
  workspaceId: string
  environment: Environment
  deviceId: string
  profileId: string
  sessionId: string | null
  platform: string | null
  events: SentEvent[]
}

/**
 * Writes them as one batch. The partition of the day must be there. What a request says once is sent once and joined
 * here, and a column that nobody filled is sent empty: a third faster than rows that are spelt out.
 */
export async function insertEvents(tx: Db, arrived: readonly Arrived[], now: Date): Promise<void> {
  const of = (member: (one: Arrived) => string | null) => arrived.map(member)
  const events = arrived.flatMap((one) => one.events)
  const column = <T>(member: (event: SentEvent) => T | null): (T | null)[] => {
    const values = events.map(member)
    return values.every((value) => value === null) ? [] : values
  }
  await sql`${sql.raw(PREPARED)}
    with batch as materialized (select nextval('event_batch_ids') as id),
    told as (
      insert into event_batches (workspace_id, id, received_at)
      select workspace_id, batch.id, ${now} from batch, unnest(${[...new Set(of((one) => one.workspaceId))]}::text[]) as workspace_id)
    insert into events (batch, received_at, workspace_id, environment, device_id, profile_id, session_id, platform,
      type, block_key, instance_id, campaign_id, screen, string_key, occurred_at, value, currency, fence_id, properties)
    select batch.id, ${now}, s.workspace_id, s.environment, s.device_id, s.profile_id, s.session_id, s.platform,
      e.type, e.block_key, e.instance_id, e.campaign_id, e.screen, e.string_key, e.occurred_at, e.value, e.currency, e.fence_id, e.properties
    from batch, unnest(
        ${arrived.flatMap((one, index) => one.events.map(() => index + 1))}::integer[],
        ${column(({ type }) => type)}::text[], ${column(({ blockKey }) => blockKey)}::text[],
        ${column(({ instanceId }) => instanceId)}::text[], ${column(({ campaignId }) => campaignId)}::text[],
        ${column(({ screen }) => screen)}::text[], ${column(({ stringKey }) => stringKey)}::text[],
        ${column(({ occurredAt }) => (occurredAt === null ? null : new Date(occurredAt)))}::timestamptz[],
        ${column(({ value }) => value)}::float8[], ${column(({ currency }) => currency)}::text[],
        ${column(({ fenceId }) => fenceId)}::text[],
        ${column(({ properties }) => properties && JSON.stringify(properties))}::jsonb[])
      as e (number, type, block_key, instance_id, campaign_id, screen, string_key, occurred_at, value, currency, fence_id, properties)
    join unnest(${of((one) => one.workspaceId)}::text[], ${of((one) => one.environment)}::text[], ${of((one) => one.deviceId)}::text[],
        ${of((one) => one.profileId)}::text[], ${of((one) => one.sessionId)}::text[], ${of((one) => one.platform)}::text[])
      with ordinality as s (workspace_id, environment, device_id, profile_id, session_id, platform, number) on s.number = e.number`.execute(
    tx,
  )
}

export type EventId = { workspaceId: string; id: string }

/** Those of these ids that nobody has sent before; they are known from now on. */
export async function claimEventIds(tx: Db, ids: readonly EventId[], now: Date): Promise<Set<string>> {
  // In one order, so that two batches that share ids come after each other.
  const sorted = ids.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const { rows } = await sql<{ id: string }>`${sql.raw(PREPARED)}
    insert into event_ids (workspace_id, id, received_at)
    select workspace_id, id, ${now} from unnest(${sorted.map(({ workspaceId }) => workspaceId)}::text[], ${sorted.map(({ id }) => id)}::uuid[])
      as row (workspace_id, id)
    on conflict do nothing returning id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** An event that ends a message: by its id, else the person's oldest open one, of a campaign when one is named. */
export type Ending = { workspaceId: string; profileId: string; messageId: string | null; campaignId: string | null; type: string }

/** Those of these people who have an open message. */
export async function listPeopleWithMessages(tx: Db, people: readonly { workspaceId: string; profileId: string }[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select asked.profile_id as id
    from unnest(${people.map(({ workspaceId }) => workspaceId)}::text[], ${people.map(({ profileId }) => profileId)}::text[])
      as asked (workspace_id, profile_id)
    where exists (select from in_app_messages m
      where m.workspace_id = asked.workspace_id and m.profile_id = asked.profile_id and m.ended_at is null)`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** G-33. */
export async function endMessage(tx: Db, { workspaceId, profileId, messageId, campaignId, type }: Ending, now: Date): Promise<void> {
  await sql`
    update in_app_messages set ended_at = ${now}, ended_by = ${type}
    where workspace_id = ${workspaceId} and id = (
      select id from in_app_messages
      where workspace_id = ${workspaceId} and profile_id = ${profileId} and ended_at is null
        and case when ${messageId}::text is not null then id = ${messageId}::text
          when ${campaignId}::text is not null then campaign_id = ${campaignId}::text else true end
      order by created_at, id limit 1 for update)`.execute(tx)
}
