import { isStringSignal, type SentEvent } from './read-events.ts'

/** Why an event is not stored, in the order in which the first that fits is named (G-21, G-96). */
export type DropReason =
  | 'feature_disabled'
  | 'device_not_identified'
  | 'consent_not_granted'
  | 'invalid_string_signal'
  | 'sensor_not_enabled'
  | 'properties_too_large'

/** What the events of a device are judged by. */
export type EventSource = {
  isFeatureOn: boolean
  /** undefined: never identified, or longer ago than its record lives. */
  consent: 'granted' | 'denied' | undefined
  isSensor(stringKey: string): boolean
}

/** C-EVT-11 to C-EVT-19: each event by itself. */
export function judgeEvents(
  events: readonly SentEvent[],
  source: EventSource,
): { kept: SentEvent[]; dropReasons: Map<DropReason, number> } {
  const dropReasons = new Map<DropReason, number>()
  const kept: SentEvent[] = []
  for (const event of events) {
    const reason = reasonToDrop(event, source)
    if (reason === undefined) kept.push(event)
    else dropReasons.set(reason, (dropReasons.get(reason) ?? 0) + 1)
  }
  return { kept, dropReasons }
}

function reasonToDrop({ type, stringKey, isTooLarge }: SentEvent, source: EventSource): DropReason | undefined {
  if (!source.isFeatureOn) return 'feature_disabled'
  if (source.consent === undefined) return 'device_not_identified'
  if (source.consent === 'denied') return 'consent_not_granted'
  const isSignal = isStringSignal(type)
  if (isSignal && stringKey === null) return 'invalid_string_signal'
  if (isSignal && stringKey !== null && !source.isSensor(stringKey)) return 'sensor_not_enabled'
  // Behind the documented ones (G-96).
  return isTooLarge ? 'properties_too_large' : undefined
}
