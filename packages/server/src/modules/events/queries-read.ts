/** What one device or person did lately: by the index of the device or person, in the days asked for only. */
import { sql, type RawBuilder } from 'kysely'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { NO_DEVICE } from '@contentflow/core/events/read-events.ts'
import { cursorOf, cursorParts, pageFrom, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../db/open.ts'
import { readPage } from '../../db/pages.ts'
import type { Environment } from '../../infra/signals/signals.ts'

export type StoredEvent = {
  /** Where the row lies in its day, which it never leaves. */
  place: string
  at: Date
  type: string
  /** null: the server told it. */
  deviceId: string | null
  blockKey: string | null
  instanceId: string | null
  campaignId: string | null
  screen: string | null
  stringKey: string | null
  sessionId: string | null
  platform: string | null
  occurredAt: Date | null
  value: number | null
  currency: string | null
  fenceId: string | null
  properties: JsonObject | null
}

export type EventOwner = { workspaceId: string; environment: Environment } & ({ deviceId: string } | { profileIds: readonly string[] })

/** Newest first; those that arrived together in the order they were written, last first. */
export async function pageEvents(
  db: Db,
  source: EventOwner,
  { since, type, before, limit }: { since: Date; type?: string | undefined; before: string | undefined; limit: number },
): Promise<Paged<StoredEvent>> {
  const isOfType = type === undefined ? sql`` : sql`and type = ${type}`
  const all = sql`${whereOwner(source)} and received_at >= ${since} ${isOfType}`
  // The first condition is for the planner, which leaves later days out by it.
  const [at, place] = before === undefined ? [] : (cursorParts(before) as [string, string])
  const isBehind =
    at === undefined ? sql`` : sql`and received_at <= ${at}::timestamptz and (received_at, ctid) < (${at}::timestamptz, ${place}::tid)`
  const page = sql<StoredEvent & { bytes: number }>`
    select coalesce(octet_length(properties::text), 0) as bytes, ctid::text as place, received_at as at, type, nullif(device_id, ${NO_DEVICE}) as "deviceId", block_key as "blockKey", instance_id as "instanceId",
      campaign_id as "campaignId", screen, string_key as "stringKey", session_id as "sessionId", platform, occurred_at as "occurredAt",
      value, currency, fence_id as "fenceId", properties
    from events where ${all} ${isBehind} order by received_at desc, ctid desc limit ${limit + 1}`
  const { rows, isLast } = await readPage(db, page, limit)
  const events = rows.map(({ bytes: _bytes, ...event }) => event)
  const counted = await sql<{ total: number }>`select count(*) as total from events where ${all}`.execute(db)
  return pageFrom({ rows: events, isLast }, counted.rows[0]?.total ?? 0, (last) => cursorOf(last.at.toISOString(), last.place))
}

/** Events of the workspace among which those of one type are looked for: newest first, by the index of batches. */
const LOOKED_THROUGH = 10_000

/** The newest events of the workspace since `since`, or of one type among its newest ones. */
export async function listNewest(
  db: Db,
  { workspaceId, environment }: { workspaceId: string; environment: Environment },
  { since, type, limit }: { since: Date; type: string | undefined; limit: number },
): Promise<StoredEvent[]> {
  const isAsked = type === undefined ? sql`` : sql`and type = ${type}`
  const { rows } = await sql<StoredEvent>`
    select tid as place, received_at as at, type, nullif(device_id, ${NO_DEVICE}) as "deviceId", block_key as "blockKey", instance_id as "instanceId",
      campaign_id as "campaignId", screen, string_key as "stringKey", session_id as "sessionId", platform, occurred_at as "occurredAt",
      value, currency, fence_id as "fenceId", properties
    from (
      select *, ctid::text as tid from events where workspace_id = ${workspaceId} and received_at >= ${since}
      order by batch desc limit ${LOOKED_THROUGH}) as newest
    where environment = ${environment} ${isAsked} order by received_at desc, tid desc limit ${limit}`.execute(db)
  return rows
}

function whereOwner(source: EventOwner): RawBuilder<unknown> {
  const who = 'deviceId' in source ? sql`device_id = ${source.deviceId}` : sql`profile_id = any(${[...source.profileIds]}::text[])`
  return sql`workspace_id = ${source.workspaceId} and environment = ${source.environment} and ${who}`
}

/** The person and the anonymous people they were before; events still name those. */
export async function listIdsOf(db: Db, workspaceId: string, profileId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('absorbed_profiles')
    .select('profile_id')
    .where('workspace_id', '=', workspaceId)
    .where('into_id', '=', profileId)
    .execute()
  return [profileId, ...rows.map((row) => row.profile_id)]
}

/** `1780000000000-12-3` is the third row of the twelfth page of its day's table. */
export function idOf({ at, place }: { at: Date; place: string }): string {
  return `${at.getTime()}-${place.slice(1, -1).replace(',', '-')}`
}
