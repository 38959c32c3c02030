/** Conditions on one event: its own members and the properties that the application gave it. */
import { isPlainObject, type Json, type JsonObject } from '../blocks/field.ts'
import { OPERATOR_NAMES, prepareTest, type Operator, type RegexCompiler } from '../targeting/operators.ts'
import { ruleValueFault, type RegexCheck } from '../targeting/rule-value.ts'

/** What of a stored event can be asked about. `at`: when it arrived, milliseconds. */
export type TrackedEvent = {
  at: number
  value: number | null
  currency: string | null
  blockKey: string | null
  instanceId: string | null
  campaignId: string | null
  screen: string | null
  fenceId: string | null
  platform: string | null
  sessionId: string | null
  properties: JsonObject | null
}

const OWN_MEMBERS = ['value', 'currency', 'blockKey', 'instanceId', 'campaignId', 'screen', 'fenceId', 'platform', 'sessionId'] as const
type OwnMember = (typeof OWN_MEMBERS)[number]

export type WhereLeaf = { field: string; operator: Operator; value?: Json }
export type Where = { logicalOperator: 'AND' | 'OR'; conditions: (WhereLeaf | Where)[] }

export const WHERE_LIMITS = { conditions: 20, levels: 3, fieldLength: 256 } as const

type Read<T> = { ok: true; value: T } | { ok: false; error: string }

export function readWhere(input: Json, at: string, isRegexValid: RegexCheck): Read<Where> {
  return readGroup(input, at, 1, { isRegexValid, leaves: 0 })
}

type Reading = { isRegexValid: RegexCheck; leaves: number }

function readGroup(input: Json, at: string, level: number, reading: Reading): Read<Where> {
  if (!isPlainObject(input)) return no(`${at} must be {logicalOperator, conditions}`)
  const { logicalOperator, conditions } = input
  if (level > WHERE_LIMITS.levels) return no(`${at}: conditions of an event nest at most ${WHERE_LIMITS.levels} levels deep`)
  if (logicalOperator !== 'AND' && logicalOperator !== 'OR') return no(`${at}.logicalOperator must be AND or OR`)
  if (!Array.isArray(conditions) || conditions.length === 0) return no(`${at}.conditions must be an array of at least one condition`)
  const read: (WhereLeaf | Where)[] = []
  for (const [index, entry] of conditions.entries()) {
    const place = `${at}.conditions[${index}]`
    const isGroup = isPlainObject(entry) && ('conditions' in entry || 'logicalOperator' in entry)
    const part = isGroup ? readGroup(entry, place, level + 1, reading) : readLeaf(entry, place, reading)
    if (!part.ok) return part
    read.push(part.value)
  }
  return { ok: true, value: { logicalOperator, conditions: read } }
}

function readLeaf(input: Json, at: string, reading: Reading): Read<WhereLeaf> {
  reading.leaves++
  if (reading.leaves > WHERE_LIMITS.conditions) return no(`${at}: an event has at most ${WHERE_LIMITS.conditions} conditions`)
  if (!isPlainObject(input)) return no(`${at} must be {field, operator, value}`)
  const { field, operator, value } = input
  if (typeof field !== 'string' || !isEventField(field))
    return no(`${at}.field must be properties.<name> or one of ${OWN_MEMBERS.join(', ')}`)
  const known = OPERATOR_NAMES.find((name) => name === operator)
  if (!known || known === 'geo_radius')
    return no(`${at}.operator must be one of ${OPERATOR_NAMES.filter((name) => name !== 'geo_radius').join(', ')}`)
  const fault = ruleValueFault(known, value, reading.isRegexValid)
  if (fault) return no(`${at}.${fault}`)
  return { ok: true, value: value === undefined ? { field, operator: known } : { field, operator: known, value } }
}

/** A member of events, or a path of names into their properties. */
export function isEventField(field: string): boolean {
  if (field.length > WHERE_LIMITS.fieldLength) return false
  const [first, ...path] = field.split('.')
  if (first !== 'properties') return isOwnMember(field)
  return path.length > 0 && path.every((name) => name !== '')
}

function isOwnMember(field: string): field is OwnMember {
  return (OWN_MEMBERS as readonly string[]).includes(field)
}

/** Undefined: the event has none. Own members only, because applications choose the names. */
export function valueOfEvent(event: TrackedEvent, field: string): Json | undefined {
  if (isOwnMember(field)) return event[field] ?? undefined
  if (!field.startsWith('properties.')) return undefined
  let found: Json | undefined = event.properties ?? undefined
  for (const name of field.split('.').slice(1)) found = isPlainObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  return found
}

export type EventTest = (event: TrackedEvent) => boolean

/** Dates are compared with the arrival of the event. */
export function compileWhere(where: Where | undefined, compileRegex: RegexCompiler): EventTest {
  if (!where) return () => true
  const parts = where.conditions.map((part): EventTest => {
    if ('conditions' in part) return compileWhere(part, compileRegex)
    const test = prepareTest(part.operator, part.value, compileRegex)
    return (event) => test(valueOfEvent(event, part.field), event.at)
  })
  return where.logicalOperator === 'OR' ? (event) => parts.some((part) => part(event)) : (event) => parts.every((part) => part(event))
}

/** The fields that conditions ask about, in order. */
export function listWhereFields(where: Where | undefined): string[] {
  return (where?.conditions ?? []).flatMap((part) => ('conditions' in part ? listWhereFields(part) : [part.field]))
}

/** Every condition with a pattern, in order. */
export function listWherePatterns(where: Where | undefined): WhereLeaf[] {
  return (where?.conditions ?? []).flatMap((part) => {
    if ('conditions' in part) return listWherePatterns(part)
    return part.operator === 'regex' || part.operator === 'not_regex' ? [part] : []
  })
}

function no(error: string): { ok: false; error: string } {
  return { ok: false, error }
}
