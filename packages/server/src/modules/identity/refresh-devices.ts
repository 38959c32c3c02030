import type { Histories } from '@contentflow/core/behaviour/history.ts'
import type { Context } from '../../context.ts'
import { subjectOf, type DeviceRow, type ProfileRow } from '../people/index.ts'
import { blockPathSegments, catalogOf, historiesFor, type SegmentCatalog } from '../segments/index.ts'
import { listManual, listProfiles, listTargeted, updateSegments, type Refreshed } from './queries-refresh.ts'

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
  const histories = await historiesFor(ctx.db, workspaceId, catalog, profileIds)
  const read = { devices, profiles, manual, histories, now: now.getTime() }
  const changed = await ctx.timeSlicer.run(workspaceId, decide(catalog, read))
  if (changed.length > 0) await updateSegments(ctx.db, workspaceId, changed, now)
}

type Read = {
  devices: readonly DeviceRow[]
  profiles: ReadonlyMap<string, ProfileRow>
  manual: ReadonlyMap<string, ReadonlySet<string>>
  histories: ReadonlyMap<string, Histories>
  now: number
}

/** Those of which it is not as it was. */
function* decide(catalog: SegmentCatalog, { devices, profiles, manual, histories, now }: Read): Generator<undefined, Refreshed[]> {
  const changed: Refreshed[] = []
  for (const device of devices) {
    const profile = profiles.get(device.profile_id ?? '')
    if (!profile) continue
    const subject = subjectOf(profile, now, device, histories.get(profile.id))
    const wasMember = ({ name }: { name: string }) => device.segments.includes(name)
    const segments = yield* blockPathSegments(catalog, { subject, manual: manual.get(profile.id) ?? NONE, now, wasMember })
    const isSame = segments.length === device.segments.length && segments.every((name, i) => name === device.segments[i])
    if (!isSame) changed.push({ device_id: device.device_id, revision: device.revision, segments })
    yield
  }
  return changed
}

const NONE: ReadonlySet<string> = new Set()
