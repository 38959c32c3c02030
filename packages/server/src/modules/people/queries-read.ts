import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals.ts'
import type { DeviceRow, ProfileRow } from './queries.ts'

/** A device with its user and with what is known of its push token; never the token. */
export type DeviceWithPush = DeviceRow & { user_id: string | null; push_platform: string | null; push_provider: string | null }

function devices(db: Db, workspaceId: string) {
  return db
    .selectFrom('devices')
    .leftJoin('profiles', (join) =>
      join.onRef('profiles.workspace_id', '=', 'devices.workspace_id').onRef('profiles.id', '=', 'devices.profile_id'),
    )
    .leftJoin('push_registrations', (join) =>
      join
        .onRef('push_registrations.workspace_id', '=', 'devices.workspace_id')
        .onRef('push_registrations.device_id', '=', 'devices.device_id'),
    )
    .selectAll('devices')
    .select(['profiles.user_id', 'push_registrations.platform as push_platform', 'push_registrations.provider as push_provider'])
    .where('devices.workspace_id', '=', workspaceId)
}

export async function findDeviceWithPush(
  db: Db,
  workspaceId: string,
  environment: Environment,
  deviceId: string,
): Promise<DeviceWithPush | undefined> {
  return devices(db, workspaceId)
    .where('devices.environment', '=', environment)
    .where('devices.device_id', '=', deviceId)
    .executeTakeFirst()
}

/** Newest first. */
export async function listDevicesWithPush(db: Db, workspaceId: string, profileId: string): Promise<DeviceWithPush[]> {
  return devices(db, workspaceId)
    .where('devices.profile_id', '=', profileId)
    .orderBy('devices.last_seen_at', 'desc')
    .orderBy('devices.device_id')
    .execute()
}

export type PersonRow = Pick<ProfileRow, 'id' | 'user_id' | 'device_id' | 'name' | 'email' | 'last_seen_at' | 'created_at'>

/** People whose user id, device id, email or name begins so; in the order they came, newest first. */
export async function pagePeople(
  db: Db,
  workspaceId: string,
  environment: Environment,
  { search, before, limit }: { search: string | undefined; before: string | undefined; limit: number },
): Promise<{ items: PersonRow[]; next: string | null; total: number }> {
  const all = db
    .selectFrom('profiles')
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .$if(search !== undefined, (query) =>
      query.where(({ or }) =>
        or(
          [sql`user_id`, sql`device_id`, sql`email`, sql`name`].map(
            (column) => sql<boolean>`starts_with(lower(${column}), ${(search ?? '').toLowerCase()})`,
          ),
        ),
      ),
    )
  const rows = await all
    .select(['id', 'user_id', 'device_id', 'name', 'email', 'last_seen_at', 'created_at'])
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { total } = await all.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const items = rows.slice(0, limit)
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null, total }
}
