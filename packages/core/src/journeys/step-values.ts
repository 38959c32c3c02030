/** What the steps `webhook` and `update_profile` say: fixed values, and texts with tokens of events. */
import { isPlainObject, textLength, type Json, type JsonObject } from '../blocks/field.ts'
import { attributeOf } from '../imports/read-records.ts'
import { LIMITS } from '../limits.ts'
import { tokensIn } from '../messages/tokens.ts'
import { isAttributeName } from '../targeting/fields.ts'
import type { Step, StepValues } from './journey.ts'
import { Fault, fault, integer, isNothing, missing, shown, text, type Gaps } from './read-values.ts'

type Of<Type extends Step['type']> = Omit<Extract<Step, { type: Type }>, 'id'>
/** What a webhook is always told, so that no member of its own can stand in its place. */
const TOLD = new Set(['journeyId', 'stepId', 'runId', 'userId', 'deviceId', 'event', 'actor'])
/** Why such a step does nothing for somebody: its endpoint is gone or off; no event said what it writes. */
export const SKIPS = { webhook: 'no_endpoint', update_profile: 'no_values' } as const
const NAME_LENGTH = 64
const TOKEN = /^(?:event|lastEvent)\.[^{}]+$/s
/** A text that is one token and nothing else. */
const ALONE = /^\{\{([^{}]*)\}\}$/
const TOKENS = /\{\{([^{}]*)\}\}/g

export function readWebhook(at: string, { endpoint, data }: JsonObject, gaps: Gaps): Of<'webhook'> {
  const id = text(`${at}.endpoint`, endpoint, 100, gaps)
  if (isNothing(data)) return { type: 'webhook', endpoint: id }
  const values = readValues(`${at}.data`, data, gaps, (name) => {
    if (name === '' || textLength(name) > NAME_LENGTH) return `names have 1 to ${NAME_LENGTH} characters`
    return TOLD.has(name) ? `${shown(name)} is told anyway` : undefined
  })
  return { type: 'webhook', endpoint: id, ...(Object.keys(values).length > 0 && { data: values }) }
}

export function readUpdate(at: string, { set, expiresInDays }: JsonObject, gaps: Gaps): Of<'update_profile'> {
  const values = readValues(`${at}.set`, set ?? {}, gaps, (name) =>
    isAttributeName(name) ? undefined : `${shown(name)} is no name of an attribute`,
  )
  if (Object.keys(values).length === 0) missing(gaps, `${at}.set`, `${at}.set must name at least one attribute`)
  if (isNothing(expiresInDays)) return { type: 'update_profile', set: values }
  return {
    type: 'update_profile',
    set: values,
    expiresInDays: integer(`${at}.expiresInDays`, expiresInDays, { min: 1, max: LIMITS.enrichmentDaysMax }),
  }
}

/** `faultOfName`: what is wrong with the name of a member. */
function readValues(at: string, sent: unknown, gaps: Gaps, faultOfName: (name: string) => string | undefined): StepValues {
  if (!isPlainObject(sent)) fault(`${at} must be an object with a value for each name`)
  const entries = Object.entries(sent)
  if (entries.length > LIMITS.journeyStepValues) fault(`${at} has more than ${LIMITS.journeyStepValues} members`)
  return Object.fromEntries(
    entries.map(([name, value]): [string, StepValues[string]] => {
      const wrong = faultOfName(name)
      if (wrong !== undefined) {
        if (textLength(name) > NAME_LENGTH) fault(`${at}: ${wrong}`)
        missing(gaps, at, `${at}: ${wrong}`, 'unfinished')
      }
      return [name, readValue(`${at}.${name}`, value, gaps)]
    }),
  )
}

function readValue(at: string, value: Json, gaps: Gaps): StepValues[string] {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value
  if (typeof value === 'number') missing(gaps, at, `${at} must be a number`)
  if (typeof value === 'number') return value
  const said = text(at, value, LIMITS.enrichmentTextLength, gaps)
  const strange = tokensIn([said]).find((token) => !TOKEN.test(token))
  if (strange !== undefined)
    missing(gaps, at, `${at}: ${shown(`{{${strange}}}`)} is not filled here, only {{event.…}} and {{lastEvent.…}}`, 'unfinished')
  else if (said.replaceAll(TOKENS, '').includes('{{')) missing(gaps, at, `${at}: a token is not finished`, 'unfinished')
  return said
}

/** Whether nothing is missing in what such a step says, its endpoint aside. */
export function hasWholeValues(step: Extract<Step, { type: 'webhook' | 'update_profile' }>): boolean {
  const gaps: NonNullable<Gaps> = []
  try {
    if (step.type === 'webhook') readWebhook('', { endpoint: '-', ...(step.data && { data: step.data }) }, gaps)
    else readUpdate('', { set: step.set, ...(step.expiresInDays !== undefined && { expiresInDays: step.expiresInDays }) }, gaps)
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
  return gaps.length === 0
}

/** The texts among them, which may have tokens. */
export function textsOfValues(values: StepValues = {}): string[] {
  return Object.values(values).filter((value) => typeof value === 'string')
}

type Properties = { [path: string]: Json }
/** What was kept of the event that began a run, and of the last that moved it. */
type Said = { event?: { properties: Properties } | null; lastEvent?: { properties: Properties } | null }

/** Filled with what events said. A text that is one token is the value of the property, of its kind; what is not known is left out. */
export function fillValues(values: StepValues, said: Said): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, Json][] => {
      const filled = typeof value === 'string' ? fillText(value, said) : value
      return filled === undefined ? [] : [[name, filled]]
    }),
  )
}

/** The same as attributes of a person: what none can be is left out. */
export function fillAttributes(values: StepValues, said: Said): JsonObject {
  return Object.fromEntries(
    Object.entries(fillValues(values, said)).flatMap(([name, value]): [string, Json][] => {
      const attribute = attributeOf(value)
      return attribute === undefined ? [] : [[name, attribute]]
    }),
  )
}

/** As it is, because a machine reads it; `messages/tokens.ts` writes for people. */
function fillText(template: string, said: Said): Json | undefined {
  const alone = ALONE.exec(template.trim())?.[1]
  if (alone !== undefined) return propertyOf(alone, said)
  let isKnown = true
  const filled = template.replaceAll(TOKENS, (_, token: string) => {
    const value = propertyOf(token, said) ?? null
    if (value !== null && typeof value !== 'object') return String(value)
    isKnown = false
    return ''
  })
  return isKnown ? filled : undefined
}

function propertyOf(token: string, { event, lastEvent }: Said): Json | undefined {
  const name = token.trim()
  const [properties, path] = name.startsWith('event.') ? [event?.properties, name.slice(6)] : [lastEvent?.properties, name.slice(10)]
  return properties && Object.hasOwn(properties, path) ? properties[path] : undefined
}
