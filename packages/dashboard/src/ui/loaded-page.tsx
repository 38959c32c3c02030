import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { Failure } from './failure.tsx'
import { Page } from './page.tsx'

type LoadedPageProps<T> = Pick<ComponentProps<typeof Page>, 'title' | 'path'> & {
  read: UseQueryResult<T>
  /** The title of the failure. */
  failed: string
  /** Pixels that the page will have. */
  height?: number
  children: (value: T) => ReactNode
}

/** The page of what is read; until then a page with its title and room for it, or with why it could not be read. */
export function LoadedPage<T>({ read, title, path, failed, height = 420, children }: LoadedPageProps<T>) {
  // While the next one loads, the data is still that of the one before.
  if (read.data !== undefined && !read.isPlaceholderData) return children(read.data)
  return (
    <Page title={title} {...(path && { path })}>
      {read.error ? <Failure error={read.error} title={failed} onRetry={() => void read.refetch()} /> : <Skeleton height={height} />}
    </Page>
  )
}
