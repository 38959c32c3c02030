/** The instances inside collections, and those inside these, with their block types: what a preview needs to draw them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Field } from '@contentflow/core/blocks/field.ts'
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { ApiError, call } from '../../../../api.ts'
import { useSession } from '../../../../session.tsx'
import type { Definition, Instance } from '../api.ts'
import { wantedBy, type Child, type Children, type Wanted } from './children.ts'

/** Keeps what it found while it looks for what was added. */
export function useChildren(fields: readonly Field[], content: InstanceContent): { children: Children; isLoading: boolean } {
  const { workspace } = useSession()
  const wanted = wantedBy(fields, content)
  const key = [...wanted].map(([blockKey, ids]) => [blockKey, [...ids].toSorted()])
  const { data, isFetching } = useQuery({
    queryKey: [workspace.id, '/blocks/children', key],
    queryFn: ({ signal }) => loadTree(wanted, workspace.id, signal),
    placeholderData: keepPreviousData,
    enabled: wanted.size > 0,
    staleTime: 30_000,
  })
  return { children: wanted.size === 0 ? NONE : (data ?? NONE), isLoading: isFetching && !data }
}

const NONE: Children = new Map()

async function loadTree(first: Wanted, workspaceId: string, signal: AbortSignal): Promise<Children> {
  const found = new Map<string, Child>()
  let wanted = first
  for (let depth = 0; depth < LIMITS.collectionDepth && wanted.size > 0; depth++) {
    const level = (await Promise.all([...wanted].map(([key, ids]) => loadOfType(key, ids, workspaceId, signal)))).flat()
    for (const child of level) found.set(child.instance.id, child)
    wanted = new Map()
    for (const { instance, definition } of level)
      for (const [key, ids] of wantedBy(definition.fields, instance))
        for (const id of ids) if (!found.has(id)) wanted.set(key, (wanted.get(key) ?? new Set()).add(id))
  }
  return found
}

async function loadOfType(key: string, ids: ReadonlySet<string>, workspaceId: string, signal: AbortSignal): Promise<Child[]> {
  const path = `/blocks/${encodeURIComponent(key)}`
  // An archived type is left out of delivery, and so of the preview.
  try {
    const [definition, ...pages] = await Promise.all([
      call<Definition>(path, { workspaceId, signal }),
      ...inParts([...ids], LIMITS.pageSizeMax).map((part) =>
        call<{ instances: Instance[] }>(`${path}/instances`, {
          workspaceId,
          signal,
          query: { ids: part.join(','), limit: LIMITS.pageSizeMax },
        }),
      ),
    ])
    return pages.flatMap(({ data }) => data.instances.map((instance) => ({ instance, definition: definition.data })))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return []
    throw error
  }
}

function inParts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
}
