import {
  planCrossings,
  SAME_CROSSING_MS,
  type Crossing,
  type CrossingPlan,
  type Fence,
  type LocationFix,
} from '@contentflow/core/geo/crossings.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { byApp, isLive, lockDeviceState, patchProfile, type DeviceState } from '../people/index.ts'
import { changePeople, type PeopleChange } from '../segments/index.ts'
import * as queries from './queries.ts'
import type { Position, Tracked } from './queries.ts'
import type { LocationBatch, LocationPoint, ReportedCrossing } from './read-batch.ts'

/** G-29. `dropped` counts points and crossings that were not kept, `geofenceEvents` the reported crossings that were. */
export type TrackedLocations = { accepted: number; dropped: number; geofenceEvents: number }
export type Refused = 'LOCATION_CONSENT_REQUIRED' | 'DEVICE_NOT_IDENTIFIED'

/** C-LOC: stores where the person is, and which fences they crossed. */
export async function trackLocation(
  ctx: Context,
  caller: AppCaller,
  deviceId: string,
  batch: LocationBatch,
): Promise<TrackedLocations | Refused> {
  return changePeople(ctx, byApp(caller), (change) => storeBatch(ctx, change, caller, deviceId, batch))
}

/** Requests of one person come after each other, so that a crossing that two of them notice is one event. */
async function storeBatch(
  ctx: Context,
  { tx, now, changed }: PeopleChange,
  caller: AppCaller,
  deviceId: string,
  batch: LocationBatch,
): Promise<TrackedLocations | Refused> {
  const state = await lockDeviceState(tx, caller, deviceId, now)
  const refused = refusalOf(state, now)
  if (refused || !state.profile) return refused ?? 'DEVICE_NOT_IDENTIFIED'
  const tracked: Tracked = {
    workspaceId: caller.workspaceId,
    environment: caller.environment,
    profileId: state.profile.id,
    deviceId,
  }
  const dropped = caller.features.geofences ? await storeCrossings(ctx, tx, tracked, batch) : batch.crossings.length
  await storePoints(ctx, tx, tracked, batch.points)
  const newest = newestPosition(batch.points, state.profile.current_location as Position | null)
  if (newest) {
    await patchProfile(tx, tracked.workspaceId, tracked.profileId, { current_location: JSON.stringify(newest), updated_at: now })
    changed(tracked.profileId)
  }
  return { accepted: batch.points.length, dropped, geofenceEvents: batch.crossings.length - dropped }
}

/** C-LOC-04 to C-LOC-06: consent was refused, or nobody is known. */
function refusalOf({ device, profile }: DeviceState, now: Date): Refused | undefined {
  if (!device || !isLive(device, now)) return 'DEVICE_NOT_IDENTIFIED'
  if (device.consent === 'denied') return 'LOCATION_CONSENT_REQUIRED'
  return device.consent === 'granted' && profile ? undefined : 'DEVICE_NOT_IDENTIFIED'
}

/** C-LOC-03: the last of the batch, unless the person's newest is newer still. */
function newestPosition(points: readonly LocationPoint[], held: Position | null): Position | undefined {
  const last = points.at(-1)
  if (!last || (held && Date.parse(held.at) > last.at)) return undefined
  return { latitude: last.latitude, longitude: last.longitude, at: new Date(last.at).toISOString() }
}

async function storePoints(ctx: Context, tx: Db, tracked: Tracked, points: readonly LocationPoint[]): Promise<void> {
  await queries.insertPoints(
    tx,
    tracked,
    points.map((point) => ({ ...point, id: uuidv7(ctx.clock.ms()), at: new Date(point.at).toISOString() })),
  )
}

/** Returns how many reports were dropped, because there is no such fence (G-67). */
async function storeCrossings(ctx: Context, tx: Db, tracked: Tracked, { points, crossings }: LocationBatch): Promise<number> {
  const inside = new Set(await queries.listPresence(tx, tracked))
  const reported = crossings.map(({ fenceId }) => fenceId)
  const fences = await queries.listFencesNear(tx, tracked.workspaceId, bandOf(points), [...inside, ...reported])
  if (fences.length === 0) return crossings.length
  const earliest = Math.min(...crossings.map(({ at }) => at), ctx.clock.ms())
  const stored = await queries.listCrossings(
    tx,
    tracked,
    fences.map(({ id }) => id),
    new Date(earliest - SAME_CROSSING_MS),
  )
  const fixes = await newFixes(tx, tracked, points)
  const plans = new Map(fences.map((fence) => [fence.id, planOf(fence, inside, stored, fixes, crossings)]))
  await dropDeleted(tx, tracked, inside, plans)
  await savePlans(ctx, tx, tracked, inside, plans)
  return reported.filter((id) => !plans.has(id)).length
}

/** Takes fences out that were deleted since they were read; those that are left stay until this is written. */
async function dropDeleted(tx: Db, { workspaceId }: Tracked, inside: ReadonlySet<string>, plans: Map<string, CrossingPlan>): Promise<void> {
  const crossed = [...plans].filter(([id, { events, isInside }]) => events.length > 0 || isInside !== inside.has(id)).map(([id]) => id)
  if (crossed.length === 0) return
  const left = new Set(await queries.lockFences(tx, workspaceId, crossed))
  for (const id of crossed) if (!left.has(id)) plans.delete(id)
}

function planOf(
  fence: Fence,
  inside: ReadonlySet<string>,
  stored: ReadonlyMap<string, Crossing[]>,
  fixes: readonly LocationFix[],
  crossings: readonly ReportedCrossing[],
): CrossingPlan {
  const reports = crossings.filter(({ fenceId }) => fenceId === fence.id).map(({ type, at }) => ({ type, at }))
  return planCrossings(fence, { isInside: inside.has(fence.id), stored: stored.get(fence.id) ?? [] }, fixes, reports)
}

async function savePlans(
  ctx: Context,
  tx: Db,
  tracked: Tracked,
  inside: ReadonlySet<string>,
  plans: ReadonlyMap<string, CrossingPlan>,
): Promise<void> {
  const all = [...plans]
  const crossings = all
    .flatMap(([fenceId, { events }]) => events.map((event) => ({ ...event, fenceId })))
    .sort((a, b) => a.at - b.at)
    .map(({ fenceId, type, source, at, reportedAt }) => ({
      id: uuidv7(ctx.clock.ms()),
      fence_id: fenceId,
      type,
      source,
      at: new Date(at).toISOString(),
      reported_at: reportedAt === undefined ? null : new Date(reportedAt).toISOString(),
    }))
  await queries.saveCrossings(tx, tracked, { crossings, claims: all.flatMap(([, { claims }]) => claims) })
  const entered = all.filter(([id, { isInside }]) => isInside && !inside.has(id)).map(([id]) => id)
  const left = all.filter(([id, { isInside }]) => !isInside && inside.has(id)).map(([id]) => id)
  await queries.savePresence(tx, tracked, { entered, left }, ctx.clock.now())
}

/** Points this device has not gone past already, by a time that never goes back: their order says more than their clock. */
async function newFixes(tx: Db, tracked: Tracked, points: readonly LocationPoint[]): Promise<LocationFix[]> {
  let at = (points.length > 0 ? await queries.findNewestFix(tx, tracked) : undefined) ?? 0
  return points.filter((point) => point.at >= at).map((point) => ({ ...point, at: (at = Math.max(at, point.at)) }))
}

function bandOf(points: readonly LocationPoint[]): { south: number; north: number } | undefined {
  if (points.length === 0) return undefined
  const latitudes = points.map(({ latitude }) => latitude)
  return { south: Math.min(...latitudes), north: Math.max(...latitudes) }
}
