/** Reading and writing server data in a workspace. Old data stays on screen while new data loads. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import { useRef } from 'react'
import { ApiError, call, type Answer, type Query, type Send } from './api.ts'
import { useRefusal } from './refusals.ts'
import { ME, useSession } from './session.tsx'

type ReadOptions = {
  /** Milliseconds between readings while the page is looked at. */
  every?: number
  /** False: not yet. */
  when?: boolean
}

/** Reads one answer. The key is the path, so `useWrite` can say what a change makes stale by the start of a path. */
export function useRead<T>(path: string, query: Query = {}, { every, when = true }: ReadOptions = {}): UseQueryResult<T> {
  const { workspace } = useSession()
  return useQuery({
    queryKey: [workspace.id, path, query],
    queryFn: async ({ signal }) => (await call<T>(path, { query, workspaceId: workspace.id, signal })).data,
    placeholderData: keepPreviousData,
    enabled: when,
    ...(every !== undefined && { refetchInterval: every }),
  })
}

/** A list with cursors: what is loaded so far, how many there are in all, and the next page. */
export type Pages<T> = {
  items: T[]
  total: number | undefined
  /** First load: nothing to show yet. */
  isLoading: boolean
  isMoreLoading: boolean
  /** The data shown belongs to the previous question. */
  isPrevious: boolean
  error: Error | null
  hasMore: boolean
  loadMore: () => void
  retry: () => void
}

/** `name` is the member of `data` that holds the list. */
export function usePages<T>(path: string, name: string, query: Query = {}, { every, when = true }: ReadOptions = {}): Pages<T> {
  const { workspace } = useSession()
  const found = useInfiniteQuery({
    queryKey: [workspace.id, path, 'pages', query],
    queryFn: ({ pageParam, signal }) =>
      call<Record<string, T[]>>(path, { query: { ...query, cursor: pageParam }, workspaceId: workspace.id, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ metadata }) => metadata?.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    enabled: when,
    ...(every !== undefined && { refetchInterval: every }),
  })
  return {
    items: found.data?.pages.flatMap(({ data }) => data[name] ?? []) ?? [],
    total: found.data?.pages[0]?.metadata?.total,
    isLoading: found.isLoading,
    isMoreLoading: found.isFetchingNextPage,
    isPrevious: found.isPlaceholderData,
    error: found.error,
    hasMore: found.hasNextPage,
    loadMore: () => void found.fetchNextPage(),
    retry: () => void found.refetch(),
  }
}

type WriteOptions<V, T> = {
  /** Starts of paths whose readings are stale afterwards. */
  stale: string[]
  /** Shown in a notification when it is done. */
  done?: string | ((data: T, variables: V) => string)
  /** True: the caller shows the error where it belongs; otherwise a notification says it. */
  showsError?: boolean
}

/** A change. `request` turns what the caller passes to `mutate` into the call; while one is under way, the same is not sent again. */
export function useWrite<V, T = unknown>(
  request: (variables: V) => Send & { path: string },
  { stale, done, showsError }: WriteOptions<V, T>,
) {
  const { workspace } = useSession()
  const say = useRefusal()
  const client = useQueryClient()
  const flights = useRef(new Map<string, Promise<T>>())
  const makeStale = async () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [owner, path] }) => owner === workspace.id && stale.some((start) => String(path).startsWith(start)),
    })
  const mutation = useMutation<T, ApiError, V>({
    mutationFn: async (variables) => {
      const { path, ...send } = request(variables)
      return ((await call<T>(path, { ...send, workspaceId: workspace.id })) satisfies Answer<T>).data
    },
    onSuccess: async (data, variables) => {
      if (done) notifications.show({ message: typeof done === 'string' ? done : done(data, variables), color: 'teal' })
      await makeStale()
    },
    onError: (error) => {
      // The workspace was suspended since the session was read: reading it again makes every page say so.
      if (error.code === 'WORKSPACE_SUSPENDED') void client.invalidateQueries({ queryKey: ME })
      // The server stores a newer version than this page has read.
      if (error.code === 'VERSION_CHANGED') void makeStale()
      if (!showsError) notifications.show({ message: say(error), color: 'red', autoClose: 10_000 })
    },
  })
  // A second click comes before the button knows that it is locked.
  const mutateAsync: typeof mutation.mutateAsync = (...args) => {
    // Left out only where there is nothing to pass.
    const asked = JSON.stringify(request(args[0] as V))
    const flying = flights.current.get(asked)
    if (flying) return flying
    const flight = mutation.mutateAsync(...args).finally(() => flights.current.delete(asked))
    flights.current.set(asked, flight)
    return flight
  }
  const mutate: typeof mutation.mutate = (...args) => {
    mutateAsync(...args).catch(() => {
      // `onError` has said it.
    })
  }
  return { ...mutation, mutate, mutateAsync }
}
