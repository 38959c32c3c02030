import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

type LoadedProps<T> = {
  read: { data: T | undefined; error: Error | null; refetch: () => unknown }
  /** Pixels that it will have. */
  height?: number
  children: (value: T) => ReactNode
}

/** What is read, once it is there; until then room for it, or why it could not be read and a way to try again. */
export function Loaded<T>({ read, height = 36, children }: LoadedProps<T>) {
  if (read.data !== undefined) return children(read.data)
  if (read.error) return <Failure error={read.error} onRetry={() => void read.refetch()} />
  return <Skeleton h={height} />
}
