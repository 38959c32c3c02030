import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

type LoadedProps<T> = {
  read: { data: T | undefined; error: Error | null; refetch: () => unknown }
  /** Pixels that it will have. */
  height?: number
  children: (value: T) => ReactNode
}

/** Shows what was read; until then room for it, or why reading failed and a button to try again. */
export function Loaded<T>({ read, height = 36, children }: LoadedProps<T>) {
  if (read.data !== undefined) return children(read.data)
  if (read.error) return <Failure error={read.error} onRetry={() => void read.refetch()} />
  return <Skeleton h={height} />
}
