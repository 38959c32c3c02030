import { consentChanges, type ConsentChange } from '@contentflow/core/identity/consent.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors.ts'
import { batched } from '../../infra/batched.ts'
import { uuidv7 } from '../../infra/crypto.ts'
import { isLostRace } from '../../infra/unavailable.ts'
import {
  appendLedger,
  forgottenDecisions,
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
import { filled, mergeable, mergeInto, planIdentify, type IdentifyRequest, type IdentityPlan } from './plan-identify.ts'
import {
  absorbProfile,
  deleteTombstones,
  readIdentities,
  renewIdentities,
  writeIdentity,
  type IdentityKey,
  type IdentityState,
  type Renewal,
} from './queries.ts'

type Identified = {
  deviceId: string
  consent: boolean
  results: { identity: { status: 'identified' | 'anonymous'; userId: string | null } }
  segments: string[]
}

/** A device that keeps changing under an identify is given up on after this many readings (C-IDN-15). */
const ATTEMPTS = 6

/** Who calls identify: `isPushLinked` is false when the identity stands and its push token does not follow yet (C-IDN-11). */
export type Identify = (request: IdentifyRequest, keyId: string) => Promise<{ identified: Identified; isPushLinked: boolean }>

/** Statements that identifies which arrive together share. */
type Shared = { read(key: IdentityKey): Promise<IdentityState>; renew(renewal: Renewal): Promise<boolean> }

/** Identifies in one reading or one renewal. More would only make each wait longer. */
const TOGETHER = 64

/** Made once for the process. */
export function openIdentify(ctx: Context): Identify {
  const shared: Shared = {
    read: batched((keys) => readIdentities(ctx.db, keys), { most: TOGETHER, atOnce: 2 }),
    // One at a time, so that no two batches of this process wait for each other's rows.
    renew: batched((renewals) => renewEach(ctx, renewals), { most: TOGETHER, atOnce: 1 }),
  }
  return (request, keyId) => identify(ctx, shared, request, keyId)
}

/** False for every further renewal of one device: what it read is old. Two devices of one person are written one after the other. */
async function renewEach(ctx: Context, renewals: readonly Renewal[]): Promise<boolean[]> {
  const written = renewals.map(() => false)
  const devices = new Set<string>()
  let left = [...renewals.entries()].filter(([, { device }]) => isFirst(devices, device.workspace_id, device.device_id))
  while (left.length > 0) {
    const people = new Set<string>()
    const now = left.filter(([, { profile }]) => isFirst(people, profile.workspace_id, profile.id))
    const results = await renewIdentities(
      ctx.db,
      now.map(([, renewal]) => renewal),
    )
    for (const [position, [index]] of now.entries()) written[index] = results[position] ?? false
    left = left.filter((entry) => !now.includes(entry))
  }
  return written
}

function isFirst(seen: Set<string>, workspaceId: string, id: string): boolean {
  const size = seen.size
  return seen.add(`${workspaceId} ${id}`).size > size
}

/**
 * C-IDN, C-DEV. Reads once, decides in memory, writes once: the device's revision makes sure that what was read
 * still holds.
 */
async function identify(
  ctx: Context,
  shared: Shared,
  request: IdentifyRequest,
  keyId: string,
): Promise<{ identified: Identified; isPushLinked: boolean }> {
  const catalog = await catalogOf(ctx, request.workspaceId)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const state = await shared.read(request)
    const now = ctx.clock.now()
    if (state.isErasurePending) fail('ERASURE_PENDING')
    if (state.device && state.device.environment !== request.environment && isLive(state.device, now)) fail('DEVICE_ENVIRONMENT_MISMATCH')
    const plan = planIdentify(request, state, now, uuidv7(now.getTime()))
    const membership = decideMembership(catalog, state, plan, now)
    if (!(await write(ctx, shared, request, state, plan, membership, { source: 'identify', keyId }, now))) continue
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
  shared: Shared,
  request: IdentifyRequest,
  state: IdentityState,
  plan: IdentityPlan,
  { names, stored }: MembershipPlan,
  origin: ConsentOrigin,
  now: Date,
): Promise<boolean> {
  const device = { ...plan.device, segments: names }
  const person = plan.profile && { profile: plan.profile, isNew: plan.isNewProfile, said: plan.said }
  const signal = { kind: 'device', workspaceId: request.workspaceId, deviceId: request.deviceId } as const
  try {
    if (!stored && plan.profile && isRenewal(state, plan)) {
      if (!(await shared.renew({ device, profile: plan.profile, said: plan.said }))) return false
      void ctx.signals.announce(signal)
      return true
    }
    return await ctx.signals.transact(async (tx, tell) => {
      if (!(await writeIdentity(tx, device, person))) return false
      if (plan.profile) {
        await saveMerge(tx, request, state, plan, origin)
        if (stored) await saveMembership(tx, request.workspaceId, plan.profile.id, stored, now)
      }
      if (plan.analytics)
        await appendLedger(tx, request, [{ subject: subjectFor(request, state, plan), changes: [plan.analytics] }], origin)
      // A new person or a new decision may be one that comes back after an erasure.
      if (request.consent) await deleteTombstones(tx, request.workspaceId, request.environment, subjectsOf(request, state))
      await tell(signal)
      return true
    })
  } catch (error) {
    // Two devices named a new user, or merged one person, at the same moment: what was read no longer holds.
    if (isLostRace(error)) return false
    throw error
  }
}

/** Device and person exist, belong together already and stay as they are but for what an identify always renews. */
function isRenewal({ device }: IdentityState, plan: IdentityPlan): boolean {
  return (
    device?.consent === 'granted' &&
    plan.device.consent === 'granted' &&
    device.environment === plan.device.environment &&
    device.profile_id === plan.device.profile_id &&
    !plan.analytics &&
    !plan.absorbed &&
    !plan.isTakingOver &&
    !plan.isNewProfile
  )
}

/** Flags and answers of the anonymous person, or of the device, become the known person's; read again under a lock. */
async function saveMerge(tx: Db, request: IdentifyRequest, state: IdentityState, plan: IdentityPlan, origin: ConsentOrigin): Promise<void> {
  if (!plan.profile || (!plan.absorbed && !plan.isTakingOver)) return
  const into = await lockProfile(tx, request.workspaceId, plan.profile.id)
  const from = plan.absorbed && (await lockProfile(tx, request.workspaceId, plan.absorbed.id))
  if (!into) return
  const row = mergeInto(into, from, plan.isTakingOver ? state.device : undefined)
  await updateProfile(tx, request.workspaceId, into.id, {
    channels: JSON.stringify(row.channels),
    saved_channels: row.saved_channels === null ? null : JSON.stringify(row.saved_channels),
    name: row.name,
    email: row.email,
    phone: row.phone,
    country: row.country,
    language: row.language,
    traits: JSON.stringify(row.traits),
    platform: row.platform,
    sdk_version: row.sdk_version,
    locale: row.locale,
    enrichment: JSON.stringify(row.enrichment),
    location: JSON.stringify(row.location),
    current_location: row.current_location === null ? null : JSON.stringify(row.current_location),
    behavioral: JSON.stringify(row.behavioral),
    recent_events: row.recent_events,
    // The windows are those of both together; the roll-up works them out.
    ...(from && filled(from.behavioral) && { behaviour_due_at: plan.profile.updated_at }),
    personal_opt_out: row.personal_opt_out,
    consent_topics: JSON.stringify(row.consent_topics),
    required_consents: JSON.stringify(row.required_consents),
    industry: JSON.stringify(row.industry),
    push_preferences: JSON.stringify(row.push_preferences),
  })
  const [before, merged] = [mergeable(into), mergeable(row)]
  const changes: ConsentChange[] = [
    ...consentChanges(before, merged),
    ...answerChanges('topic', before.topics, merged.topics),
    ...answerChanges('required', before.requiredConsents, merged.requiredConsents),
    ...(merged.personalOptOut === before.personalOptOut
      ? []
      : [{ channel: 'personalOptOut', oldValue: before.personalOptOut, newValue: true }]),
  ]
  // Those of a device become its own anonymous person's as they are; the ledger knows both by one name.
  if (into.user_id !== null) {
    const gone = [from, plan.isTakingOver ? state.device : undefined].flatMap((source) => (source ? forgottenDecisions(source) : []))
    // What was decided before anybody signed in has gone over to the user.
    const decided = [
      { subject: subjectFor(request, state, plan), changes },
      { subject: hashSubject(state.salt, 'device', request.deviceId), changes: gone },
    ]
    await appendLedger(tx, request, decided, { ...origin, source: 'merge' })
  }
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

function subjectFor({ deviceId }: IdentifyRequest, { salt }: IdentityState, { profile }: IdentityPlan): string {
  return profile ? subjectOfPerson(salt, profile) : hashSubject(salt, 'device', deviceId)
}

function subjectsOf({ deviceId, userId }: IdentifyRequest, { salt }: IdentityState): string[] {
  return [hashSubject(salt, 'device', deviceId), ...(userId === undefined ? [] : [hashSubject(salt, 'user', userId)])]
}

function describe({ deviceId, consent }: IdentifyRequest, { userId }: IdentityPlan, { names }: MembershipPlan): Identified {
  return { deviceId, consent, results: { identity: { status: userId === null ? 'anonymous' : 'identified', userId } }, segments: names }
}
