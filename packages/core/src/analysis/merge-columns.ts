/** Columns of one type made from others: several rows as one, and a row without some people. */
import { DICTIONARY_SIZE, NO_VALUE, OTHER_VALUE, type Columns, type DimensionValue } from './columns.ts'

/** Events between two places where whoever shares the thread may go on. */
const STEP = 4_096

type Place = { part: number; row: number }

/** All events of these, which are of one day; of one moment and person in the order of the parts. */
export function* mergeColumns(parts: readonly Columns[]): Generator<undefined, Columns> {
  const total = parts.reduce((sum, { keys }) => sum + keys.length, 0)
  const ofPart = new Uint16Array(total)
  const ofRow = new Uint32Array(total)
  const people: number[] = []
  const starts: number[] = []
  let at = 0
  for (const { person, part, row } of inOrder(parts)) {
    if (people.at(-1) !== person) {
      people.push(person)
      starts.push(at)
    }
    ofPart[at] = part
    ofRow[at++] = row
    if (at % STEP === 0) yield
  }
  starts.push(total)
  const keys = new Uint32Array(total)
  for (let index = 0; index < total; index++) keys[index] = parts[ofPart[index]!]!.keys[ofRow[index]!]!
  yield
  const order = { ofPart, ofRow }
  const measures: Columns['measures'] = []
  for (const name of namesOf(parts, 'measures')) {
    measures.push({ name, values: mergeMeasure(parts, order, name) })
    yield
  }
  const dimensions: Columns['dimensions'] = []
  for (const name of namesOf(parts, 'dimensions')) {
    dimensions.push({ name, ...mergeDimension(parts, order, name) })
    yield
  }
  return { people: Uint32Array.from(people), starts: Uint32Array.from(starts), keys, measures, dimensions }
}

/** By person, then by time; each part is in this order already. */
function* inOrder(parts: readonly Columns[]): Generator<Place & { person: number }> {
  const heads = parts.map(() => ({ person: 0, row: 0 }))
  for (;;) {
    let best = -1
    for (const [part, { people, keys }] of parts.entries()) {
      const head = heads[part]!
      if (head.person >= people.length) continue
      if (best < 0) best = part
      else {
        const [other, otherHead] = [parts[best]!, heads[best]!]
        const difference = people[head.person]! - other.people[otherHead.person]! || keys[head.row]! - other.keys[otherHead.row]!
        if (difference < 0) best = part
      }
    }
    if (best < 0) return
    const [{ people, starts }, head] = [parts[best]!, heads[best]!]
    yield { person: people[head.person]!, part: best, row: head.row }
    head.row++
    if (head.row >= starts[head.person + 1]!) head.person++
  }
}

function namesOf(parts: readonly Columns[], kind: 'measures' | 'dimensions'): Set<string> {
  return new Set(parts.flatMap((part) => part[kind].map(({ name }) => name)))
}

type Order = { ofPart: Uint16Array; ofRow: Uint32Array }

function mergeMeasure(parts: readonly Columns[], { ofPart, ofRow }: Order, name: string): Float64Array {
  const columns = parts.map(({ measures }) => measures.find((measure) => measure.name === name)?.values)
  return Float64Array.from(ofRow, (row, index) => columns[ofPart[index]!]?.[row] ?? Number.NaN)
}

function mergeDimension(parts: readonly Columns[], { ofPart, ofRow }: Order, name: string) {
  const values: DimensionValue[] = []
  const codes = new Map<DimensionValue, number>()
  const codeOf = (value: DimensionValue): number => {
    const known = codes.get(value)
    if (known !== undefined) return known
    if (values.length >= DICTIONARY_SIZE) return OTHER_VALUE
    const code = values.push(value)
    codes.set(value, code)
    return code
  }
  const columns = parts.map(({ dimensions }) => {
    const column = dimensions.find((dimension) => dimension.name === name)
    return column && { codes: column.codes, now: [NO_VALUE, ...column.values.map(codeOf)] }
  })
  const merged = Uint16Array.from(ofRow, (row, index) => {
    const column = columns[ofPart[index]!]
    const code = column?.codes[row] ?? NO_VALUE
    return code === OTHER_VALUE ? OTHER_VALUE : (column?.now[code] ?? NO_VALUE)
  })
  return { codes: merged, values }
}

/** The same events without those of these people; the very same object when there are none of them. */
export function withoutPeople(columns: Columns, isGone: ReadonlySet<number>): Columns {
  const kept = [...columns.people.keys()].filter((index) => !isGone.has(columns.people[index]!))
  if (kept.length === columns.people.length) return columns
  const rows = kept.flatMap((index) => {
    const [start, end] = [columns.starts[index]!, columns.starts[index + 1]!]
    return Array.from({ length: end - start }, (_, offset) => start + offset)
  })
  const starts = [0]
  for (const index of kept) starts.push(starts.at(-1)! + columns.starts[index + 1]! - columns.starts[index]!)
  return {
    people: Uint32Array.from(kept, (index) => columns.people[index]!),
    starts: Uint32Array.from(starts),
    keys: Uint32Array.from(rows, (row) => columns.keys[row]!),
    measures: columns.measures.map(({ name, values }) => ({ name, values: Float64Array.from(rows, (row) => values[row]!) })),
    dimensions: columns.dimensions.map((dimension) => dropUnused(dimension, rows)),
  }
}

/** A value that only those had who are gone is no longer listed. */
function dropUnused({ name, codes, values }: Columns['dimensions'][number], rows: readonly number[]) {
  const used = new Map<number, number>()
  const left: DimensionValue[] = []
  const now = (code: number): number => {
    if (code === NO_VALUE || code === OTHER_VALUE) return code
    const known = used.get(code)
    if (known !== undefined) return known
    const next = left.push(values[code - 1]!)
    used.set(code, next)
    return next
  }
  return { name, codes: Uint16Array.from(rows, (row) => now(codes[row]!)), values: left }
}
