import { pageOf, type Paged } from '@contentflow/core/paging.ts'
import { failWith } from '../errors.ts'

/** One page of a list so short that it is read whole. */
export function shortPage<T>(all: readonly T[], query: { limit: number; cursor?: string }, cursorOf: (item: T) => string): Paged<T> {
  return pageOf(all, query, cursorOf) ?? failWith(400, 'cursor belongs to another list')
}
