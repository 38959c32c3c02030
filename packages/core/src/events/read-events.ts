import { isPlainObject, isWithin, type JsonObject } from '../blocks/field.ts'
import { LIMITS } from '../limits.ts'
import { parseTime } from '../time.ts'
import { arePropertiesWithin } from './properties.ts'
import { DAY_MS } from '../units.ts'

/** The device of events that the server itself tells of people: every device has an id of at least one character. */
export const NO_DEVICE = ''

/** One event as it was sent, with what is wrongly typed left out: only `type` and `eventId` can refuse a batch (G-21). */
export type SentEvent = {
  type: string
  /** The application's own id, under which a repeated event is stored once. */
  eventId: string | null
  blockKey: string | null
  instanceId: string | null
  campaignId: string | null
  screen: string | null
  fenceId: string | null
  /** The key of a string signal; null when it is malformed. */
  stringKey: string | null
  value: number | null
  currency: string | null
  properties: JsonObject | null
  /** More properties came, or larger ones, than an event may carry: it has none then. */
  isTooLarge: boolean
  /** Milliseconds by the device's clock; null when it cannot be. */
  occurredAt: number | null
}

export type EventBatch = { events: SentEvent[]; sessionId: string | null; platform: string | null }
type Refusal = { code?: 'MAX_BATCH_SIZE' | 'ENDPOINT_MISMATCH'; message: string }

const STRING_SIGNALS: ReadonlySet<string> = new Set(['string_impression', 'string_interaction'])
/** They say who somebody is, and have a route of their own (C-TRK-04). */
const IDENTITY_EVENTS: ReadonlySet<string> = new Set(['sign_up', 'sign_in'])

export function isStringSignal(type: string): boolean {
  return STRING_SIGNALS.has(type)
}

/** The body of POST /events, refused in the documented order: shape, MAX_BATCH_SIZE, ENDPOINT_MISMATCH. `now` in milliseconds. */
export function readEvents(body: unknown, now: number): { ok: true; value: EventBatch } | { ok: false; error: Refusal } {
  if (!isPlainObject(body)) return refuse('The body must be a JSON object')
  const { events, context } = body
  if (!Array.isArray(events)) return refuse('events must be an array')
  const fault = findFault(events)
  if (fault !== undefined) return refuse(fault)
  if (events.length > LIMITS.eventsPerBatch) return refuse(`Send at most ${LIMITS.eventsPerBatch} events in one request`, 'MAX_BATCH_SIZE')
  const all = events as (JsonObject & { type: string })[]
  if (all.some(({ type }) => IDENTITY_EVENTS.has(type)))
    return refuse('sign_up and sign_in are taken by POST /track-event; nothing of this batch was stored', 'ENDPOINT_MISMATCH')
  const { sessionId, platform } = isPlainObject(context) ? context : { sessionId: null, platform: null }
  return {
    ok: true,
    value: { events: all.map((event) => readEvent(event, now)), sessionId: nameIn(sessionId), platform: nameIn(platform) },
  }
}

function refuse(message: string, code?: Refusal['code']): { ok: false; error: Refusal } {
  return { ok: false, error: code === undefined ? { message } : { code, message } }
}

function findFault(events: readonly unknown[]): string | undefined {
  for (const [index, event] of events.entries()) {
    if (!isPlainObject(event)) return `events[${index}] must be an object`
    const { type, eventId } = event
    if (typeof type !== 'string' || type === '' || type.length > LIMITS.eventNameLength)
      return `events[${index}].type must be a string of 1 to ${LIMITS.eventNameLength} characters`
    if (eventId !== undefined && eventId !== null && !isEventId(eventId))
      return `events[${index}].eventId must be a string of 1 to ${LIMITS.eventIdLength} characters`
  }
  return undefined
}

function isEventId(id: unknown): boolean {
  return typeof id === 'string' && id !== '' && id.length <= LIMITS.eventIdLength
}

function readEvent(event: JsonObject & { type: string }, now: number): SentEvent {
  const { type, eventId, value, properties } = event
  const isTooLarge = isPlainObject(properties) && !arePropertiesWithin(properties)
  return {
    type,
    eventId: (eventId as string | null | undefined) ?? null,
    blockKey: nameIn(event['blockKey']),
    instanceId: nameIn(event['instanceId']),
    campaignId: nameIn(event['campaignId']),
    screen: nameIn(event['screen']),
    fenceId: nameIn(event['fenceId']),
    stringKey: STRING_SIGNALS.has(type) ? nameIn(event['stringKey'] ?? event['key']) : null,
    value: typeof value === 'number' ? value : null,
    currency: nameIn(event['currency']),
    properties: isTooLarge || !isPlainObject(properties) ? null : properties,
    isTooLarge,
    occurredAt: timeIn(event['timestamp'], now),
  }
}

function nameIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && isWithin(value, LIMITS.eventNameLength) ? value : null
}

/** ISO 8601 or milliseconds. A device that was offline sends late; one whose clock is wrong says nothing that can be used. */
function timeIn(value: unknown, now: number): number | null {
  if (value === undefined || value === null) return null
  const at = typeof value === 'string' ? Date.parse(parseTime(value) ?? '') : value
  return typeof at === 'number' && at >= now - LIMITS.eventLateDays * DAY_MS && at <= now + DAY_MS ? Math.trunc(at) : null
}
