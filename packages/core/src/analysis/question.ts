/** What can be asked about events: how many over time, how far along steps, and who comes back. Reading the definitions. */
import { isPlainObject, type Json, type JsonObject } from '../blocks/field.ts'
import { listWherePatterns, readWhere, type Where } from '../behaviour/where.ts'
import { LIMITS } from '../limits.ts'
import { parseEnd, parseTime } from '../time.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../units.ts'
import type { FunnelOrder } from './funnel.ts'
import type { RetentionUnit } from './retention.ts'

export const QUESTION_KINDS = ['explore', 'funnel', 'retention'] as const
export type QuestionKind = (typeof QUESTION_KINDS)[number]

export const ANALYSIS_LIMITS = { types: 10, steps: 10, periods: 30, days: 400, hours: 744, windowMinutes: 129_600, groups: 20 } as const
export const INTERVALS = ['hour', 'day', 'week'] as const
/** What people are told apart by instead of events: the segments that they are stored members of now. */
export const BY_SEGMENT = 'segment'
export const METRICS = ['events', 'people', 'sum'] as const
export const ORDERS: readonly FunnelOrder[] = ['in_order', 'any_order']
export const UNITS: readonly RetentionUnit[] = ['day', 'week', 'month']

/** From `from` up to, but without, `to`; milliseconds. Days of UTC, with the interval `hour` hours. */
export type Period = { from: number; to: number }
/** Events of one type, and what they have to be like. */
export type EventChoice = { type: string; where?: Where }
type Common = { segment?: string }
export type ExploreQuestion = Common & {
  kind: 'explore'
  types: string[]
  period: Period
  interval: (typeof INTERVALS)[number]
  metric: (typeof METRICS)[number]
  measure?: string
  by?: string
  where?: Where
}
export type FunnelQuestion = Common & {
  kind: 'funnel'
  steps: EventChoice[]
  period: Period
  windowMs: number
  order: FunnelOrder
  by?: string
}
export type RetentionQuestion = Common & { kind: 'retention'; start: EventChoice; back: EventChoice; unit: RetentionUnit; periods: number }
export type Question = ExploreQuestion | FunnelQuestion | RetentionQuestion

type Read<T> = { ok: true; value: T } | { ok: false; error: string }
class Fault extends Error {}

/** Members of the body by the kind of question. */
const MEMBERS: Record<QuestionKind, readonly string[]> = {
  explore: ['types', 'from', 'to', 'days', 'interval', 'metric', 'measure', 'by', 'where', 'segment'],
  funnel: ['steps', 'from', 'to', 'days', 'withinMinutes', 'order', 'by', 'segment'],
  retention: ['start', 'return', 'unit', 'periods', 'segment'],
}

/**
 * Reads a definition, as it is sent or stored. `now`: the moment that a period without an end reaches to; `keptDays`: how long
 * events are kept. A fault names where it is.
 */
export function readQuestion(kind: QuestionKind, body: Json, { now, keptDays }: { now: number; keptDays: number }): Read<Question> {
  try {
    if (!isPlainObject(body)) throw new Fault('the definition must be an object')
    const unknown = Object.keys(body).find((name) => !MEMBERS[kind].includes(name))
    if (unknown !== undefined) throw new Fault(`${kind} takes ${MEMBERS[kind].join(', ')}`)
    return { ok: true, value: readKind(kind, body, { now, keptDays }) }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, error: error.message }
    throw error
  }
}

type Moment = { now: number; keptDays: number }

function readKind(kind: QuestionKind, body: JsonObject, moment: Moment): Question {
  const segment = body['segment'] === undefined ? {} : { segment: text(body['segment'], 'segment', 200) }
  switch (kind) {
    case 'explore':
      return { kind, ...readExplore(body, moment), ...segment }
    case 'funnel':
      return { kind, ...readFunnel(body, moment), ...segment }
    case 'retention':
      return { kind, ...readRetention(body, moment), ...segment }
    default:
      return kind satisfies never
  }
}

function readExplore(body: JsonObject, moment: Moment): Omit<ExploreQuestion, 'kind'> {
  const names = list(body['types'], 'types', 1, ANALYSIS_LIMITS.types)
  const types = names.map((name, index) => text(name, `types[${index}]`, LIMITS.eventNameLength))
  const twice = types.findIndex((name, index) => types.indexOf(name) < index)
  if (twice >= 0) throw new Fault(`types[${twice}] is there twice`)
  const interval = oneOf(body['interval'] ?? 'day', 'interval', INTERVALS)
  const metric = oneOf(body['metric'] ?? 'events', 'metric', METRICS)
  if (metric === 'sum' && body['measure'] === undefined) throw new Fault('measure: say what is added up, such as value or properties.total')
  if (metric !== 'sum' && body['measure'] !== undefined) throw new Fault('measure goes with the metric sum')
  return {
    types,
    interval,
    metric,
    period: readPeriod(body, moment, interval),
    ...(body['measure'] !== undefined && { measure: field(body['measure'], 'measure') }),
    ...(body['by'] !== undefined && { by: field(body['by'], 'by', BY_SEGMENT) }),
    ...whereIn(body, 'where'),
  }
}

function readFunnel(body: JsonObject, moment: Moment): Omit<FunnelQuestion, 'kind'> {
  const steps = list(body['steps'], 'steps', 2, ANALYSIS_LIMITS.steps).map((step, index) => choice(step, `steps[${index}]`))
  const within = whole(body['withinMinutes'] ?? (7 * DAY_MS) / MINUTE_MS, 'withinMinutes', ANALYSIS_LIMITS.windowMinutes)
  return {
    steps,
    period: readPeriod(body, moment, 'day'),
    windowMs: within * MINUTE_MS,
    order: oneOf(body['order'] ?? 'in_order', 'order', ORDERS),
    ...(body['by'] !== undefined && { by: field(body['by'], 'by', BY_SEGMENT) }),
  }
}

const UNIT_DAYS: Record<RetentionUnit, number> = { day: 1, week: 7, month: 31 }

function readRetention(body: JsonObject, { keptDays }: Moment): Omit<RetentionQuestion, 'kind'> {
  const unit = oneOf(body['unit'] ?? 'week', 'unit', UNITS)
  const periods = whole(body['periods'] ?? 8, 'periods', ANALYSIS_LIMITS.periods)
  const kept = Math.min(keptDays, ANALYSIS_LIMITS.days)
  if (periods > 1 && (periods - 1) * UNIT_DAYS[unit] > kept)
    throw new Fault(`periods: ${periods} of a ${unit} are longer than events are kept, ${kept} days`)
  return { start: choice(body['start'], 'start'), back: choice(body['return'], 'return'), unit, periods }
}

/** Whole days of UTC, or whole hours; the last 30 days, or one day by the hour, where nothing is said. `days`: the last ones, today included. */
function readPeriod({ from, to, days }: JsonObject, { now, keptDays }: Moment, interval: ExploreQuestion['interval']): Period {
  const unit = interval === 'hour' ? HOUR_MS : DAY_MS
  const kept = Math.min(keptDays, ANALYSIS_LIMITS.days)
  const today = Math.floor(now / DAY_MS) * DAY_MS
  if (days !== undefined) {
    if (from !== undefined || to !== undefined) throw new Fault('days: say either days, or from and to')
    if (interval === 'hour' && whole(days, 'days', kept) * 24 > ANALYSIS_LIMITS.hours)
      throw new Fault(`days: with interval hour at most ${ANALYSIS_LIMITS.hours / 24}`)
    return { from: today - (whole(days, 'days', kept) - 1) * DAY_MS, to: today + DAY_MS }
  }
  const end = to === undefined ? now + 1 : time(to, 'to', parseEnd)
  const last = Math.ceil(end / unit) * unit
  const begin = from === undefined ? last - (interval === 'hour' ? 24 * HOUR_MS : 30 * DAY_MS) : time(from, 'from', parseTime)
  const first = Math.floor(begin / unit) * unit
  if (begin >= end) throw new Fault('from must be before to')
  if (last - first > ANALYSIS_LIMITS.days * DAY_MS) throw new Fault(`from: at most ${ANALYSIS_LIMITS.days} days before to`)
  if (interval === 'hour' && last - first > ANALYSIS_LIMITS.hours * HOUR_MS)
    throw new Fault(`from: with interval hour at most ${ANALYSIS_LIMITS.hours} hours before to`)
  return { from: first, to: last }
}

function time(input: Json, at: string, read: (text: string) => string | undefined): number {
  const found = typeof input === 'string' ? read(input) : undefined
  if (found === undefined) throw new Fault(`${at} must be an ISO 8601 time, such as 2026-05-01`)
  return Date.parse(found)
}

function choice(input: Json | undefined, at: string): EventChoice {
  if (!isPlainObject(input)) throw new Fault(`${at} must be {type, where?}`)
  const unknown = Object.keys(input).find((name) => name !== 'type' && name !== 'where')
  if (unknown !== undefined) throw new Fault(`${at} takes type and where`)
  return { type: text(input['type'], `${at}.type`, LIMITS.eventNameLength), ...whereIn(input, 'where', `${at}.where`) }
}

function whereIn(input: JsonObject, name: string, at = name): { where?: Where } {
  if (input[name] === undefined) return {}
  const read = readWhere(input[name], at, () => undefined)
  if (!read.ok) throw new Fault(read.error)
  const [pattern] = listWherePatterns(read.value)
  if (pattern) throw new Fault(`${at}: questions about many events take no patterns; ask with contains, starts_with or ends_with`)
  return { where: read.value }
}

function text(input: Json | undefined, at: string, most: number): string {
  if (typeof input !== 'string' || input === '' || input.length > most) throw new Fault(`${at} must be a text of 1 to ${most} characters`)
  return input
}

/** `platform`, `value` or a property of events, or what is named `besides`. */
function field(input: Json, at: string, besides?: string): string {
  const name = text(input, at, LIMITS.eventPropertyNameLength + 20)
  if (name !== besides && name !== 'platform' && name !== 'value' && !name.startsWith('properties.'))
    throw new Fault(`${at} must be ${besides === undefined ? '' : `${besides}, `}platform, value or properties.<name>`)
  return name
}

function list(input: Json | undefined, at: string, least: number, most: number): Json[] {
  if (!Array.isArray(input) || input.length < least || input.length > most) throw new Fault(`${at} must be a list of ${least} to ${most}`)
  return input
}

function oneOf<T extends string>(input: Json, at: string, all: readonly T[]): T {
  const found = all.find((each) => each === input)
  if (found === undefined) throw new Fault(`${at} must be ${all.join(' or ')}`)
  return found
}

function whole(input: Json, at: string, most: number): number {
  if (typeof input !== 'number' || !Number.isInteger(input) || input < 1 || input > most)
    throw new Fault(`${at} must be a whole number from 1 to ${most}`)
  return input
}
