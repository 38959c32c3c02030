import { decideChannels, type Channels } from '@contentflow/core/identity/consent/consent.ts'
import { decisionChanges, type Decisions } from '@contentflow/core/identity/consent/decisions.ts'
import { PRESETS, presetTexts } from '@contentflow/core/identity/consent/presets.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import { hashSecret } from '../../infra/secrets/crypto.ts'
import {
  appendLedger,
  askToConfirm,
  byApp,
  decisionColumns,
  decisionsOf,
  findSubjectSalt,
  isLive,
  lockOwnDevice,
  lockProfile,
  patchProfile,
  refuseErased,
  requireUser,
  subjectOfPerson,
  updateDevice,
  type ConsentOrigin,
  type DeviceRow,
  type ProfileRow,
} from '../people/index.ts'
import { findPendingErasure } from '../identity/index.ts'
import { changePeople, type PeopleChange } from '../segments/index.ts'
import { insertConsentCall, listConsentCalls, lockAnonymousProfile } from './queries.ts'
import { ANSWERS, type Decision } from './read-consent.ts'

export type ConsentInput = { deviceId: string; userId: string | null; channels: Channels; personalOptOut: boolean }

/**
 * C-CONS: the decision of the person on this device; of its anonymous person when nobody is signed in; of the
 * installation while it has neither. Device and person stay locked from the count to the write, so parallel calls
 * neither lose a decision nor pass the limit.
 */
export async function giveConsent(
  ctx: Context,
  caller: AppCaller,
  deviceId: string,
  decision: Decision,
  { source, locale }: { source: 'consent' | 'consent_full'; locale: string | undefined },
): Promise<ConsentInput> {
  const origin: ConsentOrigin = { source, keyId: caller.keyId, ...(locale && { locale }), ...presetOrigin(decision.preset, locale) }
  let decided: ProfileRow | undefined
  const give = async ({ tx, now, changed, emit }: PeopleChange) => {
    decided = undefined
    const device = await lockOwnDevice(tx, caller, deviceId, now)
    const linked =
      device.profile_id !== null && isLive(device, now) ? await lockProfile(tx, caller.workspaceId, device.profile_id) : undefined
    if (decision.userId !== undefined) requireUser({ device, profile: linked }, decision.userId, now, 'USER_MISMATCH')
    const profile = linked ?? (await lockAnonymousProfile(tx, caller, device.device_id))
    // An erased device decides anew like any other (C-CONS-11): to say no must never be refused. Unless its record is about to go.
    if (profile || (await findPendingErasure(tx, caller.workspaceId, caller.environment, { deviceId })))
      await refuseErased(tx, caller, deviceId, profile?.user_id ?? undefined)
    // What is shown inside the app depends on a flag.
    emit({ kind: 'device', workspaceId: caller.workspaceId, deviceId })
    if (!profile) return decideForDevice(tx, caller, device, decision, origin)
    changed(profile.id)
    decided = profile
    return decideForPerson({ tx, caller, device, profile, now }, decision, origin)
  }
  const asked = { workspaceId: caller.workspaceId, deviceId, what: `consent ${caller.environment} ${decision.userId ?? ''}` }
  const given = await ctx.refusals(asked, () => changePeople(ctx, byApp(caller), give))
  const { channels, personalOptOut: personal_opt_out } = given
  if (decided && caller.protections.confirmEmails) await askToConfirm(ctx, byApp(caller), { ...decided, channels, personal_opt_out })
  return given
}

/** C-CONS-12 to C-CONS-15, A-38: only calls that succeed count, and only for a user. */
async function decideForPerson(
  { tx, caller, device, profile, now }: { tx: Db; caller: AppCaller; device: DeviceRow; profile: ProfileRow; now: Date },
  decision: Decision,
  origin: ConsentOrigin,
): Promise<ConsentInput> {
  if (profile.user_id !== null) {
    const calls = await listConsentCalls(tx, caller.workspaceId, profile.id, new Date(now.getTime() - HOUR_MS))
    const oldest = calls.at(-LIMITS.consentChangesPerHour)
    if (oldest) fail('USER_RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil((oldest.getTime() + HOUR_MS - now.getTime()) / 1000)) })
    await insertConsentCall(tx, caller.workspaceId, profile.id, device.device_id, now)
  }
  const { after, changes } = decide(decisionsOf(profile), decision)
  await patchProfile(tx, caller.workspaceId, profile.id, {
    ...decisionColumns(after),
    saved_channels: after.saved === null ? null : JSON.stringify(after.saved),
    updated_at: now,
  })
  // An identify of this device that read the flags before them is done again, so that it stores no older membership.
  await updateDevice(tx, caller.workspaceId, device.device_id, {})
  const subject = subjectOfPerson(await findSubjectSalt(tx, caller.workspaceId), profile)
  await appendLedger(tx, caller, [{ subject, changes }], origin)
  return { deviceId: device.device_id, userId: profile.user_id, channels: after.channels, personalOptOut: after.personalOptOut }
}

/** C-CONS-11: kept with the installation until it has a person. */
async function decideForDevice(
  tx: Db,
  caller: AppCaller,
  device: DeviceRow,
  decision: Decision,
  origin: ConsentOrigin,
): Promise<ConsentInput> {
  const { after, changes } = decide(decisionsOf(device), decision)
  await updateDevice(tx, caller.workspaceId, device.device_id, decisionColumns(after))
  const salt = await findSubjectSalt(tx, caller.workspaceId)
  const subject = subjectOfPerson(salt, { user_id: null, device_id: device.device_id })
  await appendLedger(tx, caller, [{ subject, changes }], origin)
  return { deviceId: device.device_id, userId: null, channels: after.channels, personalOptOut: after.personalOptOut }
}

/** What the decision makes of flags and answers, and what the ledger has to say of it. */
function decide(before: Decisions, { channels, personalOptOut, topics, requiredConsents }: Decision) {
  const after: Decisions = {
    ...decideChannels(before, channels),
    personalOptOut: personalOptOut ?? before.personalOptOut,
    topics: mergeFlags('topics', before.topics, topics),
    requiredConsents: mergeFlags('requiredConsents', before.requiredConsents, requiredConsents),
  }
  return { after, changes: decisionChanges(before, after) }
}

/** Many calls with ever new ids must not grow what is stored without end; what a merge brought together may stay. */
function mergeFlags(member: string, before: Record<string, boolean>, decided: Record<string, boolean>): Record<string, boolean> {
  const after = { ...before, ...decided }
  const count = Object.keys(after).length
  if (count > ANSWERS && count > Object.keys(before).length) failWith(400, `${member} would have more than ${ANSWERS} members together`)
  return after
}

/** Which words the person was shown: the preset, its version and a hash of its texts in their language. */
function presetOrigin(name: string | undefined, locale: string | undefined): Partial<ConsentOrigin> {
  const preset = name === undefined ? undefined : PRESETS.get(name)
  if (!preset) return {}
  const texts = presetTexts(preset, locale?.toLowerCase().startsWith('ar') ? 'ar' : 'en')
  return { preset: preset.preset, presetVersion: preset.legalFramework.version, textHash: hashSecret(texts.join('\n')) }
}
