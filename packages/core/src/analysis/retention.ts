/** Whether people come back: cohorts by when they began, and who did something again how many periods later. */
import { KEYS_PER_MS } from './columns.ts'
import type { Timelines } from './timelines.ts'

export type RetentionUnit = 'day' | 'week' | 'month'
/** Bits of the marks. */
export const START = 1
export const RETURN = 2

export type Cohort = { people: number; returned: number[] }

/**
 * The beginnings of the last periods, oldest first, and the end of the last one; milliseconds. Days are those of UTC; weeks begin on
 * Monday. The last is the one that `now` lies in.
 */
export function periodBounds(unit: RetentionUnit, periods: number, now: number): number[] {
  const date = new Date(now)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const bounds: number[] = []
  for (let back = periods - 1; back >= -1; back--) {
    if (unit === 'month') bounds.push(Date.UTC(year, month - back, 1))
    else if (unit === 'day') bounds.push(Date.UTC(year, month, day - back))
    else bounds.push(Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7) - 7 * back))
  }
  return bounds
}

/** The period that a moment lies in; -1 outside of all of them. */
export function periodOf(bounds: readonly number[], at: number): number {
  if (at < bounds[0]! || at >= bounds.at(-1)!) return -1
  let [low, high] = [0, bounds.length - 1]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (at < bounds[middle]!) high = middle
    else low = middle
  }
  return low
}

export function emptyCohorts(bounds: readonly number[]): Cohort[] {
  const periods = bounds.length - 1
  return Array.from({ length: periods }, (_, index) => ({ people: 0, returned: Array.from({ length: periods - index }, () => 0) }))
}

/**
 * Adds everybody to the cohort of the period in which they began first, and, for each period from then on, whether they came back
 * after that: a person counts once in a cell. `bounds` are milliseconds from the moment that the keys are counted from.
 */
export function* addToCohorts(timelines: Timelines, bounds: readonly number[], cohorts: Cohort[]): Generator<undefined, void> {
  const { people, starts, at, marks } = timelines
  for (let index = 0; index < people.length; index++) {
    addPerson({ at, marks }, [starts[index]!, starts[index + 1]!], bounds, cohorts)
    if (index % 256 === 0) yield
  }
}

function addPerson(
  { at, marks }: Pick<Timelines, 'at' | 'marks'>,
  [from, to]: readonly [number, number],
  bounds: readonly number[],
  cohorts: Cohort[],
): void {
  const periodAt = (row: number) => periodOf(bounds, Math.floor(at[row]! / KEYS_PER_MS))
  let first = from
  while (first < to && ((marks[first]! & START) === 0 || periodAt(first) < 0)) first++
  if (first >= to) return
  const began = periodAt(first)
  const cohort = cohorts[began]!
  cohort.people++
  let last = -1
  for (let row = first + 1; row < to; row++) {
    if ((marks[row]! & RETURN) === 0) continue
    const period = periodAt(row)
    if (period < 0 || period === last) continue
    last = period
    cohort.returned[period - began]!++
  }
}
