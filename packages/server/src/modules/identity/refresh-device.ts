import type { Context } from '../../context.ts'
import { findDevice, findProfile, isLive, subjectOf } from '../people/index.ts'
import { blockPathSegments, catalogOf, listManualSegments } from '../segments/index.ts'
import { updateSegments } from './queries.ts'

/** C-SYNC-24: works the device's snapshot of segments out again; delivery asks for it at most once a minute. */
export async function refreshDevice(ctx: Context, workspaceId: string, deviceId: string): Promise<void> {
  const device = await findDevice(ctx.db, workspaceId, deviceId)
  const now = ctx.clock.now()
  if (!device || device.profile_id === null || device.consent !== 'granted' || !isLive(device, now)) return
  const profile = await findProfile(ctx.db, workspaceId, device.profile_id)
  if (!profile) return
  const manual = new Set(await listManualSegments(ctx.db, workspaceId, profile.id))
  const catalog = await catalogOf(ctx, workspaceId)
  const segments = blockPathSegments(catalog, subjectOf(profile, now.getTime(), device), manual, now.getTime())
  const isSame = segments.length === device.segments.length && segments.every((name, index) => name === device.segments[index])
  if (!isSame) await updateSegments(ctx.db, device, segments, now)
}
