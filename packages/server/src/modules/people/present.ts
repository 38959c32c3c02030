import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { CLOSABLE, type Closable } from '@contentflow/core/channels/channel.ts'
import type { Channels } from '@contentflow/core/identity/consent/consent.ts'
import { PLACEHOLDER_DEVICES_COUNTED } from '@contentflow/core/identity/placeholder-ids.ts'
import { LIFECYCLE_STAGES, lifecycleStage } from '@contentflow/core/targeting/lifecycle.ts'
import { EnvironmentName, Nullable, Shaped, Time, Type, timeThat, TimeText } from '../../http/schema.ts'
import { isLive } from './device-state.ts'
import type { ProfileRow } from './queries.ts'
import type { ClosedContact, ClosedContacts, Closing } from './closed/queries-closed.ts'
import type { DeviceWithPush, PersonRow } from './queries-read.ts'

/** G-72. The token itself is never shown (M-READ-10). */
export const DeviceSchema = Type.Object({
  deviceId: Type.String(),
  environment: EnvironmentName,
  userId: Nullable(Type.String()),
  consent: Type.Enum(['granted', 'denied', 'unknown']),
  segments: Type.Array(Type.String()),
  platform: Nullable(Type.String()),
  provider: Nullable(Type.String()),
  pushRegistered: Type.Boolean(),
  firstSeenAt: Time,
  lastSeenAt: Time,
  expiresAt: Time,
})
const Open = Shaped<JsonObject>(Type.Object({}, { additionalProperties: true }))
const Answers = Shaped<Record<string, boolean>>(Type.Object({}, { additionalProperties: true }))
export const ProfileSchema = Type.Object({
  userId: Nullable(Type.String()),
  deviceId: Nullable(Type.String({ description: 'Of an anonymous person' })),
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  country: Nullable(Type.String()),
  customAttributes: Open,
  channels: Shaped<Channels>(Type.Object({}, { additionalProperties: true, description: 'Decided flags only' })),
  personalOptOut: Type.Boolean(),
  suppressed: Type.Boolean(),
  pushPreferences: Open,
  currentLocation: Nullable(Type.Object({ latitude: Type.Number(), longitude: Type.Number(), at: TimeText })),
  lifecycle: Type.Enum([...LIFECYCLE_STAGES]),
  createdAt: Time,
})
/** What members see of a device, besides what servers may read. */
export const DevicePageSchema = Type.Object({
  ...DeviceSchema.properties,
  isLapsed: Type.Boolean({ description: 'Not identified for 24 hours: it gets untargeted content only' }),
  locale: Nullable(Type.String()),
  sdkVersion: Nullable(Type.String()),
  evaluatedAt: Nullable(timeThat('When `segments` was worked out')),
  pushRegisteredAt: Nullable(Time),
  pushTopics: Type.Array(Type.String()),
  channels: Shaped<Channels>(
    Type.Object({}, { additionalProperties: true, description: 'Decided flags only: of the person, or of a device without one' }),
  ),
  personalOptOut: Type.Boolean(),
  suppressed: Type.Boolean(),
  topics: Answers,
  requiredConsents: Answers,
  person: Nullable(
    Type.Object(
      { userId: Nullable(Type.String()), deviceId: Nullable(Type.String()) },
      { description: 'Whose page is /users/{userId}, or /users/{deviceId} of somebody anonymous' },
    ),
  ),
  segmentNames: Type.Array(Type.String(), { description: 'Stored membership of the person' }),
  profile: Nullable(ProfileSchema),
})
export const PersonPageSchema = Type.Object({
  ...ProfileSchema.properties,
  language: Nullable(Type.String({ description: 'That their apps asked for last' })),
  place: Type.Object(
    { country: Type.Optional(Type.String()), region: Type.Optional(Type.String()), city: Type.Optional(Type.String()) },
    { description: 'Where their apps were last seen, as far as that is known' },
  ),
  closedContacts: Shaped<ReturnType<typeof presentClosed>>(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          '`email`, `sms` and `whatsapp`, when a provider said that there is no such contact: {contact, reason, at}; `phone` is that of text messages, else that of WhatsApp',
      },
    ),
  ),
  erasedAt: Nullable(timeThat('When somebody with this id was erased, who has come back since')),
  segmentNames: Type.Array(Type.String()),
  devices: Type.Array(DeviceSchema),
})
export const PersonSchema = Type.Object({
  userId: Nullable(Type.String()),
  deviceId: Nullable(Type.String()),
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  lastSeenAt: Nullable(Time),
  createdAt: Time,
})

export const PlaceholdersSchema = Type.Object({
  refused: Type.Boolean({ description: 'Whether the protection refusePlaceholderIds is on' }),
  ids: Type.Array(
    Type.Object({
      userId: Type.String(),
      devices: Type.Integer({ description: `Counted up to ${PLACEHOLDER_DEVICES_COUNTED}` }),
    }),
    { description: 'The most devices first' },
  ),
})

export const ClosedContactSchema = Type.Object({
  userId: Nullable(Type.String()),
  deviceId: Nullable(Type.String({ description: 'Of an anonymous person' })),
  name: Nullable(Type.String()),
  channel: Type.Enum([...CLOSABLE]),
  address: Type.String({ description: 'The email address or number' }),
  reason: Type.String({ description: 'What the provider said' }),
  at: Type.String({ format: 'date-time' }),
})

/** A contact that was changed since is open again, whatever a provider said of the old one. */
export function presentClosed(closed: ClosedContacts) {
  const shown = Object.fromEntries(Object.entries(closed).map(([channel, { contact, reason, at }]) => [channel, { contact, reason, at }]))
  const phone = shown['sms'] ?? shown['whatsapp']
  return { ...shown, ...(phone && { phone }) } as { [kind in Closable | 'phone']?: Omit<Closing, 'channelId'> }
}

export function presentClosedContact({ userId, deviceId, name, channel, address, reason, at }: ClosedContact) {
  return { userId, deviceId, name, channel, address, reason, at }
}

export function presentDevice(row: DeviceWithPush) {
  return {
    deviceId: row.device_id,
    environment: row.environment,
    userId: row.user_id,
    consent: row.consent,
    segments: row.segments,
    platform: row.push_platform ?? row.platform,
    provider: row.push_provider,
    pushRegistered: row.push_provider !== null,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  }
}

/** `profile`: the person on the device, who is shown only with consent, as to servers (G-72). */
export function presentDevicePage(row: DeviceWithPush, profile: ProfileRow | undefined, segmentNames: string[], now: Date) {
  const decided = profile ?? row
  return {
    ...presentDevice(row),
    isLapsed: !isLive(row, now),
    locale: row.locale,
    sdkVersion: row.sdk_version,
    evaluatedAt: row.evaluated_at,
    pushRegisteredAt: row.push_registered_at,
    pushTopics: row.push_topics,
    channels: decided.channels as Channels,
    personalOptOut: decided.personal_opt_out,
    suppressed: profile !== undefined && profile.saved_channels !== null,
    topics: decided.consent_topics as Record<string, boolean>,
    requiredConsents: decided.required_consents as Record<string, boolean>,
    person: profile ? { userId: profile.user_id, deviceId: profile.device_id } : null,
    segmentNames,
    profile: profile && row.consent === 'granted' ? presentProfile(profile, now.getTime()) : null,
  }
}

/** Industry data and enrichment are write-only and stay out. */
export function presentProfile(row: ProfileRow, now: number) {
  const location = row.current_location as { latitude: number; longitude: number; at: string } | null
  return {
    userId: row.user_id,
    deviceId: row.device_id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    country: row.country,
    customAttributes: row.traits as JsonObject,
    channels: row.channels as Channels,
    personalOptOut: row.personal_opt_out,
    suppressed: row.saved_channels !== null,
    pushPreferences: row.push_preferences as JsonObject,
    currentLocation: location,
    lifecycle: lifecycleStage(
      {
        createdAt: row.created_at.getTime(),
        ...(row.last_active_at && { lastActiveAt: row.last_active_at.getTime() }),
        recentEvents: row.recent_events,
      },
      now,
    ),
    createdAt: row.created_at,
  }
}

export function presentPerson(row: PersonRow) {
  return {
    userId: row.user_id,
    deviceId: row.device_id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
  }
}
