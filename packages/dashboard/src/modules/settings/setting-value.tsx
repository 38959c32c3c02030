import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from '../../ui/failure.tsx'

/** The value of a setting once it is read; until then room for it. */
export function SettingValue<T>({
  read,
  height = 36,
  children,
}: {
  read: UseQueryResult<T>
  height?: number
  children: (value: T) => ReactNode
}) {
  if (read.data !== undefined) return children(read.data)
  if (read.error) return <Failure error={read.error} onRetry={() => void read.refetch()} />
  return <Skeleton h={height} maw={320} />
}
