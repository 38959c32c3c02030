/** The instances inside collections, and those inside these, with their block types: what a preview needs to draw them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Field } from '@contentflow/core/blocks/field.ts'
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { ApiError, call } from '../../../api.ts'
import { useSession } from '../../../session.tsx'
import type { Definition, Instance } from './api.ts'
import { wantedBy, type Child, type Children, type Wanted } from './children.ts'

/** Pages of a block type that are looked through for a child; more than 1,000 instances of one type are not searched for one. */
const PAGES = 5
const PAGE_SIZE = 200

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
  const definition = await call<Definition>(path, { workspaceId, signal }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  })
  if (!definition) return []
  const children: Child[] = []
  let cursor: string | null | undefined
  for (let page = 0; page < PAGES && cursor !== null && children.length < ids.size; page++) {
    const answer = await call<{ instances: Instance[] }>(`${path}/instances`, { workspaceId, signal, query: { limit: PAGE_SIZE, cursor } })
    for (const instance of answer.data.instances) if (ids.has(instance.id)) children.push({ instance, definition: definition.data })
    cursor = answer.metadata?.nextCursor ?? null
  }
  return children
}
