import type { CrossingType, LocationFix } from '@contentflow/core/geo/crossings.ts'
import { toPoint } from '@contentflow/core/targeting/geo.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { parseTime } from '@contentflow/core/time.ts'
import { fail, failWith } from '../../errors.ts'

/** Times are milliseconds; `altitude` metres, `speed` metres a second. */
export type LocationPoint = LocationFix & { altitude: number | null; speed: number | null }
export type ReportedCrossing = { fenceId: string; type: CrossingType; at: number }
/** A checked POST /location. Points oldest first. */
export type LocationBatch = { points: LocationPoint[]; crossings: ReportedCrossing[] }

const CROSSINGS: readonly unknown[] = ['enter', 'exit', 'dwell']

/** G-29. Shape before counts; 400 for both. */
export function readBatch(body: Record<string, unknown>, now: number): LocationBatch {
  const { points, geofenceEvents = null } = body
  if (geofenceEvents !== null && !Array.isArray(geofenceEvents)) failWith(400, 'geofenceEvents must be an array')
  // Crossings may come alone.
  if (!Array.isArray(points) && (points !== undefined || geofenceEvents === null)) failWith(400, 'points must be an array')
  const batch = {
    points: listOf(points).map((point, index) => readPoint(point, `points[${index}]`, now)),
    crossings: listOf(geofenceEvents).map((event, index) => readCrossing(event, `geofenceEvents[${index}]`, now)),
  }
  if (batch.points.length > LIMITS.locationPoints || batch.crossings.length > LIMITS.locationPoints)
    fail('MAX_BATCH_SIZE', { message: `Send at most ${LIMITS.locationPoints} points and as many crossings in one request` })
  return batch
}

/** How many things a body holds that nobody checks (C-FLAG-05). */
export function countBatch({ points, geofenceEvents }: Record<string, unknown>): number {
  return listOf(points).length + listOf(geofenceEvents).length
}

function readPoint(value: unknown, where: string, now: number): LocationPoint {
  const { latitude, longitude, lat, lng, accuracy, altitude, speed, timestamp } = membersOf(value, where)
  const point = toPoint({ latitude: (latitude ?? lat ?? null) as number, longitude: (longitude ?? lng ?? null) as number })
  if (!point) failWith(400, `${where} must have a latitude of -90 to 90 and a longitude of -180 to 180`)
  return {
    ...point,
    accuracy: readNumber(accuracy, `${where}.accuracy`),
    altitude: readNumber(altitude, `${where}.altitude`),
    speed: readNumber(speed, `${where}.speed`),
    at: readTime(timestamp, `${where}.timestamp`, now),
  }
}

function readCrossing(value: unknown, where: string, now: number): ReportedCrossing {
  const { fenceId, type, timestamp } = membersOf(value, where)
  if (typeof fenceId !== 'string' || fenceId === '') failWith(400, `${where}.fenceId must be a string`)
  if (!CROSSINGS.includes(type)) failWith(400, `${where}.type must be one of ${CROSSINGS.join(', ')}`)
  return { fenceId, type: type as CrossingType, at: readTime(timestamp, `${where}.timestamp`, now) }
}

/** ISO 8601 or milliseconds since 1970. A clock that is ahead of ours must not hold the newest position until then. */
function readTime(value: unknown, where: string, now: number): number {
  if (value === undefined || value === null) return now
  const at = typeof value === 'string' ? Date.parse(parseTime(value) ?? '') : value
  if (typeof at !== 'number' || !Number.isFinite(at) || at < 0)
    failWith(400, `${where} must be an ISO 8601 time or milliseconds since 1970`)
  return Math.min(Math.trunc(at), now)
}

function readNumber(value: unknown, where: string): number | null {
  if (value === undefined || value === null) return null
  return typeof value === 'number' && Number.isFinite(value) ? value : failWith(400, `${where} must be a number`)
}

function membersOf(value: unknown, where: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  return failWith(400, `${where} must be an object`)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
