/**
 * Events of one type as columns, so that questions over millions of them read a few bytes for each: who, when, and the values of
 * the declared properties. The events of one person stand together, people in the order of their numbers, events in the order of time.
 */
import { byteLengthOf, Reader, Writer } from './varints.ts'

/** A value that events are told apart by. */
export type DimensionValue = string | number | boolean

/** Values of one dimension that are told apart in one row; the rest is one value, `OTHER_VALUE`. */
export const DICTIONARY_SIZE = 1_000
/** The code of an event that has no value, and of one whose value the dictionary had no room for; the first value has code 1. */
export const NO_VALUE = 0
export const OTHER_VALUE = 0xffff
const NARROW_OTHER = 0xff

export type DimensionColumn = { name: string; codes: Uint16Array; values: readonly DimensionValue[] }
/** NaN: the event has none. */
export type MeasureColumn = { name: string; values: Float64Array }

/** `people`: numbers, ascending; the events of `people[i]` are those from `starts[i]` to `starts[i + 1]`. `keys`: see `timeKey`. */
export type Columns = {
  people: Uint32Array
  starts: Uint32Array
  keys: Uint32Array
  dimensions: DimensionColumn[]
  measures: MeasureColumn[]
}

/** What stands beside the bytes, to be read without them. `counts`: events of each value; `others`: of values there was no room for. */
export type ColumnsMeta = {
  dimensions: { name: string; values: DimensionValue[]; counts: number[]; others: number }[]
  measures: string[]
}

/** Steps of time within a millisecond: events of one moment keep their order. */
export const KEYS_PER_MS = 16
const DAY_MS = 86_400_000

/**
 * The moment of an event, from the beginning of the day before the day of its arrival, in sixteenths of a millisecond: that is below 2^32.
 * The time of the device counts where it lies within the 24 hours before the arrival.
 */
export function timeKey(arrivedAt: number, occurredAt: number | null): number {
  const at = occurredAt !== null && occurredAt <= arrivedAt && occurredAt >= arrivedAt - DAY_MS ? occurredAt : arrivedAt
  return (at - keyBase(arrivedAt)) * KEYS_PER_MS
}

/** The moment of the key 0, milliseconds, for events that arrived on the day of `arrivedAt` (UTC). */
export function keyBase(arrivedAt: number): number {
  return (Math.floor(arrivedAt / DAY_MS) - 1) * DAY_MS
}

export type ColumnEvent = {
  person: number
  key: number
  /** By the position of the column. */
  dimensions: readonly (DimensionValue | undefined)[]
  measures: readonly (number | undefined)[]
}

/** Columns of events that are in the order of their people, and of time. */
export function makeColumns(
  events: readonly ColumnEvent[],
  { dimensions, measures }: { dimensions: readonly string[]; measures: readonly string[] },
): Columns {
  const people: number[] = []
  const starts: number[] = []
  for (const [row, { person }] of events.entries()) {
    if (people.at(-1) === person) continue
    people.push(person)
    starts.push(row)
  }
  starts.push(events.length)
  return {
    people: Uint32Array.from(people),
    starts: Uint32Array.from(starts),
    keys: Uint32Array.from(events, ({ key }) => key),
    dimensions: dimensions.map((name, at) => {
      const dictionary = new Dictionary()
      const codes = Uint16Array.from(events, (event) => dictionary.codeOf(event.dimensions[at]))
      return { name, codes, values: dictionary.values }
    }),
    measures: measures.map((name, at) => ({ name, values: Float64Array.from(events, (event) => event.measures[at] ?? Number.NaN) })),
  }
}

class Dictionary {
  readonly values: DimensionValue[] = []
  readonly #codes = new Map<DimensionValue, number>()

  codeOf(value: DimensionValue | undefined): number {
    if (value === undefined) return NO_VALUE
    const known = this.#codes.get(value)
    if (known !== undefined) return known
    if (this.values.length >= DICTIONARY_SIZE) return OTHER_VALUE
    const code = this.values.push(value)
    this.#codes.set(value, code)
    return code
  }
}

/** The order of the members: people and their counts, times, measures, dimensions. */
export function encodeColumns(columns: Columns): { body: Uint8Array; meta: ColumnsMeta } {
  const { people, starts, keys, dimensions, measures } = columns
  let length = 0
  let before = 0
  const head: number[] = [people.length]
  for (const [index, person] of people.entries()) {
    head.push(person - before, starts[index + 1]! - starts[index]!)
    before = person
  }
  for (const value of head) length += byteLengthOf(value)
  const widths = dimensions.map(({ values }) => widthOf(values.length))
  length += keys.length * (4 + 8 * measures.length + widths.reduce((sum, width) => sum + width, 0))
  const writer = new Writer(length)
  for (const value of head) writer.varint(value)
  for (const key of keys) writer.uint32(key)
  for (const { values } of measures) for (const value of values) writer.float64(value)
  for (const [index, { codes }] of dimensions.entries())
    for (const code of codes)
      if (widths[index] === 1) writer.uint8(code === OTHER_VALUE ? NARROW_OTHER : code)
      else writer.uint16(code)
  return { body: writer.bytes, meta: { dimensions: dimensions.map(countValues), measures: measures.map(({ name }) => name) } }
}

function widthOf(values: number): 1 | 2 {
  return values < NARROW_OTHER ? 1 : 2
}

function countValues({ name, codes, values }: DimensionColumn): ColumnsMeta['dimensions'][number] {
  const counts = Array.from({ length: values.length }, () => 0)
  let others = 0
  for (const code of codes) {
    if (code === OTHER_VALUE) others++
    else if (code !== NO_VALUE) counts[code - 1]!++
  }
  return { name, values: [...values], counts, others }
}

export function decodeColumns(body: Uint8Array, meta: ColumnsMeta): Columns {
  const reader = new Reader(body)
  const length = reader.varint()
  const people = new Uint32Array(length)
  const starts = new Uint32Array(length + 1)
  for (let index = 0, person = 0, events = 0; index < length; index++) {
    person += reader.varint()
    events += reader.varint()
    people[index] = person
    starts[index + 1] = events
  }
  const events = starts[length] ?? 0
  const keys = reader.uint32s(events)
  const measures = meta.measures.map((name) => ({ name, values: reader.float64s(events) }))
  const dimensions = meta.dimensions.map(({ name, values }) => {
    if (widthOf(values.length) === 2) return { name, codes: reader.uint16s(events), values }
    return { name, codes: widen(reader.uint8s(events)), values }
  })
  return { people, starts, keys, dimensions, measures }
}

/** Without a call for each, of which there are millions. */
function widen(narrow: Uint8Array): Uint16Array {
  const codes = new Uint16Array(narrow)
  for (let row = 0; row < codes.length; row++) if (codes[row] === NARROW_OTHER) codes[row] = OTHER_VALUE
  return codes
}
