/** What an identify makes of a device and a person: decided here, written elsewhere. */
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Channels, ConsentChange } from '@contentflow/core/identity/consent.ts'
import { mergeProfiles, type Mergeable } from '@contentflow/core/identity/merge-profiles.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Environment } from '../../infra/signals.ts'
import type { DeviceRow, ProfileRow } from '../people/index.ts'
import type { IdentityState, Said } from './queries.ts'

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
  platform: string | null
  sdkVersion: string | null
  locale: string | null
  /** By the caller's address; known members only. */
  location: JsonObject
}

export type IdentityPlan = {
  device: DeviceRow
  /** The person afterwards; undefined when none is touched. */
  profile: ProfileRow | undefined
  said: Said
  isNewProfile: boolean
  /** The anonymous person that becomes part of `profile`. */
  absorbed: ProfileRow | undefined
  /** The decisions of a device without a person become the person's. */
  isTakingOver: boolean
  analytics: ConsentChange | undefined
  /** The user the device is linked to, for the answer. */
  userId: string | null
}

/** `newId` names the person when there is none yet. */
export function planIdentify(request: IdentifyRequest, state: IdentityState, now: Date, newId: string): IdentityPlan {
  const known = state.device && (state.device.environment === request.environment ? state.device : undefined)
  // A record that lapsed in the other environment is taken over; its person is not (X-INT-46).
  const own = { ...state, profiles: state.profiles.filter(({ environment }) => environment === request.environment) }
  const plan = request.consent ? planGrant(request, own, known, now, newId) : planDenial(request, own, known, now)
  return { ...plan, device: { ...plan.device, revision: state.device?.revision ?? 0 } }
}

/** C-DEV-07, C-IDN: the device is linked, its traits are replaced, the person is made when new. */
function planGrant(
  request: IdentifyRequest,
  { profiles }: IdentityState,
  known: DeviceRow | undefined,
  now: Date,
  newId: string,
): IdentityPlan {
  const linked = profiles.find(({ id }) => id === known?.profile_id)
  const anonymous = profiles.find(({ device_id }) => device_id === request.deviceId)
  const named = request.userId === undefined ? undefined : profiles.find(({ user_id }) => user_id === request.userId)
  // without a user id the link stays.
  const found = request.userId === undefined ? (linked ?? anonymous) : named
  const base = found ?? emptyProfile(request, now, newId)
  const absorbed = base.user_id !== null && anonymous !== undefined && anonymous.id !== base.id ? anonymous : undefined
  // The traits of another person must not become this one's.
  const isOtherPerson = linked !== undefined && linked.id !== base.id && linked.user_id !== null
  const device = grantedDevice(request, known, base.id, isOtherPerson, now)
  // Also those it took while its record had lapsed, though the link stayed.
  const isTakingOver = known !== undefined && hasDecisions(known)
  const merged = mergeInto(base, absorbed, isTakingOver ? known : undefined)
  const said: Said = {
    name: request.name,
    email: request.email,
    language: languageOf(request.locale),
    traits: filled(device.traits),
    platform: device.platform,
    sdkVersion: device.sdk_version,
    locale: device.locale,
    location: filled(request.location),
    analytics: true,
    activeAt: now,
  }
  const profile: ProfileRow = {
    ...merged,
    name: said.name ?? merged.name,
    email: said.email ?? merged.email,
    language: said.language ?? merged.language,
    traits: said.traits ?? merged.traits,
    platform: said.platform ?? merged.platform,
    sdk_version: said.sdkVersion ?? merged.sdk_version,
    locale: said.locale ?? merged.locale,
    analytics: true,
    location: said.location ?? merged.location,
    last_active_at: now,
    last_seen_at: now,
    updated_at: now,
  }
  return {
    device: isTakingOver ? { ...device, channels: {}, personal_opt_out: false, consent_topics: {}, required_consents: {} } : device,
    profile,
    said,
    isNewProfile: found === undefined,
    absorbed,
    isTakingOver,
    analytics: analyticsChange(base.analytics, true),
    userId: base.user_id,
  }
}

/** C-DEV-08: nothing is written but the denial itself. What is stored stays, unused, until it is erased. */
function planDenial(request: IdentifyRequest, { profiles }: IdentityState, known: DeviceRow | undefined, now: Date): IdentityPlan {
  const linked = profiles.find(({ id }) => id === known?.profile_id)
  const before = linked ? linked.analytics : known?.consent === 'granted' ? true : known?.consent === 'denied' ? false : null
  return {
    device: { ...renewedDevice(request, known, now), consent: 'denied', segments: [] },
    profile: linked && { ...linked, analytics: false, updated_at: now },
    said: DENIAL,
    isNewProfile: false,
    absorbed: undefined,
    isTakingOver: false,
    analytics: analyticsChange(before, false),
    userId: null,
  }
}

/** Nothing but the denial. */
const DENIAL: Said = {
  name: null,
  email: null,
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
  isOtherPerson: boolean,
  now: Date,
): DeviceRow {
  const device = renewedDevice(request, known, now)
  return {
    ...device,
    consent: 'granted',
    profile_id: profileId,
    traits: request.traits ?? (isOtherPerson ? {} : device.traits),
    platform: request.platform ?? device.platform,
    sdk_version: request.sdkVersion ?? device.sdk_version,
    locale: request.locale ?? device.locale,
    evaluated_at: now,
  }
}

/** C-DEV-03. */
function renewedDevice(request: IdentifyRequest, known: DeviceRow | undefined, now: Date): DeviceRow {
  const expiresAt = new Date(now.getTime() + LIMITS.deviceRecordHours * 3_600_000)
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
    phone: null,
    country: null,
    language: null,
    traits: {},
    platform: null,
    sdk_version: null,
    locale: null,
    analytics: null,
    industry: {},
    enrichment: {},
    channels: {},
    personal_opt_out: false,
    consent_topics: {},
    required_consents: {},
    saved_channels: null,
    push_preferences: {},
    location: {},
    current_location: null,
    behavioral: {},
    recent_events: 0,
    last_active_at: null,
    last_seen_at: null,
    behaviour_due_at: null,
    created_at: now,
    updated_at: now,
  }
}

/**
 * C-DEV-30 to C-DEV-33: the person after an anonymous one, and then the decisions of a device that had no person,
 * became part of them. What rules ask about beyond that is filled in as well where nothing was known.
 */
export function mergeInto(into: ProfileRow, absorbed: ProfileRow | undefined, device: DeviceRow | undefined): ProfileRow {
  let merged = into
  if (absorbed) {
    merged = {
      ...fromMerge(merged, mergeProfiles(mergeable(absorbed), mergeable(merged))),
      traits: filled(into.traits) ?? absorbed.traits,
      platform: into.platform ?? absorbed.platform,
      sdk_version: into.sdk_version ?? absorbed.sdk_version,
      locale: into.locale ?? absorbed.locale,
      enrichment: { ...(absorbed.enrichment as JsonObject), ...(into.enrichment as JsonObject) },
      location: filled(into.location) ?? absorbed.location,
      current_location: newerOf(into.current_location, absorbed.current_location),
      behavioral: sumOf(into.behavioral as Sums, absorbed.behavioral as Sums),
      recent_events: into.recent_events + absorbed.recent_events,
    }
  }
  return device ? fromMerge(merged, mergeProfiles(decisionsOf(device), mergeable(merged))) : merged
}

/** Null for an empty set. */
export function filled(members: unknown): JsonObject | null {
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

/** A stored person as a merge sees it. */
export function mergeable(profile: ProfileRow): Mergeable {
  return {
    channels: profile.channels as Channels,
    saved: profile.saved_channels as Channels | null,
    name: profile.name,
    email: profile.email,
    phone: profile.phone,
    country: profile.country,
    language: profile.language,
    personalOptOut: profile.personal_opt_out,
    topics: profile.consent_topics as JsonObject,
    requiredConsents: profile.required_consents as JsonObject,
    industry: profile.industry as JsonObject,
    pushPreferences: profile.push_preferences as JsonObject,
  }
}

/** The decisions of a device that had no person yet. */
function decisionsOf(device: DeviceRow): Mergeable {
  return {
    channels: device.channels as Channels,
    saved: null,
    name: null,
    email: null,
    phone: null,
    country: null,
    language: null,
    personalOptOut: device.personal_opt_out,
    topics: device.consent_topics as JsonObject,
    requiredConsents: device.required_consents as JsonObject,
    industry: {},
    pushPreferences: {},
  }
}

function fromMerge(profile: ProfileRow, merged: Mergeable): ProfileRow {
  return {
    ...profile,
    channels: merged.channels,
    saved_channels: merged.saved,
    name: merged.name,
    email: merged.email,
    phone: merged.phone,
    country: merged.country,
    language: merged.language,
    personal_opt_out: merged.personalOptOut,
    consent_topics: merged.topics,
    required_consents: merged.requiredConsents,
    industry: merged.industry,
    push_preferences: merged.pushPreferences,
  }
}

function hasDecisions(device: DeviceRow): boolean {
  return (
    device.personal_opt_out ||
    [device.channels, device.consent_topics, device.required_consents].some((set) => Object.keys(set as object).length > 0)
  )
}

function analyticsChange(oldValue: boolean | null, newValue: boolean): ConsentChange | undefined {
  return oldValue === newValue ? undefined : { channel: 'analytics', oldValue, newValue }
}

function languageOf(locale: string | null): string | null {
  return locale?.split('-', 1)[0]?.toLowerCase() ?? null
}
