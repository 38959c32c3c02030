/** What a background evaluation of many devices of one workspace reads and writes. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { DeviceRow, ProfileRow } from '../people/index.ts'

/** Those of the devices that may be sent targeted content. */
export async function listTargeted(db: Db, workspaceId: string, deviceIds: readonly string[], now: Date): Promise<DeviceRow[]> {
  const { rows } = await sql<DeviceRow>`
    select d.* from unnest(${[...deviceIds]}::text[]) as asked (device_id)
    cross join lateral (select * from devices where workspace_id = ${workspaceId} and device_id = asked.device_id offset 0) d
    where d.consent = 'granted' and d.profile_id is not null and d.expires_at > ${now}`.execute(db)
  return rows
}

/** By id. */
export async function listProfiles(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, ProfileRow>> {
  const { rows } = await sql<ProfileRow>`
    select p.* from unnest(${[...ids]}::text[]) as asked (id)
    cross join lateral (select * from profiles where workspace_id = ${workspaceId} and id = asked.id offset 0) p`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Ids of the segments that people were added to by hand, by the id of the person; nobody else is in it. */
export async function listManual(db: Db, workspaceId: string, profileIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ profile_id: string; segment_id: string }>`
    select asked.id as profile_id, m.segment_id from unnest(${[...profileIds]}::text[]) as asked (id)
    cross join lateral (
      select segment_id from segment_members where workspace_id = ${workspaceId} and profile_id = asked.id and is_manual offset 0) m`.execute(
    db,
  )
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
      select item.* from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as item (device_id text, revision bigint, segments text[])
      cross join lateral (
        select revision from devices where workspace_id = ${workspaceId} and device_id = item.device_id
        for no key update skip locked) d
      where d.revision = item.revision)
    update devices set segments = free.segments, evaluated_at = ${now}::timestamptz from free
    where devices.workspace_id = ${workspaceId} and devices.device_id = free.device_id and devices.revision = free.revision`.execute(db)
}
