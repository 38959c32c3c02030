import type { JsonObject } from '../blocks/field.ts'
import { CHANNELS, decideChannels, SUPPRESSED_CHANNELS, type Channel, type Channels, type ChannelState } from './consent/consent.ts'
import type { Decisions } from './consent/decisions.ts'

/** What a merge of two people looks at. */
export type Mergeable = Decisions & {
  name: string | null
  email: string | null
  phone: string | null
  country: string | null
  language: string | null
  industry: JsonObject
  pushPreferences: JsonObject
}

/** C-DEV-30 to C-DEV-33: `anonymous` becomes part of `known`. Empty fields are filled, on conflict the known value wins. */
export function mergeProfiles(anonymous: Mergeable, known: Mergeable): Mergeable {
  return {
    ...mergeDecisions(anonymous, known),
    name: known.name ?? anonymous.name,
    email: known.email ?? anonymous.email,
    phone: known.phone ?? anonymous.phone,
    country: known.country ?? anonymous.country,
    language: known.language ?? anonymous.language,
    industry: { ...anonymous.industry, ...known.industry },
    pushPreferences: { ...anonymous.pushPreferences, ...known.pushPreferences },
  }
}

/** Flags and answers are taken over only where there was no decision. An opt-out of either stays one. */
export function mergeDecisions(anonymous: Decisions, known: Decisions): Decisions {
  const [own, others] = [decidedFlags(known), decidedFlags(anonymous)]
  const limit = known.maxMessagesAWeek ?? anonymous.maxMessagesAWeek ?? null
  const undecided = Object.fromEntries(Object.entries(others).filter(([channel]) => own[channel as Channel] === undefined)) as Channels
  return {
    ...decideChannels(known, undecided),
    personalOptOut: known.personalOptOut || anonymous.personalOptOut,
    topics: { ...anonymous.topics, ...known.topics },
    requiredConsents: { ...anonymous.requiredConsents, ...known.requiredConsents },
    ...(limit !== null && { maxMessagesAWeek: limit }),
  }
}

/** What the person decided, suppressed or not: while suppressed, the flags that are switched off are nobody's decision. */
function decidedFlags({ channels, saved }: ChannelState): Channels {
  if (saved === null) return channels
  const decided: Channels = {}
  for (const channel of CHANNELS) {
    const value = ((SUPPRESSED_CHANNELS as readonly Channel[]).includes(channel) ? saved : channels)[channel]
    if (value !== undefined) decided[channel] = value
  }
  return decided
}
