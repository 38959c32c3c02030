/** What a journey is: what takes people in, and the steps it leads them through (G-57). */
import type { Link } from '../blocks/links/link-schemes.ts'
import type { PrayerLocation, Prayer } from '../calendar/prayers.ts'
import type { Where } from '../behaviour/where.ts'
import type { MailDocument } from '../mail/document.ts'
import { wholeMail, type FrozenPart } from '../mail/library/put-parts.ts'
import type { MessageContent } from '../messages/content.ts'
import { linksOfMail, linksOfMessages } from '../messages/links.ts'
import type { SendChannel } from '../messages/window.ts'
import type { SegmentRules } from '../targeting/rule.ts'

/**
 *   draft ──activate, when nothing is missing──▶ active ──pause──▶ paused ──activate──▶ active
 *   active, paused ──back──▶ draft
 */
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

/** An event that an application reports, by its type, and what it has to say. */
export type EventPattern = { event: string; where?: Where }
/** `sameKey`: only of the key that the run was begun with; read from `keyProperty`, else from what the trigger names. */
export type KeyedPattern = EventPattern & { sameKey?: true; keyProperty?: string }

export const ENTRY_POLICIES = ['once', 'after_exit', 'every_event'] as const
/** How often a person enters. `every_event`: a run for each key; `onRepeat`: what an event of a key does whose run is not over. */
export type Entry = {
  policy: (typeof ENTRY_POLICIES)[number]
  minGapMinutes?: number
  maxActive?: number
  maxEntries?: { count: number; days: number }
  onRepeat?: 'ignore' | 'restart'
}

export type Trigger =
  | { type: 'event'; eventType: EventType; filters?: Filters }
  | { type: 'inactivity'; days: number }
  /** `key`: a property that tells one cart, order or booking from the others; an event without it takes nobody in. */
  | ({ type: 'custom_event'; key?: string } & EventPattern)
  /** A name or an id. */
  | { type: 'segment_entry'; segment: string }
  | { type: 'hijri'; event: (typeof HIJRI_EVENTS)[number] }
  /** A day and month in a trait, each year: so many days before it, at a full hour. The only one that takes people again. */
  | { type: 'date'; trait: string; daysBefore: number; hour: number }
  | { type: 'manual' }

export const TRIGGER_TYPES = keysOf({
  event: true,
  custom_event: true,
  inactivity: true,
  segment_entry: true,
  hijri: true,
  date: true,
  manual: true,
} satisfies Record<Trigger['type'], true>)

/** Ids are unique in a journey and stay through edits: people stand on them, and messages are sent once for each. */
export type Step = { id: string } & (
  | { type: 'wait'; minutes: number }
  /** Until a clock in the zone next shows this full hour. */
  | { type: 'wait_until'; hour: number; zone: string }
  /** Until it is so long after this prayer at the place, by Umm al-Qura. */
  | ({ type: 'wait_until'; afterPrayer: Prayer; minutesAfter: number } & PrayerLocation)
  /** Until such an event arrives, which leads to `then`; after the time to `else`. */
  | ({ type: 'wait_for'; timeoutMinutes: number; then: Step[]; else: Step[] } & KeyedPattern)
  /**
   * `mail`: only of email, which sends it instead of the content. `mailParts`: the saved parts that it holds, as they were when the
   * journey was activated; nobody writes them. `topic`: what the message is about.
   */
  | { type: 'send'; channel: SendChannel; content: StepContent; mail?: MailDocument; mailParts?: FrozenPart[]; topic?: string }
  | { type: 'in_app'; content: StepContent }
  /** Tells an endpoint of the workspace, by its id, and does not wait for the answer. `data`: what it is told besides. */
  | { type: 'webhook'; endpoint: string; data?: StepValues }
  /** Writes attributes of the person, which end after so many days; without them they stay. */
  | { type: 'update_profile'; set: StepValues; expiresInDays?: number }
  | { type: 'condition'; rule: SegmentRules; then: Step[]; else: Step[] }
  /** `percent` of the people go the first way, the same people each time (G-73). */
  | { type: 'split'; percent: number; then: Step[]; else: Step[] }
  | { type: 'exit' }
)
export type StepType = Step['type']
export const STEP_TYPES = keysOf({
  wait: true,
  wait_until: true,
  wait_for: true,
  send: true,
  in_app: true,
  webhook: true,
  update_profile: true,
  condition: true,
  split: true,
  exit: true,
} satisfies Record<StepType, true>)
export type SendStep = Extract<Step, { type: 'send' }>
export type UntilStep = Extract<Step, { type: 'wait_until' }>
export type PrayerStep = Extract<UntilStep, { afterPrayer: Prayer }>
/** A step with two ways on. A branch holds its steps and nothing names a step to go to, so a definition cannot loop. */
export type Branching = Extract<Step, { then: Step[] }>
/** Fixed values, and texts with tokens of events: `{{event.total}}`. By the name of a member or of an attribute. */
export type StepValues = { [name: string]: string | number | boolean }
export type StepContent = { [locale: string]: MessageContent }

/** What people are led to: such an event within so many days of entering counts as a conversion. */
export type Goal = { eventType: EventType; days: number } | EventGoal
export type EventGoal = KeyedPattern & { days: number }

/** `entry`: absent is once. `exitOn`: events that end a run, wherever it stands. */
export type Journey = {
  name: string
  trigger: Trigger
  steps: Step[]
  goal: Goal | null
  entry?: Entry | null
  exitOn?: KeyedPattern[] | null
}

export function isEventGoal(goal: Goal): goal is EventGoal {
  return 'event' in goal
}

/** `missing`: nothing is there yet; `unfinished`: what is there cannot be used yet. */
export const PROBLEM_CODES = ['missing', 'unfinished'] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]
/** What a draft lacks before it can run. `path`: where, such as `steps[0].then[1].minutes`. */
export type Problem = { path: string; code: ProblemCode; message: string }

export function hasBranches(step: Step): step is Branching {
  return 'then' in step
}

/** Every step, with those of both branches, each behind the step it belongs to. */
export function listSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => (hasBranches(step) ? [step, ...listSteps(step.then), ...listSteps(step.else)] : [step]))
}

/** What goes out by email, with the saved parts that it was activated with. */
export function sentMailOf({ mail, mailParts }: Pick<SendStep, 'mail' | 'mailParts'>): MailDocument | undefined {
  return mail && wholeMail(mail, mailParts)
}

/** Where its messages lead. */
export function linksOfSteps(steps: readonly Step[]): Link[] {
  return listSteps(steps).flatMap((step) => {
    if (!('content' in step)) return []
    const mail = step.type === 'send' ? step.mail : undefined
    return [...linksOfMessages(`step ${step.id}: content`, step.content), ...linksOfMail(`step ${step.id}: mail`, mail)]
  })
}

function keysOf<Name extends string>(record: Record<Name, unknown>): Name[] {
  return Object.keys(record) as Name[]
}
