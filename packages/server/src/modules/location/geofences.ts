import { toPoint } from '@contentflow/core/targeting/geo.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import type { Actor } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { requireStrictPublisher } from '../approvals/index.ts'
import * as queries from './queries.ts'
import type { FenceInput, GeofenceRow } from './queries.ts'

/** G-67. */
export async function createGeofence(ctx: Context, by: Actor, body: Record<string, unknown>): Promise<GeofenceRow> {
  const { workspaceId } = by
  const { name, latitude, longitude, radiusMeters } = readFence(body)
  if (name === undefined) failWith(400, 'name is required')
  if (latitude === undefined || longitude === undefined) failWith(400, 'latitude and longitude are required')
  if (radiusMeters === undefined) failWith(400, 'radiusMeters is required')
  return ctx.change(by, async ({ tx, now, audited }) => {
    if ((await queries.countGeofences(tx, workspaceId)) >= LIMITS.geofencesPerWorkspace) fail('GEOFENCE_LIMIT')
    const made = await queries.insertGeofence(tx, workspaceId, uuidv7(now.getTime()), { name, latitude, longitude, radiusMeters }, now)
    audited('geofence', made.id, undefined, made)
    return made
  })
}

/** Members left out stay. Whoever is inside stays so until they are seen outside. */
export async function changeGeofence(ctx: Context, by: Actor, id: string, body: Record<string, unknown>): Promise<GeofenceRow> {
  const { workspaceId } = by
  const fence = readFence(body)
  await refuseOthers(ctx, by)
  return ctx.change(by, async ({ tx, now, audited }) => {
    const before = await queries.getGeofence(tx, workspaceId, id)
    const changed = await queries.updateGeofence(tx, workspaceId, id, fence, now)
    audited('geofence', id, before, changed)
    return changed
  })
}

export async function removeGeofence(ctx: Context, by: Actor, id: string): Promise<void> {
  await refuseOthers(ctx, by)
  await ctx.change(by, async ({ tx, audited }) => {
    audited('geofence', id, await queries.getGeofence(tx, by.workspaceId, id))
    await queries.deleteGeofence(tx, by.workspaceId, id)
  })
}

/** Journeys and segments know people by the fences they cross. */
async function refuseOthers({ db: tx }: Context, { workspaceId, mayPublish = true }: Actor): Promise<void> {
  await requireStrictPublisher({ tx, workspaceId, mayPublish })
}

function readFence({ name, latitude, longitude, radiusMeters }: Record<string, unknown>): Partial<FenceInput> {
  const fence: Partial<FenceInput> = {}
  if (name !== undefined) fence.name = readName(name)
  if (latitude !== undefined) fence.latitude = readDegrees(latitude, 'latitude')
  if (longitude !== undefined) fence.longitude = readDegrees(longitude, 'longitude')
  if (radiusMeters !== undefined) fence.radiusMeters = readRadius(radiusMeters)
  return fence
}

function readName(name: unknown): string {
  if (typeof name === 'string' && name.trim() !== '' && name.length <= LIMITS.geofenceNameLength) return name
  return failWith(400, `name must be a string of 1 to ${LIMITS.geofenceNameLength} characters`)
}

function readDegrees(value: unknown, name: 'latitude' | 'longitude'): number {
  const point = toPoint({ latitude: 0, longitude: 0, [name]: value as number })
  return point?.[name] ?? failWith(400, `${name} must be a number of degrees`)
}

function readRadius(radius: unknown): number {
  const { min, max } = LIMITS.geofenceRadiusMeters
  if (typeof radius === 'number' && radius >= min && radius <= max) return radius
  return failWith(400, `radiusMeters must be a number from ${min} to ${max}`)
}
