/** The server's answers about segments. */
import type { UpdateFrequency } from '@contentflow/core/targeting/frequency.ts'
import type { SegmentRules } from '@contentflow/core/targeting/rule.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api.ts'
import type { Segment, SegmentExplanation as Explanation, SegmentFields, SegmentPreview as Preview } from '@contentflow/server/wire.ts'
import { useRead } from '../../data.ts'
import { useSession } from '../../session.tsx'
import type { Environment } from '../../ui/environment.tsx'
import type { FieldKind, OfferedField } from './rules/field-catalog.ts'

export type { Explanation, Preview, Segment }
/** The uses of a segment: at most 20 instances of `instanceCount`, and the segments that exclude its people. */
export type UsedBy = Segment['usedBy']

export type SegmentBody = SegmentRules & { name: string; excludedSegments: string[]; updateFrequency: UpdateFrequency }

export function useSegment(id: string) {
  return useRead<Segment>(`/segments/${encodeURIComponent(id)}`)
}

/** The people who meet the rules now. The previous answer stays while the next is loading. Undefined rules: nothing is asked yet. */
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
  const { data, error } = useRead<SegmentFields>('/segments/fields', { search, limit: 100 })
  const fields = (data?.fields ?? []).map(({ field, type, samples, people }): OfferedField => ({
    field,
    kind: KINDS[type] ?? 'any',
    samples,
    ...(people !== null && { people }),
  }))
  return { fields, error }
}
