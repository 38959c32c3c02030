/** What the server says of people. */
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Channels } from '@contentflow/core/identity/consent.ts'
import type { LifecycleStage } from '@contentflow/core/targeting/lifecycle.ts'
import { usePages, useRead } from '../../data.ts'
import type { Environment } from '../../ui/environment.tsx'

export type PersonRow = {
  userId: string | null
  deviceId: string | null
  name: string | null
  email: string | null
  phone: string | null
  lastSeenAt: string | null
  createdAt: string
}

export type Device = {
  deviceId: string
  environment: Environment
  userId: string | null
  consent: 'granted' | 'denied' | 'unknown'
  /** What the device gets content for, as of its last identify or refresh. */
  segments: string[]
  platform: string | null
  provider: string | null
  pushRegistered: boolean
  firstSeenAt: string
  lastSeenAt: string
  expiresAt: string
}

export type Profile = {
  userId: string | null
  deviceId: string | null
  name: string | null
  email: string | null
  phone: string | null
  country: string | null
  customAttributes: JsonObject
  channels: Channels
  personalOptOut: boolean
  suppressed: boolean
  currentLocation: { latitude: number; longitude: number; at: string } | null
  lifecycle: LifecycleStage
  createdAt: string
}

export type Person = Profile & { segmentNames: string[]; devices: Device[] }

export type Answers = Record<string, boolean>

export type DevicePageData = Device & {
  isLapsed: boolean
  locale: string | null
  sdkVersion: string | null
  evaluatedAt: string | null
  pushRegisteredAt: string | null
  pushTopics: string[]
  channels: Channels
  personalOptOut: boolean
  suppressed: boolean
  topics: Answers
  requiredConsents: Answers
  person: { userId: string | null; deviceId: string | null } | null
}

/** One value of the ledger that changed. Null: never asked. */
export type LedgerEntry = {
  channel: string
  oldValue: boolean | null
  newValue: boolean | null
  source: string
  preset: string | null
  presetVersion: string | null
  textHash: string | null
  locale: string | null
  keyId: string
  recordedAt: string
}

export type StoredEvent = {
  id: string
  type: string
  at: string
  deviceId: string
  blockKey: string | null
  instanceId: string | null
  campaignId: string | null
  screen: string | null
  stringKey: string | null
  platform: string | null
  value: number | null
  currency: string | null
  properties: JsonObject | null
}

export type ErasurePart = { part: string; status: 'pending' | 'erased'; count: number; at: string | null }
export type Receipt = {
  id: string
  environment: Environment
  status: 'pending' | 'complete'
  parts: ErasurePart[]
  requestedBy: string
  requestedAt: string
  completedAt: string | null
}

/** Whose page it is: a user, or what is known of an anonymous device. */
export type Subject = { id: string; environment: Environment }

/** The start of all addresses about somebody; the server takes a user id, or the device id of an anonymous person. */
export function pathOf({ id }: Pick<Subject, 'id'>): string {
  return `/users/${encodeURIComponent(id)}`
}

export function usePerson(subject: Subject) {
  return useRead<Person>(pathOf(subject), { environment: subject.environment })
}

export function useDevice(deviceId: string | undefined, environment: Environment) {
  return useRead<DevicePageData>(`/devices/${encodeURIComponent(deviceId ?? '')}`, { environment }, { when: deviceId !== undefined })
}

export function useLedger(subject: Subject) {
  return usePages<LedgerEntry>(`${pathOf(subject)}/consents`, 'consents', { environment: subject.environment, limit: 100 })
}

export function useEvents(path: string, environment: Environment) {
  return usePages<StoredEvent>(`${path}/events`, 'events', { environment })
}

/** The names of members by account, to say who did something. */
export function useMemberNames(): ReadonlyMap<string, string> {
  const { data } = useRead<{ members: { userId: string; name: string; email: string }[] }>('/members', { limit: 200 })
  return new Map((data?.members ?? []).map(({ userId, name, email }) => [userId, name || email]))
}
