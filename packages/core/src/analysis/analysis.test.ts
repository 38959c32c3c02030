/** Columns, funnels, retention and counts of people, each against a few lines that go through plain lists of events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Where } from '../behaviour/where.ts'
import { runToEnd } from '../steps.ts'
import { DAY_MS, HOUR_MS } from '../units.ts'
import {
  decodeColumns,
  DICTIONARY_SIZE,
  encodeColumns,
  KEYS_PER_MS,
  keyBase,
  makeColumns,
  timeKey,
  type ColumnEvent,
  type Columns,
  type DimensionValue,
} from './columns.ts'
import { addEvents, addPeople, emptySeries } from './explore.ts'
import { FunnelSums, walkFunnel, type FunnelOrder } from './funnel.ts'
import { mergeColumns, withoutPeople } from './merge-columns.ts'
import { addToCohorts, emptyCohorts, periodBounds, RETURN, START } from './retention.ts'
import { gatherTimelines, groupsOf, takePeople, type Piece } from './timelines.ts'
import { fieldsOf, testRows } from './where-columns.ts'

const FIXED = { seed: 20_261_127, numRuns: 1_000 }
const NAMES = { dimensions: ['properties.plan'], measures: ['value'] }

const values = fc.option(fc.constantFrom<DimensionValue>('free', '__proto__', 'constructor', 7, true, ''), { nil: undefined })
const PLAIN = { noNullPrototype: true }
const anEvent = fc.record(
  {
    person: fc.constantFrom(0, 1, 2, 200, 70_000),
    key: fc.nat({ max: 60 }),
    dimensions: fc.tuple(values),
    measures: fc.tuple(fc.option(fc.integer({ min: -5, max: 5 }), { nil: undefined })),
  },
  PLAIN,
)
const inOrder = (events: readonly ColumnEvent[]) => events.toSorted((a, b) => a.person - b.person || a.key - b.key)
const build = (events: readonly ColumnEvent[]) => makeColumns(inOrder(events), NAMES)
const stored = (columns: Columns): Columns => {
  const { body, meta } = encodeColumns(columns)
  return decodeColumns(body, JSON.parse(JSON.stringify(meta)))
}
/** Every event as it reads back. */
function listed({ people, starts, keys, dimensions, measures }: Columns) {
  return [...people].flatMap((person, index) =>
    Array.from({ length: (starts[index + 1] ?? 0) - (starts[index] ?? 0) }, (_, offset) => {
      const row = (starts[index] ?? 0) + offset
      return {
        person,
        key: keys[row],
        dimensions: dimensions.map(({ codes, values: known }) => (codes[row] === 0xffff ? '…' : known[(codes[row] ?? 0) - 1])),
        measures: measures.map((measure) => (Number.isNaN(measure.values[row]) ? undefined : measure.values[row])),
      }
    }),
  )
}

test('columns read back as they were written, and several rows are one as if they had been written together', () => {
  fc.assert(
    fc.property(fc.array(anEvent, { maxLength: 40 }), fc.nat({ max: 40 }), (events, cut) => {
      assert.deepEqual(listed(stored(build(events))), inOrder(events))
      const parts = [events.slice(0, cut), events.slice(cut)].map((part) => stored(build(part)))
      assert.deepEqual(listed(stored(runToEnd(mergeColumns(parts)))), inOrder(events))
    }),
    FIXED,
  )
})

test('a row without some people has none of their events, nor the values that only they had', () => {
  fc.assert(
    fc.property(fc.array(anEvent, { maxLength: 40 }), fc.uniqueArray(fc.constantFrom(0, 1, 2, 200, 70_000)), (events, gone) => {
      const before = build(events)
      const kept = inOrder(events).filter(({ person }) => !gone.some((one) => one === person))
      const after = withoutPeople(before, new Set(gone))
      assert.deepEqual(listed(stored(after)), kept)
      if (kept.length === events.length) assert.equal(after, before)
      else
        assert.deepEqual(
          new Set(after.dimensions[0]?.values),
          new Set(kept.flatMap(({ dimensions: [value] }) => (value === undefined ? [] : [value]))),
        )
    }),
    FIXED,
  )
})

test('a dictionary has room for a thousand values; the rest is one value, also after rows were put together', () => {
  const events = Array.from({ length: DICTIONARY_SIZE + 5 }, (_, index) => ({
    person: 1,
    key: index,
    dimensions: [`v${index}`],
    measures: [undefined],
  }))
  const { meta } = encodeColumns(build(events))
  assert.deepEqual([meta.dimensions[0]?.values.length, meta.dimensions[0]?.others], [DICTIONARY_SIZE, 5])
  assert.equal(listed(stored(build(events))).at(-1)!.dimensions[0], '…')
  const merged = runToEnd(mergeColumns([build(events.slice(0, 3)), build(events.slice(3))]))
  assert.equal(encodeColumns(merged).meta.dimensions[0]?.others, 5)
  // Of 254 values the codes need two bytes, one of them is kept for what has no room.
  for (const count of [253, 254, 255, 256])
    assert.equal(listed(stored(build(events.slice(0, count)))).at(-1)!.dimensions[0], `v${count - 1}`)
})

test("the device's time counts where it lies within the 24 hours before the arrival", () => {
  const day = Date.UTC(2026, 4, 2)
  const arrived = day + 5 * HOUR_MS
  const at = (occurred: number | null) => timeKey(arrived, occurred) / KEYS_PER_MS + keyBase(arrived)
  assert.equal(at(null), arrived)
  assert.equal(at(arrived - 1), arrived - 1)
  assert.equal(at(arrived - DAY_MS), arrived - DAY_MS)
  assert.equal(at(arrived - DAY_MS - 1), arrived)
  assert.equal(at(arrived + 1), arrived)
  assert.ok(timeKey(day + DAY_MS - 1, null) < 2 ** 32)
})

// --- people and what they did, as plain lists and as pieces ---

type Did = { person: number; ms: number; mark: number; group: number }
const aDid = (marks: number) =>
  fc.record({ person: fc.nat({ max: 4 }), ms: fc.nat({ max: 30 }), mark: fc.nat({ max: marks }), group: fc.nat({ max: 2 }) }, PLAIN)
const MS = KEYS_PER_MS

/** `isByPeople`: each person is in the groups of the bits of their number plus one. */
function pieceOf(events: readonly Did[], isByPeople = false): Piece {
  const sorted = events.toSorted((a, b) => a.person - b.person || a.ms - b.ms)
  const people = [...new Set(sorted.map(({ person }) => person))]
  const starts = [...people.map((person) => sorted.findIndex((event) => event.person === person)), sorted.length]
  return {
    people: Uint32Array.from(people),
    starts: Uint32Array.from(starts),
    at: Float64Array.from(sorted, ({ ms }) => ms * MS),
    marks: Uint16Array.from(sorted, ({ mark }) => mark),
    groups: Uint16Array.from(sorted, ({ group }) => group),
    values: Float64Array.from(sorted, ({ group, ms }) => group + ms),
    memberships: isByPeople ? Uint32Array.from(people, (person) => person + 1) : undefined,
  }
}
/** Events in the order in which they are gathered: by time, and of one moment by piece. */
const timelineOf = (events: readonly Did[], person: number) =>
  events.filter((event) => event.person === person && event.mark !== 0).toSorted((a, b) => a.ms - b.ms)
const gather = (events: readonly Did[], cut: number, isByPeople = false) =>
  runToEnd(gatherTimelines([pieceOf(events.slice(0, cut), isByPeople), pieceOf(events.slice(cut), isByPeople)]))

/** The longest chain of steps within the window, by trying every way. */
function naiveDepth(events: readonly Did[], steps: number, windowMs: number, order: FunnelOrder): number {
  const longest = (from: number, start: number, step: number): number => {
    let best = step
    for (const [offset, event] of events.slice(from).entries())
      if (event.mark & (1 << step) && step < steps && event.ms - start <= windowMs)
        best = Math.max(best, longest(from + offset + 1, start, step + 1))
    return best
  }
  if (order === 'in_order') return Math.max(0, ...events.map(({ ms, mark }, index) => (mark & 1 ? longest(index + 1, ms, 1) : 0)))
  return Math.max(
    0,
    ...events.map(({ ms }) => new Set(events.filter((event) => event.ms >= ms && event.ms - ms <= windowMs).map(({ mark }) => mark)).size),
  )
}

test('a funnel finds the longest chain within the window, in one pass', () => {
  fc.assert(
    fc.property(fc.array(aDid(7), { maxLength: 14 }), fc.nat({ max: 14 }), fc.nat({ max: 12 }), (events, cut, windowMs) => {
      const found = new Map<number, number>()
      runToEnd(
        walkFunnel(gather(events, cut), { steps: 3, windowMs, order: 'in_order' }, (person, { depth, times }) => {
          found.set(person, depth)
          assert.equal(times.length, depth)
          assert.ok(times.every((time, step) => step === 0 || time >= (times[step - 1] ?? 0)))
          assert.ok((times.at(-1) ?? 0) - (times[0] ?? 0) <= windowMs * MS)
        }),
      )
      for (const person of [0, 1, 2, 3, 4])
        assert.equal(found.get(person) ?? 0, naiveDepth(timelineOf(events, person), 3, windowMs, 'in_order'))
    }),
    FIXED,
  )
})

test('in any order a funnel counts the most different steps within one window', () => {
  const single = fc.array(
    aDid(0).map((event) => ({ ...event, mark: 1 << (event.ms % 3) })),
    { maxLength: 14 },
  )
  fc.assert(
    fc.property(single, fc.nat({ max: 12 }), (events, windowMs) => {
      const found = new Map<number, number>()
      runToEnd(walkFunnel(gather(events, 7), { steps: 3, windowMs, order: 'any_order' }, (person, { depth }) => found.set(person, depth)))
      for (const person of [0, 1, 2, 3, 4])
        assert.equal(found.get(person) ?? 0, naiveDepth(timelineOf(events, person), 3, windowMs, 'any_order'))
    }),
    FIXED,
  )
})

test('sums of a funnel: people of each step, and the median time from the step before', () => {
  const sums = new FunnelSums(3)
  for (const times of [[0, 10, 30], [0, 20], [0, 40], [5]]) sums.add({ depth: times.length, times: times.map((ms) => ms * MS), group: 0 })
  assert.deepEqual(sums.people, [4, 3, 1])
  assert.deepEqual([sums.medianMs(0), sums.medianMs(1), sums.medianMs(2)], [undefined, 20, 20])
  sums.add({ depth: 2, times: [0, 40 * MS], group: 0 })
  assert.equal(sums.medianMs(1), 30)
})

test('retention counts a person once in a cell, from the first time they began', () => {
  const bounds = [0, 5, 10, 20, 28]
  fc.assert(
    fc.property(fc.array(aDid(3), { maxLength: 30 }), fc.nat({ max: 30 }), (events, cut) => {
      const cohorts = emptyCohorts(bounds)
      runToEnd(addToCohorts(gather(events, cut), bounds, cohorts))
      const naive = emptyCohorts(bounds)
      const cellOf = (ms: number) => bounds.findIndex((bound, index) => ms >= bound && ms < (bounds[index + 1] ?? bound))
      for (const person of [0, 1, 2, 3, 4]) {
        const mine = timelineOf(events, person)
        const first = mine.findIndex(({ ms, mark }) => (mark & START) > 0 && cellOf(ms) >= 0)
        if (first < 0) continue
        const began = cellOf(mine[first]!.ms)
        const cohort = naive[began] ?? assert.fail()
        cohort.people++
        const back = mine.slice(first + 1).filter(({ mark }) => mark & RETURN)
        for (const cell of new Set(back.map(({ ms }) => cellOf(ms))))
          if (cell >= 0) cohort.returned[cell - began] = (cohort.returned[cell - began] ?? 0) + 1
      }
      assert.deepEqual(cohorts, naive)
    }),
    FIXED,
  )
})

test('periods are days, weeks from Monday and months of UTC, and the last one holds the moment asked for', () => {
  const now = Date.UTC(2026, 2, 1, 13)
  const shown = (unit: 'day' | 'week' | 'month') => periodBounds(unit, 2, now).map((ms) => new Date(ms).toISOString().slice(0, 10))
  assert.deepEqual(shown('day'), ['2026-02-28', '2026-03-01', '2026-03-02'])
  // 1 March 2026 is a Sunday.
  assert.deepEqual(shown('week'), ['2026-02-16', '2026-02-23', '2026-03-02'])
  assert.deepEqual(shown('month'), ['2026-02-01', '2026-03-01', '2026-04-01'])
})

test('people count once in an interval and once in all, in each group', () => {
  fc.assert(
    fc.property(fc.array(aDid(1), { maxLength: 30 }), fc.nat({ max: 30 }), (events, cut) => {
      const series = emptySeries(3, 3)
      runToEnd(addPeople(gather(events, cut), (at) => (at / MS < 30 ? Math.floor(at / MS / 10) : -1), series))
      const counted = events.filter(({ mark, ms }) => mark !== 0 && ms < 30)
      const distinct = (some: readonly Did[]) => new Set(some.map(({ person }) => person)).size
      const naive = [0, 1, 2].map((group) => {
        const mine = counted.filter((event) => event.group === group)
        return {
          values: [0, 1, 2].map((interval) => distinct(mine.filter(({ ms }) => Math.floor(ms / 10) === interval))),
          total: distinct(mine),
        }
      })
      assert.deepEqual(series, naive)
    }),
    FIXED,
  )
})

test('whoever is in several groups counts in each of them, with all of their events', () => {
  fc.assert(
    fc.property(fc.array(aDid(1), { maxLength: 30 }), fc.nat({ max: 30 }), (events, cut) => {
      const [people, sums] = [emptySeries(3, 1), emptySeries(3, 1)]
      const one = events.map((event) => ({ ...event, group: 0 }))
      runToEnd(addPeople(gather(one, cut, true), () => 0, people))
      runToEnd(addEvents(gather(one, cut, true), () => 0, sums))
      const found = new Map<number, readonly number[]>()
      const rule = { steps: 1, windowMs: 1, order: 'in_order' as const }
      runToEnd(walkFunnel(gather(one, cut, true), rule, (person, _progress, groups) => found.set(person, groups)))
      for (const group of [0, 1, 2]) {
        const mine = one.filter(({ person, mark }) => mark !== 0 && ((person + 1) & (1 << group)) !== 0)
        assert.equal(people[group]?.total, new Set(mine.map(({ person }) => person)).size)
        assert.equal(
          sums[group]?.total,
          mine.reduce((sum, { ms }) => sum + ms, 0),
        )
        for (const { person, mark } of mine) if (mark & 1) assert.ok(found.get(person)?.includes(group))
      }
    }),
    FIXED,
  )
})

test('events and values are added up by interval and group', () => {
  fc.assert(
    fc.property(fc.array(aDid(1), { maxLength: 30 }), fc.nat({ max: 30 }), (events, cut) => {
      const series = emptySeries(3, 3)
      runToEnd(addEvents(gather(events, cut), (at) => (at / MS < 30 ? Math.floor(at / MS / 10) : -1), series))
      const counted = events.filter(({ mark, ms }) => mark !== 0 && ms < 30)
      const naive = [0, 1, 2].map((group) => {
        const mine = counted.filter((event) => event.group === group)
        const sum = (some: readonly Did[]) => some.reduce((total, { ms }) => total + group + ms, 0)
        return { values: [0, 1, 2].map((interval) => sum(mine.filter(({ ms }) => Math.floor(ms / 10) === interval))), total: sum(mine) }
      })
      assert.deepEqual(series, naive)
    }),
    FIXED,
  )
})

test('people are taken out of a piece with all that they did', () => {
  fc.assert(
    fc.property(fc.array(aDid(3), { maxLength: 30 }), fc.nat({ max: 4 }), (events, person) => {
      assert.deepEqual(
        takePeople(pieceOf(events, true), (index) => pieceOf(events).people[index] === person),
        pieceOf(
          events.filter((event) => event.person === person),
          true,
        ),
      )
    }),
    FIXED,
  )
})

test('more events of one person than are sorted by hand are in order too', () => {
  const events = Array.from({ length: 200 }, (_, index) => ({ person: 1, ms: (index * 37) % 101, mark: 1 + (index % 3), group: index % 3 }))
  const gathered = gather(events, 100)
  assert.deepEqual(
    [...gathered.marks].map((mark, row) => [(gathered.at[row] ?? 0) / MS, mark, gathered.values?.[row]]),
    timelineOf(events, 1).map(({ ms, mark, group }) => [ms, mark, group + ms]),
  )
})

test('conditions on columns hold for the events for which they hold one by one', () => {
  const columns = build([
    { person: 1, key: 1, dimensions: ['free'], measures: [10] },
    { person: 1, key: 2, dimensions: ['__proto__'], measures: [undefined] },
    { person: 2, key: 1, dimensions: [undefined], measures: [20] },
    { person: 3, key: 1, dimensions: [7], measures: [-1] },
  ])
  const rows = (...conditions: Where['conditions']) => {
    const holds = testRows(columns, { logicalOperator: 'AND', conditions })
    return [0, 1, 2, 3].filter((row) => holds(row))
  }
  const plan = (operator: 'equals' | 'not_equals' | 'exists' | 'not_exists' | 'greater_than' | 'contains', value?: string | number) => ({
    field: 'properties.plan',
    operator,
    ...(value !== undefined && { value }),
  })
  assert.deepEqual(rows(plan('equals', '__proto__')), [1])
  assert.deepEqual(rows(plan('not_equals', 'free')), [1, 2, 3])
  assert.deepEqual(rows(plan('exists')), [0, 1, 3])
  assert.deepEqual(rows(plan('not_exists')), [2])
  assert.deepEqual(rows(plan('greater_than', 6)), [3])
  assert.deepEqual(rows(plan('contains', 'ree')), [0])
  assert.deepEqual(rows({ field: 'value', operator: 'greater_than', value: 9 }), [0, 2])
  assert.deepEqual(rows({ field: 'value', operator: 'not_exists' }), [1])
  assert.deepEqual(rows({ field: 'properties.other', operator: 'not_exists' }), [0, 1, 2, 3])
  const either: Where = { logicalOperator: 'OR', conditions: [plan('equals', 7), { field: 'value', operator: 'less_than', value: 15 }] }
  assert.deepEqual(rows(either), [0, 3])
  assert.deepEqual(fieldsOf({ logicalOperator: 'AND', conditions: [plan('exists'), either] }), [
    'properties.plan',
    'properties.plan',
    'value',
  ])
})

test('events fall into the group of their value, of none, or of all the others', () => {
  const columns = build([
    { person: 1, key: 1, dimensions: ['free'], measures: [undefined] },
    { person: 1, key: 2, dimensions: [7], measures: [undefined] },
    { person: 2, key: 1, dimensions: [undefined], measures: [undefined] },
  ])
  const into = { groupOf: new Map([['free', 0] as const]), none: 1, others: 2 }
  assert.deepEqual([...groupsOf(columns, 'properties.plan', into)], [0, 2, 1])
  assert.deepEqual([...groupsOf(columns, 'platform', into)], [1, 1, 1])
})
