/** What a journey hears of an event: which of its parts it is for, and what is kept of it. */
import type { Json } from '../blocks/field.ts'
import { compileWhere, listWhereFields, valueOfEvent, type EventTest, type TrackedEvent } from '../behaviour/where.ts'
import { textsOfMails } from '../mail/fill-texts.ts'
import { LIMITS } from '../limits.ts'
import { textsOf } from '../messages/content.ts'
import { tokensIn } from '../messages/tokens.ts'
import type { RegexCompiler } from '../targeting/operators.ts'
import { textsOfValues } from './step-values.ts'
import { isEventGoal, listSteps, sentMailOf, type EventPattern, type Journey, type KeyedPattern, type Step } from './journey.ts'

/**
 * The order of events: arrival in milliseconds, then the batch they were stored with, then the place in it. Where a run stands
 * since a moment that no event made, the last two are 0.
 */
export type Position = readonly [at: number, batch: number, place: number]

export function comparePositions(a: Position, b: Position): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

/** What is kept of an event. `properties`: by path, only those that the journey names. */
export type KeptEvent = { type: string; at: number; key?: string; properties: { [path: string]: Json } }

/**
 * An event that is about a journey. Of each part that it is for: the key that a run must have; null: any run. `trigger`: the
 * key of the run it begins; null: it has none though one is asked for.
 */
export type Heard = {
  position: Position
  event: KeptEvent
  trigger?: { key: string | null }
  exit?: (string | null)[]
  goal?: { key: string | null }
  /** By the ids of steps. */
  waits?: [step: string, key: string | null][]
}

export type TypedEvent = TrackedEvent & { type: string; batch: number; place: number }
/** `types`: of events that may be about it. `beginsWith`: the one of its trigger. */
export type Hearing = { types: readonly string[]; beginsWith: string | undefined; hear(event: TypedEvent): Heard | undefined }

type Listener = { type: string; matches: EventTest; keyPath: string | undefined; note(heard: Heard, key: string | null): void }

/** The types of events that may be about a journey; empty: it listens to none. */
export function listenedTypes({ trigger, steps, exitOn, goal }: Pick<Journey, 'trigger' | 'steps' | 'exitOn' | 'goal'>): string[] {
  const waits = listSteps(steps).flatMap((step) => (step.type === 'wait_for' ? [step.event] : []))
  const begins = trigger.type === 'custom_event' ? [trigger.event] : []
  const goals = goal && isEventGoal(goal) ? [goal.event] : []
  return [...new Set([...begins, ...waits, ...(exitOn ?? []).map(({ event }) => event), ...goals])]
}

/** A text or number that tells one cart from another; undefined: the event has none that can be taken. */
export function keyOf(event: TrackedEvent, path: string): string | undefined {
  const value = valueOfEvent(event, `properties.${path}`)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' && value.length <= LIMITS.journeyKeyLength ? value : undefined
}

export function compileHearing(journey: Journey, compileRegex: RegexCompiler): Hearing {
  const { trigger, steps, exitOn, goal } = journey
  const triggerKey = trigger.type === 'custom_event' ? trigger.key : undefined
  const listener = (pattern: EventPattern & Partial<KeyedPattern>, note: Listener['note']): Listener => ({
    type: pattern.event,
    matches: compileWhere(pattern.where, compileRegex),
    keyPath: pattern.sameKey ? (pattern.keyProperty ?? triggerKey) : undefined,
    note,
  })
  const listeners = [
    ...listSteps(steps).flatMap((step) =>
      step.type === 'wait_for' ? [listener(step, (heard, key) => void (heard.waits ??= []).push([step.id, key]))] : [],
    ),
    ...(exitOn ?? []).map((exit) => listener(exit, (heard, key) => void (heard.exit ??= []).push(key))),
    ...(goal && isEventGoal(goal) ? [listener(goal, (heard, key) => void (heard.goal = { key }))] : []),
  ]
  const begins = trigger.type === 'custom_event' ? compileWhere(trigger.where, compileRegex) : undefined
  const beginsWith = trigger.type === 'custom_event' ? trigger.event : undefined
  const paths = pathsNamed(journey)
  const hear = (event: TypedEvent): Heard | undefined => {
    const key = triggerKey === undefined ? undefined : keyOf(event, triggerKey)
    const heard: Heard = { position: [event.at, event.batch, event.place], event: keep(event, paths, key) }
    if (event.type === beginsWith && begins?.(event)) heard.trigger = { key: triggerKey === undefined ? '' : (key ?? null) }
    for (const { type, matches, keyPath, note } of listeners) {
      if (type !== event.type || !matches(event)) continue
      const own = keyPath === undefined ? null : keyOf(event, keyPath)
      if (own !== undefined) note(heard, own)
    }
    return heard.trigger || heard.exit || heard.goal || heard.waits ? heard : undefined
  }
  return { types: listenedTypes(journey), beginsWith, hear }
}

const TOKEN = /^(?:event|lastEvent)\.(.+)$/s

/** Paths of properties: first those that messages and other steps name, because they are needed, then the keys, then those of conditions. */
function pathsNamed({ trigger, steps, exitOn, goal }: Journey): string[] {
  const all = listSteps(steps)
  const tokens = tokensIn(all.flatMap(textsOfStep)).flatMap((token) => TOKEN.exec(token)?.[1] ?? [])
  const patterns: (EventPattern & Partial<KeyedPattern>)[] = [
    ...(trigger.type === 'custom_event' ? [trigger] : []),
    ...all.flatMap((step) => (step.type === 'wait_for' ? [step] : [])),
    ...(exitOn ?? []),
    ...(goal && isEventGoal(goal) ? [goal] : []),
  ]
  const keys = [...(trigger.type === 'custom_event' ? [trigger.key] : []), ...patterns.map(({ keyProperty }) => keyProperty)]
  const fields = patterns.flatMap(({ where }) => listWhereFields(where)).map((field) => field.replace(/^properties\./, ''))
  return [...new Set([...tokens, ...keys.flatMap((key) => key ?? []), ...fields])]
}

function textsOfStep(step: Step): string[] {
  if (step.type === 'webhook') return textsOfValues(step.data)
  if (step.type === 'update_profile') return textsOfValues(step.set)
  if (!('content' in step)) return []
  return [...Object.values(step.content).flatMap(textsOf), ...(step.type === 'send' ? textsOfMails(sentMailOf(step)) : [])]
}

/** Of an event, what the journey names. */
export function keepEvent(journey: Journey, event: TypedEvent): KeptEvent {
  const key = journey.trigger.type === 'custom_event' && journey.trigger.key !== undefined ? keyOf(event, journey.trigger.key) : undefined
  return keep(event, pathsNamed(journey), key)
}

/** What does not fit any more is left out, whole. */
function keep(event: TypedEvent, paths: readonly string[], key: string | undefined): KeptEvent {
  const kept: [string, Json][] = []
  let bytes = 0
  for (const path of paths) {
    const value = valueOfEvent(event, `properties.${path}`) ?? valueOfEvent(event, path)
    if (value === undefined) continue
    bytes += bytesOf(path) + bytesOf(value)
    if (bytes > LIMITS.journeyEventBytes) break
    kept.push([path, value])
  }
  return { type: event.type, at: event.at, ...(key !== undefined && { key }), properties: Object.fromEntries(kept) }
}

/** Of its JSON, in UTF-8, at most. */
function bytesOf(value: Json): number {
  let bytes = 0
  for (const sign of JSON.stringify(value)) bytes += sign <= '\u007f' ? 1 : sign <= '\u07ff' ? 2 : sign <= '\uffff' ? 3 : 4
  return bytes
}
