/** Reads the body of a journey: exactly the members of G-57, and what each may be. */
import { cutText } from '../cut-text.ts'
import { foldTag, languageTag } from '../locale/language-tag.ts'
import { isPlainObject, textLength, type JsonObject } from '../blocks/field.ts'
import { SEND_CHANNELS } from '../campaigns/campaign.ts'
import { isTimeZone } from '../calendar.ts'
import { PRAYERS } from '../calendar/prayers.ts'
import { LIMITS } from '../limits.ts'
import { faultOfLocale, faultOfMessage, MESSAGE_NAMES } from '../messages/content.ts'
import { isTraitKey } from '../targeting/fields.ts'
import type { RegexCheck } from '../targeting/rule-value.ts'
import { parseRules, type SegmentRules } from '../targeting/rule.ts'
import {
  EVENT_TYPES,
  FILTERS,
  HIJRI_EVENTS,
  hasBranches,
  type EventType,
  type Filters,
  type Goal,
  type Journey,
  type Step,
  type StepContent,
  STEP_TYPES,
  TRIGGER_TYPES,
  type Trigger,
  type UntilStep,
} from './journey.ts'

export type ReadJourney = { ok: true; value: Partial<Journey> } | { ok: false; error: string }
/** `newId` makes the id of a step that comes without one. `before`: the steps it had. */
export type ReadOptions = { isNew: boolean; isRegexValid: RegexCheck; newId: () => string; before?: readonly Step[] }

class Fault extends Error {}
function fault(message: string): never {
  throw new Fault(message)
}

const LONGITUDES = { min: -180, max: 180 }
const REQUIRED = ['name', 'trigger', 'steps'] as const

/** A new journey needs all members; of changes each may be left out. */
export function readJourney(body: unknown, options: ReadOptions): ReadJourney {
  try {
    return { ok: true, value: readMembers(body, options) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { ok: false, error: error.message }
  }
}

function readMembers(body: unknown, options: ReadOptions): Partial<Journey> {
  if (!isPlainObject(body)) fault('The body must be a JSON object')
  const { name, trigger, steps, goal } = body
  for (const member of options.isNew ? REQUIRED : []) if (body[member] === undefined) fault(`${member} is required`)
  return {
    ...(name !== undefined && { name: text('name', name, LIMITS.journeyNameLength) }),
    ...(trigger !== undefined && { trigger: readTrigger(trigger) }),
    ...(steps !== undefined && { steps: readAllSteps(steps, options) }),
    ...(goal !== undefined && { goal: goal === null ? null : readGoal(goal) }),
  }
}

// --- the trigger ---

const TRIGGERS: { [Type in Trigger['type']]: (sent: JsonObject) => Trigger } = {
  event: ({ eventType, filters }) => {
    const type = oneOf<EventType>('trigger.eventType', eventType, EVENT_TYPES)
    const about = filters === undefined ? {} : readFilters(filters)
    return { type: 'event', eventType: type, ...(Object.keys(about).length > 0 && { filters: about }) }
  },
  inactivity: ({ days = LIMITS.journeyInactivityDays.default }) => ({
    type: 'inactivity',
    days: integer('trigger.days', days, LIMITS.journeyInactivityDays),
  }),
  segment_entry: ({ segment }) => ({ type: 'segment_entry', segment: text('trigger.segment', segment, LIMITS.segmentNameLength) }),
  hijri: ({ event }) => ({ type: 'hijri', event: oneOf('trigger.event', event, HIJRI_EVENTS) }),
  date: ({ trait, daysBefore = LIMITS.journeyDaysBefore.default, hour = LIMITS.journeyHour.default }) => ({
    type: 'date',
    trait: traitKey('trigger.trait', trait),
    daysBefore: integer('trigger.daysBefore', daysBefore, LIMITS.journeyDaysBefore),
    hour: integer('trigger.hour', hour, LIMITS.journeyHour),
  }),
  manual: () => ({ type: 'manual' }),
}

function readTrigger(value: unknown): Trigger {
  if (!isPlainObject(value)) fault('trigger must be an object')
  return TRIGGERS[oneOf('trigger.type', value['type'], TRIGGER_TYPES)](value)
}

function readFilters(value: unknown): Filters {
  const sent = object('trigger.filters', value, FILTERS)
  return Object.fromEntries(Object.entries(sent).map(([name, filter]) => [name, text(`trigger.filters.${name}`, filter, 200)]))
}

function readGoal(value: unknown): Goal {
  if (!isPlainObject(value)) fault('goal must be an object')
  const { eventType, days = LIMITS.journeyGoalDays.default } = value
  return {
    eventType: oneOf<EventType>('goal.eventType', eventType, EVENT_TYPES),
    days: integer('goal.days', days, LIMITS.journeyGoalDays),
  }
}

// --- the steps ---

/** What one reading shares over the whole tree. */
type Reading = { count: number; isRegexValid: RegexCheck }
/** The id of a step that came without one, until it is given one. */
const NO_ID = ''

function readAllSteps(value: unknown, { isRegexValid, newId, before = [] }: ReadOptions): Step[] {
  const steps = readSteps('steps', value, 1, { count: 0, isRegexValid })
  const taken = new Set<string>()
  forEachStep(steps, 'steps', ({ id }, at) => {
    if (id === NO_ID) return
    if (taken.has(id)) fault(`${at}.id: ${shown(id)} is the id of two steps`)
    taken.add(id)
  })
  const places = new Map<string, Step>()
  forEachStep(before, 'steps', (step, at) => void places.set(at, step))
  // Whoever edits without ids means the step at the same place; a place that became another kind is another step.
  forEachStep(steps, 'steps', (step, at) => {
    if (step.id !== NO_ID) return
    const former = places.get(at)
    step.id = former?.type === step.type && !taken.has(former.id) ? former.id : newId()
    taken.add(step.id)
  })
  return steps
}

function forEachStep(steps: readonly Step[], at: string, visit: (step: Step, at: string) => void): void {
  for (const [index, step] of steps.entries()) {
    const here = `${at}[${index}]`
    visit(step, here)
    if (!hasBranches(step)) continue
    forEachStep(step.then, `${here}.then`, visit)
    forEachStep(step.else, `${here}.else`, visit)
  }
}

function readSteps(at: string, value: unknown, level: number, reading: Reading): Step[] {
  if (!Array.isArray(value)) fault(`${at} must be an array of steps`)
  if (value.length > 0 && level > LIMITS.journeyLevels) fault(`${at}: branches nest at most ${LIMITS.journeyLevels - 1} deep`)
  return value.map((step, index) => readStep(`${at}[${index}]`, step, level, reading))
}

/** The id is given later to those that come without one. */
function readStep(at: string, sent: unknown, level: number, reading: Reading): Step {
  reading.count++
  if (reading.count > LIMITS.journeySteps) fault(`${at}: a journey has at most ${LIMITS.journeySteps} steps`)
  if (!isPlainObject(sent)) fault(`${at} must be an object with a type`)
  const type = oneOf(`${at}.type`, sent['type'], STEP_TYPES)
  const id = sent['id'] === undefined ? NO_ID : text(`${at}.id`, sent['id'], 100)
  switch (type) {
    case 'wait':
      return { id, type, minutes: integer(`${at}.minutes`, sent['minutes'], LIMITS.journeyWaitMinutes) }
    case 'wait_until':
      return readUntil(at, id, sent)
    case 'send': {
      const channel = oneOf(`${at}.channel`, sent['channel'], SEND_CHANNELS)
      return { id, type, channel, content: readContent(`${at}.content`, sent['content']) }
    }
    case 'in_app':
      return { id, type, content: readContent(`${at}.content`, sent['content']) }
    case 'condition':
      return { id, type, rule: readRule(`${at}.rule`, sent['rule'], reading), ...readBranches(at, sent, level, reading) }
    case 'split':
      return {
        id,
        type,
        percent: integer(`${at}.percent`, sent['percent'], LIMITS.journeySplitPercent),
        ...readBranches(at, sent, level, reading),
      }
    default:
      return { id, type }
  }
}

function readUntil(
  at: string,
  id: string,
  { hour, zone: zoneName, afterPrayer, minutesAfter = LIMITS.journeyMinutesAfterPrayer.default, latitude, longitude }: JsonObject,
): UntilStep {
  if (hour !== undefined && afterPrayer !== undefined)
    fault(`${at} waits until an hour or until after a prayer: send hour or afterPrayer, not both`)
  const type = 'wait_until'
  if (afterPrayer === undefined)
    return { id, type, hour: integer(`${at}.hour`, hour, LIMITS.journeyHour), zone: zone(`${at}.zone`, zoneName) }
  return {
    id,
    type,
    afterPrayer: oneOf(`${at}.afterPrayer`, afterPrayer, PRAYERS),
    minutesAfter: integer(`${at}.minutesAfter`, minutesAfter, LIMITS.journeyMinutesAfterPrayer),
    latitude: degrees(`${at}.latitude`, latitude, LIMITS.journeyPrayerLatitude, 'beyond there are days without sunrise'),
    longitude: degrees(`${at}.longitude`, longitude, LONGITUDES),
  }
}

function readBranches(at: string, sent: JsonObject, level: number, reading: Reading): { then: Step[]; else: Step[] } {
  const { then, else: otherwise = [] } = sent
  return { then: readSteps(`${at}.then`, then, level + 1, reading), else: readSteps(`${at}.else`, otherwise, level + 1, reading) }
}

/** One condition, a group of them, or rules as a segment carries them; kept as the last. */
function readRule(at: string, value: unknown, { isRegexValid }: Reading): SegmentRules {
  if (!isPlainObject(value)) fault(`${at} must be {field, operator, value}, {logicalOperator, conditions} or {logicalOperator, rules}`)
  const isSegment = 'rules' in value
  const read = parseRules(isSegment ? value : { logicalOperator: 'AND', rules: [value] }, isRegexValid)
  return read.ok ? read.value : fault(`${at}: ${isSegment ? read.error : read.error.replace(/^rules\[0\](: )?/, '')}`)
}

function readContent(at: string, value: unknown): StepContent {
  if (!isPlainObject(value)) fault(`${at} must be an object with a member for each locale`)
  const entries = Object.entries(value)
  if (entries.length === 0) fault(`${at} says nothing: it needs a member for at least one locale`)
  if (entries.length > LIMITS.localesPerWorkspace) fault(`${at} has more than ${LIMITS.localesPerWorkspace} locales`)
  const known = new Set<string>()
  return Object.fromEntries(
    entries.map(([locale, sent]) => {
      const wrong = faultOfLocale(locale)
      if (wrong !== undefined) fault(`${at}: ${wrong}`)
      if (known.has(foldTag(locale))) fault(`${at} has the locale ${locale} twice`)
      known.add(foldTag(locale))
      const message = object(`${at}.${locale}`, sent, MESSAGE_NAMES)
      const wrongMessage = faultOfMessage(`${at}.${locale}`, message)
      if (wrongMessage !== undefined) fault(wrongMessage)
      return [languageTag(locale), message]
    }),
  )
}

// --- values ---

/** Where what is not known would be lost: a filter fewer takes more people. Elsewhere unknown members are ignored (G-13). */
function object(at: string, value: unknown, names: readonly string[]): JsonObject {
  if (!isPlainObject(value)) fault(`${at} must be an object`)
  const unknown = Object.keys(value).find((name) => !names.includes(name))
  return unknown === undefined ? value : fault(`${at}: ${shown(unknown)} is not known; it takes ${names.join(', ')}`)
}

function oneOf<T extends string>(at: string, value: unknown, choices: readonly T[]): T {
  return (choices as readonly unknown[]).includes(value) ? (value as T) : fault(`${at} must be one of ${choices.join(', ')}`)
}

function text(at: string, value: unknown, most: number): string {
  const isRight = typeof value === 'string' && value.trim() !== '' && textLength(value) <= most
  return isRight ? value : fault(`${at} must be a text of 1 to ${most} characters`)
}

function integer(at: string, value: unknown, { min, max }: { min: number; max: number }): number {
  const isRight = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
  return isRight ? value : fault(`${at} must be a whole number from ${min} to ${max}`)
}

function degrees(at: string, value: unknown, { min, max }: { min: number; max: number }, why?: string): number {
  const isRight = typeof value === 'number' && value >= min && value <= max
  return isRight ? value : fault(`${at} must be a number of degrees, ${min} to ${max}${why === undefined ? '' : `; ${why}`}`)
}

function traitKey(at: string, value: unknown): string {
  return typeof value === 'string' && isTraitKey(value) ? value : fault(`${at} must name a trait: 1 to 64 letters, digits and _`)
}

function zone(at: string, value: unknown): string {
  return isTimeZone(value) ? value : fault(`${at} must be an IANA time zone such as Asia/Riyadh`)
}

function shown(name: string): string {
  return JSON.stringify(cutText(name, 100))
}
