/** The groups that events are told apart by: the most frequent values, none, and all the others; or that people are told apart by. */
import type { DimensionValue } from '@contentflow/core/analysis/columns.ts'
import { ANALYSIS_LIMITS } from '@contentflow/core/analysis/question.ts'
import type { ValueCount } from './queries-read.ts'

/** `value` null: events without one. `isOther`: all values that have no group of their own. `name`: of a segment, whose id the value is. */
export type Group = { value: DimensionValue | null; isOther: boolean; name?: string }
/** `segments`: the ids of those that people are told apart by, in the order of the groups; whoever is in none is in the group behind them. */
export type Groups = {
  list: Group[]
  groupOf: Map<DimensionValue, number>
  none: number
  others: number
  segments?: readonly string[] | undefined
}
export type SegmentGroup = { id: string; name: string; members: number }

/** The most frequent values first; of the same frequency by their text. */
export function chooseGroups(counts: readonly ValueCount[]): Groups {
  const sums = new Map<DimensionValue | null, number>()
  for (const { value, isOther, events } of counts) if (!isOther) sums.set(value, (sums.get(value) ?? 0) + events)
  const ordered = [...sums].sort(([a, x], [b, y]) => y - x || (String(a) < String(b) ? -1 : 1))
  const list: Group[] = ordered.slice(0, ANALYSIS_LIMITS.groups).map(([value]) => ({ value, isOther: false }))
  const others = list.push({ value: null, isOther: true }) - 1
  const groupOf = new Map(list.flatMap(({ value }, index) => (value === null ? [] : [[value, index] as const])))
  const none = list.findIndex(({ value, isOther }) => value === null && !isOther)
  return { list, groupOf, others, none: none < 0 ? others : none }
}

/** The segments with the most members, and one group for whoever is in none of them. A person is in the group of each of their segments. */
export function segmentGroups(segments: readonly SegmentGroup[]): Groups {
  const chosen = segments.toSorted((a, b) => b.members - a.members || (a.name < b.name ? -1 : 1)).slice(0, ANALYSIS_LIMITS.groups)
  const list: Group[] = chosen.map(({ id, name }) => ({ value: id, isOther: false, name }))
  const none = list.push({ value: null, isOther: chosen.length < segments.length }) - 1
  return { list, groupOf: new Map(), none, others: none, segments: chosen.map(({ id }) => id) }
}
