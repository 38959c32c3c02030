import type { Context } from '../../context.ts'
import { listDeviceIds } from './queries.ts'

/**
 * The installations of more people than this find it out within a minute, as what is known of them is read again
 * (C-LIMIT-16): until then they are served from memory, whatever the database does.
 */
export const FEW_PEOPLE = 20

/** What holds for these people changed: what their installations are sent next is decided anew. */
export async function notifyDevices({ db, signals }: Context, workspaceId: string, profileIds: readonly string[]): Promise<void> {
  if (profileIds.length === 0 || profileIds.length > FEW_PEOPLE) return
  const deviceIds = await listDeviceIds(db, workspaceId, profileIds)
  await Promise.all(deviceIds.map((deviceId) => signals.announce({ kind: 'device', workspaceId, deviceId })))
}
