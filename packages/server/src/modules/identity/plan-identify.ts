/** Decides what an identify changes of a device and a person; the changes are written elsewhere. */
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { ConsentChange } from '@contentflow/core/identity/consent/consent.ts'
import { decisionChanges, forgottenDecisions, hasDecided, type Decisions } from '@contentflow/core/identity/consent/decisions.ts'
import { mergeDecisions, mergeProfiles, type Mergeable } from '@contentflow/core/identity/merge-profiles.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { languageOf } from '@contentflow/core/locale/pick-locale.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { appEmailAfter, decisionsOf, type DeviceRow, type ProfileRow, type PersonUpdate } from '../people/index.ts'
import type { IdentityState } from './queries.ts'

/** A checked POST /identify (C-IDN-01). */
export type IdentifyRequest = {
  workspaceId: string
  environment: Environment
  deviceId: string
  userId: string | undefined
  consent: boolean
  /** undefined: the stored set stays. */
  traits: JsonObject | undefined
  name: string | null
  email: string | null
  /** The call came with a key that a server keeps, not with one that every copy of an app holds. */
  isByServer: boolean
  /** Whether addresses are asked if mail is wanted there (protection confirmEmails). */
  isMailConfirmed: boolean
  platform: string | null
  sdkVersion: string | null
  locale: string | null
  /** Found by the caller's address; only the members that are known. */
  location: JsonObject
}

/**
 * What becomes of the person. `make`: there was none. `say`: what the call says is laid over whatever the row holds by
 * then. `merge`: the row as it was read becomes `profile`, and `absorbed` becomes part of it.
 */
type PersonPlan = {
  how: 'make' | 'say' | 'merge'
  profile: ProfileRow
  said: PersonUpdate
  /** Every row that a merge was decided on. */
  read: readonly ProfileRow[]
  absorbed: ProfileRow | undefined
}

/** What the ledger has to say, of the person afterwards or of the device alone. */
type LedgerPlan = { of: 'person' | 'device'; source: 'merge' | 'identify'; changes: readonly ConsentChange[] }

/** Decided once, and carried through all that is written. */
export type IdentityPlan = {
  device: DeviceRow
  /** Undefined when no person is touched. */
  person: PersonPlan | undefined
  ledger: readonly LedgerPlan[]
  /** Device and person belong together already, and stay as they are but for what an identify always renews. */
  isRenewal: boolean
  /** The user the device is linked to, for the answer. */
  userId: string | null
}

/** `newId` names the person when there is none yet. */
export function planIdentify(request: IdentifyRequest, state: IdentityState, now: Date, newId: string): IdentityPlan {
  const known = state.device && (state.device.environment === request.environment ? state.device : undefined)
  // A record that lapsed in the other environment is taken over; its person is not (X-INT-46).
  const own = { ...state, profiles: state.profiles.filter(({ environment }) => environment === request.environment) }
  const plan = request.consent ? planGrant(request, own, known, now, newId) : planDenial(request, own, known, now)
  const device = { ...plan.device, revision: state.device?.revision ?? 0 }
  const isLinked = known?.consent === 'granted' && device.consent === 'granted' && known.profile_id === device.profile_id
  return { ...plan, device, isRenewal: isLinked && plan.person?.how === 'say' && plan.ledger.length === 0 }
}

/** C-DEV-07, C-IDN: the device is linked, its traits are replaced, the person is made when new. */
function planGrant(
  request: IdentifyRequest,
  { profiles }: IdentityState,
  known: DeviceRow | undefined,
  now: Date,
  newId: string,
): Omit<IdentityPlan, 'isRenewal'> {
  const linked = profiles.find(({ id }) => id === known?.profile_id)
  const anonymous = profiles.find(({ device_id }) => device_id === request.deviceId)
  const named = request.userId === undefined ? undefined : profiles.find(({ user_id }) => user_id === request.userId)
  // without a user id the link stays.
  const found = request.userId === undefined ? (linked ?? anonymous) : named
  const base = found ?? emptyProfile(request, now, newId)
  const absorbed = base.user_id !== null && anonymous !== undefined && anonymous.id !== base.id ? anonymous : undefined
  // The traits of another person must not become this one's.
  const isOtherPerson = linked !== undefined && linked.id !== base.id && linked.user_id !== null
  // And those of an anonymous one become part of its user's.
  const keepsTraits = !isOtherPerson && absorbed === undefined
  const device = grantedDevice(request, known, base.id, keepsTraits, now)
  // Also those it took while its record had lapsed, though the link stayed.
  const undecided = known && hasDecided(decisionsOf(known)) ? known : undefined
  const said = saidBy(request, device, now)
  const merged = mergeInto(base, absorbed, undecided, now)
  const isMerge = absorbed !== undefined || undecided !== undefined
  return {
    device: undecided ? { ...device, channels: {}, personal_opt_out: false, consent_topics: {}, required_consents: {} } : device,
    person: {
      how: !found ? 'make' : isMerge ? 'merge' : 'say',
      profile: updateProfile(merged, said, now),
      said,
      read: [found, absorbed].filter((row) => row !== undefined),
      absorbed,
    },
    ledger: [...mergeLedger(base, merged, [absorbed, undecided]), ...analyticsLedger(base.analytics, true, 'person')],
    userId: base.user_id,
  }
}

function saidBy(request: IdentifyRequest, device: DeviceRow, now: Date): PersonUpdate {
  return {
    name: request.name,
    email: request.email,
    appEmail: request.email !== null && !request.isByServer ? { contact: request.email, at: now.toISOString() } : null,
    language: request.locale && languageOf(request.locale),
    traits: filled(device.traits),
    platform: device.platform,
    sdkVersion: device.sdk_version,
    locale: device.locale,
    location: filled(request.location),
    analytics: true,
    activeAt: now,
  }
}

function updateProfile(profile: ProfileRow, said: PersonUpdate, now: Date): ProfileRow {
  return {
    ...profile,
    name: said.name ?? profile.name,
    email: said.email ?? profile.email,
    app_email: appEmailAfter(profile, said),
    language: said.language ?? profile.language,
    traits: said.traits ?? profile.traits,
    platform: said.platform ?? profile.platform,
    sdk_version: said.sdkVersion ?? profile.sdk_version,
    locale: said.locale ?? profile.locale,
    location: said.location ?? profile.location,
    analytics: true,
    last_active_at: now,
    activity_mark: now,
    last_seen_at: now,
    updated_at: now,
  }
}

/**
 * What was decided before anybody signed in goes over to the user. That of a device becomes its own anonymous
 * person's as it is: the ledger knows both by one name.
 */
function mergeLedger(base: ProfileRow, merged: ProfileRow, sources: readonly (ProfileRow | DeviceRow | undefined)[]): LedgerPlan[] {
  if (base.user_id === null) return []
  const gone = sources.flatMap((source) => (source ? forgottenDecisions(decisionsOf(source)) : []))
  return [
    { of: 'person' as const, source: 'merge' as const, changes: decisionChanges(decisionsOf(base), decisionsOf(merged)) },
    { of: 'device' as const, source: 'merge' as const, changes: gone },
  ].filter(({ changes }) => changes.length > 0)
}

function analyticsLedger(oldValue: boolean | null, newValue: boolean, of: LedgerPlan['of']): LedgerPlan[] {
  return oldValue === newValue ? [] : [{ of, source: 'identify', changes: [{ channel: 'analytics', oldValue, newValue }] }]
}

/** C-DEV-08: nothing is written but the denial itself. What is stored stays, unused, until it is erased. */
function planDenial(
  request: IdentifyRequest,
  { profiles }: IdentityState,
  known: DeviceRow | undefined,
  now: Date,
): Omit<IdentityPlan, 'isRenewal'> {
  const linked = profiles.find(({ id }) => id === known?.profile_id)
  const before = linked ? linked.analytics : known?.consent === 'granted' ? true : known?.consent === 'denied' ? false : null
  const profile = linked && { ...linked, analytics: false, updated_at: now }
  return {
    device: { ...renewedDevice(request, known, now), consent: 'denied', segments: [] },
    person: profile && { how: 'say', profile, said: DENIAL, read: [], absorbed: undefined },
    ledger: analyticsLedger(before, false, profile ? 'person' : 'device'),
    userId: null,
  }
}

/** An update that stores the denial and nothing else. */
const DENIAL: PersonUpdate = {
  name: null,
  email: null,
  appEmail: null,
  language: null,
  traits: null,
  platform: null,
  sdkVersion: null,
  locale: null,
  location: null,
  analytics: false,
  activeAt: null,
}

function grantedDevice(
  request: IdentifyRequest,
  known: DeviceRow | undefined,
  profileId: string,
  keepsTraits: boolean,
  now: Date,
): DeviceRow {
  const device = renewedDevice(request, known, now)
  return {
    ...device,
    consent: 'granted',
    profile_id: profileId,
    linked_at: device.profile_id === profileId ? device.linked_at : now,
    traits: request.traits ?? (keepsTraits ? device.traits : {}),
    platform: request.platform ?? device.platform,
    sdk_version: request.sdkVersion ?? device.sdk_version,
    locale: request.locale ?? device.locale,
    evaluated_at: now,
  }
}

/** C-DEV-03. */
function renewedDevice(request: IdentifyRequest, known: DeviceRow | undefined, now: Date): DeviceRow {
  const expiresAt = new Date(now.getTime() + LIMITS.deviceRecordHours * HOUR_MS)
  return { ...(known ?? emptyDevice(request, now)), last_seen_at: now, expires_at: expiresAt }
}

function emptyDevice({ workspaceId, deviceId, environment }: IdentifyRequest, now: Date): DeviceRow {
  return {
    workspace_id: workspaceId,
    device_id: deviceId,
    environment,
    consent: 'unknown',
    segments: [],
    first_seen_at: now,
    last_seen_at: now,
    expires_at: now,
    profile_id: null,
    linked_at: null,
    traits: {},
    platform: null,
    sdk_version: null,
    locale: null,
    channels: {},
    personal_opt_out: false,
    consent_topics: {},
    required_consents: {},
    push_topics: [],
    revision: 0,
    evaluated_at: null,
  }
}

function emptyProfile({ workspaceId, environment, userId, deviceId }: IdentifyRequest, now: Date, id: string): ProfileRow {
  return {
    workspace_id: workspaceId,
    id,
    environment,
    user_id: userId ?? null,
    device_id: userId === undefined ? deviceId : null,
    name: null,
    email: null,
    app_email: null,
    phone: null,
    // Made of the two where they are written.
    email_hash: null,
    phone_hash: null,
    country: null,
    language: null,
    traits: {},
    platform: null,
    sdk_version: null,
    locale: null,
    analytics: null,
    industry: {},
    enrichment: {},
    enrichment_due_at: null,
    channels: {},
    personal_opt_out: false,
    consent_topics: {},
    required_consents: {},
    saved_channels: null,
    max_messages_a_week: null,
    closed_contacts: {},
    contact_closed_at: null,
    push_preferences: {},
    location: {},
    current_location: null,
    behavioral: {},
    recent_events: 0,
    last_active_at: null,
    activity_mark: null,
    last_seen_at: null,
    behaviour_due_at: null,
    inbox_revision: 0,
    whatsapp_until: null,
    created_at: now,
    updated_at: now,
  }
}

/**
 * C-DEV-30 to C-DEV-33: the person after an anonymous one, and then the decisions of a device that had no person,
 * became part of them. What rules ask about beyond that is filled in as well where nothing was known.
 */
function mergeInto(into: ProfileRow, absorbed: ProfileRow | undefined, device: DeviceRow | undefined, now: Date): ProfileRow {
  const merged = absorbed ? { ...withMerged(into, absorbed), ...withFacts(into, absorbed, now) } : into
  return device ? { ...merged, ...rowOf(mergeDecisions(decisionsOf(device), decisionsOf(merged))) } : merged
}

/** What rules ask about beyond what a merge decides on. */
function withFacts(into: ProfileRow, absorbed: ProfileRow, now: Date): Partial<ProfileRow> {
  return {
    traits: withTraits(into.traits as JsonObject, absorbed.traits as JsonObject),
    platform: into.platform ?? absorbed.platform,
    sdk_version: into.sdk_version ?? absorbed.sdk_version,
    locale: into.locale ?? absorbed.locale,
    enrichment: { ...(absorbed.enrichment as JsonObject), ...(into.enrichment as JsonObject) },
    // Which of the values of both win is worked out with what is due.
    ...(filled(absorbed.enrichment) && { enrichment_due_at: now }),
    location: filled(into.location) ?? absorbed.location,
    current_location: newerOf(into.current_location, absorbed.current_location),
    behavioral: sumOf(into.behavioral as Sums, absorbed.behavioral as Sums),
    recent_events: into.recent_events + absorbed.recent_events,
    // The windows are those of both together; the roll-up works them out.
    ...(filled(absorbed.behavioral) && { behaviour_due_at: now }),
  }
}

/** The user's, and what only the anonymous one said: as many as one call may say. */
function withTraits(into: JsonObject, absorbed: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...into, ...absorbed, ...into }).slice(0, LIMITS.traits))
}

/** Null for an empty set. */
function filled(members: unknown): JsonObject | null {
  return Object.keys(members as JsonObject).length > 0 ? (members as JsonObject) : null
}

type Sums = Record<string, number>

function sumOf(one: Sums, other: Sums): Sums {
  const sum = { ...one }
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

function newerOf(one: unknown, other: unknown): ProfileRow['current_location'] {
  const timeOf = (place: unknown) => (place === null ? -Infinity : Date.parse((place as { at: string }).at))
  return timeOf(one) >= timeOf(other) ? one : other
}

/** `absorbed` becomes part of `into`, as far as it is a person's own word. */
function withMerged(into: ProfileRow, absorbed: ProfileRow): ProfileRow {
  const { name, email, phone, country, language, industry, pushPreferences, ...decisions } = mergeProfiles(
    mergeable(absorbed),
    mergeable(into),
  )
  // Known of the address, so it goes with it.
  const app_email = into.email === null ? absorbed.app_email : into.app_email
  return { ...into, name, email, app_email, phone, country, language, industry, push_preferences: pushPreferences, ...rowOf(decisions) }
}

function mergeable(profile: ProfileRow): Mergeable {
  const { name, email, phone, country, language } = profile
  return {
    ...decisionsOf(profile),
    name,
    email,
    phone,
    country,
    language,
    industry: profile.industry as JsonObject,
    pushPreferences: profile.push_preferences as JsonObject,
  }
}

function rowOf({ channels, saved, personalOptOut, topics, requiredConsents, maxMessagesAWeek = null }: Decisions) {
  return {
    channels,
    saved_channels: saved,
    personal_opt_out: personalOptOut,
    consent_topics: topics,
    required_consents: requiredConsents,
    max_messages_a_week: maxMessagesAWeek,
  } satisfies Partial<ProfileRow>
}
