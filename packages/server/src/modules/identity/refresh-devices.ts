import type { Context } from '../../context.ts'
import { subjectOf } from '../people/index.ts'
import { blockPathSegments, catalogOf } from '../segments/index.ts'
import { listManual, listProfiles, listTargeted, updateSegments, type Refreshed } from './queries-refresh.ts'

/** Devices decided about before other work gets a turn. */
const SLICE = 50

/**
 * C-SYNC-24: works the devices' snapshots of segments out again, in a few statements for all of them; delivery asks for
 * each at most once a minute.
 */
export async function refreshDevices(ctx: Context, workspaceId: string, deviceIds: readonly string[]): Promise<void> {
  const now = ctx.clock.now()
  const devices = await listTargeted(ctx.db, workspaceId, deviceIds, now)
  if (devices.length === 0) return
  const profileIds = [...new Set(devices.flatMap(({ profile_id }) => profile_id ?? []))]
  const profiles = await listProfiles(ctx.db, workspaceId, profileIds)
  const manual = await listManual(ctx.db, workspaceId, profileIds)
  const catalog = await catalogOf(ctx, workspaceId)
  const changed: Refreshed[] = []
  for (const [index, device] of devices.entries()) {
    if (index % SLICE === SLICE - 1) await new Promise(setImmediate)
    const profile = profiles.get(device.profile_id ?? '')
    if (!profile) continue
    const subject = subjectOf(profile, now.getTime(), device)
    const segments = blockPathSegments(catalog, subject, manual.get(profile.id) ?? NONE, now.getTime())
    const isSame = segments.length === device.segments.length && segments.every((name, i) => name === device.segments[i])
    if (!isSame) changed.push({ device_id: device.device_id, revision: device.revision, segments })
  }
  if (changed.length > 0) await updateSegments(ctx.db, workspaceId, changed, now)
}

const NONE: ReadonlySet<string> = new Set()
