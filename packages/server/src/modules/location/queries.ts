import { sql, type Selectable } from 'kysely'
import type { CrossingClaim, Crossing, Fence } from '@contentflow/core/geo/crossings.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../db/open.ts'
import type { Geofences } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'
import type { Environment } from '../../infra/signals/signals.ts'

export type GeofenceRow = Selectable<Geofences>

// --- what a device says ---

/** One installation of one person. */
export type Tracked = { workspaceId: string; environment: Environment; profileId: string; deviceId: string }
/** `at` is ISO 8601, as rules read it. */
export type Position = { latitude: number; longitude: number; at: string }

/** Time in milliseconds of the newest point this device sent. */
export async function findNewestFix(tx: Db, { workspaceId, profileId, deviceId }: Tracked): Promise<number | undefined> {
  const row = await tx
    .selectFrom('location_points')
    .select((select) => select.fn.max('at').as('at'))
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', profileId)
    .where('device_id', '=', deviceId)
    .executeTakeFirst()
  return row?.at?.getTime()
}

export type NewPoint = {
  id: string
  latitude: number
  longitude: number
  accuracy: number | null
  altitude: number | null
  speed: number | null
  at: string
}

/** Adds the points; of those of the person the newest `LIMITS.locationsKept` stay. */
export async function insertPoints(tx: Db, { workspaceId, profileId, deviceId }: Tracked, points: readonly NewPoint[]): Promise<void> {
  if (points.length === 0) return
  await sql`
    insert into location_points (workspace_id, profile_id, device_id, id, latitude, longitude, accuracy, altitude, speed, at)
    select ${workspaceId}, ${profileId}, ${deviceId}, id, latitude, longitude, accuracy, altitude, speed, at
      from jsonb_to_recordset(${JSON.stringify(points)}::jsonb) as point (id text, latitude double precision, longitude double precision,
        accuracy double precision, altitude double precision, speed double precision, at timestamptz)`.execute(tx)
  await keepNewest(tx, 'location_points', workspaceId, profileId)
}

/** Ids sort by time of arrival. */
async function keepNewest(tx: Db, table: 'location_points' | 'geofence_events', workspaceId: string, profileId: string): Promise<void> {
  await sql`
    delete from ${sql.table(table)} where workspace_id = ${workspaceId} and profile_id = ${profileId} and id <= (
      select id from ${sql.table(table)} where workspace_id = ${workspaceId} and profile_id = ${profileId}
        order by id desc offset ${LIMITS.locationsKept} limit 1)`.execute(tx)
}

// --- crossings ---

/** Fences this device is inside of. */
export async function listPresence(tx: Db, { workspaceId, profileId, deviceId }: Tracked): Promise<string[]> {
  const rows = await tx
    .selectFrom('geofence_presence')
    .select('fence_id')
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', profileId)
    .where('device_id', '=', deviceId)
    .execute()
  return rows.map((row) => row.fence_id)
}

/** Less than the length of a degree of latitude, so that the band errs on the wide side. */
const METERS_PER_DEGREE = 110_000

/** The fences of these ids, and every one that a point between two latitudes can be inside of. */
export async function listFencesNear(
  tx: Db,
  workspaceId: string,
  band: { south: number; north: number } | undefined,
  ids: readonly string[],
): Promise<Fence[]> {
  const rows = await tx
    .selectFrom('geofences')
    .select(['id', 'latitude', 'longitude', 'radius_meters as radiusMeters'])
    .where('workspace_id', '=', workspaceId)
    .where(({ or, eb }) =>
      or([
        eb('id', '=', sql<string>`any(${[...ids]}::text[])`),
        ...(band
          ? [
              sql<boolean>`latitude between ${band.south}::double precision - radius_meters / ${METERS_PER_DEGREE}
                and ${band.north}::double precision + radius_meters / ${METERS_PER_DEGREE}`,
            ]
          : []),
      ]),
    )
    .execute()
  return rows
}

/** Those of these fences that there still are; none of them can be deleted until the transaction ends. */
export async function lockFences(tx: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('geofences')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return rows.map(({ id }) => id)
}

/** Of each fence the newest enter or exit of this device, and everything from `since` on; oldest first. */
export async function listCrossings(
  tx: Db,
  { workspaceId, profileId, deviceId }: Tracked,
  fenceIds: readonly string[],
  since: Date,
): Promise<Map<string, Crossing[]>> {
  type Row = { id: string; fence_id: string; type: Crossing['type']; source: Crossing['source']; at: Date; reported_at: Date | null }
  const { rows } = await sql<Row>`
    select id, fence_id, type, source, at, reported_at from (
      select *, row_number() over (partition by fence_id, type = 'dwell' order by at desc, id desc) as place from geofence_events
        where workspace_id = ${workspaceId} and profile_id = ${profileId} and device_id = ${deviceId}
          and fence_id = any(${[...fenceIds]}::text[])) as event
      where (place = 1 and type <> 'dwell') or at >= ${since}
      order by at, id`.execute(tx)
  const byFence = new Map<string, Crossing[]>()
  for (const { id, fence_id, type, source, at, reported_at } of rows) {
    const crossings = byFence.get(fence_id) ?? []
    byFence.set(fence_id, crossings)
    crossings.push({ id, type, source, at: at.getTime(), ...(reported_at && { reportedAt: reported_at.getTime() }) })
  }
  return byFence
}

export type NewCrossing = { id: string; fence_id: string; type: string; source: string; at: string; reported_at: string | null }

/** What the server computed and the device now reports itself, becomes the device's word (C-LOC-07). */
export async function saveCrossings(
  tx: Db,
  { workspaceId, environment, profileId, deviceId }: Tracked,
  { crossings, claims }: { crossings: readonly NewCrossing[]; claims: readonly CrossingClaim[] },
): Promise<void> {
  if (claims.length > 0) {
    await sql`
      update geofence_events set source = 'device', reported_at = to_timestamp(claim."reportedAt" / 1000)
        from jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) as claim (id text, "reportedAt" double precision)
        where workspace_id = ${workspaceId} and profile_id = ${profileId} and geofence_events.id = claim.id`.execute(tx)
  }
  if (crossings.length === 0) return
  await sql`
    insert into geofence_events (workspace_id, environment, profile_id, device_id, id, fence_id, type, source, at, reported_at)
    select ${workspaceId}, ${environment}, ${profileId}, ${deviceId}, id, fence_id, type, source, at, reported_at
      from jsonb_to_recordset(${JSON.stringify(crossings)}::jsonb) as crossing (id text, fence_id text, type text, source text, at timestamptz,
        reported_at timestamptz)`.execute(tx)
  await keepNewest(tx, 'geofence_events', workspaceId, profileId)
}

export async function savePresence(
  tx: Db,
  { workspaceId, profileId, deviceId }: Tracked,
  { entered, left }: { entered: readonly string[]; left: readonly string[] },
  now: Date,
): Promise<void> {
  if (left.length > 0) {
    await tx
      .deleteFrom('geofence_presence')
      .where('workspace_id', '=', workspaceId)
      .where('profile_id', '=', profileId)
      .where('device_id', '=', deviceId)
      .where('fence_id', 'in', left)
      .execute()
  }
  if (entered.length > 0) {
    await tx
      .insertInto('geofence_presence')
      .values(
        entered.map((id) => ({ workspace_id: workspaceId, profile_id: profileId, device_id: deviceId, fence_id: id, entered_at: now })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

// --- managing fences ---

export type FenceInput = { name: string; latitude: number; longitude: number; radiusMeters: number }

/** Oldest first. */
export async function listGeofences(db: Db, workspaceId: string): Promise<GeofenceRow[]> {
  return db.selectFrom('geofences').selectAll().where('workspace_id', '=', workspaceId).orderBy('id').execute()
}

/** Oldest first; `after` is an id. */
export async function pageGeofences(
  db: Db,
  workspaceId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Paged<GeofenceRow>> {
  let query = db.selectFrom('geofences').selectAll().where('workspace_id', '=', workspaceId)
  if (after !== undefined) query = query.where('id', '>', after)
  const rows = await query
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return paged(rows, limit, await countGeofences(db, workspaceId), ({ id }) => id)
}

export async function countGeofences(db: Db, workspaceId: string): Promise<number> {
  const { total } = await db
    .selectFrom('geofences')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return total
}

export async function getGeofence(db: Db, workspaceId: string, id: string): Promise<GeofenceRow> {
  const row = await db.selectFrom('geofences').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return row ?? failWith(404, 'geofence not found')
}

export async function insertGeofence(db: Db, workspaceId: string, id: string, fence: FenceInput, now: Date): Promise<GeofenceRow> {
  const { name, latitude, longitude, radiusMeters } = fence
  return db
    .insertInto('geofences')
    .values({ workspace_id: workspaceId, id, name, latitude, longitude, radius_meters: radiusMeters, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateGeofence(
  db: Db,
  workspaceId: string,
  id: string,
  { radiusMeters, ...change }: Partial<FenceInput>,
  now: Date,
): Promise<GeofenceRow> {
  const row = await db
    .updateTable('geofences')
    .set({ ...change, ...(radiusMeters !== undefined && { radius_meters: radiusMeters }), updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row ?? failWith(404, 'geofence not found')
}

/** Its crossings go with it. */
export async function deleteGeofence(db: Db, workspaceId: string, id: string): Promise<void> {
  const result = await db.deleteFrom('geofences').where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  if (result.numDeletedRows === 0n) failWith(404, 'geofence not found')
}
