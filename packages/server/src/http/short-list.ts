import { failWith } from '../errors.ts'

/** The items, total and next cursor of one page of a list so short that it is read whole. */
export function pageOf<T>(
  all: readonly T[],
  idOf: (item: T) => string,
  { limit, cursor }: { limit: number; cursor?: string },
): [items: T[], total: number, nextCursor: string | null] {
  const start = cursor === undefined ? 0 : all.findIndex((item) => idOf(item) === cursor) + 1
  if (cursor !== undefined && start === 0) failWith(400, 'cursor is not one of this list')
  const items = all.slice(start, start + limit)
  const last = items.at(-1)
  return [items, all.length, last !== undefined && start + limit < all.length ? idOf(last) : null]
}
