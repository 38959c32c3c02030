/** Device records written straight into the database: what delivery reads of an installation. */
import type { Context } from '../../src/context.ts'

export type DeviceInput = {
  consent?: 'granted' | 'denied' | 'unknown'
  segments?: string[]
  environment?: 'live' | 'test'
  /** Seconds from now until the record lapses. */
  livesSeconds?: number
}

/** Must run before the device's first read, because delivery holds what it read for a minute. Returns the id. */
export async function insertDevice(
  ctx: Context,
  workspaceId: string,
  deviceId: string,
  { consent = 'granted', segments = [], environment = 'live', livesSeconds = 86_400 }: DeviceInput = {},
): Promise<string> {
  const now = ctx.clock.now()
  await ctx.db
    .insertInto('devices')
    .values({
      workspace_id: workspaceId,
      device_id: deviceId,
      environment,
      consent,
      segments,
      first_seen_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + livesSeconds * 1000),
    })
    .execute()
  return deviceId
}
