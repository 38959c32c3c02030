/** What people did, each person's events in the order of time: what funnels, retention and counts of people go through. */
import { NO_VALUE, OTHER_VALUE, type Columns } from './columns.ts'

/**
 * Events of some people out of one row. `people`: their numbers; `starts` as in columns; `at`: keys from one common moment;
 * `marks`: what a question takes the event for, a bit each, 0 for nothing; `groups`: into which group it falls; `values`: what is added up.
 * `memberships`: of each person the groups that all of their events fall into, a bit each; for groups of people, where a person may be in several.
 */
export type Piece = {
  people: Uint32Array
  starts: Uint32Array
  at: Float64Array
  marks: Uint16Array
  groups: Uint16Array | undefined
  values: Float64Array | undefined
  memberships: Uint32Array | undefined
}

/** Events of all people that were gathered, each person's in the order of time. */
export type Timelines = Piece

const STEP = 4_096
const FIRST_GROUP = [0]

/** The groups of the person at this place, ascending; without memberships the one there is. */
export function groupsOfPerson(memberships: Uint32Array | undefined, index: number): readonly number[] {
  if (!memberships) return FIRST_GROUP
  const groups: number[] = []
  for (let bits = memberships[index]!, group = 0; bits !== 0; bits >>>= 1, group++) if ((bits & 1) !== 0) groups.push(group)
  return groups
}

/** The order of events of one moment is that of the pieces. */
export function* gatherTimelines(pieces: readonly Piece[]): Generator<undefined, Timelines> {
  const indexes = new Map<number, number>()
  const counts: number[] = []
  for (const { people, starts, marks } of pieces) {
    for (let index = 0; index < people.length; index++) {
      let marked = 0
      for (let row = starts[index]!; row < starts[index + 1]!; row++) if (marks[row] !== 0) marked++
      if (marked === 0) continue
      const known = indexes.get(people[index]!)
      if (known === undefined) {
        indexes.set(people[index]!, counts.length)
        counts.push(marked)
      } else counts[known]! += marked
      if (index % STEP === 0) yield
    }
    yield
  }
  const starts = new Uint32Array(counts.length + 1)
  for (const [index, count] of counts.entries()) starts[index + 1] = starts[index]! + count
  const total = starts[counts.length]!
  const all: Timelines = {
    people: Uint32Array.from(indexes.keys()),
    starts,
    at: new Float64Array(total),
    marks: new Uint16Array(total),
    groups: pieces.some(({ groups }) => groups) ? new Uint16Array(total) : undefined,
    values: pieces.some(({ values }) => values) ? new Float64Array(total) : undefined,
    memberships: pieces.some(({ memberships }) => memberships) ? new Uint32Array(counts.length) : undefined,
  }
  const next = starts.slice(0, -1)
  for (const piece of pieces) yield* fill(all, piece, indexes, next)
  for (let index = 0; index < counts.length; index++) {
    sortPerson(all, starts[index]!, starts[index + 1]!)
    if (index % 256 === 0) yield
  }
  return all
}

function* fill(all: Timelines, piece: Piece, indexes: ReadonlyMap<number, number>, next: Uint32Array): Generator<undefined> {
  for (let index = 0; index < piece.people.length; index++) {
    const person = indexes.get(piece.people[index]!)
    if (person === undefined) continue
    if (all.memberships) all.memberships[person] = piece.memberships?.[index] ?? 0
    for (let row = piece.starts[index]!; row < piece.starts[index + 1]!; row++) {
      if (piece.marks[row] === 0) continue
      const to = next[person]!++
      all.at[to] = piece.at[row]!
      all.marks[to] = piece.marks[row]!
      if (all.groups) all.groups[to] = piece.groups?.[row] ?? 0
      if (all.values) all.values[to] = piece.values?.[row] ?? 0
    }
    if (index % 1_024 === 0) yield
  }
}

/** Places that one event moves on average, up to which moving is faster than sorting anew: rows come a day at a time, so few are out of place. */
const MOST_MOVED = 16

/** By insertion, which keeps those of one moment in their order. */
function sortPerson(timelines: Timelines, from: number, to: number): void {
  const { at } = timelines
  let left = (to - from) * MOST_MOVED
  for (let row = from + 1; row < to; row++) {
    let place = row
    while (place > from && at[place - 1]! > at[row]!) place--
    if (place === row) continue
    left -= row - place
    if (left < 0) return sortWhole(timelines, from, to)
    moveRow(timelines, row, place)
  }
}

function moveRow({ at, marks, groups, values }: Timelines, row: number, place: number): void {
  const [time, mark, group, value] = [at[row]!, marks[row]!, groups?.[row], values?.[row]]
  for (let to = row; to > place; to--) {
    at[to] = at[to - 1]!
    marks[to] = marks[to - 1]!
    if (groups) groups[to] = groups[to - 1]!
    if (values) values[to] = values[to - 1]!
  }
  at[place] = time
  marks[place] = mark
  if (groups && group !== undefined) groups[place] = group
  if (values && value !== undefined) values[place] = value
}

function sortWhole({ at, marks, groups, values }: Timelines, from: number, to: number): void {
  const rows = Array.from({ length: to - from }, (_, index) => from + index).sort((a, b) => at[a]! - at[b]!)
  // Each is copied whole before it is written.
  at.set(
    Float64Array.from(rows, (row) => at[row]!),
    from,
  )
  marks.set(
    Uint16Array.from(rows, (row) => marks[row]!),
    from,
  )
  groups?.set(
    Uint16Array.from(rows, (row) => groups[row]!),
    from,
  )
  values?.set(
    Float64Array.from(rows, (row) => values[row]!),
    from,
  )
}

/** The events of those people of a piece for whom `isWanted`, which gets their place in it. */
export function takePeople(piece: Piece, isWanted: (index: number) => boolean): Piece {
  const kept = [...piece.people.keys()].filter(isWanted)
  const starts = [0]
  for (const index of kept) starts.push(starts.at(-1)! + piece.starts[index + 1]! - piece.starts[index]!)
  const total = starts.at(-1)!
  const taken: Piece = {
    people: Uint32Array.from(kept, (index) => piece.people[index]!),
    starts: Uint32Array.from(starts),
    at: new Float64Array(total),
    marks: new Uint16Array(total),
    groups: piece.groups && new Uint16Array(total),
    values: piece.values && new Float64Array(total),
    memberships: piece.memberships && Uint32Array.from(kept, (index) => piece.memberships![index]!),
  }
  for (const [position, index] of kept.entries()) {
    const [from, to] = [piece.starts[index]!, piece.starts[index + 1]!]
    taken.at.set(piece.at.subarray(from, to), starts[position])
    taken.marks.set(piece.marks.subarray(from, to), starts[position])
    if (piece.groups) taken.groups?.set(piece.groups.subarray(from, to), starts[position])
    if (piece.values) taken.values?.set(piece.values.subarray(from, to), starts[position])
  }
  return taken
}

/** Into which group each event of the columns falls: `groupOf` has the number of each value, `others` is for values without one. */
export function groupsOf(
  columns: Columns,
  field: string,
  { groupOf, none, others }: { groupOf: ReadonlyMap<string | number | boolean, number>; none: number; others: number },
): Uint16Array {
  const column = columns.dimensions.find(({ name }) => name === field)
  const groups = new Uint16Array(columns.keys.length)
  if (!column) return groups.fill(none)
  const ofCode = [none, ...column.values.map((value) => groupOf.get(value) ?? others)]
  for (const [row, code] of column.codes.entries())
    groups[row] = code === NO_VALUE ? none : code === OTHER_VALUE ? others : (ofCode[code] ?? others)
  return groups
}
