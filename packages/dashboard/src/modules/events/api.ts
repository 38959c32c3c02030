/** The server's answers about the catalogue of events. */
import type { DeclaredProperty } from '@contentflow/core/events/catalog/declared-type.ts'
import type { EventType, EventTypeValues, ListedEventType, StoredEvent } from '@contentflow/server/wire.ts'
import { useRead } from '../../data.ts'
import type { Environment } from '../../ui/environment.tsx'

export type { EventType, EventTypeValues, ListedEventType, StoredEvent }
export type EventProperty = EventType['properties'][number]
/** The body that declares a type. */
export type Declaration = { description: string; owner: string; properties: Record<string, DeclaredProperty> }

export const EVENT_TYPES = '/event-types'
/** How often the newest events are asked for. */
const EVERY_MS = 3_000

/** `.` and `..` cannot stand in a path. */
export function pathOf(name: string, rest = ''): string {
  const isDots = name === '.' || name === '..'
  return `${EVENT_TYPES}/${isDots ? '_' : encodeURIComponent(name)}${rest}${isDots ? `?eventType=${name}` : ''}`
}

export function useEventType(name: string, environment: Environment) {
  return useRead<EventType>(pathOf(name), { environment })
}

export function useValues(name: string, environment: Environment) {
  return useRead<EventTypeValues>(pathOf(name, '/values'), { environment })
}

/** The first of the types that are known, for suggestions. */
export function useKnownTypes() {
  return useRead<{ types: ListedEventType[] }>(EVENT_TYPES, { limit: 100 })
}

export function useOthers() {
  return useRead<{ others: number }>(EVENT_TYPES, { limit: 1 })
}

/** Again every few seconds, unless `isPaused`. */
export function useNewest(environment: Environment, type: string | undefined, isPaused: boolean) {
  return useRead<{ events: StoredEvent[] }>('/events', { environment, type, limit: 50 }, isPaused ? {} : { every: EVERY_MS })
}

/** As it is stored, so that one member can be changed and the rest sent again. */
export function declarationOf({ description, owner, properties }: EventType): Declaration {
  const declared = properties.flatMap((one): [string, DeclaredProperty][] => (one.declared ? [[one.name, one.declared]] : []))
  return { description, owner, properties: Object.fromEntries(declared) }
}
