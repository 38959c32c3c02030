/** The priorities of sources as an order: the numbers of the defaults are assigned to it anew. */
import { DEFAULT_PRIORITIES, SOURCES, type Priorities, type ImportSource } from '@contentflow/core/imports/priorities.ts'

/** Highest first; at equal priority the one with the higher default. */
export function orderOf(priorities: Priorities): ImportSource[] {
  return SOURCES.toSorted((a, b) => priorities[b] - priorities[a])
}

/** The differences to the defaults when the sources are in this order. */
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
