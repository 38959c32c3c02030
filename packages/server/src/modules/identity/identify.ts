import type { ConsentChange } from '@contentflow/core/identity/consent.ts'
import { mergeProfiles } from '@contentflow/core/identity/merge-profiles.ts'
import { consentChanges } from '@contentflow/core/identity/consent.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors.ts'
import { uuidv7 } from '../../infra/crypto.ts'
import {
  appendLedger,
  hashSubject,
  isLive,
  lockProfile,
  subjectOf,
  subjectOfPerson,
  updateProfile,
  type ConsentOrigin,
} from '../people/index.ts'
import { linkToken } from '../push/index.ts'
import { blockPathSegments, catalogOf, saveMembership, storedMembership, type Catalog } from '../segments/index.ts'
import { decisionsOf, fromMerge, mergeable, planIdentify, type IdentifyRequest, type IdentityPlan } from './plan-identify.ts'
import { absorbProfile, deleteTombstones, readIdentity, writeIdentity, type IdentityState } from './queries.ts'

export type Identified = {
  deviceId: string
  consent: boolean
  results: { identity: { status: 'identified' | 'anonymous'; userId: string | null } }
  segments: string[]
}

/** A device that keeps changing under an identify is given up on after this many readings (C-IDN-15). */
const ATTEMPTS = 4

/**
 * C-IDN, C-DEV. Reads once, decides in memory, writes once: the device's revision makes sure that what was read
 * still holds. `isPushLinked` is false when the identity stands and its push token does not follow yet (C-IDN-11).
 */
export async function identify(
  ctx: Context,
  request: IdentifyRequest,
  keyId: string,
): Promise<{ identified: Identified; isPushLinked: boolean }> {
  const catalog = await catalogOf(ctx, request.workspaceId)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const state = await readIdentity(ctx.db, request.workspaceId, request.environment, request.deviceId, request.userId)
    const now = ctx.clock.now()
    if (state.isErasurePending) fail('ERASURE_PENDING')
    if (state.device && state.device.environment !== request.environment && isLive(state.device, now)) fail('DEVICE_ENVIRONMENT_MISMATCH')
    const plan = planIdentify(request, state, now, uuidv7(now.getTime()))
    const membership = decideMembership(catalog, state, plan, now)
    if (!(await write(ctx, request, state, plan, membership, { source: 'identify', keyId }, now))) continue
    const isPushLinked = !request.consent || (await relink(ctx, request, state, plan))
    return { identified: describe(request, plan, membership), isPushLinked }
  }
  return fail('DEVICE_STATE_CHANGED')
}

/** `stored` is undefined when the stored membership is right as it is. */
type MembershipPlan = { names: string[]; stored: ReadonlySet<string> | undefined }

function decideMembership(
  catalog: Catalog,
  { memberships }: IdentityState,
  { device, profile, absorbed }: IdentityPlan,
  now: Date,
): MembershipPlan {
  if (!profile) return { names: [], stored: undefined }
  const own = memberships.filter((row) => row.profile_id === profile.id || row.profile_id === absorbed?.id)
  const manual = new Set(own.filter((row) => row.is_manual).map((row) => row.segment_id))
  const names =
    device.consent === 'granted' ? blockPathSegments(catalog, subjectOf(profile, now.getTime(), device), manual, now.getTime()) : []
  const stored = storedMembership(catalog, subjectOf(profile, now.getTime()), manual, now.getTime())
  const before = own.filter((row) => row.profile_id === profile.id && row.is_member)
  const isSame = !absorbed && before.length === stored.size && before.every((row) => stored.has(row.segment_id))
  return { names, stored: isSame ? undefined : stored }
}

/** False: the device or the person changed since they were read, and nothing was written. */
async function write(
  ctx: Context,
  request: IdentifyRequest,
  state: IdentityState,
  plan: IdentityPlan,
  { names, stored }: MembershipPlan,
  origin: ConsentOrigin,
  now: Date,
): Promise<boolean> {
  const device = { ...plan.device, segments: names }
  const person = plan.profile && { profile: plan.profile, isNew: plan.isNewProfile, sent: request }
  const signal = { kind: 'device', workspaceId: request.workspaceId, deviceId: request.deviceId } as const
  // A plain renewal is one statement, and that is its transaction.
  if (
    device.consent === state.device?.consent &&
    !stored &&
    !plan.analytics &&
    !plan.absorbed &&
    !plan.isTakingOver &&
    !plan.isNewProfile
  ) {
    if (!(await writeIdentity(ctx.db, device, person))) return false
    void ctx.signals.announce(signal)
    return true
  }
  try {
    return await ctx.signals.transact(async (tx, tell) => {
      if (!(await writeIdentity(tx, device, person))) return false
      if (plan.profile) {
        await mergeInto(tx, request, state, plan, origin)
        if (stored) await saveMembership(tx, request.workspaceId, plan.profile.id, stored, now)
      }
      if (plan.analytics) await appendLedger(tx, subjectFor(request, state, plan), [plan.analytics], origin)
      // A new person or a new decision may be one that comes back after an erasure.
      if (request.consent) await deleteTombstones(tx, request.workspaceId, request.environment, subjectsOf(request, state))
      await tell(signal)
      return true
    })
  } catch (error) {
    // Two devices named a new user, or merged one person, at the same moment: what was read no longer holds.
    if (isConflict(error)) return false
    throw error
  }
}

/** Flags and answers of the anonymous person, or of the device, become the known person's; read again under a lock. */
async function mergeInto(tx: Db, request: IdentifyRequest, state: IdentityState, plan: IdentityPlan, origin: ConsentOrigin): Promise<void> {
  if (!plan.profile || (!plan.absorbed && !plan.isTakingOver)) return
  const into = await lockProfile(tx, request.workspaceId, plan.profile.id)
  const from = plan.absorbed && (await lockProfile(tx, request.workspaceId, plan.absorbed.id))
  if (!into) return
  let merged = mergeable(into)
  if (from) merged = mergeProfiles(mergeable(from), merged)
  if (plan.isTakingOver && state.device) merged = mergeProfiles(decisionsOf(state.device), merged)
  const row = fromMerge(into, merged)
  await updateProfile(tx, request.workspaceId, into.id, {
    channels: JSON.stringify(row.channels),
    saved_channels: row.saved_channels === null ? null : JSON.stringify(row.saved_channels),
    name: row.name,
    email: row.email,
    phone: row.phone,
    country: row.country,
    language: row.language,
    personal_opt_out: row.personal_opt_out,
    consent_topics: JSON.stringify(row.consent_topics),
    required_consents: JSON.stringify(row.required_consents),
    industry: JSON.stringify(row.industry),
    push_preferences: JSON.stringify(row.push_preferences),
  })
  const before = mergeable(into)
  const changes: ConsentChange[] = [
    ...consentChanges(before, merged),
    ...answerChanges('topic', before.topics, merged.topics),
    ...answerChanges('required', before.requiredConsents, merged.requiredConsents),
    ...(merged.personalOptOut === before.personalOptOut
      ? []
      : [{ channel: 'personalOptOut', oldValue: before.personalOptOut, newValue: true }]),
  ]
  await appendLedger(tx, subjectFor(request, state, plan), changes, { ...origin, source: 'merge' })
  if (from) await absorbProfile(tx, request.workspaceId, from.id, into.id)
}

function answerChanges(prefix: string, before: Record<string, unknown>, after: Record<string, unknown>): ConsentChange[] {
  return Object.keys(after)
    .filter((id) => !Object.hasOwn(before, id))
    .map((id) => ({ channel: `${prefix}:${id}`, oldValue: null, newValue: after[id] === true }))
}

/** C-PUSH-11, C-PUSH-12: the token of the device follows to the person. The identity stands when that fails. */
async function relink(
  ctx: Context,
  { workspaceId, deviceId }: IdentifyRequest,
  { pushProfileId }: IdentityState,
  { profile }: IdentityPlan,
): Promise<boolean> {
  try {
    ctx.faults.check('push_link')
    if (pushProfileId !== undefined && profile && pushProfileId !== profile.id) await linkToken(ctx.db, workspaceId, deviceId, profile.id)
    return true
  } catch (error) {
    ctx.log.warn({ err: error, workspaceId }, 'a push token could not be linked')
    return false
  }
}

function subjectFor({ workspaceId, environment, deviceId }: IdentifyRequest, { salt }: IdentityState, { profile }: IdentityPlan) {
  return { workspaceId, environment, subject: profile ? subjectOfPerson(salt, profile) : hashSubject(salt, 'device', deviceId) }
}

function subjectsOf({ deviceId, userId }: IdentifyRequest, { salt }: IdentityState): string[] {
  return [hashSubject(salt, 'device', deviceId), ...(userId === undefined ? [] : [hashSubject(salt, 'user', userId)])]
}

function describe({ deviceId, consent }: IdentifyRequest, { userId }: IdentityPlan, { names }: MembershipPlan): Identified {
  return { deviceId, consent, results: { identity: { status: userId === null ? 'anonymous' : 'identified', userId } }, segments: names }
}

/** Unique violation, foreign key violation, deadlock: somebody else was faster. */
function isConflict(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return code === '23505' || code === '23503' || code === '40P01'
}
