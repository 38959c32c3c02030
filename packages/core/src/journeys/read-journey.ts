/** Reads the body of a journey: exactly the members of G-57, and what each may be. */
import { foldTag, languageTag } from '../locale/language-tag.ts'
import { isPlainObject, type JsonObject } from '../blocks/field.ts'
import { SEND_CHANNELS } from '../campaigns/campaign.ts'
import { PRAYERS } from '../calendar/prayers.ts'
import { LIMITS } from '../limits.ts'
import { readMail } from '../mail/read-document.ts'
import { faultOfLocale, faultOfMessage, faultOfUnfinishedTemplate, MESSAGE_NAMES } from '../messages/content.ts'
import { faultOfInbox } from '../messages/inbox.ts'
import { readUnfinishedRules } from '../targeting/unfinished-rules.ts'
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
  type Problem,
  type Step,
  type StepContent,
  STEP_TYPES,
  TRIGGER_TYPES,
  type Trigger,
  type UntilStep,
} from './journey.ts'
import { propertyName, readEntry, readEventGoal, readExits, readPattern, readWaitFor } from './read-events.ts'
import { readUpdate, readWebhook } from './step-values.ts'
import { Fault, degrees, fault, integer, missing, object, oneOf, shown, text, traitKey, zone, type Gaps } from './read-values.ts'

/** `problems`: what is still missing, where that is allowed. */
export type ReadJourney = { ok: true; value: Partial<Journey>; problems: Problem[] } | { ok: false; error: string }
/** `newId` makes the id of a step that comes without one. `before`: the steps it had. */
export type ReadOptions = {
  isNew: boolean
  isRegexValid: RegexCheck
  newId: () => string
  before?: readonly Step[]
  /** Takes a draft to which something is missing. What kind of thing each is, sizes, depth and links are held all the same. */
  mayBeIncomplete?: boolean
}

const LONGITUDES = { min: -180, max: 180 }
const REQUIRED = ['name', 'trigger', 'steps'] as const

/** A new journey needs all members; of changes each may be left out. */
export function readJourney(body: unknown, options: ReadOptions): ReadJourney {
  const gaps: Gaps = options.mayBeIncomplete ? [] : undefined
  try {
    const value = readMembers(body, options, gaps)
    // A number that is missing is NaN here, and null wherever it is stored or sent.
    return { ok: true, value: gaps ? (JSON.parse(JSON.stringify(value)) as Partial<Journey>) : value, problems: gaps ?? [] }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { ok: false, error: error.message }
  }
}

/** What is missing to a draft that was stored incomplete; empty: it is complete. */
export function problemsOf({ name, trigger, steps, goal, entry, exitOn }: Journey, isRegexValid: RegexCheck): Problem[] {
  const read = readJourney(
    { name, trigger, steps, goal, entry, exitOn },
    { isNew: true, isRegexValid, newId: () => '', mayBeIncomplete: true },
  )
  // Rules may have become stricter since this one was stored.
  return read.ok ? read.problems : [{ path: '', code: 'unfinished', message: read.error }]
}

function readMembers(body: unknown, options: ReadOptions, gaps: Gaps): Partial<Journey> {
  if (!isPlainObject(body)) fault('The body must be a JSON object')
  const { name, trigger, steps, goal, entry, exitOn } = body
  const { isRegexValid } = options
  for (const member of options.isNew ? REQUIRED : []) if (body[member] === undefined) fault(`${member} is required`)
  return {
    ...(name !== undefined && { name: text('name', name, LIMITS.journeyNameLength, gaps) }),
    ...(trigger !== undefined && { trigger: readTrigger(trigger, gaps, isRegexValid) }),
    ...(steps !== undefined && { steps: readAllSteps(steps, options, gaps) }),
    ...(goal !== undefined && { goal: goal === null ? null : readGoal(goal, gaps, isRegexValid) }),
    ...(entry !== undefined && { entry: readEntry(entry) }),
    ...(exitOn !== undefined && { exitOn: readExits(exitOn, gaps, isRegexValid) }),
  }
}

// --- the trigger ---

const TRIGGERS: { [Type in Trigger['type']]: (sent: JsonObject, gaps: Gaps, isRegexValid: RegexCheck) => Trigger } = {
  event: ({ eventType, filters }) => {
    const type = oneOf<EventType>('trigger.eventType', eventType, EVENT_TYPES)
    const about = filters === undefined ? {} : readFilters(filters)
    return { type: 'event', eventType: type, ...(Object.keys(about).length > 0 && { filters: about }) }
  },
  custom_event: (sent, gaps, isRegexValid) => {
    const { key } = sent
    if (key !== undefined) propertyName('trigger.key', key)
    return { type: 'custom_event', ...readPattern('trigger', sent, gaps, isRegexValid), ...(typeof key === 'string' && { key }) }
  },
  inactivity: ({ days = LIMITS.journeyInactivityDays.default }, gaps) => ({
    type: 'inactivity',
    days: integer('trigger.days', days, LIMITS.journeyInactivityDays, gaps),
  }),
  segment_entry: ({ segment }, gaps) => ({
    type: 'segment_entry',
    segment: text('trigger.segment', segment, LIMITS.segmentNameLength, gaps),
  }),
  hijri: ({ event }) => ({ type: 'hijri', event: oneOf('trigger.event', event, HIJRI_EVENTS) }),
  date: ({ trait, daysBefore = LIMITS.journeyDaysBefore.default, hour = LIMITS.journeyHour.default }, gaps) => ({
    type: 'date',
    trait: traitKey('trigger.trait', trait, gaps),
    daysBefore: integer('trigger.daysBefore', daysBefore, LIMITS.journeyDaysBefore, gaps),
    hour: integer('trigger.hour', hour, LIMITS.journeyHour),
  }),
  manual: () => ({ type: 'manual' }),
}

function readTrigger(value: unknown, gaps: Gaps, isRegexValid: RegexCheck): Trigger {
  if (!isPlainObject(value)) fault('trigger must be an object')
  return TRIGGERS[oneOf('trigger.type', value['type'], TRIGGER_TYPES)](value, gaps, isRegexValid)
}

function readFilters(value: unknown): Filters {
  const sent = object('trigger.filters', value, FILTERS)
  return Object.fromEntries(Object.entries(sent).map(([name, filter]) => [name, text(`trigger.filters.${name}`, filter, 200)]))
}

function readGoal(value: unknown, gaps: Gaps, isRegexValid: RegexCheck): Goal {
  if (!isPlainObject(value)) fault('goal must be an object')
  if ('event' in value) return readEventGoal(value, gaps, isRegexValid)
  const { eventType, days = LIMITS.journeyGoalDays.default } = value
  return {
    eventType: oneOf<EventType>('goal.eventType', eventType, EVENT_TYPES),
    days: integer('goal.days', days, LIMITS.journeyGoalDays, gaps),
  }
}

// --- the steps ---

/** What one reading shares over the whole tree. */
type Reading = { count: number; isRegexValid: RegexCheck; gaps: Gaps }
/** The id of a step that came without one, until it is given one. */
const NO_ID = ''

function readAllSteps(value: unknown, { isRegexValid, newId, before = [] }: ReadOptions, gaps: Gaps): Step[] {
  const steps = readSteps('steps', value, 1, { count: 0, isRegexValid, gaps })
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
  const { gaps } = reading
  switch (type) {
    case 'wait':
      return { id, type, minutes: integer(`${at}.minutes`, sent['minutes'], LIMITS.journeyWaitMinutes, gaps) }
    case 'wait_until':
      return readUntil(at, id, sent, gaps)
    case 'wait_for':
      return { id, ...readWaitFor(at, sent, gaps, reading.isRegexValid), ...readBranches(at, sent, level, reading) }
    case 'send':
      return { id, ...readSend(at, sent, gaps) }
    case 'in_app':
      return { id, type, content: readContent(`${at}.content`, sent['content'], gaps, IN_APP_NAMES) }
    case 'webhook':
      return { id, ...readWebhook(at, sent, gaps) }
    case 'update_profile':
      return { id, ...readUpdate(at, sent, gaps) }
    case 'condition':
      return { id, type, rule: readRule(`${at}.rule`, sent['rule'], reading), ...readBranches(at, sent, level, reading) }
    case 'split':
      return {
        id,
        type,
        percent: integer(`${at}.percent`, sent['percent'], LIMITS.journeySplitPercent, gaps),
        ...readBranches(at, sent, level, reading),
      }
    case 'exit':
      return { id, type }
    default:
      return type satisfies never
  }
}

function readSend(at: string, { channel: named, content, mail: written = null, topic: about }: JsonObject, gaps: Gaps) {
  const channel = oneOf(`${at}.channel`, named, SEND_CHANNELS)
  const topic = about === undefined ? undefined : text(`${at}.topic`, about, LIMITS.topicIdLength)
  const sent = { type: 'send' as const, channel, ...(topic !== undefined && { topic }) }
  if (written === null) return { ...sent, content: readContent(`${at}.content`, content, gaps) }
  if (channel !== 'email') fault(`${at}.mail is sent by email alone, and this step sends by ${channel}`)
  const mail = readMail(`${at}.mail`, written)
  if (!mail.ok) fault(mail.error)
  // Its mail says everything, so texts may be left out.
  const isSilent = content === undefined || (isPlainObject(content) && Object.keys(content).length === 0)
  return { ...sent, content: isSilent ? {} : readContent(`${at}.content`, content, gaps), mail: mail.value }
}

function readUntil(
  at: string,
  id: string,
  { hour, zone: zoneName, afterPrayer, minutesAfter = LIMITS.journeyMinutesAfterPrayer.default, latitude, longitude }: JsonObject,
  gaps: Gaps,
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
    minutesAfter: integer(`${at}.minutesAfter`, minutesAfter, LIMITS.journeyMinutesAfterPrayer, gaps),
    latitude: degrees(`${at}.latitude`, latitude, { ...LIMITS.journeyPrayerLatitude, why: 'beyond there are days without sunrise' }, gaps),
    longitude: degrees(`${at}.longitude`, longitude, LONGITUDES, gaps),
  }
}

function readBranches(at: string, sent: JsonObject, level: number, reading: Reading): { then: Step[]; else: Step[] } {
  const { then = sent['type'] === 'wait_for' ? [] : undefined, else: otherwise = [] } = sent
  return { then: readSteps(`${at}.then`, then, level + 1, reading), else: readSteps(`${at}.else`, otherwise, level + 1, reading) }
}

/** One condition, a group of them, or rules as a segment carries them; kept as the last. */
function readRule(at: string, value: unknown, { isRegexValid, gaps }: Reading): SegmentRules {
  if (!isPlainObject(value)) fault(`${at} must be {field, operator, value}, {logicalOperator, conditions} or {logicalOperator, rules}`)
  const isSegment = 'rules' in value
  const sent = isSegment ? value : { logicalOperator: 'AND', rules: [value] }
  const read = parseRules(sent, isRegexValid)
  if (read.ok) return read.value
  const said = (error: string) => `${at}: ${isSegment ? error : error.replace(/^rules\[0\](: )?/, '')}`
  missing(gaps, at, said(read.error), 'unfinished')
  const unfinished = readUnfinishedRules(sent)
  return unfinished.ok ? unfinished.value : fault(said(unfinished.error))
}

/** Members of a message inside apps. */
const IN_APP_NAMES = [...MESSAGE_NAMES, 'inbox']

function readContent(at: string, value: unknown, gaps: Gaps, names = MESSAGE_NAMES): StepContent {
  if (!isPlainObject(value)) fault(`${at} must be an object with a member for each locale`)
  const entries = Object.entries(value)
  if (entries.length === 0) missing(gaps, at, `${at} says nothing: it needs a member for at least one locale`)
  if (entries.length > LIMITS.localesPerWorkspace) fault(`${at} has more than ${LIMITS.localesPerWorkspace} locales`)
  const known = new Set<string>()
  return Object.fromEntries(
    entries.map(([locale, sent]) => {
      const wrong = faultOfLocale(locale)
      if (wrong !== undefined) fault(`${at}: ${wrong}`)
      if (known.has(foldTag(locale))) fault(`${at} has the locale ${locale} twice`)
      known.add(foldTag(locale))
      const message = object(`${at}.${locale}`, sent, names)
      readMessage(`${at}.${locale}`, message, gaps)
      return [languageTag(locale), message]
    }),
  )
}

function readMessage(at: string, message: JsonObject, gaps: Gaps): void {
  const stay = message['inbox'] === undefined ? undefined : faultOfInbox(`${at}.inbox`, message['inbox'])
  if (stay !== undefined) fault(stay)
  const wrong = faultOfMessage(at, message)
  if (wrong === undefined) return
  const { whatsappTemplate, ...texts } = message
  const wrongForGood = gaps ? (faultOfMessage(at, texts) ?? faultOfUnfinishedTemplate(`${at}.whatsappTemplate`, whatsappTemplate)) : wrong
  if (wrongForGood !== undefined) fault(wrongForGood)
  missing(gaps, `${at}.whatsappTemplate`, wrong, 'unfinished')
}
