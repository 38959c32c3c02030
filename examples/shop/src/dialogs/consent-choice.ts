import type { Channels, ConsentPreset, FullConsent } from '@contentflow/sdk'

/** The channels a person is asked about. */
export const CHANNELS = ['push', 'email', 'sms', 'whatsapp', 'inApp'] as const

/** What is ticked: consents and topics by id of the preset, channels by name. */
export type Choice = { consents: ReadonlySet<string>; topics: ReadonlySet<string>; channels: ReadonlySet<string> }

/** Nothing beyond what the service needs. */
export function leastChoice({ requiredConsents }: ConsentPreset): Choice {
  const needed = requiredConsents.filter(({ required }) => required).map(({ id }) => id)
  return { consents: new Set(needed), topics: new Set(), channels: new Set() }
}

export function fullChoice({ requiredConsents, topics }: ConsentPreset): Choice {
  return {
    consents: new Set(requiredConsents.map(({ id }) => id)),
    topics: new Set(topics.map(({ id }) => id)),
    channels: new Set(CHANNELS),
  }
}

export function allowsAnalytics({ consents }: Choice): boolean {
  return consents.has('usage_analytics')
}

/** Every question is answered with yes or no: what is not ticked is a no. */
export function consentOf(preset: ConsentPreset, choice: Choice): FullConsent {
  const answers = (ids: readonly string[], ticked: ReadonlySet<string>) => Object.fromEntries(ids.map((id) => [id, ticked.has(id)]))
  const channels: Channels = {
    ...answers(CHANNELS, choice.channels),
    marketing: choice.consents.has('direct_marketing'),
    locationTracking: choice.consents.has('location_use'),
  }
  return {
    preset: preset.preset,
    channels,
    topics: answers(
      preset.topics.map(({ id }) => id),
      choice.topics,
    ),
    requiredConsents: answers(
      preset.requiredConsents.map(({ id }) => id),
      choice.consents,
    ),
  }
}
