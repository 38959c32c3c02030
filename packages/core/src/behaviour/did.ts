/**
 * Rules on what people did: `{field: 'events.<type>', operator, value}` with four operators of their own. The type is
 * everything behind the first dot, as it was sent. What a value may be is read here; whether it holds is judged in
 * `judge-did.ts`, from the history that `history.ts` keeps of each person.
 */
import { isPlainObject, textLength, type Json, type JsonObject } from '../blocks/field.ts'
import { LIMITS } from '../limits.ts'
import type { RegexCheck } from '../targeting/rule-value.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../units.ts'
import { isEventField, readWhere, type Where } from './where.ts'

/** `did_not` is the opposite of `did` without a count; whoever has no such event has neither a first nor a last one. */
export const EVENT_OPERATORS = ['did', 'did_not', 'first_did', 'last_did'] as const
export type EventOperator = (typeof EVENT_OPERATORS)[number]

/** Longest window, milliseconds. The moments of older events are forgotten in histories. */
export const LONGEST_WINDOW = LIMITS.eventWindowDays * DAY_MS

export const WINDOW_UNITS = ['minutes', 'hours', 'days'] as const
export type WindowUnit = (typeof WINDOW_UNITS)[number]
const LENGTHS: Record<WindowUnit, number> = { minutes: MINUTE_MS, hours: HOUR_MS, days: DAY_MS }
/** The longest window, in this unit. */
export const mostOf = (unit: WindowUnit): number => LONGEST_WINDOW / LENGTHS[unit]
/** Exactly one of the three, a whole number. */
export type Within = { [U in WindowUnit]?: number }
const COUNT_OPERATORS = ['equals', 'greater_than_or_equal', 'less_than', 'between'] as const
export type Count =
  { operator: 'equals' | 'greater_than_or_equal' | 'less_than'; value: number } | { operator: 'between'; value: [number, number] }
const SUM_OPERATORS = ['greater_than', 'greater_than_or_equal', 'less_than', 'less_than_or_equal', 'between'] as const
/** `property`: `value`, or `properties.<name>`. */
export type Sum = { property: string } & (
  | { operator: 'greater_than' | 'greater_than_or_equal' | 'less_than' | 'less_than_or_equal'; value: number }
  | { operator: 'between'; value: [number, number] }
)
/** Without `within`: all that is known. Without `count`: at least once. With both `count` and `sum` both have to hold. */
export type Did = { within?: Within; where?: Where; count?: Count; sum?: Sum }
export type DidNot = Pick<Did, 'within' | 'where'>
export type Ago = { ago: Within & { operator: 'less_than' | 'greater_than_or_equal' }; where?: Where }
export type EventLeaf = { field: `events.${string}` } & (
  { operator: 'did'; value: Did } | { operator: 'did_not'; value: DidNot } | { operator: 'first_did' | 'last_did'; value: Ago }
)

class Fault extends Error {}
const fault = (message: string): never => {
  throw new Fault(message)
}

export function isEventOperator(operator: Json | undefined): operator is EventOperator {
  return (EVENT_OPERATORS as readonly (Json | undefined)[]).includes(operator)
}

export const isEventsField = (field: string): field is `events.${string}` => field.startsWith('events.')
/** The type that a leaf asks about. */
export const typeOfLeaf = ({ field }: Pick<EventLeaf, 'field'>): string => field.slice('events.'.length)

/** Milliseconds. */
export function lengthOf(within: Within): number {
  return WINDOW_UNITS.reduce((sum, unit) => sum + (within[unit] ?? 0) * LENGTHS[unit], 0)
}

/** Reads a leaf whose field begins with `events.`; the error names the member, such as `value.count.value must be …`. */
export function readEventLeaf(
  { field, operator, value }: { field: `events.${string}`; operator: Json | undefined; value: Json | undefined },
  isRegexValid: RegexCheck,
): { ok: true; value: EventLeaf } | { ok: false; error: string } {
  try {
    const type = field.slice('events.'.length)
    if (type === '' || textLength(type) > LIMITS.eventNameLength)
      fault(`field must name a type of events: events.<1 to ${LIMITS.eventNameLength} characters>`)
    if (!isEventOperator(operator)) return { ok: false, error: `operator of ${field} must be one of ${EVENT_OPERATORS.join(', ')}` }
    if (!isPlainObject(value)) return { ok: false, error: `value of ${operator} must be an object` }
    return { ok: true, value: { field, ...readValue(operator, value, isRegexValid) } }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { ok: false, error: error.message }
  }
}

type DistributeOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

function readValue(operator: EventOperator, value: JsonObject, isRegexValid: RegexCheck): DistributeOmit<EventLeaf, 'field'> {
  const where = whereOf(value['where'], isRegexValid)
  if (operator === 'first_did' || operator === 'last_did') {
    requireMembers(value, ['ago', 'where'], operator)
    return { operator, value: { ago: readAgo(value['ago']), ...where } }
  }
  requireMembers(value, operator === 'did' ? ['within', 'where', 'count', 'sum'] : ['within', 'where'], operator)
  const { within, count, sum } = value
  const window = within === undefined ? {} : { within: readLength(within, 'value.within') }
  if (operator === 'did_not') return { operator, value: { ...window, ...where } }
  return {
    operator,
    value: {
      ...window,
      ...where,
      ...(count !== undefined && { count: readCount(count) }),
      ...(sum !== undefined && { sum: readSum(sum) }),
    },
  }
}

/** A member that nobody knows is more likely a mistake than meant to be left out: the rule would hold for others than were meant. */
function requireMembers(value: JsonObject, known: readonly string[], operator: EventOperator): void {
  const other = Object.keys(value).find((member) => !known.includes(member))
  if (other !== undefined) fault(`value of ${operator} may have ${known.join(', ')}, not ${JSON.stringify(other.slice(0, 100))}`)
}

function whereOf(input: Json | undefined, isRegexValid: RegexCheck): { where?: Where } {
  if (input === undefined) return {}
  const read = readWhere(input, 'value.where', isRegexValid)
  return read.ok ? { where: read.value } : fault(read.error)
}

function readLength(input: Json | undefined, at: string): Within {
  const units = isPlainObject(input) ? WINDOW_UNITS.filter((unit) => input[unit] !== undefined) : []
  const [unit] = units
  if (!isPlainObject(input) || unit === undefined || units.length > 1) return fault(`${at} must have one of ${WINDOW_UNITS.join(', ')}`)
  const amount = input[unit]
  const most = mostOf(unit)
  if (typeof amount !== 'number' || !Number.isInteger(amount) || amount < 1 || amount > most)
    return fault(`${at}.${unit} must be a whole number from 1 to ${most}`)
  return { [unit]: amount }
}

function readAgo(input: Json | undefined): Ago['ago'] {
  const operator = isPlainObject(input) ? input['operator'] : undefined
  if (operator !== 'less_than' && operator !== 'greater_than_or_equal')
    return fault('value.ago.operator must be less_than or greater_than_or_equal')
  return { operator, ...readLength(input, 'value.ago') }
}

function readCount(input: Json): Count {
  const { operator, value } = isPlainObject(input) ? input : {}
  const known = COUNT_OPERATORS.find((each) => each === operator)
  if (!known) return fault(`value.count.operator must be one of ${COUNT_OPERATORS.join(', ')}`)
  if (known !== 'between')
    return isCount(value, 1) ? { operator: known, value } : fault(`value.count.value must be a whole number from 1 to ${LIMITS.eventCount}`)
  const [min, max, ...more] = Array.isArray(value) ? value : []
  if (!isCount(min, 0) || !isCount(max, 0) || min > max || more.length > 0)
    return fault(`value.count.value must be two whole numbers from 0 to ${LIMITS.eventCount}, the smaller first`)
  return { operator: known, value: [min, max] }
}

function isCount(value: Json | undefined, least: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= LIMITS.eventCount
}

function readSum(input: Json): Sum {
  const { property, operator, value } = isPlainObject(input) ? input : {}
  if (typeof property !== 'string' || !(property === 'value' || (property.startsWith('properties.') && isEventField(property))))
    return fault('value.sum.property must be value or properties.<name>')
  const known = SUM_OPERATORS.find((each) => each === operator)
  if (!known) return fault(`value.sum.operator must be one of ${SUM_OPERATORS.join(', ')}`)
  if (known !== 'between')
    return typeof value === 'number' ? { property, operator: known, value } : fault('value.sum.value must be a number')
  const [min, max, ...more] = Array.isArray(value) ? value : []
  if (typeof min !== 'number' || typeof max !== 'number' || min > max || more.length > 0)
    return fault('value.sum.value must be two numbers, the smaller first')
  return { property, operator: known, value: [min, max] }
}
