/** People and their installations, judged together: read, held, and what their snapshots of segments are from now on. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { DeviceRow, ProfileRow } from './queries.ts'

/** Installations that may be sent targeted content. */
export type PeopleWithDevices = { profiles: ProfileRow[]; devices: DeviceRow[] }

/** `isHeld`: nobody else decides about these people, and none is erased, until the transaction ends. Devices are locked before people. */
export async function readWithDevices(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
  { now, isHeld = false }: { now: Date; isHeld?: boolean },
): Promise<PeopleWithDevices> {
  const lock = isHeld ? sql`for no key update` : sql``
  const devices = await sql<DeviceRow>`
    select * from devices where workspace_id = ${workspaceId} and profile_id = any(${[...ids]}::text[])
      and consent = 'granted' and expires_at > ${now} order by device_id ${lock}`.execute(db)
  const profiles = await sql<ProfileRow>`
    select * from profiles where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[]) order by id ${lock}`.execute(db)
  return { devices: devices.rows, profiles: profiles.rows }
}

export type Snapshot = { device_id: string; segments: string[] }

/** Revisions move, so that an identify which had read what was before reads again; so do people, for whoever works a segment out meanwhile. */
export async function rewriteSnapshots(
  tx: Db,
  workspaceId: string,
  { profileIds, snapshots }: { profileIds: readonly string[]; snapshots: readonly Snapshot[] },
  now: Date,
): Promise<void> {
  await sql`
    update devices set segments = item.segments, revision = devices.revision + 1, evaluated_at = ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(snapshots)}::jsonb) as item (device_id text, segments text[])
    where devices.workspace_id = ${workspaceId} and devices.device_id = item.device_id`.execute(tx)
  await sql`update profiles set updated_at = ${now} where workspace_id = ${workspaceId} and id = any(${[...profileIds]}::text[])`.execute(
    tx,
  )
}
