import { useEffect } from 'react'
import type { Pages } from '../../data.ts'

/** Reads a list on, page by page, up to `most` items: for views that show all of it at once. */
export function useAll<T>(pages: Pages<T>, most: number): Pages<T> {
  const isWanted = pages.hasMore && !pages.isMoreLoading && pages.error === null && pages.items.length < most
  const { loadMore } = pages
  useEffect(() => {
    if (isWanted) loadMore()
    // A new function each time; what decides is whether more is wanted.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isWanted])
  return pages
}
