// TEMPORARY stand-in so that POST /identify runs; the owner of this module replaces the whole file.
import type { Db } from '../../db/open.ts'
export async function linkToken(db: Db, workspaceId: string, deviceId: string, profileId: string | null): Promise<void> {
  await db
    .updateTable('push_registrations')
    .set({ profile_id: profileId })
    .where('workspace_id', '=', workspaceId)
    .where('device_id', '=', deviceId)
    .execute()
}
export async function removeToken(tx: Db, workspaceId: string, deviceId: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('push_registrations')
    .where('workspace_id', '=', workspaceId)
    .where('device_id', '=', deviceId)
    .executeTakeFirst()
  return result.numDeletedRows > 0
}
