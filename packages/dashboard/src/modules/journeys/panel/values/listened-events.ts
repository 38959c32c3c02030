/** What a message or a step may name of events: the types of events that a run may have heard, by the prefix of their tokens. */
import { listSteps } from '@contentflow/core/journeys/journey.ts'
import type { JourneyDraft } from '../../draft/faults.ts'

export type TokenSource = { prefix: 'event' | 'lastEvent'; type: string }

/** Empty where the journey keeps no event. */
export function tokenSourcesOf({ trigger, steps }: Pick<JourneyDraft, 'trigger' | 'steps'>): TokenSource[] {
  const begins: TokenSource[] = trigger.type === 'custom_event' && trigger.event !== '' ? [{ prefix: 'event', type: trigger.event }] : []
  const waited = listSteps(steps).flatMap((step) => (step.type === 'wait_for' && step.event !== '' ? [step.event] : []))
  return [...begins, ...[...new Set(waited)].map((type): TokenSource => ({ prefix: 'lastEvent', type }))]
}

export function tokenOf({ prefix }: TokenSource, property: string): string {
  return `{{${prefix}.${property}}}`
}
