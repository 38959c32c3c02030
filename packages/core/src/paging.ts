/** One page of a list. `next`: the cursor of the page after it; null on the last one. */
export type Paged<T> = { items: T[]; next: string | null; total: number }

/** The page that `rows` begin; they hold one more than `limit` where another page follows. */
export function paged<T>(rows: readonly T[], limit: number, total: number, cursorOf: (last: T) => string): Paged<T> {
  return pageFrom({ rows: rows.slice(0, limit), isLast: rows.length <= limit }, total, cursorOf)
}

/** The page of `rows`, of which others may follow. */
export function pageFrom<T>({ rows, isLast }: { rows: T[]; isLast: boolean }, total: number, cursorOf: (last: T) => string): Paged<T> {
  const last = rows.at(-1)
  return { items: rows, next: last !== undefined && !isLast ? cursorOf(last) : null, total }
}

/** The page after `cursor` of a list so short that it is read whole; undefined when the cursor is none of it. */
export function pageOf<T>(
  all: readonly T[],
  { limit, cursor }: { limit: number; cursor?: string },
  cursorOf: (item: T) => string,
): Paged<T> | undefined {
  const start = cursor === undefined ? 0 : all.findIndex((item) => cursorOf(item) === cursor) + 1
  if (cursor !== undefined && start === 0) return undefined
  return paged(all.slice(start, start + limit + 1), limit, all.length, cursorOf)
}

/** A cursor of several parts: values of the last item by which the list is ordered. Times are ISO 8601 or milliseconds. */
export function cursorOf(...parts: readonly (string | number)[]): string {
  return JSON.stringify(parts)
}

/** The parts of a cursor that `cursorOf` made for this list, as it made them: the server hands a list no other (`http/cursors.ts`). */
export function cursorParts(cursor: string): unknown {
  return JSON.parse(cursor)
}
