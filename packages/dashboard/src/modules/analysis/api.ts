/** Questions about events, and those that are kept. */
import { useQueries, useQuery, keepPreviousData } from '@tanstack/react-query'
import type { QuestionKind } from '@contentflow/core/analysis/question.ts'
import type { Operator } from '@contentflow/core/targeting/operators.ts'
import type {
  EventType,
  ExploreResult,
  FunnelPeople,
  FunnelResult,
  ListedEventType,
  MadeSegment,
  Report,
  RetentionResult,
} from '@contentflow/server/wire.ts'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../data.ts'
import { useSession } from '../../session.tsx'
import type { Environment } from '../../ui/environment.tsx'
import { pathOf } from '../events/api.ts'

export type { ExploreResult, FunnelResult, QuestionKind, Report, RetentionResult }
export type Result = ExploreResult | FunnelResult | RetentionResult

export type Condition = { field: string; operator: Operator; value?: string | number | boolean }
export type Where = { logicalOperator: 'AND' | 'OR'; conditions: Condition[] }
export type Choice = { type: string; where?: Where }
export type Explore = {
  types: string[]
  days: number
  interval: 'hour' | 'day' | 'week'
  metric: 'events' | 'people' | 'sum'
  measure?: string
  by?: string
  where?: Where
  segment?: string
}
export type Funnel = {
  steps: Choice[]
  days: number
  withinMinutes: number
  order: 'in_order' | 'any_order'
  by?: string
  segment?: string
}
export type Retention = { start: Choice; return: Choice; unit: 'day' | 'week' | 'month'; periods: number; segment?: string }
/** The body of a question, by its kind. */
export type Definitions = { explore: Explore; funnel: Funnel; retention: Retention }
export type Definition = Definitions[QuestionKind]

export const REPORTS = '/reports'

/** Asks a question; undefined: nothing is asked yet. The answer to the one before stays meanwhile. */
export function useAnswer<T>(kind: QuestionKind, definition: Definition | undefined, environment: Environment) {
  const { workspace } = useSession()
  return useQuery({
    queryKey: [workspace.id, `/analysis/${kind}`, definition, environment],
    queryFn: async ({ signal }) =>
      (await call<T>(`/analysis/${kind}`, { method: 'POST', body: definition, query: { environment }, workspaceId: workspace.id, signal }))
        .data,
    enabled: definition !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

/** The first step is 1; `dropped`: who took it and not the next one. */
export type PeopleOfStep = { step: number; dropped: boolean }

/** Makes a segment of them; the server says whether by a rule or by hand. */
export function useMakeSegment(environment: Environment) {
  return useWrite<Funnel & PeopleOfStep & { name: string }, MadeSegment>(
    (body) => ({ method: 'POST', path: '/analysis/funnel/segment', body, query: { environment } }),
    { stale: ['/segments'], showsError: true },
  )
}

export function useFunnelPeople(definition: Funnel, { environment, ...people }: PeopleOfStep & { environment: Environment }) {
  const { workspace } = useSession()
  const body = { ...definition, ...people }
  return useQuery({
    queryKey: [workspace.id, '/analysis/funnel/people', body, environment],
    queryFn: async ({ signal }) =>
      (
        await call<FunnelPeople>('/analysis/funnel/people', {
          method: 'POST',
          body,
          query: { environment },
          workspaceId: workspace.id,
          signal,
        })
      ).data,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

export function useTypes() {
  return useRead<{ types: ListedEventType[] }>('/event-types', { limit: 100 })
}

export function useSegments() {
  return useRead<{ segments: { id: string; name: string }[] }>('/segments', { limit: 100 })
}

/** What events of these types can be told apart by, and added up by: fields of questions, with the kind of their values. */
export function useFieldsOf(types: readonly string[], environment: Environment) {
  const { workspace } = useSession()
  const found = useQueries({
    queries: types.map((type) => ({
      queryKey: [workspace.id, pathOf(type), { environment }],
      queryFn: async () => (await call<EventType>(pathOf(type), { query: { environment }, workspaceId: workspace.id })).data,
      retry: false,
      staleTime: 60_000,
    })),
  })
  const properties = found.flatMap(({ data }) => data?.properties ?? [])
  const named = (use: 'dimension' | 'measure') => [
    ...new Set(properties.flatMap((one) => (one.use === use ? [`properties.${one.name}`] : []))),
  ]
  const kinds = new Map(properties.map((one) => [`properties.${one.name}`, one.declared?.kind]))
  return { dimensions: ['platform', ...named('dimension')], measures: ['value', ...named('measure')], kinds }
}
export type Fields = ReturnType<typeof useFieldsOf>

export function useReports() {
  return useRead<{ reports: Report[] }>(REPORTS, { limit: 100 })
}

type Saved = { name?: string; definition?: Definition; isPinned?: boolean }

/** `id` left out: a new one of this kind. */
export function useSaveReport(done: string) {
  return useWrite<{ id?: string; kind?: QuestionKind; version?: number; saved: Saved }, Report>(
    ({ id, kind, version, saved }) =>
      id === undefined
        ? { method: 'POST', path: REPORTS, body: { ...saved, kind } }
        : { method: 'PUT', path: `${REPORTS}/${id}`, body: saved, version },
    { stale: [REPORTS], done, showsError: true },
  )
}
