/** What the server says of segments. */
import type { Json } from '@contentflow/core/blocks/field.ts'
import type { UpdateFrequency } from '@contentflow/core/targeting/frequency.ts'
import type { SegmentTrace } from '@contentflow/core/targeting/evaluate.ts'
import type { SegmentRules } from '@contentflow/core/targeting/rule.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api.ts'
import { useRead } from '../../data.ts'
import { useSession } from '../../session.tsx'
import type { Environment } from '../../ui/environment.tsx'
import type { FieldKind, OfferedField } from './rules/field-catalog.ts'

/** Where a segment is used: at most 20 instances of `instanceCount`, and the segments that leave its people out. */
export type UsedBy = {
  instances: { id: string; blockKey: string; title: string }[]
  instanceCount: number
  segments: { id: string; name: string }[]
}

export type Segment = SegmentRules & {
  id: string
  name: string
  excludedSegments: string[]
  updateFrequency: UpdateFrequency
  memberCount: number
  exactAsOf: string | null
  createdAt: string
  updatedAt: string
  usedBy: UsedBy
  warnings?: string[]
}

export type SegmentBody = SegmentRules & { name: string; excludedSegments: string[]; updateFrequency: UpdateFrequency }

export type Preview = {
  count: number
  sample: { userId: string | null; deviceId: string | null; name: string | null }[]
  asOf: string
  tookMs: number
}

/** `isStored`: what the stored list says, which may be older than `at`. */
export type Explanation = {
  userId: string | null
  deviceId: string | null
  at: string
  isMember: boolean
  isStored: boolean
  isAddedByHand: boolean
  excludedBy: string[]
  trace: SegmentTrace
}

export function useSegment(id: string) {
  return useRead<Segment>(`/segments/${encodeURIComponent(id)}`)
}

/** Who the rules hold for just now. The answer before stays while the next one is on its way. Undefined rules: not yet. */
export function usePreview(asked: (SegmentRules & { excludedSegments: string[] }) | undefined) {
  const { workspace } = useSession()
  return useQuery({
    queryKey: [workspace.id, '/segments/preview', asked],
    queryFn: async ({ signal }) =>
      (await call<Preview>('/segments/preview', { method: 'POST', body: asked, workspaceId: workspace.id, signal })).data,
    placeholderData: keepPreviousData,
    enabled: asked !== undefined,
  })
}

export function useExplanation(segmentId: string, person: string, environment: Environment) {
  return useRead<Explanation>(
    `/segments/${encodeURIComponent(segmentId)}/explain`,
    { person, environment },
    { when: person !== '' && segmentId !== '' },
  )
}

/** A field as the server found it. `people` is null where nobody counted. */
type FoundField = { field: string; type: string; people: number | null; samples: Json[] }

const KINDS: Record<string, FieldKind> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  array: 'list',
  place: 'place',
}

/** The fields that occur in this workspace. */
export function useOccurringFields(search: string): { fields: OfferedField[]; error: Error | null } {
  const { data, error } = useRead<{ fields: FoundField[] }>('/segments/fields', { search, limit: 100 })
  const fields = (data?.fields ?? []).map(({ field, type, samples, people }): OfferedField => ({
    field,
    kind: KINDS[type] ?? 'any',
    samples,
    ...(people !== null && { people }),
  }))
  return { fields, error }
}
