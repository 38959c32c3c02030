import type { Context } from '../../context.ts'
import { listDeviceIds } from './queries.ts'

/**
 * For more people than this, installations learn of it within a minute, when the data about them is read again (C-LIMIT-16):
 * until then they are served from memory, even while the database cannot be reached.
 */
export const FEW_PEOPLE = 20

/** Tells all processes that these people changed, so that they decide anew what their installations get. */
export async function notifyDevices({ db, signals }: Context, workspaceId: string, profileIds: readonly string[]): Promise<void> {
  if (profileIds.length === 0 || profileIds.length > FEW_PEOPLE) return
  const deviceIds = await listDeviceIds(db, workspaceId, profileIds)
  await Promise.all(deviceIds.map((deviceId) => signals.announce({ kind: 'device', workspaceId, deviceId })))
}
