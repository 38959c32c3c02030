/** Rules on events: what is refused, and 10,000 random pairs of rule and history against an evaluator that reads the whole list of events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileRules } from '../targeting/evaluate.ts'
import { parseRules } from '../targeting/rule.ts'
import { NOBODY } from '../targeting/subject.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../units.ts'
import { lengthOf, typeOfLeaf, type Did, type EventLeaf } from './did.ts'
import { fold, mergeHistories, trimHistory, type Histories, type History, type Keeping } from './history.ts'
import { changesAt, holds } from './judge-did.ts'
import { trackerId, trackerOf, trackersOf, type TrackerDefinition } from './tracker.ts'
import { compileWhere, valueOfEvent, type TrackedEvent } from './where.ts'

const NOW = Date.UTC(2026, 0, 1)
const isRegexValid = () => undefined
const compileRegex = (pattern: string) => (text: string) => text.includes(pattern)
const parse = (rule: unknown) => parseRules({ logicalOperator: 'AND', rules: [rule] }, isRegexValid)
const leafOf = (rule: unknown): EventLeaf => {
  const read = parse(rule)
  assert.ok(read.ok, read.ok ? '' : read.error)
  return read.value.rules[0] as EventLeaf
}

type Sent = TrackedEvent & { type: string }
const sent = (type: string, at: number, properties: TrackedEvent['properties'] = null, value: number | null = null): Sent => ({
  type,
  at,
  value,
  properties,
  currency: null,
  blockKey: null,
  instanceId: null,
  campaignId: null,
  screen: null,
  fenceId: null,
  platform: 'ios',
  sessionId: null,
})

/** The oracle: it keeps nothing, reads all events and counts. */
function naiveDid(leaf: EventLeaf, events: readonly Sent[], now: number): boolean {
  const matches = compileWhere(leaf.value.where, compileRegex)
  const mine = events.filter((event) => event.type === typeOfLeaf(leaf) && matches(event))
  if (leaf.operator === 'first_did' || leaf.operator === 'last_did') {
    if (mine.length === 0) return false
    const times = mine.map(({ at }) => at).sort((a, b) => a - b)
    const at = (leaf.operator === 'first_did' ? times[0] : times.at(-1)) ?? 0
    return at > now - lengthOf(leaf.value.ago) === (leaf.value.ago.operator === 'less_than')
  }
  const { within, count, sum } = leaf.value as Did
  const from = within ? now - lengthOf(within) : -Infinity
  const inside = mine.filter(({ at }) => at > from)
  if (leaf.operator === 'did_not') return inside.length === 0
  const is = (found: number, operator: string, value: unknown): boolean => {
    if (Array.isArray(value)) return value[0] <= found && found <= value[1]
    const bound = value as number
    if (operator === 'equals') return found === bound
    if (operator === 'greater_than') return found > bound
    if (operator === 'less_than') return found < bound
    return operator === 'less_than_or_equal' ? found <= bound : found >= bound
  }
  if (!is(inside.length, count?.operator ?? 'greater_than_or_equal', count?.value ?? 1)) return false
  if (!sum) return true
  const values = inside.map((event) => valueOfEvent(event, sum.property)).map((value) => (typeof value === 'number' ? value : 0))
  return (
    inside.length > 0 &&
    is(
      values.reduce((all, value) => all + value, 0),
      sum.operator,
      sum.value,
    )
  )
}

function keepingOf({ ring, sum }: TrackerDefinition, now: number): Keeping {
  return { ring, hasSum: sum !== undefined, since: now - 90 * DAY_MS }
}

function historiesOf(leaf: EventLeaf, events: readonly Sent[], now: number, parts = 1): Histories {
  const definition = trackerOf(leaf)
  const matches = compileWhere(definition.where, compileRegex)
  const mine = events
    .filter((event) => event.type === definition.type && matches(event))
    .map((event) => {
      const value = definition.sum === undefined ? undefined : valueOfEvent(event, definition.sum)
      return { at: event.at, value: typeof value === 'number' ? value : 0 }
    })
  let history: History | undefined
  for (let part = 0; part < parts; part++)
    history = fold(
      history,
      mine.filter((_, index) => index % parts === part),
      keepingOf(definition, now),
    )
  return history ? { [trackerId(definition)]: history } : {}
}

const arbitraryWithin = fc.oneof(
  fc.record({ minutes: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ hours: fc.integer({ min: 1, max: 72 }) }),
  fc.record({ days: fc.integer({ min: 1, max: 90 }) }),
)
const arbitraryWhere = fc.record({
  logicalOperator: fc.constantFrom('AND', 'OR'),
  conditions: fc.array(
    fc.oneof(
      fc.record({
        field: fc.constant('properties.total'),
        operator: fc.constantFrom('greater_than', 'less_than'),
        value: fc.integer({ min: 0, max: 4 }),
      }),
      fc.record({ field: fc.constant('properties.__proto__'), operator: fc.constantFrom('exists', 'not_exists') }),
      fc.record({
        field: fc.constant('properties.kind.name'),
        operator: fc.constantFrom('equals', 'not_equals'),
        value: fc.constantFrom('a', 'b', 3),
      }),
    ),
    { minLength: 1, maxLength: 3 },
  ),
})
const between = (max: number) =>
  fc.tuple(fc.integer({ min: 0, max }), fc.integer({ min: 0, max })).map(([a, b]) => [Math.min(a, b), Math.max(a, b)])
const arbitraryCount = fc.oneof(
  fc.record({ operator: fc.constantFrom('equals', 'greater_than_or_equal', 'less_than'), value: fc.integer({ min: 1, max: 25 }) }),
  fc.record({ operator: fc.constant('between'), value: between(25) }),
)
const arbitrarySum = fc.oneof(
  fc.record({
    property: fc.constantFrom('value', 'properties.total'),
    operator: fc.constantFrom('greater_than', 'less_than', 'greater_than_or_equal', 'less_than_or_equal'),
    value: fc.integer({ min: -2, max: 60 }),
  }),
  fc.record({ property: fc.constantFrom('value', 'properties.total'), operator: fc.constant('between'), value: between(60) }),
)
const optional = { requiredKeys: [] as never[] }
const arbitraryLeaf = fc.record({
  field: fc.constantFrom('events.purchase', 'events.a.b c', 'events.constructor'),
  rest: fc.oneof(
    fc.record({
      operator: fc.constant('did'),
      value: fc.record({ within: arbitraryWithin, where: arbitraryWhere, count: arbitraryCount, sum: arbitrarySum }, optional),
    }),
    fc.record({ operator: fc.constant('did_not'), value: fc.record({ within: arbitraryWithin, where: arbitraryWhere }, optional) }),
    fc.record({
      operator: fc.constantFrom('first_did', 'last_did'),
      value: fc.record(
        {
          ago: fc
            .tuple(fc.constantFrom('less_than', 'greater_than_or_equal'), arbitraryWithin)
            .map(([operator, length]) => ({ operator, ...length })),
          where: arbitraryWhere,
        },
        { requiredKeys: ['ago'] },
      ),
    }),
  ),
})
const arbitraryEvents = fc.array(
  fc
    .tuple(
      fc.constantFrom('purchase', 'purchase', 'a.b c', 'constructor'),
      fc.oneof(fc.integer({ min: 0, max: 300 * MINUTE_MS }), fc.integer({ min: 0, max: 89 * DAY_MS })),
      fc.option(
        fc.record(
          { total: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant('5')), kind: fc.record({ name: fc.constantFrom('a', 'b', 3) }) },
          optional,
        ),
      ),
      fc.option(fc.integer({ min: -3, max: 9 })),
    )
    .map(([type, age, properties, value]) => sent(type, NOW - age, properties as TrackedEvent['properties'], value)),
  { maxLength: 40 },
)

test('10,000 pairs of rule and history hold as the whole list of events says, at random moments and around each at which time turns them', () => {
  fc.assert(
    fc.property(arbitraryLeaf, arbitraryEvents, fc.integer({ min: 0, max: 3 * DAY_MS }), ({ field, rest }, events, later) => {
      const leaf = leafOf({ field, ...rest })
      const histories = historiesOf(leaf, events, NOW)
      const evaluate = compileRules({ logicalOperator: 'AND', rules: [leaf] }, { compileRegex, onBlockPath: true })
      const history = histories[trackerId(trackerOf(leaf))]
      const moments = [NOW, NOW + later]
      // From moment to moment at which the answer may turn: between two of them it must not.
      for (let at: number | undefined = NOW, steps = 0; at !== undefined && steps < 6; steps++) {
        at = changesAt(leaf, history, at)
        if (at !== undefined) moments.push(at - 1, at, at + 1)
      }
      for (const now of moments) assert.equal(evaluate({ ...NOBODY, events: histories }, now), naiveDid(leaf, events, now), `${now - NOW}`)
      const next = changesAt(leaf, history, NOW) ?? NOW + 100 * DAY_MS
      const between = NOW + Math.floor((next - 1 - NOW) / 2)
      assert.equal(holds(leaf, history, between), holds(leaf, history, NOW), 'turns only when it is said to')
    }),
    { numRuns: 10_000, seed: 33 },
  )
})

test('events may be folded in any parts, and people merged in any order: the history is the same', () => {
  fc.assert(
    fc.property(
      arbitraryLeaf,
      fc.array(arbitraryEvents, { minLength: 2, maxLength: 6 }),
      fc.integer({ min: 1, max: 5 }),
      ({ field, rest }, lists, parts) => {
        const leaf = leafOf({ field, ...rest })
        const events = lists.flat()
        assert.deepEqual(historiesOf(leaf, events, NOW, parts), historiesOf(leaf, events, NOW))
        const id = trackerId(trackerOf(leaf))
        const keeping = keepingOf(trackerOf(leaf), NOW)
        const [whole, ...people] = [events, ...lists].map((list) => historiesOf(leaf, list, NOW)[id])
        const merge = (a: History | undefined, b: History | undefined) => (b ? mergeHistories(a, b, keeping) : a)
        assert.deepEqual(people.reduce(merge, undefined), whole)
        assert.deepEqual(people.toReversed().reduce(merge, undefined), whole)
      },
    ),
    { numRuns: 500, seed: 34 },
  )
})

test('a sum over more events than are kept by moment stays right, and leaves its window by the hour', () => {
  const leaf = leafOf({
    field: 'events.purchase',
    operator: 'did',
    value: { within: { days: 30 }, sum: { property: 'value', operator: 'greater_than_or_equal', value: 1_000 } },
  })
  const events = Array.from({ length: 1_000 }, (_, index) => sent('purchase', NOW - index * 30 * MINUTE_MS, null, 1))
  const history = historiesOf(leaf, events, NOW)[trackerId(trackerOf(leaf))]
  assert.equal(history?.a.length, 256)
  assert.equal(holds(leaf, history, NOW), true)
  const first = changesAt(leaf, history, NOW + 9 * DAY_MS) ?? 0
  assert.equal(holds(leaf, history, first), false)
  assert.equal(first % HOUR_MS, 0)
})

test('what is kept no longer goes from a history: its moments, their values and the hours of sums; how many there were stays', () => {
  const keeping = { ring: 3, hasSum: true, since: 0 }
  const hour = (of: number) => NOW - of * HOUR_MS
  const events = [1, 2, 30, 40, 50].map((of) => ({ at: hour(of), value: of }))
  const history = fold(undefined, events, keeping)
  assert.ok(history)
  assert.equal(trimHistory(history, hour(60)), history, 'nothing is that old')
  const trimmed = trimHistory(history, hour(30))
  assert.deepEqual([trimmed.a, trimmed.v, trimmed.h], [[hour(1), hour(2)], [1, 2], undefined])
  assert.deepEqual([trimmed.n, trimmed.f, trimmed.l, trimmed.s], [5, hour(50), hour(1), 123])
  assert.deepEqual(Object.values(trimHistory(history, hour(45)).h ?? {}), [40], 'an hour of sums goes by itself')
})

test('a person with very many events has a history', () => {
  const events = Array.from({ length: 300_000 }, (_, index) => ({ at: NOW - index }))
  const history = fold(undefined, events, { ring: 20, hasSum: false, since: 0 })
  assert.deepEqual([history?.n, history?.f, history?.l, history?.a.length], [300_000, NOW - 299_999, NOW, 20])
})

test('leaves that differ only in window and count share a tracker; another condition, sum or a large count is another one', () => {
  const did = (value: unknown) => ({ field: 'events.purchase', operator: 'did', value })
  const where = { logicalOperator: 'AND', conditions: [{ field: 'properties.total', operator: 'greater_than', value: 100 }] }
  const read = parseRules(
    {
      logicalOperator: 'OR',
      rules: [
        did({}),
        did({ within: { days: 3 }, count: { operator: 'equals', value: 7 } }),
        { field: 'events.purchase', operator: 'did_not', value: { within: { hours: 1 } } },
        { logicalOperator: 'AND', conditions: [did({ where }), did({ within: { days: 1 }, where })] },
        did({ count: { operator: 'greater_than_or_equal', value: 50 } }),
        did({ sum: { property: 'value', operator: 'greater_than', value: 3 } }),
      ],
    },
    isRegexValid,
  )
  assert.ok(read.ok)
  assert.deepEqual(
    [...trackersOf(read.value.rules).values()],
    [
      { type: 'purchase', ring: 20 },
      { type: 'purchase', where, ring: 20 },
      { type: 'purchase', ring: 101 },
      { type: 'purchase', sum: 'value', ring: 256 },
    ],
  )
})

test('what is refused says where it is wrong', () => {
  const did = (value: unknown, operator = 'did', field = 'events.purchase') => ({ field, operator, value })
  const where = (conditions: unknown) => ({ where: { logicalOperator: 'AND', conditions } })
  const one = (condition: object) => where([{ field: 'properties.a', operator: 'exists', ...condition }])
  const deep = (levels: number): unknown =>
    levels === 0 ? { field: 'value', operator: 'exists' } : { logicalOperator: 'AND', conditions: [deep(levels - 1)] }
  for (const [rule, error] of [
    [did({}, 'did', 'events.'), 'field must name a type of events: events.<1 to 200 characters>'],
    [did({}, 'did', `events.${'x'.repeat(201)}`), 'field must name a type of events: events.<1 to 200 characters>'],
    [did({}, 'like'), 'operator of events.purchase must be one of did, did_not, first_did, last_did'],
    [did({}, 'equals'), 'operator of events.purchase must be one of did, did_not, first_did, last_did'],
    [did({}, 'did', 'behavioral.clicks'), 'did needs a field of events: events.<type>'],
    [did('once'), 'value of did must be an object'],
    [did({ withn: { days: 1 } }), 'value of did may have within, where, count, sum, not "withn"'],
    [did({ count: { operator: 'equals', value: 1 } }, 'did_not'), 'value of did_not may have within, where, not "count"'],
    [did({ within: { days: 0 } }), 'value.within.days must be a whole number from 1 to 90'],
    [did({ within: { days: 91 } }), 'value.within.days must be a whole number from 1 to 90'],
    [did({ within: { minutes: '5' } }), 'value.within.minutes must be a whole number from 1 to 129600'],
    [did({ within: { days: 1, hours: 1 } }), 'value.within must have one of minutes, hours, days'],
    [did({ count: { operator: 'equals', value: 101 } }), 'value.count.value must be a whole number from 1 to 100'],
    [did({ count: { operator: 'equals', value: '2' } }), 'value.count.value must be a whole number from 1 to 100'],
    [
      did({ count: { operator: 'like', value: 2 } }),
      'value.count.operator must be one of equals, greater_than_or_equal, less_than, between',
    ],
    [
      did({ count: { operator: 'between', value: [3, 2] } }),
      'value.count.value must be two whole numbers from 0 to 100, the smaller first',
    ],
    [did({ sum: { property: 'total', operator: 'less_than', value: 1 } }), 'value.sum.property must be value or properties.<name>'],
    [
      did({ sum: { property: 'value', operator: 'equals', value: 1 } }),
      'value.sum.operator must be one of greater_than, greater_than_or_equal, less_than, less_than_or_equal, between',
    ],
    [did({ sum: { property: 'value', operator: 'less_than', value: '1' } }), 'value.sum.value must be a number'],
    [did({}, 'first_did'), 'value.ago.operator must be less_than or greater_than_or_equal'],
    [did({ ago: { operator: 'less_than', days: 91 } }, 'last_did'), 'value.ago.days must be a whole number from 1 to 90'],
    [did(where([])), 'value.where.conditions must be an array of at least one condition'],
    [did(one({ operator: 'geo_radius' })), /^value\.where\.conditions\[0\]\.operator must be one of equals/],
    [did(one({ field: 'traits.a' })), /^value\.where\.conditions\[0\]\.field must be properties\.<name> or one of value, currency/],
    [did(one({ operator: 'equals', value: 'x'.repeat(4_097) })), 'value.where.conditions[0].value is too large or nested too deeply'],
    [
      did(where(Array.from({ length: 21 }, () => ({ field: 'value', operator: 'exists' })))),
      'value.where.conditions[20]: an event has at most 20 conditions',
    ],
    [did({ where: deep(4) }), 'value.where.conditions[0].conditions[0].conditions[0]: conditions of an event nest at most 3 levels deep'],
  ] as const) {
    const read = parse(rule)
    assert.ok(!read.ok, JSON.stringify(rule).slice(0, 200))
    assert.equal(read.error.slice(0, 10), 'rules[0]: ')
    const said = read.error.slice(10)
    if (typeof error === 'string') assert.equal(said, error)
    else assert.match(said, error)
  }
  for (const rule of [
    did({}),
    did({ where: deep(3) }),
    did({ within: { days: 90 } }),
    did(one({ field: 'properties.__proto__.constructor' })),
  ])
    assert.ok(parse(rule).ok, JSON.stringify(rule))
})
