/** Which source wins, as an order: the numbers behind it are those of the defaults, given out anew. */
import { DEFAULT_PRIORITIES, SOURCES, type Priorities, type ImportSource } from '@contentflow/core/imports/priorities.ts'

/** Highest first; of two that are as high, the one that is higher by default. */
export function orderOf(priorities: Priorities): ImportSource[] {
  return SOURCES.toSorted((a, b) => priorities[b] - priorities[a])
}

/** What differs from the defaults when the sources stand in this order. */
export function overridesOf(order: readonly ImportSource[]): Partial<Priorities> {
  const numbers = Object.values(DEFAULT_PRIORITIES).toSorted((a, b) => b - a)
  return Object.fromEntries(
    order
      .map((source, place) => [source, numbers[place] ?? 0] as const)
      .filter(([source, number]) => DEFAULT_PRIORITIES[source] !== number),
  )
}

export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const left = list.filter((_, index) => index !== from)
  return [...left.slice(0, to), ...list.slice(from, from + 1), ...left.slice(to)]
}
