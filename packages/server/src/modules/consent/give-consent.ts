import { consentChanges, decideChannels, type Channels, type ChannelState, type ConsentChange } from '@contentflow/core/identity/consent.ts'
import { PRESETS, presetTexts } from '@contentflow/core/identity/presets.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import type { AppCaller } from '../../http/caller.ts'
import { hashSecret } from '../../infra/crypto.ts'
import {
  appendLedger,
  findSubjectSalt,
  isLive,
  lockOwnDevice,
  lockProfile,
  refuseErased,
  requireUser,
  subjectOfPerson,
  updateDevice,
  updateProfile,
  type ConsentOrigin,
  type DeviceRow,
  type ProfileRow,
} from '../people/index.ts'
import { reevaluateProfiles } from '../segments/index.ts'
import { insertConsentCall, listConsentCalls, lockAnonymousProfile } from './queries.ts'
import { ANSWERS, type Decision } from './read-consent.ts'

export type Given = { deviceId: string; userId: string | null; channels: Channels; personalOptOut: boolean }

const HOUR_MS = 3_600_000

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
  source: 'consent' | 'consent_full',
  locale: string | undefined,
): Promise<Given> {
  const origin: ConsentOrigin = { source, keyId: caller.keyId, ...(locale && { locale }), ...presetOrigin(decision.preset, locale) }
  const { given, profileId } = await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.clock.now()
    const device = await lockOwnDevice(tx, caller, deviceId, now)
    const linked =
      device.profile_id !== null && isLive(device, now) ? await lockProfile(tx, caller.workspaceId, device.profile_id) : undefined
    if (decision.userId !== undefined) requireUser({ device, profile: linked }, decision.userId, now, 'USER_MISMATCH')
    const profile = linked ?? (await lockAnonymousProfile(tx, caller, device.device_id))
    await refuseErased(tx, caller, device.device_id, profile?.user_id ?? undefined)
    const given = profile
      ? await decideForPerson(tx, caller, device, profile, decision, origin, now)
      : await decideForDevice(tx, caller, device, decision, origin)
    return { given, profileId: profile?.id }
  })
  if (profileId !== undefined) await reevaluateProfiles(ctx, caller.workspaceId, [profileId])
  return given
}

/** C-CONS-12 to C-CONS-15, A-38: only calls that succeed count, and only for a user. */
async function decideForPerson(
  tx: Db,
  caller: AppCaller,
  device: DeviceRow,
  profile: ProfileRow,
  decision: Decision,
  origin: ConsentOrigin,
  now: Date,
): Promise<Given> {
  if (profile.user_id !== null) {
    const calls = await listConsentCalls(tx, caller.workspaceId, profile.id, new Date(now.getTime() - HOUR_MS))
    const oldest = calls.at(-LIMITS.consentChangesPerHour)
    if (oldest) fail('USER_RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil((oldest.getTime() + HOUR_MS - now.getTime()) / 1000)) })
    await insertConsentCall(tx, caller.workspaceId, profile.id, device.device_id, now)
  }
  const { after, changes } = decide(
    profile,
    { channels: profile.channels as Channels, saved: profile.saved_channels as Channels | null },
    decision,
  )
  await updateProfile(tx, caller.workspaceId, profile.id, {
    channels: JSON.stringify(after.channels),
    saved_channels: after.saved === null ? null : JSON.stringify(after.saved),
    ...after.answers,
    updated_at: now,
  })
  // An identify of this device that read the flags before them is done again, so that it stores no older membership.
  await updateDevice(tx, caller.workspaceId, device.device_id, {})
  const subject = subjectOfPerson(await findSubjectSalt(tx, caller.workspaceId), profile)
  await appendLedger(tx, caller, [{ subject, changes }], origin)
  return { deviceId: device.device_id, userId: profile.user_id, channels: after.channels, personalOptOut: after.answers.personal_opt_out }
}

/** C-CONS-11: kept with the installation until it has a person. */
async function decideForDevice(tx: Db, caller: AppCaller, device: DeviceRow, decision: Decision, origin: ConsentOrigin): Promise<Given> {
  const { after, changes } = decide(device, { channels: device.channels as Channels, saved: null }, decision)
  await updateDevice(tx, caller.workspaceId, device.device_id, { channels: JSON.stringify(after.channels), ...after.answers })
  const salt = await findSubjectSalt(tx, caller.workspaceId)
  const subject = subjectOfPerson(salt, { user_id: null, device_id: device.device_id })
  await appendLedger(tx, caller, [{ subject, changes }], origin)
  return { deviceId: device.device_id, userId: null, channels: after.channels, personalOptOut: after.answers.personal_opt_out }
}

type Answers = { personal_opt_out: boolean; consent_topics: unknown; required_consents: unknown }

/** What the decision makes of flags and answers, and what the ledger has to say of it. */
function decide(before: Answers, state: ChannelState, decision: Decision) {
  const after = decideChannels(state, decision.channels)
  const topics = before.consent_topics as Record<string, boolean>
  const required = before.required_consents as Record<string, boolean>
  const optOut = decision.personalOptOut ?? before.personal_opt_out
  const changes: ConsentChange[] = [
    ...consentChanges(state, after),
    ...answerChanges('topic', topics, decision.topics),
    ...answerChanges('required', required, decision.requiredConsents),
    ...(optOut === before.personal_opt_out ? [] : [{ channel: 'personalOptOut', oldValue: before.personal_opt_out, newValue: optOut }]),
  ]
  const answers = {
    personal_opt_out: optOut,
    consent_topics: JSON.stringify(layOver('topics', topics, decision.topics)),
    required_consents: JSON.stringify(layOver('requiredConsents', required, decision.requiredConsents)),
  }
  return { after: { ...after, answers }, changes }
}

/** Many calls with ever new ids must not grow what is stored without end; what a merge brought together may stay. */
function layOver(member: string, before: Record<string, boolean>, decided: Record<string, boolean>): Record<string, boolean> {
  const after = { ...before, ...decided }
  const count = Object.keys(after).length
  if (count > ANSWERS && count > Object.keys(before).length) failWith(400, `${member} would have more than ${ANSWERS} members together`)
  return after
}

function answerChanges(prefix: string, before: Record<string, boolean>, decided: Record<string, boolean>): ConsentChange[] {
  return Object.entries(decided)
    .map(([id, newValue]) => ({ channel: `${prefix}:${id}`, oldValue: Object.hasOwn(before, id) ? (before[id] ?? null) : null, newValue }))
    .filter(({ oldValue, newValue }) => oldValue !== newValue)
}

/** Which words the person was shown: the preset, its version and a hash of its texts in their language. */
function presetOrigin(name: string | undefined, locale: string | undefined): Partial<ConsentOrigin> {
  const preset = name === undefined ? undefined : PRESETS.get(name)
  if (!preset) return {}
  const texts = presetTexts(preset, locale?.toLowerCase().startsWith('ar') ? 'ar' : 'en')
  return { preset: preset.preset, presetVersion: preset.legalFramework.version, textHash: hashSecret(texts.join('\n')) }
}
