/** What a background evaluation of many devices of one workspace reads and writes. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { DeviceRow, ProfileRow } from '../people/index.ts'

/** Those of the devices that may be sent targeted content. */
export async function listTargeted(db: Db, workspaceId: string, deviceIds: readonly string[], now: Date): Promise<DeviceRow[]> {
  return db
    .selectFrom('devices')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`device_id = any(${[...deviceIds]}::text[])`)
    .where('consent', '=', 'granted')
    .where('profile_id', 'is not', null)
    .where('expires_at', '>', now)
    .execute()
}

/** By id. */
export async function listProfiles(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, ProfileRow>> {
  const rows = await db
    .selectFrom('profiles')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Ids of the segments that people were added to by hand, by the id of the person; nobody else is in it. */
export async function listManual(db: Db, workspaceId: string, profileIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const rows = await db
    .selectFrom('segment_members')
    .select(['profile_id', 'segment_id'])
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`profile_id = any(${[...profileIds]}::text[])`)
    .where('is_manual', '=', true)
    .execute()
  const byProfile = new Map<string, Set<string>>()
  for (const { profile_id, segment_id } of rows) {
    const known = byProfile.get(profile_id)
    if (known) known.add(segment_id)
    else byProfile.set(profile_id, new Set([segment_id]))
  }
  return byProfile
}

/** `revision` is the one that was read. */
export type Refreshed = Pick<DeviceRow, 'device_id' | 'revision' | 'segments'>

/** Leaves out devices that changed since they were read, and those that somebody is writing now: these are decided about there. */
export async function updateSegments(db: Db, workspaceId: string, changed: readonly Refreshed[], now: Date): Promise<void> {
  await sql`
    with free as materialized (
      select device_id from devices where workspace_id = ${workspaceId} and device_id = any(${changed.map(({ device_id }) => device_id)}::text[])
      for no key update skip locked)
    update devices set segments = item.segments, evaluated_at = ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as item (device_id text, revision bigint, segments text[])
      join free on free.device_id = item.device_id
    where devices.workspace_id = ${workspaceId} and devices.device_id = item.device_id and devices.revision = item.revision`.execute(db)
}
