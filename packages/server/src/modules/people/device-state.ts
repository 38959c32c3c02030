import { LIMITS } from '@contentflow/core/limits.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import { hashSubject } from './ledger.ts'
import {
  findDevice,
  findProfile,
  findSubjectSalt,
  insertDevice,
  listErased,
  lockDevice,
  lockProfile,
  updateDevice,
  type DeviceRow,
  type ProfileRow,
} from './queries.ts'

/** A device record as a client write finds it; members are undefined for a device that is new or has lapsed. */
export type DeviceState = { device: DeviceRow | undefined; profile: ProfileRow | undefined }

/** C-DEV-02: a record lapses 24 hours after the last identify. */
export function isLive(device: DeviceRow, now: Date): boolean {
  return device.expires_at > now
}

/**
 * The device as this caller may see it. A live record of the other environment is refused; one that has
 * lapsed there counts as never seen. `isLinked`: the person stays on the record after it lapsed, for push.
 */
export async function readDeviceState(db: Db, caller: AppCaller, deviceId: string, now: Date): Promise<DeviceState> {
  const device = await findDevice(db, caller.workspaceId, deviceId)
  if (!device || !isOfEnvironment(device, caller, now)) return { device: undefined, profile: undefined }
  const profile = device.profile_id === null ? undefined : await findProfile(db, caller.workspaceId, device.profile_id)
  return { device, profile }
}

/** Reads the same inside a transaction, locking device and person in this order, so that a decision from it still holds when it is written. */
export async function lockDeviceState(tx: Db, caller: AppCaller, deviceId: string, now: Date): Promise<DeviceState> {
  const device = await lockDevice(tx, caller.workspaceId, deviceId)
  if (!device || !isOfEnvironment(device, caller, now)) return { device: undefined, profile: undefined }
  const profile = device.profile_id === null ? undefined : await lockProfile(tx, caller.workspaceId, device.profile_id)
  return { device, profile }
}

/** False for a lapsed record of the other environment; a live one is 409. */
export function isOfEnvironment(device: DeviceRow, caller: AppCaller, now: Date): boolean {
  if (device.environment === caller.environment) return true
  if (isLive(device, now)) fail('DEVICE_ENVIRONMENT_MISMATCH')
  return false
}

/**
 * Locks the record of this installation, and creates it when there is none, without any decision about consent. A record that
 * lapsed in the other environment starts anew in this one. Used by calls that store something with the device before any
 * identify.
 */
export async function lockOwnDevice(tx: Db, caller: AppCaller, deviceId: string, now: Date): Promise<DeviceRow> {
  const { workspaceId, environment } = caller
  const fresh = {
    environment,
    consent: 'unknown' as const,
    segments: [],
    first_seen_at: now,
    last_seen_at: now,
    expires_at: new Date(now.getTime() + LIMITS.deviceRecordHours * HOUR_MS),
    profile_id: null,
    linked_at: null,
    traits: '{}',
    platform: null,
    sdk_version: null,
    locale: null,
    channels: '{}',
    personal_opt_out: false,
    consent_topics: '{}',
    required_consents: '{}',
    push_topics: [],
    evaluated_at: null,
  }
  let device = await lockDevice(tx, workspaceId, deviceId)
  if (device && isOfEnvironment(device, caller, now)) return device
  if (device) await updateDevice(tx, workspaceId, deviceId, fresh)
  else await insertDevice(tx, { workspace_id: workspaceId, device_id: deviceId, ...fresh })
  device = await lockDevice(tx, workspaceId, deviceId)
  // Another call created it meanwhile, perhaps in the other environment; or it was erased again.
  return device && isOfEnvironment(device, caller, now) ? device : fail('DEVICE_STATE_CHANGED')
}

/** The user the device is signed in as; undefined when its record lapsed or nobody is linked. A denial keeps the link. */
export function signedInUser({ device, profile }: DeviceState, now: Date): string | undefined {
  return device && isLive(device, now) ? (profile?.user_id ?? undefined) : undefined
}

/** 403 unless the device is signed in as `userId`; `mismatch` is the code of the route. */
export function requireUser(
  state: DeviceState,
  userId: string,
  now: Date,
  mismatch: 'USER_MISMATCH' | 'USER_ID_DEVICE_MISMATCH',
): ProfileRow {
  const user = signedInUser(state, now)
  if (user === undefined || !state.profile) fail('DEVICE_NOT_IDENTIFIED')
  if (user !== userId) fail(mismatch)
  return state.profile
}

/** 403 unless the device is identified with consent, with or without a user. */
export function requireConsenting({ device, profile }: DeviceState, now: Date): { device: DeviceRow; profile: ProfileRow } {
  if (!device || !profile || !isLive(device, now) || device.consent !== 'granted') {
    fail('DEVICE_NOT_IDENTIFIED', { message: 'This device is not identified with consent; identify it first' })
  }
  return { device, profile }
}

/** C-ERASE-09, A-16: 409 for a write that would bring an erased person or device back. */
export async function refuseErased(db: Db, caller: AppCaller, deviceId: string, userId: string | undefined): Promise<void> {
  const salt = await findSubjectSalt(db, caller.workspaceId)
  const subjects = [hashSubject(salt, 'device', deviceId), ...(userId === undefined ? [] : [hashSubject(salt, 'user', userId)])]
  if ((await listErased(db, caller.workspaceId, caller.environment, subjects)).size > 0) fail('SUBJECT_ERASED')
}
