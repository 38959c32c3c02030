/** What a journey is: what takes people in, and the steps it leads them through (G-57). */
import type { MessageContent } from '../messages/content.ts'
import type { SendChannel } from '../messages/window.ts'
import type { SegmentRules } from '../targeting/rule.ts'

export const JOURNEY_STATUSES = ['draft', 'active', 'paused'] as const
export type JourneyStatus = (typeof JOURNEY_STATUSES)[number]

/** Reported events by the types they come as (M-JRN-03). */
export const REPORTED = {
  BANNER_IMPRESSION: ['impression'],
  BANNER_CLICK: ['click', 'banner_click'],
  CTA_CLICK: ['cta_click'],
  DISMISSED: ['dismiss'],
  CONVERSION: ['purchase', 'conversion'],
} as const satisfies Record<string, readonly string[]>
/** What identities do (M-JRN-02), and crossings of fences (M-JRN-04). */
export const IDENTIFIED = { SIGN_UP: 'sign_up', SIGN_IN: 'sign_in' } as const
export const CROSSED = { GEOFENCE_ENTER: 'enter', GEOFENCE_EXIT: 'exit', GEOFENCE_DWELL: 'dwell' } as const
export type EventType = keyof typeof REPORTED | keyof typeof IDENTIFIED | keyof typeof CROSSED
export const EVENT_TYPES = [...keysOf(IDENTIFIED), ...keysOf(REPORTED), ...keysOf(CROSSED)] as const

/** M-JRN-05: what the event has to be about; what an event says nothing of is not it. */
export const FILTERS = ['campaignId', 'blockKey', 'screen', 'fenceId'] as const
export type Filters = { [filter in (typeof FILTERS)[number]]?: string }

export const HIJRI_EVENTS = ['ramadan_start', 'eid_start'] as const

export type Trigger =
  | { type: 'event'; eventType: EventType; filters?: Filters }
  | { type: 'inactivity'; days: number }
  /** A name or an id. */
  | { type: 'segment_entry'; segment: string }
  | { type: 'hijri'; event: (typeof HIJRI_EVENTS)[number] }
  | { type: 'manual' }

/** Ids are unique in a journey and stay through edits: people stand on them, and messages are sent once for each. */
export type Step = { id: string } & (
  | { type: 'wait'; minutes: number }
  | { type: 'send'; channel: SendChannel; content: StepContent }
  | { type: 'in_app'; content: StepContent }
  | { type: 'condition'; rule: SegmentRules; then: Step[]; else: Step[] }
  | { type: 'exit' }
)
export type StepType = Step['type']
export type StepContent = { [locale: string]: MessageContent }

export type Journey = { name: string; trigger: Trigger; steps: Step[] }

/** Every step, with those of both branches of a condition, each behind the condition it belongs to. */
export function listSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => (step.type === 'condition' ? [step, ...listSteps(step.then), ...listSteps(step.else)] : [step]))
}

function keysOf<Name extends string>(record: Record<Name, unknown>): Name[] {
  return Object.keys(record) as Name[]
}
