import { sql } from 'kysely'
import type { ProofEnvironment } from '@contentflow/core/identity-proof/modes.ts'
import type { Db } from '../../../db/open.ts'

export type DeviceKey = { workspaceId: string; environment: ProofEnvironment; deviceId: string }
/** `epoch`: null while the installation has no token. `userId`: the user it is linked to, also after its record lapsed. */
export type BindingRow = { epoch: number | null; boundAt: Date | null; userId: string | null }

/** The bindings of installations of one workspace, in the order of `keys`. */
export async function listBindings(db: Db, workspaceId: string, keys: readonly DeviceKey[]): Promise<BindingRow[]> {
  const { rows } = await sql<BindingRow>`
    select b.epoch, b.bound_at as "boundAt",
      (select user_id from profiles where workspace_id = ${workspaceId} and id = (
        select profile_id from devices
        where workspace_id = ${workspaceId} and device_id = asked.device_id and environment = asked.environment)) as "userId"
    from unnest(${keys.map(({ deviceId }) => deviceId)}::text[], ${keys.map(({ environment }) => environment)}::text[])
      with ordinality as asked (device_id, environment, number)
    left join lateral (
      select epoch, bound_at from device_bindings
      where workspace_id = ${workspaceId} and device_id = asked.device_id and environment = asked.environment offset 0) b on true
    order by asked.number`.execute(db)
  return rows
}

/** False when another call bound the installation meanwhile. */
export async function insertBinding(db: Db, { workspaceId, deviceId, environment }: DeviceKey, epoch: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into device_bindings (workspace_id, device_id, environment, epoch, bound_at)
    values (${workspaceId}, ${deviceId}, ${environment}, ${epoch}, ${now}::timestamptz)
    on conflict (workspace_id, device_id, environment) do nothing returning 1`.execute(db)
  return rows.length === 1
}

/** The token of the former epoch stops working. False when another call replaced that epoch meanwhile. */
export async function replaceEpoch(
  db: Db,
  { workspaceId, deviceId, environment }: DeviceKey,
  { from, to }: { from: number; to: number },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('device_bindings')
    .set({ epoch: to, bound_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('device_id', '=', deviceId)
    .where('environment', '=', environment)
    .where('epoch', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function touchBinding(db: Db, { workspaceId, deviceId, environment }: DeviceKey, now: Date): Promise<void> {
  await db
    .updateTable('device_bindings')
    .set({ bound_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('device_id', '=', deviceId)
    .where('environment', '=', environment)
    .execute()
}

export async function listWorkspacesWithOldBindings(db: Db, before: Date): Promise<string[]> {
  const rows = await db.selectFrom('device_bindings').select('workspace_id').distinct().where('bound_at', '<', before).execute()
  return rows.map((row) => row.workspace_id)
}

export async function dropOldBindings(db: Db, workspaceId: string, before: Date): Promise<void> {
  await db.deleteFrom('device_bindings').where('workspace_id', '=', workspaceId).where('bound_at', '<', before).execute()
}
