/** The server's answers about journeys. */
import type { Journey, JourneyReport, ListedJourney } from '@contentflow/server/wire.ts'
import { useRead } from '../../data.ts'

export type { Journey, JourneyReport, ListedJourney }

export const JOURNEYS = '/journeys'
/** Paths whose data a change of a journey makes stale. */
export const STALE = [JOURNEYS, '/users', '/reviews']

export function pathOf(id: string): string {
  return `${JOURNEYS}/${encodeURIComponent(id)}`
}

export function useJourney(id: string, when = true) {
  return useRead<Journey>(pathOf(id), {}, { when })
}

/** Read on while the journey runs and is looked at. */
export function useReport({ id, status }: Pick<Journey, 'id' | 'status'>) {
  return useRead<JourneyReport>(`${pathOf(id)}/report`, {}, status === 'active' ? { every: 10_000 } : {})
}
