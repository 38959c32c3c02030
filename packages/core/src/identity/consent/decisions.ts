import { consentChanges, type ChannelState, type ConsentChange } from './consent.ts'

/** Everything a person, or a device that has none, has decided. */
export type Decisions = ChannelState & {
  personalOptOut: boolean
  /** Answers to the topics and required consents of a preset, by id. */
  topics: Readonly<Record<string, boolean>>
  requiredConsents: Readonly<Record<string, boolean>>
  /** How many messages of campaigns and journeys they want in a week, of a person alone; null and left out: as many as there are. */
  maxMessagesAWeek?: number | null
}

/** What people may choose of. */
export const WEEKLY_LIMITS = [1, 2, 4, 7] as const

export const NOTHING_DECIDED: Decisions = { channels: {}, saved: null, personalOptOut: false, topics: {}, requiredConsents: {} }

/** What the ledger has to say of the step from one state to the next. */
export function decisionChanges(before: Decisions, after: Decisions): ConsentChange[] {
  return [
    ...consentChanges(before, after),
    ...answerChanges('topic', before.topics, after.topics),
    ...answerChanges('required', before.requiredConsents, after.requiredConsents),
    ...limitChanges(before.maxMessagesAWeek ?? null, after.maxMessagesAWeek ?? null),
    ...(before.personalOptOut === after.personalOptOut
      ? []
      : [{ channel: 'personalOptOut', oldValue: before.personalOptOut, newValue: after.personalOptOut }]),
  ]
}

/** Every decision back to never asked: the subject was erased, or became part of another. */
export function forgottenDecisions(before: Decisions): ConsentChange[] {
  return decisionChanges(before, NOTHING_DECIDED).map((change) => ({ ...change, newValue: null }))
}

/** Whether there is any decision at all. */
export function hasDecided({ channels, personalOptOut, topics, requiredConsents, maxMessagesAWeek = null }: Decisions): boolean {
  return personalOptOut || maxMessagesAWeek !== null || [channels, topics, requiredConsents].some((set) => Object.keys(set).length > 0)
}

function answerChanges(prefix: string, before: Decisions['topics'], after: Decisions['topics']): ConsentChange[] {
  const valueOf = (answers: Decisions['topics'], id: string) => (Object.hasOwn(answers, id) ? (answers[id] ?? null) : null)
  return [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .map((id) => ({ channel: `${prefix}:${id}`, oldValue: valueOf(before, id), newValue: valueOf(after, id) }))
    .filter(({ oldValue, newValue }) => oldValue !== newValue)
}

/** A ledger says yes, no and never asked: the limit that was chosen is one entry, the one that went another. */
function limitChanges(before: number | null, after: number | null): ConsentChange[] {
  if (before === after) return []
  return [
    ...(before === null ? [] : [{ channel: `frequency:${before}`, oldValue: true, newValue: null }]),
    ...(after === null ? [] : [{ channel: `frequency:${after}`, oldValue: null, newValue: true }]),
  ]
}
