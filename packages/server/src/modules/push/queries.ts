import { sql, type Insertable, type Selectable } from 'kysely'
import type { PreferenceChange } from '@contentflow/core/push/preferences.ts'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Db } from '../../db/open.ts'
import type { PushRegistrations } from '../../db/schema.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { patchProfile } from '../people/index.ts'

export type RegistrationRow = Selectable<PushRegistrations>

// --- registrations ---

/**
 * The registration of the device, and that of whoever holds the token now; locked in one order, so that devices
 * that exchange tokens wait for each other instead of dead-locking.
 */
export async function lockRegistrations(
  tx: Db,
  workspaceId: string,
  environment: Environment,
  deviceId: string,
  tokenHash: string,
): Promise<RegistrationRow[]> {
  return tx
    .selectFrom('push_registrations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(({ or, and, eb }) =>
      or([eb('device_id', '=', deviceId), and([eb('environment', '=', environment), eb('token_hash', '=', tokenHash)])]),
    )
    .orderBy('device_id')
    .forUpdate()
    .execute()
}

/** Makes the registration, or replaces that of the device. */
export async function saveRegistration(tx: Db, row: Insertable<PushRegistrations>): Promise<void> {
  const { workspace_id, device_id, ...change } = row
  await tx
    .insertInto('push_registrations')
    .values({ workspace_id, device_id, ...change })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'device_id']).doUpdateSet(change))
    .execute()
}

/** C-PUSH-19: the token goes, consent stays. False when there was none. */
export async function removeToken(tx: Db, workspaceId: string, deviceId: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('push_registrations')
    .where('workspace_id', '=', workspaceId)
    .where('device_id', '=', deviceId)
    .executeTakeFirst()
  return result.numDeletedRows > 0
}

/**
 * C-PUSH-11, C-PUSH-12: the token of the device becomes one of the person; with null it stays on the device alone.
 * Does nothing once the device is another person's, so that a late call does not undo a newer one. A token that
 * was registered in the other environment belongs to another build of the app and goes.
 */
export async function linkToken(db: Db, workspaceId: string, deviceId: string, profileId: string | null): Promise<void> {
  await sql`
    with device as materialized (
      select environment from devices where workspace_id = ${workspaceId} and device_id = ${deviceId}
        and (${profileId}::text is null or profile_id = ${profileId}::text)),
    strays as (
      delete from push_registrations using device
        where workspace_id = ${workspaceId} and device_id = ${deviceId} and push_registrations.environment <> device.environment)
    update push_registrations set profile_id = ${profileId} from device
      where workspace_id = ${workspaceId} and device_id = ${deviceId} and push_registrations.environment = device.environment`.execute(db)
}

/** C-PUSH-25, C-LIMIT-14: where a push to this person goes, newest registration first. */
export async function listPushTargets(db: Db, workspaceId: string, profileId: string): Promise<RegistrationRow[]> {
  return db
    .selectFrom('push_registrations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', profileId)
    .orderBy('registered_at', 'desc')
    .orderBy('device_id')
    .limit(LIMITS.pushInstalls)
    .execute()
}

// --- the person a token sits on ---

/** New push devices of the person since `since`, oldest first (C-LIMIT-09). */
export async function listNewDevices(
  tx: Db,
  workspaceId: string,
  profileId: string,
  since: Date,
): Promise<{ device_id: string; at: Date }[]> {
  return tx
    .selectFrom('person_actions')
    .select(['device_id', 'at'])
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', profileId)
    .where('kind', '=', 'push_device')
    .where('at', '>', since)
    .orderBy('at')
    .execute()
}

export async function insertNewDevice(tx: Db, workspaceId: string, profileId: string, deviceId: string, at: Date): Promise<void> {
  await tx
    .insertInto('person_actions')
    .values({ workspace_id: workspaceId, profile_id: profileId, kind: 'push_device', device_id: deviceId, at })
    .execute()
}

/** C-PUSH-22: in one statement, so that two changes at once both hold. Undefined when the person is gone. */
export async function changePreferences(
  db: Db,
  workspaceId: string,
  profileId: string,
  { set, cleared }: PreferenceChange,
  now: Date,
): Promise<JsonObject | undefined> {
  const push_preferences = sql<string>`(push_preferences || ${JSON.stringify(set)}::jsonb) - ${cleared}::text[]`
  const row = await patchProfile(db, workspaceId, profileId, { push_preferences, updated_at: now })
  return row && (row.push_preferences as JsonObject)
}
