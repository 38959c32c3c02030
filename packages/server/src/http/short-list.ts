import { pageOf, type Paged } from '@contentflow/core/paging.ts'
import { refuseCursor } from './cursors.ts'

/** One page of a list so short that it is read whole; 400 when the item that the cursor names is gone. */
export function shortPage<T>(all: readonly T[], query: { limit: number; cursor?: string }, cursorOf: (item: T) => string): Paged<T> {
  return pageOf(all, query, cursorOf) ?? refuseCursor()
}
