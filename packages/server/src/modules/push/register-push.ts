import { LIMITS } from '@contentflow/core/limits.ts'
import { DEFAULT_PUSH_PROVIDER, PUSH_PROVIDERS, type PushProvider } from '@contentflow/core/push/providers.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { ApiError, fail, failWith } from '../../errors.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import { lockPushToken } from '../../db/locks.ts'
import type { Change } from '../../infra/change.ts'
import { hashSecret } from '../../infra/secrets/crypto.ts'
import { isWriteConflict } from '../../infra/unavailable.ts'
import {
  byApp,
  isLive,
  lockOwnDevice,
  lockProfile,
  findProfile,
  requireUser,
  updateDevice,
  writePeople,
  type DeviceRow,
  type ProfileRow,
} from '../people/index.ts'
import { insertNewDevice, listNewDevices, lockRegistrations, removeToken, saveRegistration } from './queries.ts'

const PLATFORMS = ['ios', 'android', 'web'] as const
type Platform = (typeof PLATFORMS)[number]

/** A checked POST /register-push. */
export type Registration = {
  token: string
  platform: Platform
  provider: PushProvider
  hmsAppId: string | null
  userId: string | undefined
}
export type LinkageStatus = 'identified' | 'anonymous'

/** C-PUSH-02 to C-PUSH-06, in the order of G-28. */
export function readRegistration(body: Record<string, unknown>): Registration {
  const { token, platform, provider = null, hmsConfig, userId = null } = body
  if (typeof token !== 'string' || token.trim() === '') failWith(400, 'token is required')
  if (token.length > LIMITS.pushTokenLength) failWith(400, `token must have at most ${LIMITS.pushTokenLength} characters`)
  if (!isOneOf(PLATFORMS, platform)) fail('INVALID_PUSH_PLATFORM')
  if (provider !== null && !isOneOf(PUSH_PROVIDERS, provider)) fail('INVALID_PUSH_PROVIDER')
  const chosen = provider ?? DEFAULT_PUSH_PROVIDER[platform]
  const hmsAppId = chosen === 'hms' ? readAppId(hmsConfig) : null
  if (userId !== null && (typeof userId !== 'string' || userId === '' || userId.length > LIMITS.userIdLength))
    failWith(400, `userId must be a string of 1 to ${LIMITS.userIdLength} characters`)
  return { token, platform, provider: chosen, hmsAppId, userId: userId ?? undefined }
}

function readAppId(hmsConfig: unknown): string {
  const appId = typeof hmsConfig === 'object' && hmsConfig !== null ? (hmsConfig as Record<string, unknown>)['appId'] : undefined
  if (typeof appId !== 'string' || appId.trim() === '' || appId.length > LIMITS.hmsAppIdLength)
    failWith(400, `hmsConfig.appId is required for provider hms, with at most ${LIMITS.hmsAppIdLength} characters`)
  return appId
}

function isOneOf<T extends string>(choices: readonly T[], value: unknown): value is T {
  return (choices as readonly unknown[]).includes(value)
}

/**
 * C-PUSH: the token belongs to this device from now on, and reaches its person. Undefined when that could not be
 * written: nothing is stored then, and a repeat does it all (C-PUSH-15).
 */
export async function registerPush(
  ctx: Context,
  caller: AppCaller,
  deviceId: string,
  registration: Registration,
): Promise<LinkageStatus | undefined> {
  try {
    const asked = { workspaceId: caller.workspaceId, deviceId, what: `push ${caller.environment} ${registration.userId ?? ''}` }
    const register = (change: Change) => registerOnce(ctx, change, caller, deviceId, registration)
    return await ctx.refusals(asked, () => writePeople(ctx, byApp(caller), register))
  } catch (error) {
    if (!(error instanceof NotWritten) && !isWriteConflict(error)) throw error
    ctx.log.warn({ err: error, workspaceId: caller.workspaceId }, 'a push token could not be stored')
    return undefined
  }
}

/** Locks token, device, person, then registrations; every other writer of them keeps to this order. */
async function registerOnce(
  ctx: Context,
  { tx, now }: Change,
  caller: AppCaller,
  deviceId: string,
  registration: Registration,
): Promise<LinkageStatus> {
  const { workspaceId, environment } = caller
  const tokenHash = hashSecret(registration.token)
  await lockPushToken(tx, workspaceId, environment, tokenHash)
  const device = await lockOwnDevice(tx, caller, deviceId, now)
  const profile = device.profile_id === null ? undefined : await findProfile(tx, workspaceId, device.profile_id)
  if (registration.userId !== undefined) requireUser({ device, profile }, registration.userId, now, 'USER_ID_DEVICE_MISMATCH')

  const user = profile && (await lockProfile(tx, workspaceId, profile.id))
  const held = await lockRegistrations(tx, workspaceId, environment, deviceId, tokenHash)
  const own = held.find((row) => row.device_id === deviceId)
  const owner = user && ownerOf(device, profile, own?.profile_id ?? null, now)
  if (owner && user.user_id !== null && own?.profile_id !== owner.id) await admitNewDevice(tx, workspaceId, owner.id, deviceId, now)

  await write(async () => {
    ctx.faults.check('profile_write')
    for (const row of held) if (row.device_id !== deviceId) await removeToken(tx, workspaceId, row.device_id)
    await saveRegistration(tx, {
      workspace_id: workspaceId,
      device_id: deviceId,
      environment,
      token: registration.token,
      token_hash: tokenHash,
      platform: registration.platform,
      provider: registration.provider,
      hms_app_id: registration.hmsAppId,
      profile_id: owner?.id ?? null,
      registered_at: now,
    })
    // An identify that read the device before this token came reads it again, and takes the token along.
    await updateDevice(tx, workspaceId, deviceId, {})
  })
  return owner && user.user_id !== null ? 'identified' : 'anonymous'
}

/** Whom the token reaches. Once the record has lapsed, only a person it reached already (C-LIMIT-15). */
function ownerOf(device: DeviceRow, profile: ProfileRow | undefined, reached: string | null, now: Date): ProfileRow | undefined {
  return isLive(device, now) || reached === device.profile_id ? profile : undefined
}

/** C-PUSH-16 to C-PUSH-18: a device that registered for this person within the day is not new. */
async function admitNewDevice(tx: Db, workspaceId: string, profileId: string, deviceId: string, now: Date): Promise<void> {
  const recent = await listNewDevices(tx, workspaceId, profileId, new Date(now.getTime() - DAY_MS))
  if (recent.some((action) => action.device_id === deviceId)) return
  const blocking = recent.at(-LIMITS.newPushDevicesPerDay)
  if (recent.length >= LIMITS.newPushDevicesPerDay && blocking) {
    const waitMs = blocking.at.getTime() + DAY_MS - now.getTime()
    fail('USER_RATE_LIMITED', {
      retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
      message: `A user can add ${LIMITS.newPushDevicesPerDay} push devices in 24 hours`,
    })
  }
  await insertNewDevice(tx, workspaceId, profileId, deviceId, now)
}

class NotWritten extends Error {}

async function write(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ApiError || isWriteConflict(error)) throw error
    throw new NotWritten('the registration could not be written', { cause: error })
  }
}
