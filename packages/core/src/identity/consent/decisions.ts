import { consentChanges, type ChannelState, type ConsentChange } from './consent.ts'

/** Everything a person, or a device that has none, has decided. */
export type Decisions = ChannelState & {
  personalOptOut: boolean
  /** Answers to the topics and required consents of a preset, by id. */
  topics: Readonly<Record<string, boolean>>
  requiredConsents: Readonly<Record<string, boolean>>
}

export const NOTHING_DECIDED: Decisions = { channels: {}, saved: null, personalOptOut: false, topics: {}, requiredConsents: {} }

/** What the ledger has to say of the step from one state to the next. */
export function decisionChanges(before: Decisions, after: Decisions): ConsentChange[] {
  return [
    ...consentChanges(before, after),
    ...answerChanges('topic', before.topics, after.topics),
    ...answerChanges('required', before.requiredConsents, after.requiredConsents),
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
export function hasDecided({ channels, personalOptOut, topics, requiredConsents }: Decisions): boolean {
  return personalOptOut || [channels, topics, requiredConsents].some((set) => Object.keys(set).length > 0)
}

function answerChanges(prefix: string, before: Decisions['topics'], after: Decisions['topics']): ConsentChange[] {
  const valueOf = (answers: Decisions['topics'], id: string) => (Object.hasOwn(answers, id) ? (answers[id] ?? null) : null)
  return [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .map((id) => ({ channel: `${prefix}:${id}`, oldValue: valueOf(before, id), newValue: valueOf(after, id) }))
    .filter(({ oldValue, newValue }) => oldValue !== newValue)
}
