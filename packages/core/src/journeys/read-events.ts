/** Reads what a journey says of events: which ones take people in, are waited for, end a run, or are its goal. */
import { isPlainObject, type JsonObject } from '../blocks/field.ts'
import { isEventField, readWhere, type Where } from '../behaviour/where.ts'
import { LIMITS } from '../limits.ts'
import type { RegexCheck } from '../targeting/rule-value.ts'
import {
  ENTRY_POLICIES,
  isEventGoal,
  type Entry,
  type EventGoal,
  type EventPattern,
  type Journey,
  type KeyedPattern,
  type Step,
} from './journey.ts'
import { fault, integer, missing, object, oneOf, text, type Gaps } from './read-values.ts'

/** Characters of JSON of conditions that are not finished. */
const UNFINISHED_LENGTH = 20_000

/** `sent` may have more members: they are of what the pattern stands in. */
export function readPattern(at: string, sent: JsonObject, gaps: Gaps, isRegexValid: RegexCheck): EventPattern {
  const event = text(`${at}.event`, sent['event'], LIMITS.eventNameLength, gaps)
  const { where } = sent
  if (where === undefined) return { event }
  const read = readWhere(where, `${at}.where`, isRegexValid)
  if (read.ok) return { event, where: read.value }
  // A draft keeps what somebody is still writing, within bounds.
  if (!isPlainObject(where) || JSON.stringify(where).length > UNFINISHED_LENGTH) fault(read.error)
  missing(gaps, `${at}.where`, read.error, 'unfinished')
  return { event, where: where as unknown as Where }
}

export function readKeyed(at: string, sent: JsonObject, gaps: Gaps, isRegexValid: RegexCheck): KeyedPattern {
  const { sameKey = false, keyProperty } = sent
  if (typeof sameKey !== 'boolean') fault(`${at}.sameKey must be true or false`)
  if (keyProperty !== undefined) propertyName(`${at}.keyProperty`, keyProperty)
  return {
    ...readPattern(at, sent, gaps, isRegexValid),
    ...(sameKey && { sameKey: true as const }),
    ...(sameKey && typeof keyProperty === 'string' && { keyProperty }),
  }
}

/** A name of a property, or a path of names. */
export function propertyName(at: string, value: unknown): void {
  if (typeof value !== 'string' || !isEventField(`properties.${value}`)) fault(`${at} must name a property of the event`)
}

export function readWaitFor(at: string, sent: JsonObject, gaps: Gaps, isRegexValid: RegexCheck) {
  return {
    type: 'wait_for' as const,
    ...readKeyed(at, sent, gaps, isRegexValid),
    timeoutMinutes: integer(`${at}.timeoutMinutes`, sent['timeoutMinutes'], LIMITS.journeyTimeoutMinutes, gaps),
  }
}

export function readEventGoal(sent: JsonObject, gaps: Gaps, isRegexValid: RegexCheck): EventGoal {
  if ('eventType' in sent) fault('goal is an event or an eventType: send event or eventType, not both')
  const { days = LIMITS.journeyGoalDays.default } = sent
  return { ...readKeyed('goal', sent, gaps, isRegexValid), days: integer('goal.days', days, LIMITS.journeyGoalDays, gaps) }
}

const EXIT_MEMBERS = ['event', 'where', 'sameKey', 'keyProperty']

export function readExits(value: unknown, gaps: Gaps, isRegexValid: RegexCheck): KeyedPattern[] | null {
  if (value === null) return null
  if (!Array.isArray(value) || value.length > LIMITS.journeyExits) fault(`exitOn must be an array of at most ${LIMITS.journeyExits} events`)
  if (value.length === 0) return null
  return value.map((sent: unknown, index) => {
    const at = `exitOn[${index}]`
    return readKeyed(at, object(at, sent, EXIT_MEMBERS), gaps, isRegexValid)
  })
}

const ENTRY_MEMBERS = ['policy', 'minGapMinutes', 'maxActive', 'maxEntries', 'onRepeat']

export function readEntry(value: unknown): Entry | null {
  if (value === null) return null
  const { policy, minGapMinutes, maxActive, maxEntries, onRepeat } = object('entry', value, ENTRY_MEMBERS)
  const chosen = oneOf('entry.policy', policy, ENTRY_POLICIES)
  return {
    policy: chosen,
    ...(minGapMinutes !== undefined && { minGapMinutes: integer('entry.minGapMinutes', minGapMinutes, LIMITS.journeyMinGapMinutes) }),
    ...(maxActive !== undefined && { maxActive: integer('entry.maxActive', maxActive, LIMITS.journeyMaxActive) }),
    ...(maxEntries !== undefined && { maxEntries: readMaxEntries(maxEntries) }),
    ...(onRepeat !== undefined && { onRepeat: oneOf('entry.onRepeat', onRepeat, ['ignore', 'restart'] as const) }),
  }
}

function readMaxEntries(value: unknown): NonNullable<Entry['maxEntries']> {
  if (!isPlainObject(value)) fault('entry.maxEntries must be {count, days}')
  return {
    count: integer('entry.maxEntries.count', value['count'], LIMITS.journeyMaxEntries),
    days: integer('entry.maxEntries.days', value['days'], LIMITS.journeyMaxEntriesDays),
  }
}

/** What the members of a journey say that does not go together; undefined: nothing. With the path. */
export function eventsFault({
  trigger,
  steps,
  goal,
  entry,
  exitOn,
}: Pick<Journey, 'trigger' | 'steps' | 'goal' | 'entry' | 'exitOn'>): string | undefined {
  const policy = entry?.policy ?? 'once'
  if (policy === 'every_event' && trigger.type !== 'custom_event') return 'entry.policy: every_event needs a trigger of type custom_event'
  if (policy === 'after_exit' && trigger.type !== 'custom_event' && trigger.type !== 'manual')
    return 'entry.policy: after_exit needs a trigger of type custom_event or manual'
  if (trigger.type === 'custom_event' && trigger.key !== undefined) return undefined
  const needsKey = (at: string, pattern: KeyedPattern | undefined) =>
    pattern?.sameKey ? `${at}.sameKey: the trigger has no key to compare with` : undefined
  for (const [at, step] of placesOf(steps)) {
    const wrong = step.type === 'wait_for' ? needsKey(at, step) : undefined
    if (wrong !== undefined) return wrong
  }
  for (const [index, exit] of (exitOn ?? []).entries()) if (exit.sameKey) return needsKey(`exitOn[${index}]`, exit)
  return goal && isEventGoal(goal) ? needsKey('goal', goal) : undefined
}

/** Every step with where it stands. */
export function placesOf(steps: readonly Step[], at = 'steps'): [string, Step][] {
  return steps.flatMap((step, index): [string, Step][] => {
    const here = `${at}[${index}]`
    return 'then' in step ? [[here, step], ...placesOf(step.then, `${here}.then`), ...placesOf(step.else, `${here}.else`)] : [[here, step]]
  })
}
