/** How many events, how many people, or what sum, over time and by group. */
import { groupsOfPerson, type Timelines } from './timelines.ts'

/** One line of a chart: its value in each interval, and over all of them. People count once in each, and once in the total. */
export type Series = { values: number[]; total: number }

export function emptySeries(count: number, intervals: number): Series[] {
  return Array.from({ length: count }, () => ({ values: Array.from({ length: intervals }, () => 0), total: 0 }))
}

/**
 * Counts people: an event is of the series that its group says, and of the interval that `intervalOf` says, -1 for none; where people have
 * memberships, of one series for each of them. Each person's events are in the order of time, so an interval that was left does not come again.
 */
export function* addPeople(timelines: Timelines, intervalOf: (at: number) => number, series: Series[]): Generator<undefined, void> {
  const { people, starts, at, groups, memberships } = timelines
  const lastPerson = new Float64Array(series.length).fill(-1)
  const lastInterval = new Int32Array(series.length).fill(-1)
  for (let index = 0; index < people.length; index++) {
    const offsets = groupsOfPerson(memberships, index)
    for (let row = starts[index]!; row < starts[index + 1]!; row++) {
      const interval = intervalOf(at[row]!)
      if (interval < 0) continue
      for (const offset of offsets) {
        const group = (groups?.[row] ?? 0) + offset
        const line = series[group]
        if (!line) continue
        const isNew = lastPerson[group] !== index
        if (isNew) line.total++
        if (isNew || lastInterval[group] !== interval) line.values[interval]!++
        lastPerson[group] = index
        lastInterval[group] = interval
      }
    }
    if (index % 256 === 0) yield
  }
}

/** Adds up the values of events, or counts events where they have none. */
export function* addEvents(timelines: Timelines, intervalOf: (at: number) => number, series: Series[]): Generator<undefined, void> {
  const { people, starts, at, groups, values, memberships } = timelines
  for (let index = 0; index < people.length; index++) {
    const offsets = groupsOfPerson(memberships, index)
    for (let row = starts[index]!; row < starts[index + 1]!; row++) {
      const interval = intervalOf(at[row]!)
      for (const offset of interval < 0 ? [] : offsets) {
        const line = series[(groups?.[row] ?? 0) + offset]
        if (!line) continue
        const value = values ? values[row]! : 1
        line.values[interval]! += value
        line.total += value
      }
      if (row % 4_096 === 0) yield
    }
  }
}
