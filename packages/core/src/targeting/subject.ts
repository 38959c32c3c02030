import type { Histories } from '../behaviour/history.ts'
import { isPlainObject, type Json, type JsonObject } from '../blocks/field.ts'
import { isIndustryCategory, isKnownField, type FieldPath } from './fields.ts'
import { lifecycleStage, type LifecycleFacts } from './lifecycle.ts'

/**
 * All that rules can ask about one person on one device. What is not known is left out (or undefined), never
 * null: a member that is there counts as existing (C-SEG-31). Everything is plain JSON, so a stored subject can
 * be used as it is read.
 */
export type Subject = {
  /** `customAttributes.*`. Block path: the traits of the identifying device; stored membership: those of the device identified last. */
  traits: JsonObject
  demographic: { name?: string; email?: string; phone?: string; country?: string; language?: string }
  /** Counts as of the last hourly roll-up (C-SEG-44). */
  behavioral: {
    impressions?: number
    clicks?: number
    conversions?: number
    dismissals?: number
    eventsTotal?: number
    lastActiveDays?: number
  }
  device: { platform?: string; sdkVersion?: string; locale?: string }
  /** The decided channel flags; `analytics` is the device's own consent. */
  consent: {
    push?: boolean
    sms?: boolean
    whatsapp?: boolean
    email?: boolean
    inApp?: boolean
    marketing?: boolean
    locationTracking?: boolean
    analytics?: boolean
  }
  location: { country?: string; region?: string; city?: string }
  /** Times as ISO 8601. */
  metadata: { createdAt?: string; lastSeenAt?: string; environment?: string }
  /** The value that counts of each attribute, by name. Not needed on the block path. */
  enrichment: JsonObject
  /** Industry data by category. */
  industryProfile: JsonObject
  /** The stage is computed from these when a rule asks. */
  lifecycle?: LifecycleFacts
  /** What they did, for rules on events. */
  events?: Histories
  /** The point reported last. `at` is ISO 8601. */
  currentLocation?: { latitude: number; longitude: number; at: string }
}

/** A subject about whom nothing is known. */
export const NOBODY: Subject = {
  traits: {},
  demographic: {},
  behavioral: {},
  device: {},
  consent: {},
  location: {},
  metadata: {},
  enrichment: {},
  industryProfile: {},
}

/** Looks a field up in a subject; undefined when it is missing. */
export type FieldReader = (subject: Subject, now: number) => Json | undefined

export function fieldReader(field: FieldPath): FieldReader {
  const { prefix, path } = field
  if (!isKnownField(field)) return () => undefined
  switch (prefix) {
    case 'lifecycle':
      return ({ lifecycle }, now) => lifecycle && lifecycleStage(lifecycle, now)
    case 'customAttributes':
      return traitReader(path)
    case 'enrichment':
    case 'industryProfile':
    case 'demographic':
    case 'behavioral':
    case 'device':
    case 'consent':
    case 'location':
    case 'metadata':
    case 'currentLocation':
      return (subject) => valueIn(subject[prefix], path)
    default:
      return prefix satisfies never
  }
}

/** industry data can also be asked for as `customAttributes.<category>`; a trait of that name comes first. */
function traitReader(path: readonly string[]): FieldReader {
  if (!isIndustryCategory(path[0] ?? '')) return ({ traits }) => valueIn(traits, path)
  return ({ traits, industryProfile }) => {
    const trait = valueIn(traits, path)
    return trait === undefined ? valueIn(industryProfile, path) : trait
  }
}

/** Follows own members only: names come from outside, and `constructor` is plain data (G-81). */
function valueIn(container: unknown, path: readonly string[]): Json | undefined {
  let value = container
  for (const member of path) {
    if (!isPlainObject(value) || !Object.hasOwn(value, member)) return undefined
    value = value[member]
  }
  return value as Json | undefined
}
